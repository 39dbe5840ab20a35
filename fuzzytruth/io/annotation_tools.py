"""Annotation tools: how their exports are recognised, and where the answers are in them.

A new tool is an entry in `OF_RECORDS` (JSON) or `OF_TABLES` (CSV, TSV), and what gives its answers.

References
----------
Label Studio documentation: "Label Studio Task Format" (JSON) and "Export Annotations" (JSON-MIN,
CSV, TSV). Prodigy documentation: "Annotation interfaces" (`choice`, `classification`) and "Review"
(`_annotator_id`, `_session_id`). Argilla documentation: "Feedback Data Model" (version 1),
"rg.Response" and "Import and export datasets" (version 2). Potato documentation: "Export Formats"
and "Quick Start" (`annotated_instances`); Pei et al. 2022, POTATO: The Portable Text Annotation
Tool. doccano documentation: "Export data"; the samples in `backend/data_export/pipeline/examples`
of its repository. Toloka documentation: "Getting results" and, of Toloka-Kit,
`GetAssignmentsTsvParameters` (names of columns and statuses); "Control tasks" (`GOLDEN:`). Amazon
Mechanical Turk documentation: "Retrieving results" (`AssignmentStatus`); Amazon SageMaker
documentation: "Crowd HTML Elements Reference" (what `Answer.taskAnswers` holds).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fuzzytruth.errors import DataError, counted, shown
from fuzzytruth.io.columns import Locate
from fuzzytruth.io.files import parse_json, stem_of

Record = dict[str, Any]
Labels = dict[str, list[Any]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one subject answered to the questions of one task.

    Parameters
    ----------
    place : str
        Where it stands, for messages; no two answers have the same.
    fields : dict
        Of the task, by their own names.
    labels : mapping of question to list
        None where the question was left open, several where several labels were given.
    subject, task : str or number, optional
        What the tool calls them; None where it does not say.
    """

    place: str
    fields: Record
    labels: Mapping[str, Sequence[Any]]
    subject: Any = None
    task: Any = None


@dataclass(frozen=True, slots=True)
class Tool:
    """How the exports of one tool are recognised and read.

    Parameters
    ----------
    name : str
    recognises : callable
        Whether a record, or a list of names of columns, is of the tool.
    answers : callable
        From the records and what locates them; counts what is no answer.
    inputs : str
        How the columns of the tasks start; a single one names the item if none is called so.
    subject_of : callable
        Who annotated a file that does not say so; None: not one person.
    """

    name: str
    recognises: Callable[[Any], bool]
    answers: Callable[[list[Record], Locate, Counter[str]], Iterator[Answer]]
    inputs: str = ""
    subject_of: Callable[[Path], str | None] = lambda path: None


def scalars(nested: Mapping[str, Any], prefix: str = "") -> Record:
    """Fields that are texts or numbers, those of nested objects with dotted names.

    Examples
    --------
    >>> scalars({"text": "a", "meta": {"id": 7, "tags": ["x"]}}, "data.")
    {'data.text': 'a', 'data.meta.id': 7}
    """
    flat: Record = {}
    for name, value in nested.items():
        if isinstance(value, dict):
            flat |= scalars(value, f"{prefix}{name}.")
        elif value is not None and not isinstance(value, list):
            flat[f"{prefix}{name}"] = as_label(value)
    return flat


def as_label(value: Any) -> Any:
    """A label as a text or number: truth values become "true" and "false"."""
    return str(value).lower() if isinstance(value, bool) else value


def _has(*names: str, start: str = "") -> Callable[[Iterable[str]], bool]:
    """Whether a record or header has all these names, and one that starts so."""

    def recognises(present: Iterable[str]) -> bool:
        return {*names} <= {*present} and any(name.startswith(start) for name in present)

    return recognises


def _first(record: Record, keys: Iterable[str]) -> Any:
    """The first of these fields that a record has."""
    return next((record[key] for key in keys if record.get(key) is not None), None)


