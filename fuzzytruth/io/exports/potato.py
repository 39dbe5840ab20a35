"""Exports of Potato: annotated instances of a user, `user_state.json`, and wide tables.

References
----------
Potato documentation: "Export Formats" and "Quick Start" (`annotated_instances`); Pei et al. 2022,
POTATO: The Portable Text Annotation Tool.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from fuzzytruth.io.columns import Locate
from fuzzytruth.io.exports.export import Answer, Export, Record, export_of, scalars

_BETWEEN = ":::"
_STATE = "instance_id_to_label_to_value"
_BY_SCHEMA = ("label_annotations", "labels")
_USER = ("user", "user_id")
_INSTANCE = ("instance_id", "id")
#: names under which an answer is what was typed or set, and not the name of a label
_TYPED = ("scale_", "text_box", "textbox", "textarea", "slider", "number")
_NOT_CHOSEN = (None, False, 0, "", "0", "false", "False")


def recognise(records: list[Record]) -> bool:
    """Whether each record is an annotated instance or the state of a user."""
    return all(_is_state(record) or _is_instance(record) for record in records)


def recognise_header(header: list[str]) -> bool:
    """Whether a table has a column for each schema and label."""
    return any(_BETWEEN in name for name in header) and any(name in header for name in _INSTANCE)


def flatten(records: list[Record], locate: Locate) -> Export:
    """One record an instance, user and label; each schema is a question."""
    answers, left_out = [], Counter[str]()
    for row, record in enumerate(records):
        for number, one in enumerate(_instances(record), start=1):
            spans = one.get("span_annotations") or one.get("spans") or []
            left_out["label of a span"] += len(spans)
            state = f", instance {number}" if _is_state(record) else ""
            answers.append(
                Answer(
                    place=f"{locate(row)}{state}",
                    fields=_fields(one),
                    labels=_labels(one),
                    subject=_first(one, _USER),
                    task=_first(one, _INSTANCE),
                )
            )
    return export_of("Potato", answers, left_out)


def _is_state(record: Record) -> bool:
    return "user_id" in record and isinstance(record.get(_STATE), dict)


def _is_instance(record: Record) -> bool:
    by_schema = isinstance(record.get("label_annotations"), dict) or (
        isinstance(record.get("labels"), dict) and _first(record, _USER) is not None
    )
    return _first(record, _INSTANCE) is not None and (
        by_schema or any(_BETWEEN in key for key in record)
    )


def _instances(record: Record) -> Iterator[Record]:
    """The annotated instances in a record."""
    if not _is_state(record):
        yield record
        return
    for instance, labels in record[_STATE].items():
        spans = (record.get("instance_id_to_span_to_value") or {}).get(instance) or {}
        yield {
            "user_id": record["user_id"],
            "instance_id": instance,
            "label_annotations": labels,
            "spans": [span for given in spans.values() for span in given],
        }


def _first(record: Record, keys: tuple[str, ...]) -> Any:
    return next((record[key] for key in keys if record.get(key) is not None), None)


def _fields(record: Record) -> Record:
    """The fields of an instance that are no answers."""
    answers = (*_BY_SCHEMA, "span_annotations", "spans", "behavioral_data")
    return scalars({k: v for k, v in record.items() if _BETWEEN not in k and k not in answers})


def _labels(record: Record) -> dict[str, list[Any]]:
    """Labels by schema."""
    labels: dict[str, list[Any]] = defaultdict(list)
    for key in _BY_SCHEMA:
        for schema, given in (record.get(key) or {}).items():
            labels[schema] += _chosen(given)
    for key, value in record.items():
        schema, between, name = key.partition(_BETWEEN)
        if between:
            labels[schema] += _chosen({name: value})
    return labels


def _chosen(given: Any) -> list[Any]:
    """The labels chosen in ``{name: value}``, the value itself where it was typed."""
    if not isinstance(given, Mapping):
        return [] if given in _NOT_CHOSEN else [given]
    if isinstance(given.get("labels"), Mapping):
        given = given["labels"]
    return [
        value if name.startswith(_TYPED) else name
        for name, value in given.items()
        if value not in _NOT_CHOSEN or (name.startswith(_TYPED) and value in (0, "0"))
    ]
