"""Results of Toloka: a table with a row for each assignment and task.

References
----------
Toloka documentation: "Getting results" and, of Toloka-Kit, `GetAssignmentsTsvParameters` (names of
columns and statuses); "Control tasks" (`GOLDEN:`).
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from fuzzytruth.io.columns import Locate
from fuzzytruth.io.exports.export import Answer, Export, Record, export_of, only_field

_WORKER = "ASSIGNMENT:worker_id"
_TASK = "ASSIGNMENT:task_id"
_NOT_GIVEN = ("REJECTED", "SKIPPED", "EXPIRED", "ACTIVE")


def recognise_header(header: list[str]) -> bool:
    """Whether a table has workers of assignments, and output."""
    return _WORKER in header and any(name.startswith("OUTPUT:") for name in header)


def flatten(records: list[Record], locate: Locate) -> Export:
    """One record a task and worker, without golden tasks and assignments that do not count."""
    answers, left_out = [], Counter[str]()
    for row, record in enumerate(records):
        status = record.get("ASSIGNMENT:status", "").upper()
        golden = any(value for name, value in record.items() if name.startswith("GOLDEN:"))
        if status in _NOT_GIVEN or golden:
            left_out["golden task" if golden else f"{status.lower()} assignment"] += 1
            continue
        labels: dict[str, list[Any]] = {
            name: [value] if value else []
            for name, value in record.items()
            if name.startswith("OUTPUT:")
        }
        fields = {name: value for name, value in record.items() if name not in labels}
        answers.append(Answer(locate(row), fields, labels, record[_WORKER], record.get(_TASK)))
    return export_of("Toloka", answers, left_out, only_field(records[0], "INPUT:"))