def _starting(record: Record, start: str) -> Labels:
    """The answers in the columns that start so, none where a cell is empty."""
    return {n: [value] if value else [] for n, value in record.items() if n.startswith(start)}


# Label Studio: tasks with their annotations, or a row for each annotation.

#: parts of a result that say where in the task a region lies
_REGION = frozenset({"start", "x", "points", "rle", "ranges", "globalOffsets", "sequence"})
#: keys of the values that are answers about a whole task
_VALUES = ("choices", "rating", "number", "text", "taxonomy", "selected", "datetime")
_MINIMAL = ("id", "annotator", "annotation_id", "lead_time")
_AFTER = ("annotator", "annotation_id", "created_at", "updated_at", "lead_time")
#: how cells begin that hold several labels, or one that is no choice
_OF_JSON = tuple(
    f'{start}"{kind}"'
    for start in ("{", "[{")
    for kind in ("choices", "rating", "taxonomy", "text")
)
_NO_LABEL = "result without a label"


def _is_label_studio(task: Record) -> bool:
    """Whether a record is a task with its annotations."""
    return isinstance(task.get("data"), dict) and _annotations(task) is not None


def _label_studio(tasks: list[Record], locate: Locate, left_out: Counter[str]) -> Iterator[Answer]:
    """An answer a task and annotation; fields of the task are `data.*`."""
    for row, task in enumerate(tasks):
        left_out["draft"] += len(task.get("drafts") or [])
        left_out["prediction of a model"] += len(task.get("predictions") or [])
        fields = scalars(task["data"], "data.")
        for number, annotation in enumerate(_annotations(task) or [], start=1):
            if annotation.get("was_cancelled") or annotation.get("skipped"):
                left_out["cancelled annotation"] += 1
                continue
            labels: Labels = defaultdict(list)
            for result in annotation["result"]:
                given = list(_labels(result))
                left_out[_NO_LABEL] += not given
                if given:
                    labels[str(result.get("from_name"))] += given
            place = f"{locate(row)}, annotation {number}"
            yield Answer(place, fields, labels, _who(annotation), task.get("id"))


def _label_studio_minimal(
    records: list[Record], locate: Locate, left_out: Counter[str]
) -> Iterator[Answer]:
    """An answer an annotation; the questions stand between `id` and `annotator`."""
    for row, record in enumerate(records):
        keys = list(record)
        questions = keys[keys.index("id") + 1 : keys.index("annotator")] or [
            key for key in keys if isinstance(record[key], (dict, list))
        ]
        given = {question: list(_minimal_labels(record[question])) for question in questions}
        left_out[_NO_LABEL] += sum(
            not labels and record[question] not in (None, []) for question, labels in given.items()
        )
        labels = {question: labels for question, labels in given.items() if labels}
        fields = scalars({key: record[key] for key in keys if key not in questions})
        yield Answer(locate(row), fields, labels, _who(record), record["id"])


def _label_studio_table(
    records: list[Record], locate: Locate, left_out: Counter[str]
) -> Iterator[Answer]:
    """An answer a row, whose columns with JSON are the labels.

    Without any, all columns that Label Studio did not add stay as they are.
    """
    header = list(records[0])
    coded = [
        name for name in header if any(record[name].startswith(_OF_JSON) for record in records)
    ]
    data = [name for name in header if name not in (*coded, *_AFTER, "id")]
    after = [name for name in _AFTER if name in header]
    rows: list[Record] = []
    for row, record in enumerate(records):
        cells: Record = {name: record[name] or None for name in (*data, "id", *coded)}
        for name in coded:
            if record[name].startswith(_OF_JSON):
                where = f"{locate(row)}, column {name!r}"
                cells[name] = parse_json(record[name].encode(), where, is_line=True)
        rows.append(cells | {name: record[name] for name in after})
    return _label_studio_minimal(rows, locate, left_out)


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


