"""Parts of printed results: sentences, and tables of labelled columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fuzzytruth.errors import printable


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a printed table.

    Parameters
    ----------
    heading : str
    cells : tuple of str
    kind : {"label", "number", "extra"}
        Labels are flush left, folded where there is no room, and repeated where a table is split;
        numbers are flush right and never broken; extras are numbers that a narrow table leaves out.
    bold : tuple of bool
        Which cells stand out; none by default.
    """

    heading: str
    cells: tuple[str, ...]
    kind: str = "number"
    bold: tuple[bool, ...] = ()

    @classmethod
    def label(cls, heading: str, cells: Iterable[Any]) -> Column:
        """A column of names; control characters are shown as escapes."""
        return cls(heading, tuple(printable(str(cell)) for cell in cells), "label")


@dataclass(frozen=True, slots=True)
class Table:
    """A printed table.

    Parameters
    ----------
    columns : tuple of Column
        Labels first.
    title : str
        A line above it; "" for none.
    extras : str
        What its extra columns are, shown below the table where they are; "" for nothing.
    """

    columns: tuple[Column, ...]
    title: str = ""
    extras: str = ""

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0].cells) if self.columns else 0

    def mapped(self, change: Callable[[str], str]) -> Table:
        """The same with every text changed."""
        columns = (
            replace(one, heading=change(one.heading), cells=tuple(map(change, one.cells)))
            for one in self.columns
        )
        return Table(tuple(columns), change(self.title), change(self.extras))


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences, each on lines of its own.

    Parameters
    ----------
    lines : tuple of str
    """

    lines: tuple[str, ...]

    @classmethod
    def of(cls, *lines: str) -> Sentences:
        """The sentences that are not empty, on one line each."""
        return cls(tuple(printable(line) for line in lines if line))

    def mapped(self, change: Callable[[str], str]) -> Sentences:
        """The same with every text changed."""
        return Sentences(tuple(map(change, self.lines)))


def first_rows(columns: Sequence[Column], limit: int) -> tuple[tuple[Column, ...], int]:
    """The columns with their first `limit` cells, and how many rows are left out."""
    n = len(columns[0].cells) if columns else 0
    kept = tuple(replace(one, cells=one.cells[:limit], bold=one.bold[:limit]) for one in columns)
    return kept, max(n - limit, 0)
