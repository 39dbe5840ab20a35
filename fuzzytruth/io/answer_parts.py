"""What printed results consist of: sentences and tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
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
    least : int
        Width to which a label may be folded.
    """

    heading: str
    cells: tuple[str, ...]
    kind: str = "number"
    bold: tuple[bool, ...] = ()
    least: int = 8

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
    """

    columns: tuple[Column, ...]
    title: str = ""

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0].cells) if self.columns else 0


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


@dataclass(frozen=True, slots=True)
class PrintedParts:
    """What is shown of a result.

    Parameters
    ----------
    title : str
        What it is, and of what.
    parts : tuple of Sentences and Table
    """

    title: str
    parts: tuple[Sentences | Table, ...]
