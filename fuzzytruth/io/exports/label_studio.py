"""Exports of Label Studio: JSON (a list of tasks) and JSON-MIN (a list of annotations).

References
----------
Label Studio documentation: "Label Studio Task Format" (JSON) and "Export Annotations" (JSON-MIN).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from fuzzytruth.io.columns import Locate
from fuzzytruth.io.exports.export import Answer, Export, Record, export_of, scalars

_NAME = "Label Studio"
#: parts of a result that say where in the task a region lies
_REGION = frozenset({"start", "x", "points", "rle", "ranges", "globalOffsets", "sequence"})
#: keys of the values that are answers about a whole task
_VALUES = ("choices", "rating", "number", "text", "taxonomy", "selected", "datetime")
_MINIMAL = ("id", "annotator", "annotation_id", "lead_time")


def recognise(records: list[Record]) -> bool:
    """Whether each record is a task with its annotations."""
    return all(
        isinstance(task.get("data"), dict) and _annotations(task) is not None for task in records
    )


def flatten(records: list[Record], locate: Locate) -> Export:
    """One record a task, annotation and label; fields of the task are `data.*`."""
    answers, left_out = [], Counter[str]()
    for row, task in enumerate(records):
        left_out["draft"] += len(task.get("drafts") or [])
        left_out["prediction of a model"] += len(task.get("predictions") or [])
        fields = scalars(task["data"], "data.")
        for number, annotation in enumerate(_annotations(task) or [], start=1):
            if annotation.get("was_cancelled") or annotation.get("skipped"):
                left_out["cancelled annotation"] += 1
                continue
            labels: dict[str, list[Any]] = defaultdict(list)
            for result in annotation["result"]:
                given = list(_labels(result))
                left_out["result without a label"] += not given
                if given:
                    labels[str(result.get("from_name"))] += given
            answers.append(
                Answer(
                    place=f"{locate(row)}, annotation {number}",
                    fields=fields,
                    labels=labels,
                    subject=_who(annotation),
                    task=task.get("id"),
                )
            )
    return export_of(_NAME, answers, left_out)


def recognise_minimal(records: list[Record]) -> bool:
    """Whether each record has the keys that JSON-MIN adds to the data of a task."""
    return all(all(key in record for key in _MINIMAL) for record in records)


def flatten_minimal(records: list[Record], locate: Locate) -> Export:
    """One record an annotation and label; the questions stand between `id` and `annotator`."""
    answers, left_out = [], Counter[str]()
    for row, record in enumerate(records):
        keys = list(record)
        questions = keys[keys.index("id") + 1 : keys.index("annotator")] or [
            key for key in keys if isinstance(record[key], (dict, list))
        ]
        labels = {}
        for question in questions:
            given = list(_minimal_labels(record[question]))
            left_out["result without a label"] += record[question] not in (None, []) and not given
            if given:
                labels[question] = given
        fields = {key: record[key] for key in keys if key not in questions}
        answers.append(Answer(locate(row), scalars(fields), labels, _who(record), record["id"]))
    return export_of(f"{_NAME} (JSON-MIN)", answers, left_out)


def _annotations(task: Record) -> list[Record] | None:
    """The annotations of a task; None if this is none. Until version 1 they were completions."""
    given = task.get("annotations", task.get("completions"))
    if not isinstance(given, list):
        return None
    whole = all(isinstance(one, dict) and isinstance(one.get("result"), list) for one in given)
    return given if whole else None


def _who(annotation: Record) -> Any:
    """Who annotated: an e-mail address where there is one, else a number."""
    who = annotation.get("completed_by", annotation.get("annotator"))
    if isinstance(who, dict):
        who = who.get("email") or who.get("id")
    return who if who is not None else annotation.get("created_username")


def _labels(result: Any) -> Iterator[Any]:
    """The labels in one result, none if it is about a region."""
    value = result.get("value") if isinstance(result, dict) else None
    if not isinstance(value, dict) or _REGION & value.keys():
        return
    for key in _VALUES:
        if key in value:
            given = value[key] if isinstance(value[key], list) else [value[key]]
            # a choice of a taxonomy is the path to it
            yield from (one[-1] if isinstance(one, list) and one else one for one in given)


def _minimal_labels(value: Any) -> Iterator[Any]:
    """The labels in a value of JSON-MIN: a text, ``{"choices": [...]}``, or a list of such."""
    if isinstance(value, dict):
        yield from _labels({"value": value})
    elif isinstance(value, list):
        for one in value:
            yield from _minimal_labels(one)
    elif value is not None:
        yield value