# Prodigy: JSON lines with the annotated tasks (``prodigy db-out``).

_ANSWERS = ("accept", "reject", "ignore")
_OF_PRODIGY = ("_input_hash", "_task_hash", "_annotator_id", "_session_id", "_view_id")


def _is_prodigy(record: Record) -> bool:
    """Whether a record has an answer and one of Prodigy's own keys."""
    return record.get("answer") in _ANSWERS and any(key in record for key in _OF_PRODIGY)


def _prodigy(records: list[Record], locate: Locate, left_out: Counter[str]) -> Iterator[Answer]:
    """An answer a task.

    Of choices, `label` is each accepted option. Of a task to accept or reject, `answer` is the
    answer and `grade` its number; where that is about one label, `option` is that label, and
    `label` the label if it was accepted.
    """
    key = "id" if all(record.get("id") is not None for record in records) else "_input_hash"
    for row, record in enumerate(records):
        answer, chosen = record["answer"], record.get("accept")
        if answer == "ignore" or (chosen is not None and answer == "reject"):
            left_out["ignored task" if answer == "ignore" else "rejected task"] += 1
            continue
        fields = scalars(record)
        labels: Labels = {"answer": [answer]}
        if chosen is not None:
            fields.pop("answer")
            labels = {"accept": chosen if isinstance(chosen, list) else [chosen]}
        else:
            fields.setdefault("grade", int(answer == "accept"))
            if (option := fields.pop("label", None)) is not None:
                fields["option"] = option
                labels["label"] = [option] if answer == "accept" else []
        who = record.get("_annotator_id", record.get("_session_id"))
        yield Answer(locate(row), fields, labels, who, record.get(key))


# Argilla: records of version 1 and 2, nested or flattened.

_USERS = ".responses.users"
#: status of a response that is left out -> what it is called
_LEFT_OUT = {"draft": "draft", "discarded": "discarded response"}


def _is_argilla(record: Record) -> bool:
    """Whether a record has responses in one of Argilla's three forms."""
    if any(key.endswith(_USERS) for key in record):
        return True
    responses = record.get("responses")
    if not isinstance(record.get("fields"), dict) or not isinstance(responses, (dict, list)):
        return False
    if isinstance(responses, dict):  # by question (version 2)
        return all(
            isinstance(given, list) and all(isinstance(r, dict) and "value" in r for r in given)
            for given in responses.values()
        )
    return all(isinstance(r, dict) and "values" in r and "status" in r for r in responses)


def _argilla(records: list[Record], locate: Locate, left_out: Counter[str]) -> Iterator[Answer]:
    """An answer a task and user; fields of the task are `fields.*`."""
    key = "external_id" if all(r.get("external_id") is not None for r in records) else "id"
    for row, record in enumerate(records):
        by_user: dict[Any, Labels] = defaultdict(dict)
        for user, question, value, status in _responses(record, locate(row)):
            labels = value if isinstance(value, list) else [value]
            if status in _LEFT_OUT:
                left_out[_LEFT_OUT[status]] += 1
            elif any(isinstance(one, (dict, list)) for one in labels):
                left_out["response of spans or ranks"] += 1
            else:
                given = by_user[user].setdefault(question, [])
                given += [one for one in labels if one is not None]
        fields = scalars({name: record[name] for name in record if name != "responses"})
        for user, by_question in by_user.items():
            place = f"{locate(row)}, user {user}"
            yield Answer(place, fields, by_question, user, record.get(key))


def _responses(record: Record, where: str) -> Iterator[tuple[Any, str, Any, str | None]]:
    """User, question, value and status of all responses of a record.

    A `DataError` if users and responses differ in number.
    """
    responses = record.get("responses")
    if isinstance(responses, list):
        for given in responses:
            for question, answer in (given["values"] or {}).items():
                value = answer["value"] if isinstance(answer, dict) else answer
                yield given.get("user_id"), question, value, given["status"]
        return
    for question, given in (responses or {}).items():
        for one in given:
            yield one.get("user_id"), question, one["value"], one.get("status")
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
                yield user, question, value, state


