"""Exports of Argilla: records of version 1 and 2, nested or flattened.

References
----------
Argilla documentation: "Feedback Data Model" (version 1), "rg.Response" and "Import and export
datasets" (version 2).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fuzzytruth.errors import DataError, counted, shown
from fuzzytruth.io.columns import Locate
from fuzzytruth.io.exports.export import Answer, Export, Record, export_of, scalars

_USERS = ".responses.users"
#: status of a response that is left out -> what it is called
_LEFT_OUT = {"draft": "draft", "discarded": "discarded response"}


@dataclass(frozen=True, slots=True)
class _Response:
    """One user's answer to one question."""

    user: Any
    question: str
    value: Any
    status: str | None


def recognise(records: list[Record]) -> bool:
    """Whether each record has responses in one of Argilla's three forms."""
    return all(
        any(key.endswith(_USERS) for key in record)
        or (isinstance(record.get("fields"), dict) and _are_responses(record.get("responses")))
        for record in records
    )


def flatten(records: list[Record], locate: Locate) -> Export:
    """One record a task, user and label; fields of the task are `fields.*`."""
    key = "external_id" if all(r.get("external_id") is not None for r in records) else "id"
    answers, left_out = [], Counter[str]()
    for row, record in enumerate(records):
        by_user: dict[Any, dict[str, list[Any]]] = defaultdict(dict)
        for response in _responses(record, locate(row)):
            labels = response.value if isinstance(response.value, list) else [response.value]
            if response.status in _LEFT_OUT:
                left_out[_LEFT_OUT[response.status]] += 1
            elif any(isinstance(one, (dict, list)) for one in labels):
                left_out["response of spans or ranks"] += 1
            else:
                given = by_user[response.user].setdefault(response.question, [])
                given += [one for one in labels if one is not None]
        fields = scalars({name: record[name] for name in record if name != "responses"})
        for user, answer in by_user.items():
            place = f"{locate(row)}, user {user}"
            answers.append(Answer(place, fields, answer, user, record.get(key)))
    return export_of("Argilla", answers, left_out)


def _are_responses(responses: Any) -> bool:
    """Whether these are responses by user (version 1) or by question (version 2)."""
    if isinstance(responses, dict):
        return all(
            isinstance(given, list) and all(isinstance(r, dict) and "value" in r for r in given)
            for given in responses.values()
        )
    return isinstance(responses, list) and all(
        isinstance(r, dict) and "values" in r and "status" in r for r in responses
    )


def _responses(record: Record, where: str) -> Iterator[_Response]:
    """All responses of a record; a `DataError` if users and responses differ in number."""
    responses = record.get("responses")
    if isinstance(responses, list):
        for given in responses:
            for question, answer in (given["values"] or {}).items():
                value = answer["value"] if isinstance(answer, dict) else answer
                yield _Response(given.get("user_id"), question, value, given["status"])
        return
    for question, given in (responses or {}).items():
        for one in given:
            yield _Response(one.get("user_id"), question, one["value"], one.get("status"))
    for key in record:
        if key.endswith(_USERS) and record[key]:
            question = key.removesuffix(_USERS)
            values = record.get(f"{question}.responses") or []
            status = record.get(f"{question}.responses.status") or [None] * len(values)
            if not len(record[key]) == len(values) == len(status):
                raise DataError(
                    f"{where}: {shown(key)} names {counted(len(record[key]), 'user')}, but there "
                    f"are {counted(len(values), 'response')}; export the records again"
                )
            for user, value, state in zip(record[key], values, status, strict=True):
                yield _Response(user, question, value, state)
