"""Batch results of Amazon Mechanical Turk: a table with a row for each assignment.

References
----------
Amazon Mechanical Turk documentation: "Retrieving results" (`AssignmentStatus`); Amazon SageMaker
documentation: "Crowd HTML Elements Reference" (what `Answer.taskAnswers` holds).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from fuzzytruth.errors import DataError, shown
from fuzzytruth.io.columns import Locate
from fuzzytruth.io.exports.export import Answer, Export, Record, export_of, only_field
from fuzzytruth.io.files import parse_json

_PREFIX = "Answer."
_TASK_ANSWERS = "Answer.taskAnswers"
_TRUTH = ("true", "false", "")
_NEEDED = ("HITId", "WorkerId")


def recognise_header(header: list[str]) -> bool:
    """Whether a table has HITs, workers and answers."""
    return all(name in header for name in _NEEDED) and any(n.startswith(_PREFIX) for n in header)


def flatten(records: list[Record], locate: Locate) -> Export:
    """One record an assignment and label, without rejected assignments."""
    options = _options(records)
    answers, left_out = [], Counter[str]()
    for row, record in enumerate(records):
        if record.get("AssignmentStatus") == "Rejected" or record.get("Reject"):
            left_out["rejected assignment"] += 1
            continue
        labels: dict[str, list[Any]] = {}
        for name, value in record.items():
            if name == _TASK_ANSWERS and value:
                labels |= _task_answers(value, f"{locate(row)}, column {name!r}")
            elif name in options:
                question, option = options[name]
                chosen = value.lower() == "true"
                labels[question] = labels.get(question, []) + [option] * chosen
            elif name.startswith(_PREFIX):
                labels[name] = [value] if value else []
        fields = {name: v for name, v in record.items() if v and not name.startswith(_PREFIX)}
        answers.append(Answer(locate(row), fields, labels, record["WorkerId"], record["HITId"]))
    return export_of("Mechanical Turk", answers, left_out, only_field(records[0], "Input."))


def _options(records: list[Record]) -> dict[str, tuple[str, str]]:
    """Question and option of columns `Answer.question.option`, all of which are true or false.

    Groups of radio buttons and check boxes are submitted so.
    """
    by_question: dict[str, dict[str, str]] = defaultdict(dict)
    for name in records[0]:
        question, _, option = name.removeprefix(_PREFIX).partition(".")
        question = f"{_PREFIX}{question}"
        if name.startswith(_PREFIX) and option and question not in records[0]:
            by_question[question][name] = option
    return {
        name: (question, option)
        for question, options in by_question.items()
        if len(options) > 1 and all(r[name].lower() in _TRUTH for name in options for r in records)
        for name, option in options.items()
    }


def _task_answers(text: str, where: str) -> dict[str, list[Any]]:
    """Labels by question, of the JSON that crowd elements submit."""
    given = parse_json(text.encode(), where, is_line=True)
    forms = given if isinstance(given, list) else [given]
    if not all(isinstance(form, dict) for form in forms):
        raise DataError(f"{where}: {shown(text)} is not a list of answers by question")
    labels: dict[str, list[Any]] = {}
    for form in forms:
        labels |= {question: _labels(answer) for question, answer in form.items()}
    return labels


def _labels(answer: Any) -> list[Any]:
    """Labels in a text, in ``{"label": ...}``, ``{"labels": [...]}`` or ``{option: chosen}``."""
    if not isinstance(answer, dict):
        return [answer] if answer not in (None, "") else []
    if "labels" in answer:
        return list(answer["labels"])
    if isinstance(answer.get("label"), str):
        return [answer["label"]]
    return [option for option, chosen in answer.items() if chosen is True or chosen == "on"]