# Potato: annotated instances of a user, `user_state.json`, and wide tables.

_BETWEEN = ":::"
_STATE = "instance_id_to_label_to_value"
_BY_SCHEMA = ("label_annotations", "labels")
_USER = ("user", "user_id")
_INSTANCE = ("instance_id", "id")
_NO_FIELDS = (*_BY_SCHEMA, "span_annotations", "spans", "behavioral_data")
#: names under which an answer is what was typed or set, and not the name of a label
_TYPED = ("scale_", "text_box", "textbox", "textarea", "slider", "number")
_NOT_CHOSEN = (None, False, 0, "", "0", "false", "False")


def _is_potato(record: Record) -> bool:
    """Whether a record is an annotated instance or the state of a user."""
    if _is_state(record):
        return True
    by_schema = isinstance(record.get("label_annotations"), dict) or (
        isinstance(record.get("labels"), dict) and _first(record, _USER) is not None
    )
    return _first(record, _INSTANCE) is not None and (
        by_schema or any(_BETWEEN in key for key in record)
    )


def _is_potato_table(header: list[str]) -> bool:
    """Whether a table has a column for each schema and label."""
    return any(_BETWEEN in name for name in header) and any(name in header for name in _INSTANCE)


def _potato(records: list[Record], locate: Locate, left_out: Counter[str]) -> Iterator[Answer]:
    """An answer an instance and user; each schema is a question."""
    for row, record in enumerate(records):
        for number, one in enumerate(_instances(record), start=1):
            left_out["label of a span"] += len(
                one.get("span_annotations") or one.get("spans") or []
            )
            state = f", instance {number}" if _is_state(record) else ""
            fields = {k: v for k, v in one.items() if _BETWEEN not in k and k not in _NO_FIELDS}
            labels: Labels = defaultdict(list)
            for key in _BY_SCHEMA:
                for schema, given in (one.get(key) or {}).items():
                    labels[schema] += _chosen(given)
            for key, value in one.items():
                schema, between, name = key.partition(_BETWEEN)
                if between:
                    labels[schema] += _chosen({name: value})
            place = f"{locate(row)}{state}"
            yield Answer(place, scalars(fields), labels, _first(one, _USER), _first(one, _INSTANCE))


def _is_state(record: Record) -> bool:
    return "user_id" in record and isinstance(record.get(_STATE), dict)


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


# doccano: JSON lines, a file for each annotator unless annotations are shared.

_LABELS = ("label", "labels", "cats")
_CONTENTS = ("text", "data", "filename", "image")
_SHARED = ("all", "unknown")  # names of files that are not one annotator's


def _is_doccano(record: Record) -> bool:
    """Whether a record has some contents and a list of labels."""
    return any(isinstance(record.get(key), list) for key in _LABELS) and any(
        isinstance(record.get(key), str) for key in _CONTENTS
    )


def _doccano(records: list[Record], locate: Locate, left_out: Counter[str]) -> Iterator[Answer]:
    """An answer an example; labels of spans and boxes are left out."""
    for row, record in enumerate(records):
        question = next(key for key in _LABELS if isinstance(record.get(key), list))
        labels = [one for one in record[question] if not isinstance(one, (list, dict))]
        left_out["label of a span"] += len(record[question]) - len(labels)
        who = _first(record, ("username", "user", "annotator"))
        task = record.get("id", record.get("filename"))
        yield Answer(locate(row), scalars(record), {question: labels}, who, task)


def _annotator_by_file(path: Path) -> str | None:
    """The name of a file that holds the annotations of one person."""
    stem = stem_of(path)
    return None if stem.lower() in _SHARED else stem


# Toloka: a table with a row for each assignment and task.

_WORKER = "ASSIGNMENT:worker_id"
_NOT_GIVEN = ("REJECTED", "SKIPPED", "EXPIRED", "ACTIVE")


