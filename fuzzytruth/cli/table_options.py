"""Options of tables with named columns: whose columns they are, and what the answers mean."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Self

import typer

from fuzzytruth.cli import panels
from fuzzytruth.errors import OptionError, shown

Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--columns",
        metavar="NAME=COLUMN,...",
        help="What your columns are called: query=topic_no,subject=who; may be repeated.",
        show_default=False,
        rich_help_panel=panels.INPUT,
    ),
]
RunColumns = Annotated[
    list[str] | None,
    typer.Option(
        "--run-columns",
        metavar="NAME=COLUMN,...",
        help="What the columns of your runs are called: score=cosine.",
        show_default=False,
        rich_help_panel=panels.INPUT,
    ),
]
Grades = Annotated[
    list[str] | None,
    typer.Option(
        "--grades",
        metavar="WORD=GRADE,...",
        help="The grades that words stand for: relevant=1,not_relevant=0.",
        show_default=False,
        rich_help_panel=panels.INPUT,
    ),
]
Drop = Annotated[
    list[str] | None,
    typer.Option(
        "--drop",
        metavar="ANSWER",
        help="An answer that is none, such as na: its rows are left out; may be repeated.",
        show_default=False,
        rich_help_panel=panels.INPUT,
    ),
]
Subjects = Annotated[
    list[str] | None,
    typer.Option(
        "--subjects",
        metavar="COLUMN,...",
        help="Columns that hold the answers of one subject each: ann,bob.",
        show_default=False,
        rich_help_panel=panels.INPUT,
    ),
]
Systems = Annotated[
    list[str] | None,
    typer.Option(
        "--systems",
        metavar="COLUMN,...",
        help="Columns of a table of scores that hold the values of one system each.",
        show_default=False,
        rich_help_panel=panels.INPUT,
    ),
]

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
    """

    columns: dict[str, str] | None = None
    grades: dict[str, float] | None = None
    drop: tuple[str | None, ...] = ()
    subjects: tuple[str, ...] = ()

    @classmethod
    def from_options(
        cls,
        columns: Iterable[str] | None = None,
        grades: Iterable[str] | None = None,
        drop: Iterable[str] | None = None,
        subjects: Iterable[str] | None = None,
    ) -> Self:
        """From the options as typed."""
        return cls(
            columns_of("--columns", columns),
            grades_of(grades),
            dropped(drop),
            names_of("--subjects", subjects),
        )

    @property
    def given(self) -> dict[str, Any]:
        """Those that were typed."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in fields.items() if value}

    def refuse(self, why: str, *names: str) -> None:
        """Raise if one of these options, by default any, was typed."""
        wrong = [f"--{name}" for name in self.given if not names or name in names]
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
