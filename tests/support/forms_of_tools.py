"""The votes and grades of `support.forms` as annotation tools export them."""

import csv
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.exports import write_json, write_lines
from support.forms import DATA

QUESTION = "label"


@dataclass(frozen=True, slots=True)
class Vote:
    """One answer to one task."""

    subject: str
    task: str
    fields: dict[str, str]
    label: str


def votes_of(name: str) -> list[Vote]:
    """The rows of judgments or assignments as answers to tasks, which are numbered."""
    data = DATA[name]
    if name == "judgments":
        rows = zip(*(data[c] for c in ("subject", "query", "item", "grade")), strict=True)
        given = [(s, {"query_id": q, "doc_id": i}, str(g)) for s, q, i, g in rows]
    else:
        rows = zip(*(data[c] for c in ("subject", "item", "category")), strict=True)
        given = [(s, {"image": i}, c) for s, i, c in rows]
    number: dict[tuple[str, ...], int] = {}
    return [
        Vote(who, str(number.setdefault(tuple(fields.values()), len(number) + 1)), fields, label)
        for who, fields, label in given
    ]


def _by_task(votes: list[Vote]) -> Iterable[tuple[dict[str, str], str, list[Vote]]]:
    tasks = {vote.task: vote.fields for vote in votes}
    return [(fields, task, [v for v in votes if v.task == task]) for task, fields in tasks.items()]


def label_studio(folder: Path, votes: list[Vote]) -> Path:
    def annotation(vote: Vote) -> dict[str, Any]:
        value = {"choices": [vote.label]}
        result = {"from_name": QUESTION, "to_name": "x", "type": "choices", "value": value}
        return {"id": 1, "completed_by": {"email": vote.subject}, "result": [result]}

    tasks = [
        {"id": task, "data": fields, "annotations": [annotation(v) for v in given]}
        for fields, task, given in _by_task(votes)
    ]
    return write_json(folder / "label_studio.json", tasks)


def _minimal(votes: list[Vote]) -> list[dict[str, Any]]:
    return [
        {"annotation_id": n, "annotator": vote.subject, "created_at": "2023-07-13T00:00:00Z"}
        | {"id": vote.task, **vote.fields, QUESTION: vote.label, "lead_time": 8.3}
        for n, vote in enumerate(votes)
    ]


def _write_rows(path: Path, rows: list[dict[str, Any]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        separator = "\t" if path.suffix == ".tsv" else ","
        writer = csv.DictWriter(file, list(rows[0]), delimiter=separator)
        writer.writeheader()
        writer.writerows(rows)
    return path


def prodigy(folder: Path, votes: list[Vote]) -> Path:
    options = [{"id": label, "text": label} for label in {v.label: None for v in votes}]
    tasks = [
        {**v.fields, "id": v.task, "options": options, "accept": [v.label], "answer": "accept"}
        | {"_input_hash": 1, "_task_hash": 2, "_annotator_id": v.subject, "_view_id": "choice"}
        for v in votes
    ]
    return write_lines(folder / "prodigy.jsonl", tasks)


def doccano(folder: Path, votes: list[Vote]) -> Path:
    records = [
        {"id": v.task, "text": "...", **v.fields, "user": v.subject, "label": [v.label]}
        for v in votes
    ]
    return write_lines(folder / "all.jsonl", records)


def argilla(version: int) -> Callable[[Path, list[Vote]], Path]:
    def write(folder: Path, votes: list[Vote]) -> Path:
        records: list[dict[str, Any]] = []
        for fields, task, given in _by_task(votes):
            answers = [{"value": v.label, "user_id": v.subject} for v in given]
            if version == 1:
                responses: Any = [
                    {"user_id": v.subject, "values": {QUESTION: {"value": v.label}}}
                    | {"status": "submitted"}
                    for v in given
                ]
                records.append({"external_id": task, "fields": fields, "responses": responses})
            else:
                responses = {QUESTION: answers}
                records.append({"id": task, "fields": fields, "responses": responses})
        return write_json(folder / "argilla.json", records)

    return write


def argilla_flat(folder: Path, votes: list[Vote]) -> Path:
    name = f"{QUESTION}.responses"
    records = [
        {"id": task, **fields, name: [v.label for v in given]}
        | {f"{name}.users": [v.subject for v in given]}
        for fields, task, given in _by_task(votes)
    ]
    return write_lines(folder / "argilla.jsonl", records)


def potato(folder: Path, votes: list[Vote]) -> Path:
    records = [
        {"user_id": v.subject, "instance_id": v.task, **v.fields}
        | {"label_annotations": {QUESTION: {v.label: True}}}
        for v in votes
    ]
    return write_lines(folder / "annotated_instances.jsonl", records)


def potato_table(folder: Path, votes: list[Vote]) -> Path:
    labels = {vote.label: None for vote in votes}
    rows = [
        {"user": v.subject, "instance_id": v.task, **v.fields}
        | {f"{QUESTION}:::{label}": "1" if label == v.label else "" for label in labels}
        for v in votes
    ]
    return _write_rows(folder / "potato.tsv", rows)


def toloka(folder: Path, votes: list[Vote]) -> Path:
    rows = [
        {f"INPUT:{name}": value for name, value in v.fields.items()}
        | {f"OUTPUT:{QUESTION}": v.label, "ASSIGNMENT:task_id": f"t{v.task}"}
        | {"ASSIGNMENT:worker_id": v.subject, "ASSIGNMENT:status": "APPROVED"}
        for v in votes
    ]
    return _write_rows(folder / "results.tsv", rows)


def mturk(folder: Path, votes: list[Vote], *, as_json: bool = False) -> Path:
    def answer(label: str) -> dict[str, str]:
        if as_json:
            return {"Answer.taskAnswers": json.dumps([{QUESTION: {"label": label}}])}
        return {f"Answer.{QUESTION}": label}

    rows = [
        {"HITId": f"H{v.task}", "WorkerId": v.subject, "AssignmentStatus": "Approved"}
        | {f"Input.{name}": value for name, value in v.fields.items()}
        | answer(v.label)
        for v in votes
    ]
    return _write_rows(folder / "Batch_1_batch_results.csv", rows)


EXPORTS: dict[str, Callable[[Path, list[Vote]], Path]] = {
    "Label Studio, JSON": label_studio,
    "Label Studio, JSON-MIN": lambda folder, votes: write_json(folder / "a.json", _minimal(votes)),
    "Label Studio, CSV": lambda folder, votes: _write_rows(folder / "a.csv", _minimal(votes)),
    "Prodigy": prodigy,
    "doccano": doccano,
    "Argilla 1": argilla(1),
    "Argilla 2": argilla(2),
    "Argilla 2, flat": argilla_flat,
    "Potato": potato,
    "Potato, table": potato_table,
    "Toloka": toloka,
    "Mechanical Turk": mturk,
    "Mechanical Turk, JSON": lambda folder, votes: mturk(folder, votes, as_json=True),
}
#: what an export puts before the fields of a task
PREFIX = {
    "Label Studio, JSON": "data.",
    "Argilla 1": "fields.",
    "Argilla 2": "fields.",
    "Toloka": "INPUT:",
    "Mechanical Turk": "Input.",
    "Mechanical Turk, JSON": "Input.",
}
