"""Exports of annotation tools, read as flat records: one a subject, task and label."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

from fuzzytruth import errors
from fuzzytruth.errors import counted, first_few, shown
from fuzzytruth.io.annotation_tools import OF_RECORDS, OF_TABLES, Answer, Record, Tool, as_label
from fuzzytruth.io.column_names import best_matches, is_spelling, normalised
from fuzzytruth.io.columns import Columns, Locate, Origin, origin_of
from fuzzytruth.io.files import counted_reasons, refuse_malformed
from fuzzytruth.io.tables import ColumnRequest

_FIRST = 50  # records that must look alike


def tool_of(records: Sequence[Any]) -> Tool | None:
    """The tool whose export these values from JSON are; None if they are none."""
    first = records[:_FIRST]
    if not first or not all(isinstance(record, dict) for record in first):
        return None
    return next((tool for tool in OF_RECORDS if all(map(tool.recognises, first))), None)


def tool_of_header(header: list[str]) -> Tool | None:
    """The tool that wrote a table with this header; None if none did."""
    if len(set(header)) < len(header):
        return None
    return next((tool for tool in OF_TABLES if tool.recognises(header)), None)


def read_export(
    tool: Tool, records: list[Any], request: ColumnRequest, where: str, locate: Locate
) -> tuple[Columns, Origin]:
    """The requested columns of an export; what they lack, or is no answer, is left out.

    Parameters
    ----------
    tool : Tool
    records : list of dict
        From JSON, or the rows of a table.
    request : ColumnRequest
    where : str
        Path of the file, whose name or folder stands for the annotator with some tools.
    locate : callable
        Names the place of a record.

    Raises
    ------
    DataError
        Some records are of the tool, and others not; or one is malformed.

    Warns
    -----
    LeftOutWarning
        Some of it is no answer, with counts.
    """
    for row, record in enumerate(records):
        if not tool.recognises(record):
            raise errors.DataError(
                f"{locate(row)}: is no record of {tool.name}, as those before are; give an export "
                "as the tool wrote it"
            )
    export = _flattened(tool, records, where, locate)
    subject = tool.subject_of(Path(where))
    if subject is not None and not any("subject" in record for record in export.records):
        export = replace(export, records=[{"subject": subject} | one for one in export.records])
    return columns_of_export(export, request, where)


def _flattened(tool: Tool, records: list[Any], where: str, locate: Locate) -> Export:
    """The answers of the tool; the first malformed record is an error."""
    try:
        return flatten_export(tool, records, locate)
    except errors.DataError:
        raise
    except Exception:  # found again, one record at a time
        for row, record in enumerate(records):
            with refuse_malformed(locate(row), f"record of {tool.name}"):
                flatten_export(tool, [record], locate)
        with refuse_malformed(where, f"export of {tool.name}"):
            return flatten_export(tool, records, locate)


def flatten_export(tool: Tool, records: list[Record], locate: Locate) -> Export:
    """One record an answer and label, or for an answer without any."""
    left_out = Counter[str]()
    answers = list(tool.answers(records, locate, left_out))
    inputs = only_field(records[0], tool.inputs) if tool.inputs else None
    return export_of(tool.name, answers, left_out, inputs)


def columns_of_export(export: Export, request: ColumnRequest, where: str) -> tuple[Columns, Origin]:
    """The requested columns; what they lack, or is no answer, is left out with a warning."""
    if not export.records:
        export.report(where)
    present = export.columns
    names = replace(request, takes_score=False).match(present, where)  # it may be a model's
    if names.get("item") == "item" and "item" not in (request.columns or {}):
        export.report_gaps(where)
    export = export.distinct([key for name, key in names.items() if not request.may_miss(name)])
    export.report(where)
    columns: Columns = {
        name: [record.get(key) for record in export.records] for name, key in names.items()
    }
    return columns, origin_of(export.place.__getitem__, names, present)


# The field of the tasks in an export that names their items.

#: what stands before nested fields of a task
_NESTED = re.compile(r"(?:(?:data|fields|meta|metadata)\.)+(?=.)")


def item_field(
    names: Iterable[str], tasks: Sequence[Mapping[str, Any]], otherwise: str | None = None
) -> str | None:
    """The field that names the item of each task; None if only the tool's own id can.

    It is the one whose name is the best spelling of `item`, else `otherwise`. Fields that some
    task lacks do not count, nor do several of equally good spellings.

    Examples
    --------
    >>> item_field(["data.doc_id", "data.doc"], [{"data.doc_id": 7, "data.doc": "Cats purr."}])
    'data.doc_id'
    >>> item_field(["text", "id"], [{"text": "Cats purr.", "id": 3}]) is None
    True
    """
    own: dict[str, list[str]] = {}
    for name in names:
        plain = _NESTED.sub("", name, count=1)
        if is_spelling(plain, "item") and not _n_without(tasks, name):
            own.setdefault(plain, []).append(name)
    best = [name for plain in best_matches("item", list(own)) for name in own[plain]]
    if not best and otherwise is not None and not _n_without(tasks, otherwise):
        return otherwise
    return best[0] if len(best) == 1 else None


def only_field(header: Iterable[str], prefix: str) -> str | None:
    """The only column with this prefix; None if there are none or several.

    Examples
    --------
    >>> only_field(["INPUT:a", "OUTPUT:b"], "INPUT:")
    'INPUT:a'
    """
    inputs = [name for name in header if name.startswith(prefix)]
    return inputs[0] if len(inputs) == 1 else None


def gaps(names: Iterable[str], tasks: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """The fields called like an item that only some tasks have -> how many tasks lack them.

    Examples
    --------
    >>> gaps(["image", "text"], [{"image": "a", "text": "Cats purr."}, {"image": ""}])
    {'image': 1}
    """
    own = [name for name in names if is_spelling(_NESTED.sub("", name, count=1), "item")]
    return {name: n for name in own if 0 < (n := _n_without(tasks, name)) < len(tasks)}


def _n_without(tasks: Iterable[Mapping[str, Any]], name: str) -> int:
    return sum(task.get(name) in (None, "") for task in tasks)


@dataclass(frozen=True, slots=True)
class Export:
    """The answers of an export, one flat record a label.

    Parameters
    ----------
    tool : str
        Its name.
    records : list of dict
        The tool's own fields, nested ones with dotted names; `subject`; `item`, which is a field
        that names it (the tool's id is then `task_id`) or else the tool's id; the answer under the
        name of its question, and also as `label` if there is a single question (as `category` if
        its name is that of a grade).
    place : list of str
        Where each record comes from; records of one annotation have the same.
    left_out : dict
        What is no answer -> how often it occurs.
    gaps : dict, optional
        Where the tool's ids name the items: the fields that would, if all answers had them -> how
        many answers lack them.
    """

    tool: str
    records: list[Record]
    place: list[str]
    left_out: Mapping[str, int]
    gaps: Mapping[str, int] = field(default_factory=dict)

    @property
    def columns(self) -> dict[str, None]:
        """Names of all fields, in order of appearance."""
        return dict.fromkeys(name for record in self.records for name in record)

    def distinct(self, columns: Collection[str]) -> Export:
        """The records that have all these columns, equal ones of one annotation only once.

        An annotation that left a question open is counted among what is left out.
        """
        kept: dict[tuple[Any, ...], Record] = {}
        open_questions: dict[tuple[str, str], None] = {}
        for place, record in zip(self.place, self.records, strict=True):
            missing = next((name for name in columns if record.get(name) is None), None)
            if missing is None:
                kept.setdefault((place, *(str(record[name]) for name in columns)), record)
            else:
                open_questions[place, missing] = None
        left_out = Counter(self.left_out)
        left_out.update(f"annotation without {name!r}" for _, name in open_questions)
        places = [key[0] for key in kept]
        return replace(self, records=list(kept.values()), place=places, left_out=left_out)

    def report_gaps(self, where: str) -> None:
        """Warn of fields that do not name the items because some answers lack them."""
        for name, n in self.gaps.items():
            errors.warn(
                f"{where}: {shown(name)} is empty in {counted(n, 'answer')} of this export of "
                f"{self.tool}, so that the ids of the tasks name all items; fill it in, or give "
                "columns={'item': ...}",
                errors.UnusedColumnWarning,
            )

    def report(self, where: str) -> None:
        """Warn of what is left out, with counts; a `DataError` if nothing remains."""
        listed = counted_reasons(self.left_out)
        if not self.records:
            raise errors.DataError(
                f"{where}: this export of {self.tool} holds no answers"
                + (f" (left out: {first_few(listed)})" if listed else "")
                + "; export labels or ratings that were submitted"
            )
        if listed:
            errors.warn(
                f"{where}: of this export of {self.tool}, {first_few(listed)} left out",
                errors.LeftOutWarning,
            )


def export_of(
    tool: str,
    answers: Iterable[Answer],
    left_out: Mapping[str, int],
    item_otherwise: str | None = None,
) -> Export:
    """The export of these answers; one with several labels gives a record for each.

    There are no records if nobody gave a label. `item_otherwise` is the field that names the items
    if none is called so; see `item_field`.
    """
    answers = list(answers)
    questions = dict.fromkeys(name for answer in answers for name in answer.labels)
    known = bool(questions) or any(left_out.values())  # else the answers are among the fields
    if known and not any(any(answer.labels.values()) for answer in answers):
        return Export(tool, [], [], left_out)
    fields = dict.fromkeys(name for answer in answers for name in answer.fields)
    names = _own_names(questions, fields)
    tasks = [answer.fields for answer in answers]
    item = item_field(fields, tasks, item_otherwise)
    records: list[Record] = []
    place: list[str] = []
    for answer in answers:
        for record in _expanded(answer, names, item):
            records.append(record)
            place.append(answer.place)
    by_id = item is None and "item" in names
    return Export(tool, records, place, dict(left_out), gaps(fields, tasks) if by_id else {})


def _own_names(questions: Collection[str], fields: Collection[str]) -> dict[str, str]:
    """Name of ours -> what it repeats, as far as the tool's own fields do not have it."""
    theirs = {normalised(name) for name in fields}
    ours = ("subject", "item", "task_id")
    names = {name: name for name in ours if normalised(name) not in theirs}
    if len(questions) == 1 and "label" not in theirs:
        (only,) = questions
        if is_spelling(only, "grade") and not is_spelling(only, "category"):
            names |= {} if "category" in theirs else {"category": only}  # two grades are ambiguous
        elif not is_spelling(only, "category"):
            names["label"] = only
    return names


def _expanded(answer: Answer, names: Mapping[str, str], item: str | None) -> Iterator[Record]:
    """One record for each label, and one for an answer without any."""
    own = {"subject": answer.subject, "item": answer.task}
    if item is not None:
        own |= {"item": answer.fields[item], "task_id": answer.task}
    base = answer.fields | {
        name: own[name] for name in own.keys() & names.keys() if own[name] is not None
    }
    given = {name: labels for name, labels in answer.labels.items() if labels}
    for labels in product(*given.values()):
        record = base | dict(zip(given, map(as_label, labels), strict=True))
        yield record | {
            name: record[names[name]] for name in ("label", "category") if names.get(name) in record
        }
