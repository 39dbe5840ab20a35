"""What `print` and notebooks show of a result: sentences and tables, as text or as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from fuzzytruth.errors import printable
from fuzzytruth.io.answer_parts import Column as Column
from fuzzytruth.io.answer_parts import PrintedParts
from fuzzytruth.io.answer_parts import Sentences as Sentences
from fuzzytruth.io.answer_parts import Table as Table


@dataclass(frozen=True, slots=True)
class Printed(PrintedParts):
    """What is shown of a result, and how."""

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
