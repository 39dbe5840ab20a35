"""What `print` and notebooks show of a result: sentences and tables, as text or as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
class Printed:
    """What is shown of a result.

    Parameters
    ----------
    title : str
        What it is, and of what.
    parts : tuple of Sentences and Table
    """

    title: str
    parts: tuple[Sentences | Table, ...]

    @classmethod
    def of(cls, title: str, *parts: Sentences | Table | None) -> Printed:
        """A title, and the parts that are not None and not empty."""
        kept = [
            part
            for part in parts
            if part is not None and (part.n_rows if isinstance(part, Table) else part.lines)
        ]
        return cls(printable(title), tuple(kept))

    def text(self, width: int | None = None, *, styled: bool = False) -> str:
        """Lines of at most `width` characters, by default those of the terminal, at most 80.

        `styled` adds the codes with which terminals show bold.
        """
        from fuzzytruth.io.answer_text import line_width, text_of

        return text_of(self, line_width() if width is None else width, styled=styled)

    def html(self) -> str:
        """HTML of the same, all names escaped."""
        from fuzzytruth.io.answer_html import html_of

        return html_of(self)


class Answer:
    """Base class of results: what `print`, IPython and notebooks show of them."""

    __slots__ = ()

    def _answer(self) -> Printed:
        """What is shown."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self._answer().text()

    def _repr_html_(self) -> str:
        return self._answer().html()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What IPython shows on a terminal."""
        printer.text(repr(self) if cycle else str(self))


def first_rows(columns: Sequence[Column], limit: int) -> tuple[tuple[Column, ...], int]:
    """The columns with their first `limit` cells, and how many rows are left out."""
    n = len(columns[0].cells) if columns else 0
    kept = tuple(replace(one, cells=one.cells[:limit], bold=one.bold[:limit]) for one in columns)
    return kept, max(n - limit, 0)
