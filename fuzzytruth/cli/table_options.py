"""Options of tables with named columns: whose columns they are, and what the answers mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import typer

from fuzzytruth.errors import OptionError, shown

if TYPE_CHECKING:
    from fuzzytruth.data.assignments import Assignments
    from fuzzytruth.data.judgments import Judgments
    from fuzzytruth.io.files import Source


def scale_of(text: str) -> tuple[float, float]:
    """Lowest and highest grade as typed.

    Examples
    --------
    >>> scale_of("0,3")
    (0.0, 3.0)
    """
    low, _, high = text.partition(",")
    try:
        return float(low), float(high)
    except ValueError:
        raise typer.BadParameter(f"must be LOW,HIGH, such as 0,3, not {text!r}") from None


def scales_of(text: str) -> tuple[float, float] | dict[str, tuple[float, float]]:
    """A scale as typed, or one for each subject; of none, each subject's own.

    Examples
    --------
    >>> scales_of("ann=0:3,bob=0:1"), scales_of("own")
    ({'ann': (0.0, 3.0), 'bob': (0.0, 1.0)}, {})
    """
    if text == "own":
        return {}
    if "=" not in text:
        return scale_of(text)
    pairs = [part.rpartition("=") for part in text.split(",")]
    return {name.strip(): scale_of(ends.replace(":", ",")) for name, _, ends in pairs}


#: a comma before the next NAME=, for a column's name may hold commas
_NEXT_NAME = re.compile(r",(?=\s*[\w -]+=)")


@dataclass(frozen=True, slots=True)
class TableOptions:
    """How to read a table; the fields are arguments of the readers of the library.

    Parameters
    ----------
    columns : dict or None
        {name of the library: column of the user}.
    grades : dict or None
        {word: grade}.
    drop : tuple
        Answers that are none; an empty one stands for missing ones, too.
    subjects : tuple of str
        Columns of one subject each.
    rescale : (low, high), dict or None
        Scales of the grades that were read, which become shares of them.
    """

    columns: dict[str, str] | None = None
    grades: dict[str, float] | None = None
    drop: tuple[str | None, ...] = ()
    subjects: tuple[str, ...] = ()
    rescale: Any = None

    @classmethod
    def from_options(
        cls,
        columns: Iterable[str] | None = None,
        grades: Iterable[str] | None = None,
        drop: Iterable[str] | None = None,
        subjects: Iterable[str] | None = None,
        rescale: Any = None,
    ) -> Self:
        """From the options as typed."""
        return cls(
            columns_of("--columns", columns),
            grades_of(grades),
            dropped(drop),
            names_of("--subjects", subjects),
            rescale,
        )

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """From the options of a command."""
        return cls.from_options(*(given.get(name) for name in cls.__slots__))

    @property
    def typed(self) -> dict[str, Any]:
        """Those that were typed."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in fields.items() if value not in (None, ())}

    @property
    def given(self) -> dict[str, Any]:
        """Those that the readers take."""
        return {name: value for name, value in self.typed.items() if name != "rescale"}

    def judgments(self, path: str | Path | Source, *, groups: Any = None) -> Judgments:
        """Read judgments, their grades rescaled."""
        from fuzzytruth.data.reading import read_judgments

        return self.rescaled(read_judgments(path, groups=groups, **self.given))[0]

    def assignments(
        self, path: str | Path, taxonomy: Path | None, asked: Path | None = None
    ) -> Assignments:
        """Read votes for categories, which have no grades."""
        from fuzzytruth.data.assignments import read_assignments

        self.refuse("votes have categories, not grades; leave it out", "grades", "rescale")
        return read_assignments(path, taxonomy=taxonomy, asked=asked, **self.given)

    def rescaled(self, *votes: Judgments) -> list[Judgments]:
        """Several judgments, grades as shares of their scales if that was typed."""
        from fuzzytruth.data.grading import split_by_subject

        if self.rescale is None:
            return [*votes]
        scales = split_by_subject("scales", self.rescale, *(each.subjects or () for each in votes))
        return [each.rescaled(own or None) for each, own in zip(votes, scales, strict=True)]

    def refuse(self, why: str, *names: str) -> None:
        """Raise if one of these options, by default any, was typed."""
        wrong = [f"--{name}" for name in self.typed if not names or name in names]
        if wrong:
            raise OptionError(f"{', '.join(wrong)}: {why}")


def columns_of(flag: str, texts: Iterable[str] | None) -> dict[str, str] | None:
    """Columns by NAME of NAME=COLUMN; None if there are none.

    Examples
    --------
    >>> columns_of("--columns", ["query=topic_no,grade=Rating, 0-3", "subject=who"])
    {'query': 'topic_no', 'grade': 'Rating, 0-3', 'subject': 'who'}
    """
    pairs = [part.partition("=") for text in texts or () for part in _NEXT_NAME.split(text)]
    out = {name.strip(): own for name, _, own in pairs}
    for name, equals, own in pairs:
        if not (name.strip() and equals and own):
            raise OptionError(
                f"{flag} {shown(name + equals + own)}: write NAME=COLUMN, first our name, then "
                "that of your table, such as query=topic_no"
            )
    if len(out) < len(pairs):
        raise OptionError(f"{flag}: names a column twice; keep one")
    return out or None


def grades_of(texts: Iterable[str] | None) -> dict[str, float] | None:
    """Grades by word, from WORD=GRADE; None if there are none.

    Examples
    --------
    >>> grades_of(["relevant=1,not relevant=0"])
    {'relevant': 1.0, 'not relevant': 0.0}
    """
    out: dict[str, float] = {}
    for part in (part for text in texts or () for part in text.split(",")):
        word, equals, number = part.rpartition("=")
        try:
            grade = float(number)
        except ValueError:
            equals = ""
        if not (word and equals):
            raise OptionError(
                f"--grades {shown(part)}: write WORD=GRADE, such as relevant=1,not_relevant=0"
            )
        if word in out:
            raise OptionError(f"--grades: {shown(word)} is given twice; keep one")
        out[word] = grade
    return out or None


def dropped(texts: Iterable[str] | None) -> tuple[str | None, ...]:
    """Answers to leave out; an empty text stands for missing answers, too."""
    typed = tuple(texts or ())
    return (*typed, None) if "" in typed else typed


def names_of(flag: str, texts: Iterable[str] | None) -> tuple[str, ...]:
    """Names separated by commas."""
    names = tuple(name.strip() for text in texts or () for name in text.split(","))
    if not all(names):
        raise OptionError(f"{flag}: a name is empty; write them separated by commas, ann,bob")
    return names
