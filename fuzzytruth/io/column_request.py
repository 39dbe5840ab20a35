"""The columns to read from a table, whatever its format."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fuzzytruth.core.validation import several
from fuzzytruth.errors import (
    DataError,
    OptionError,
    UnusedColumnWarning,
    first_few,
    is_among,
    nearest,
    require,
    shown,
    shown_all,
    warn,
)
from fuzzytruth.io.column_names import (
    canonical_name,
    find_columns,
    given_columns,
    is_answer,
    is_known,
    is_spelling,
    normalised,
)
from fuzzytruth.io.ids import id_text

_KEPT, _RIVAL = "kept ", "rival "
_ONLY_OF_RUNS = ("rank", "distance", "system")

#: canonical names of columns that hold numbers; all others hold ids
NUMBERS = frozenset(
    {"grade", "probability", "position", "score", "distance", "rank", "weight", "value", "count"}
)


@dataclass(frozen=True, slots=True)
class Answers:
    """How the answers of a table are to be understood.

    Parameters
    ----------
    numbers : mapping of word to number, or None
        What each word stands for, where answers are words.
    drop : tuple
        Answers that are none, such as "na"; their rows are left out.
    wide : tuple of str
        Columns that hold the answers of one subject (or system) each, by their own names.
    option : str
        What the reader calls its option `wide`; empty if it has none.
    """

    numbers: Mapping[Any, float] | None = None
    drop: tuple[Any, ...] = ()
    wide: tuple[str, ...] = ()
    option: str = ""


def answers_of(grades: Any = None, drop: Any = (), wide: Any = (), *, option: str = "") -> Answers:
    """Validate the options of a reader; `option` is what it calls wide columns, if it takes any."""
    if grades is not None:
        rule = "must be {word: number}, such as {'relevant': 1}"
        require("grades", grades, isinstance(grades, Mapping) and bool(grades), rule)
        for word, number in grades.items():
            is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
            require(
                f"grades[{word!r}]", number, is_number and number - number == 0, "must be a number"
            )
    columns = () if wide is None else tuple(several(wide))
    hashable = all(isinstance(name, Hashable) for name in columns)
    rule = "must be the names of columns, each once"
    require(option, wide, hashable and len({*columns}) == len(columns), rule)
    dropped = tuple(several(drop))
    for answer in dropped:
        try:
            id_text(answer)
        except ValueError as error:
            raise OptionError(f"drop={shown(drop)}: {error}") from None
    return Answers(grades, dropped, columns, option)


@dataclass(frozen=True, slots=True)
class ColumnRequest:
    """The columns to read from a table.

    Parameters
    ----------
    required, optional : tuple of str
        Canonical names.
    value : str
        The column that the innermost numbers of nested objects belong to, and the answers.
    any_of : tuple of str
        Canonical names, at least one of which is required.
    kept : tuple of str
        Columns required by their own names, under `kept_key` of these; they are then no aliases.
    columns : mapping of canonical to own name, or None
        Columns that the user named.
    answers : Answers
    wide_as : str
        Canonical name of what the wide columns are, each of its own.
    otherwise : str
        What to do, in a message, about a table without any column of `any_of`.
    excluded : tuple of (name, names)
        Columns that are not read where there is one of the others.
    duplicates : str
        What becomes of an item that a ranked list of nested objects holds twice; see `with_scores`.
    takes_score : bool
        Whether `score` is the value of a table without a column of `any_of` that is no run, as in
        judgments of BEIR and MTEB.
    """

    required: tuple[str, ...]
    optional: tuple[str, ...]
    value: str
    any_of: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    columns: Mapping[str, Any] | None = None
    answers: Answers = field(default_factory=Answers)
    wide_as: str = "subject"
    otherwise: str = ""
    excluded: tuple[tuple[str, tuple[str, ...]], ...] = ()
    duplicates: str = "error"
    takes_score: bool = False

    @property
    def known(self) -> tuple[str, ...]:
        """All canonical names."""
        return tuple(dict.fromkeys((*self.required, *self.any_of, *self.optional)))

    @property
    def options(self) -> str:
        """The options that need named columns and were given, as a message names them."""
        given = {
            "columns": self.columns is not None,
            "grades": self.answers.numbers is not None,
            "drop": bool(self.answers.drop),
            self.answers.option: bool(self.answers.wide),
        }
        return ", ".join(f"{name}=" for name, is_given in given.items() if is_given)

    @property
    def example_header(self) -> tuple[str, ...]:
        """The least that the header of a table must name."""
        return (*self.required, *self.any_of[:1])

    @property
    def record_keys(self) -> str:
        """The keys that every record must have, in words."""
        return ", ".join(dict.fromkeys((*self.example_header, self.value)))

    def is_number(self, name: str) -> bool:
        """Whether a column holds numbers as it stands in the table."""
        words = self.answers.numbers is not None or self.answers.drop
        return name in NUMBERS and not (name == self.value and words)

    def may_miss(self, name: str) -> bool:
        """Whether a row may lack the column called `name` in what `match` gives."""
        return name.startswith((_KEPT, _RIVAL)) or (name == self.value and bool(self.answers.drop))

    def match(self, present: Iterable[Any], where: str, note: str = "") -> dict[str, Any]:
        """Canonical name -> the column's own name; see `find_columns`.

        `note` ends the message about a column that is missing.
        """
        present = list(present)
        wide = self.answers.wide
        for name in (*self.kept, *wide):
            if not is_among(name, present):
                given = f", which {self.answers.option}= names" if name in wide else ""
                raise DataError(
                    f"{where}: no column {shown(name)}{nearest(str(name), list(map(str, present)))}"
                    f"{given}; columns present: {shown_all(map(str, present))}"
                )
        names = given_columns(self.columns, self.known, present, where)
        found = {*names, *((self.value, self.wide_as) if wide else ())}
        taken = {*self.kept, *wide, *names.values()}
        others = [name for name in present if name not in taken]
        if self.value not in found:
            names |= self._marked_answer(others, where)
            names |= self._score_as_value(others, {*found, *names})
            found |= {*names}
        satisfied = bool(found & {*self.any_of})
        optional = (*self.optional, *self.any_of) if satisfied else self.optional
        names |= find_columns(
            others,
            tuple(name for name in self.required if name not in found),
            tuple(name for name in optional if name not in found),
            where=where,
            any_of=() if satisfied else self.any_of,
            hints=self._hints(others, note),
        )
        names = self._without_excluded(names, where)
        rivals = [] if self.value in found else self._rivals(names, others)
        return (
            names
            | {kept_key(name): name for name in (*self.kept, *wide)}
            | {f"{_RIVAL}{name}": name for name in rivals}
        )

    def _without_excluded(self, names: dict[str, Any], where: str) -> dict[str, Any]:
        """Without columns that others exclude, unless the user named them; warns of them."""
        named = {canonical_name(key, self.known) for key in self.columns or ()}
        for name, others in self.excluded:
            present = [other for other in others if other in names]
            if name in names and name not in named and present:
                other = shown(names[present[0]])
                warn(
                    f"{where}: not used: {shown(names[name])}, as there is {other}",
                    UnusedColumnWarning,
                )
                names = {key: own for key, own in names.items() if key != name}
        return names

    def _hints(self, others: list[Any], note: str) -> dict[str, str]:
        """What to do about each column that is missing, ready to end a message."""
        hints = dict.fromkeys(self.known, note)
        for name in self.any_of:
            hints[name] += self.otherwise
        unknown = [name for name in others if not is_known(name)]
        if self.answers.option and len(unknown) > 1:
            some = first_few(unknown, show=shown)
            wide = f"; if each {self.wide_as} has a column ({some}): {self.answers.option}=[...]"
            if any(is_spelling(name, self.wide_as) for name in others):
                several = "measure" if "measure" in self.optional else "question"
                long = " (or make the table long: measure, value)" * (several == "measure")
                wide = (
                    f"; if each {several} has a column ({some}), read one at a time: "
                    f"columns={{{self.value!r}: {unknown[0]!r}}}{long}"
                )
            hints[self.value] = hints.get(self.value, "") + wide
        return hints

    def _rivals(self, names: Mapping[str, Any], others: list[Any]) -> list[Any]:
        """Columns that could be the grades as well as the one that was matched."""
        if self.value != "grade" or self.value not in names:
            return []
        spelt = (name for name in others if is_spelling(name, self.value))
        return [name for name in spelt if name != names[self.value]]

    def _marked_answer(self, present: list[Any], where: str) -> dict[str, Any]:
        """The only answer that the export of an annotation tool marks, unless it is named."""
        marked = [name for name in present if is_answer(name)]
        if len(marked) != 1 or self.value not in ("grade", "category"):
            return {}
        named = find_columns(present, (), (self.value,), where=where)
        return {} if named else {self.value: marked[0]}

    def _score_as_value(self, present: list[Any], found: set[str]) -> dict[str, Any]:
        """The only column `score`, unless the value is known, or the table is a run."""
        scores = [name for name in present if normalised(name) == "score"]
        others = (*self.any_of, *_ONLY_OF_RUNS)
        if not self.takes_score or len(scores) != 1 or found & {*self.any_of}:
            return {}
        is_other = any(is_spelling(name, other) for name in present for other in others)
        return {} if is_other else {self.value: scores[0]}


def kept_key(name: str) -> str:
    """What a column that keeps its own name is called among canonical names."""
    return f"{_KEPT}{name}"


def rival_of(key: str) -> str | None:
    """The own name of a column that could have been read as the grades; None of any other."""
    return key.removeprefix(_RIVAL) if key.startswith(_RIVAL) else None
