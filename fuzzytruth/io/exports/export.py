"""The answers in an export of an annotation tool, as flat records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from fuzzytruth.errors import (
    DataError,
    LeftOutWarning,
    UnusedColumnWarning,
    counted,
    first_few,
    shown,
    warn,
)
from fuzzytruth.io.column_names import best_matches, is_spelling, normalised
from fuzzytruth.io.files import counted_reasons

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


Record = dict[str, Any]


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
            warn(
                f"{where}: {shown(name)} is empty in {counted(n, 'answer')} of this export of "
                f"{self.tool}, so that the ids of the tasks name all items; fill it in, or give "
                "columns={'item': ...}",
                UnusedColumnWarning,
            )

    def report(self, where: str) -> None:
        """Warn of what is left out, with counts; a `DataError` if nothing remains."""
        listed = counted_reasons(self.left_out)
        if not self.records:
            raise DataError(
                f"{where}: this export of {self.tool} holds no answers"
                + (f" (left out: {first_few(listed)})" if listed else "")
                + "; export labels or ratings that were submitted"
            )
        if listed:
            warn(
                f"{where}: of this export of {self.tool}, {first_few(listed)} left out",
                LeftOutWarning,
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
