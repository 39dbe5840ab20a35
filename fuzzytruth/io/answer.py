"""What `print` and notebooks show of a result: sentences and tables, as text or as HTML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from fuzzytruth.errors import printable
from fuzzytruth.io.answer_html import html_of
from fuzzytruth.io.answer_parts import Column, Sentences, Table, first_rows
from fuzzytruth.io.answer_text import line_width, text_of

__all__ = ["Answer", "Column", "Printed", "Sentences", "Table", "first_rows", "without_methods"]

_METHODS = "More: "  # begins the line with what a result has for Python


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
        """A title, and the parts that are not None and not empty, control characters escaped."""
        kept = [
            part
            for part in parts
            if part is not None and (part.n_rows if isinstance(part, Table) else part.lines)
        ]
        return cls(title, tuple(kept)).mapped(printable)

    def mapped(self, change: Callable[[str], str]) -> Printed:
        """The same with every text changed."""
        return Printed(change(self.title), tuple(part.mapped(change) for part in self.parts))

    def text(self, width: int | None = None, *, styled: bool = False) -> str:
        """Lines of at most `width` characters, by default those of the terminal, at most 80.

        `styled` adds the codes with which terminals show bold.
        """
        width = line_width() if width is None else width
        return text_of(self.title, self.parts, width, styled=styled)

    def html(self) -> str:
        """HTML of the same, all names escaped."""
        return html_of(self.title, self.parts)


class Answer:
    """Base class of results: what `print`, IPython and notebooks show of them."""

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        """Let IPython show the answer of a class that defines `__repr__`, too.

        It takes what the class itself defines, `__repr__` or `_repr_pretty_`, before what it
        inherits.
        """
        super().__init_subclass__(**options)
        cls._repr_pretty_ = Answer._repr_pretty_  # type: ignore[method-assign]

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


def without_methods(result: Answer) -> Printed:
    """What is shown of a result on the command line: without its line of methods of Python."""
    shown = result._answer()
    parts = [
        part
        if isinstance(part, Table)
        else replace(part, lines=tuple(x for x in part.lines if not x.startswith(_METHODS)))
        for part in shown.parts
    ]
    return Printed.of(shown.title, *parts)