def _toloka(records: list[Record], locate: Locate, left_out: Counter[str]) -> Iterator[Answer]:
    """An answer a task and worker, without golden tasks and assignments that do not count."""
    for row, record in enumerate(records):
        status = record.get("ASSIGNMENT:status", "").upper()
        golden = any(_starting(record, "GOLDEN:").values())
        if status in _NOT_GIVEN or golden:
            left_out["golden task" if golden else f"{status.lower()} assignment"] += 1
            continue
        labels = _starting(record, "OUTPUT:")
        fields = {name: value for name, value in record.items() if name not in labels}
        task = record.get("ASSIGNMENT:task_id")
        yield Answer(locate(row), fields, labels, record[_WORKER], task)


# Amazon Mechanical Turk: batch results, a table with a row for each assignment.

_PREFIX = "Answer."
_TASK_ANSWERS = "Answer.taskAnswers"
_TRUTH = ("true", "false", "")


def _mturk(records: list[Record], locate: Locate, left_out: Counter[str]) -> Iterator[Answer]:
    """An answer an assignment, without rejected ones."""
    options = _options(records)
    for row, record in enumerate(records):
        if record.get("AssignmentStatus") == "Rejected" or record.get("Reject"):
            left_out["rejected assignment"] += 1
            continue
        labels: Labels = {}
        for name, given in _starting(record, _PREFIX).items():
            if name == _TASK_ANSWERS and given:
                labels |= _task_answers(record[name], f"{locate(row)}, column {name!r}")
            elif name in options:
                question, option = options[name]
                chosen = record[name].lower() == "true"
                labels[question] = labels.get(question, []) + [option] * chosen
            else:
                labels[name] = given
        fields = {name: v for name, v in record.items() if v and not name.startswith(_PREFIX)}
        yield Answer(locate(row), fields, labels, record["WorkerId"], record["HITId"])


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


def _task_answers(text: str, where: str) -> Labels:
    """Labels by question, of the JSON that crowd elements submit."""
    given = parse_json(text.encode(), where, is_line=True)
    forms = given if isinstance(given, list) else [given]
    if not all(isinstance(form, dict) for form in forms):
        raise DataError(f"{where}: {shown(text)} is not a list of answers by question")
    return {question: _given(answer) for form in forms for question, answer in form.items()}


def _given(answer: Any) -> list[Any]:
    """Labels in a text, in ``{"label": ...}``, ``{"labels": [...]}`` or ``{option: chosen}``."""
    if not isinstance(answer, dict):
        return [answer] if answer not in (None, "") else []
    if "labels" in answer:
        return list(answer["labels"])
    if isinstance(answer.get("label"), str):
        return [answer["label"]]
    return [option for option, chosen in answer.items() if chosen is True or chosen == "on"]


_MINIMAL_NAME = "Label Studio (JSON-MIN)"

#: of records of JSON; Argilla before doccano, whose labels could be responses
OF_RECORDS = (
    Tool("Label Studio", _is_label_studio, _label_studio),
    Tool(_MINIMAL_NAME, _has(*_MINIMAL), _label_studio_minimal),
    Tool("Prodigy", _is_prodigy, _prodigy),
    Tool("Argilla", _is_argilla, _argilla),
    Tool("Potato", _is_potato, _potato, subject_of=lambda path: path.absolute().parent.name),
    Tool("doccano", _is_doccano, _doccano, subject_of=_annotator_by_file),
)
#: of tables, by their header
OF_TABLES = (
    Tool("Toloka", _has(_WORKER, start="OUTPUT:"), _toloka, "INPUT:"),
    Tool("Mechanical Turk", _has("HITId", "WorkerId", start=_PREFIX), _mturk, "Input."),
    Tool(_MINIMAL_NAME, _has(*_MINIMAL), _label_studio_table),
    Tool("Potato", _is_potato_table, _potato),
)
