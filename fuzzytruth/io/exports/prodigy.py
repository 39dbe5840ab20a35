"""Exports of Prodigy: JSON lines with the annotated tasks (``prodigy db-out``).

References
----------
Prodigy documentation: "Annotation interfaces" (`choice`, `classification`) and "Review"
(`_annotator_id`, `_session_id`).
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from fuzzytruth.io.columns import Locate
from fuzzytruth.io.exports.export import Answer, Export, Record, export_of, scalars

_ANSWERS = ("accept", "reject", "ignore")
_GRADES = {"accept": 1, "reject": 0}
_OWN = ("_input_hash", "_task_hash", "_annotator_id", "_session_id", "_view_id")


def recognise(records: list[Record]) -> bool:
    """Whether each record has an answer and one of Prodigy's own keys."""
    return all(
        record.get("answer") in _ANSWERS and any(key in record for key in _OWN)
        for record in records
    )


def flatten(records: list[Record], locate: Locate) -> Export:
    """One record a task and chosen label.

    Of choices, `label` is each accepted option. Of a task to accept or reject, `answer` is the
    answer and `grade` its number; where that is about one label, `option` is that label, and
    `label` the label if it was accepted.
    """
    by_id = all(record.get("id") is not None for record in records)
    answers, left_out = [], Counter[str]()
    for row, record in enumerate(records):
        answer, chosen = record["answer"], record.get("accept")
        if answer == "ignore" or (chosen is not None and answer == "reject"):
            left_out["ignored task" if answer == "ignore" else "rejected task"] += 1
            continue
        fields = scalars(record)
        labels: dict[str, list[Any]] = {"answer": [answer]}
        if chosen is not None:
            fields.pop("answer")
            labels = {"accept": chosen if isinstance(chosen, list) else [chosen]}
        else:
            fields.setdefault("grade", _GRADES[answer])
            if (option := fields.pop("label", None)) is not None:
                fields["option"] = option
                labels["label"] = [option] if answer == "accept" else []
        answers.append(
            Answer(
                place=locate(row),
                fields=fields,
                labels=labels,
                subject=record.get("_annotator_id", record.get("_session_id")),
                task=record["id"] if by_id else record.get("_input_hash"),
            )
        )
    return export_of("Prodigy", answers, left_out)
