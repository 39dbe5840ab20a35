"""Exports of doccano: JSON lines, a file for each annotator unless annotations are shared.

References
----------
doccano documentation: "Export data"; the samples in `backend/data_export/pipeline/examples` of its
repository.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from fuzzytruth.io.columns import Locate
from fuzzytruth.io.exports.export import Answer, Export, Record, export_of, scalars

_LABELS = ("label", "labels", "cats")
_CONTENTS = ("text", "data", "filename", "image")
_WHO = ("username", "user", "annotator")

#: names of files that are not one annotator's
SHARED = ("all", "unknown")


def recognise(records: list[Record]) -> bool:
    """Whether each record has some contents and a list of labels."""
    return all(
        any(isinstance(record.get(key), list) for key in _LABELS)
        and any(isinstance(record.get(key), str) for key in _CONTENTS)
        for record in records
    )


def flatten(records: list[Record], locate: Locate) -> Export:
    """One record an example and label; labels of spans and boxes are left out."""
    answers, left_out = [], Counter[str]()
    for row, record in enumerate(records):
        question = next(key for key in _LABELS if isinstance(record.get(key), list))
        labels: list[Any] = [one for one in record[question] if not isinstance(one, (list, dict))]
        left_out["label of a span"] += len(record[question]) - len(labels)
        answers.append(
            Answer(
                place=locate(row),
                fields=scalars(record),
                labels={question: labels},
                subject=next((record[key] for key in _WHO if record.get(key) is not None), None),
                task=record.get("id", record.get("filename")),
            )
        )
    return export_of("doccano", answers, left_out)
