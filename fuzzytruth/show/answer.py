"""What `print` and notebooks show of a result: sentences and tables, as text or as HTML."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from typing import Any, ClassVar, Literal

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Bools
from fuzzytruth.errors import printable
from fuzzytruth.show.number_text import written, written_interval

# Parts of printed results: sentences, and tables of labelled columns.

Kind = Literal["paragraph", "lead", "list", "note", "heading"]


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
        On a page, labels sort as text, others by the first number in them, cells without one last.
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
    sortable : bool
        Whether readers of a page can sort its rows.
    """

    columns: tuple[Column, ...]
    title: str = ""
    extras: str = ""
    sortable: bool = True

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0].cells) if self.columns else 0

    @property
    def marks(self) -> Bools:
        """Which cells stand out: (rows, columns)."""
        marks = [column.bold or (False,) * self.n_rows for column in self.columns]
        return np.array(marks, dtype=bool).T

    def mapped(self, change: Callable[[str], str]) -> Table:
        """The same with every text changed."""
        columns = (
            replace(one, heading=change(one.heading), cells=tuple(map(change, one.cells)))
            for one in self.columns
        )
        return replace(
            self, columns=tuple(columns), title=change(self.title), extras=change(self.extras)
        )


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences, each on lines of its own.

    Parameters
    ----------
    lines : tuple of str
        On a page a paragraph each, or an entry of a list each, where a line that begins with a
        space belongs to the one before.
    kind : {"paragraph", "lead", "list", "note", "heading"}
        How a page shows them: a lead is bold, notes are small paragraphs, headings are below that
        of the section.
    """

    lines: tuple[str, ...]
    kind: Kind = "paragraph"

    @classmethod
    def of(cls, *lines: str, kind: Kind = "paragraph") -> Sentences:
        """The sentences that are not empty, on one line each."""
        return cls(tuple(printable(line) for line in lines if line), kind)

    def mapped(self, change: Callable[[str], str]) -> Sentences:
        """The same with every text changed."""
        return replace(self, lines=tuple(map(change, self.lines)))


def first_rows(columns: Sequence[Column], limit: int) -> tuple[tuple[Column, ...], int]:
    """The columns with their first `limit` cells, and how many rows are left out."""
    n = len(columns[0].cells) if columns else 0
    kept = tuple(replace(one, cells=one.cells[:limit], bold=one.bold[:limit]) for one in columns)
    return kept, max(n - limit, 0)


#: how columns of a frame are shown: a heading, of names; or a heading, how values are written
#: (a format as ".3f", of two columns of an interval; or a function of the values) and, if it is not
#: "number", the kind; None: not at all
FrameColumns = Mapping[
    str | tuple[str, ...],
    str | tuple[str, str | Callable[..., str]] | tuple[str, str | Callable[..., str], str] | None,
]


def printed_table(
    frame: pd.DataFrame,
    columns: FrameColumns,
    *,
    title: str = "",
    limit: int | None = None,
    cut: str = "the first {shown} of {rows:,}",
    extras: str = "",
) -> Table:
    """The first rows of a frame as a printed table.

    Parameters
    ----------
    frame : DataFrame
    columns : mapping of str or tuple of str to str, tuple or None
        What each column, or several of them in one, is called, and how it is written: a heading
        alone for names, else a heading, a format (of one number, or of the ends of an interval) or
        a function of the values, and the kind of the column, by default "number". A column of None
        is left out.
    title : str
    limit : int, optional
        The most rows.
    cut : str
        What the title says of a table of more rows.
    extras : str
        What columns of the kind "extra" are.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame(
    ...     {"who": ["ann", "bob"], "value": [0.5, 0.25], "lower": 0.0, "upper": 1.0})
    >>> table = printed_table(
    ...     frame,
    ...     {"who": "subject", "value": ("mean", "+.2f"), ("lower", "upper"): ("95 %", ".1f")},
    ...     title="Subjects", limit=1)
    >>> print(table_text(table, 80))
    Subjects, the first 1 of 2
    subject   mean        95 %
    ──────────────────────────
    ann      +0.50  [0.0, 1.0]
    """
    rows = frame if limit is None else frame.iloc[:limit]
    out = []
    for names, how in columns.items():
        if how is None:
            continue
        heading, style, *kind = (how, str, "label") if isinstance(how, str) else how
        write = _written_in(style) if isinstance(style, str) else style
        values = (rows[name] for name in ([names] if isinstance(names, str) else names))
        cells = tuple(printable(write(*row)) for row in zip(*values, strict=True))
        out.append(Column(heading, cells, kind[0] if kind else "number"))
    rest = cut.format(shown=len(rows), rows=len(frame)) if len(rows) < len(frame) else ""
    return Table(tuple(out), ", ".join(filter(None, (title, rest))), extras)


def _written_in(style: str) -> Callable[..., str]:
    """How a number, or an interval, is written in a format."""

    def write(value: float, upper: float | None = None) -> str:
        return written(value, style) if upper is None else written_interval(value, upper, style)

    return write


# Printed results as HTML for notebooks.


_LEFT, _RIGHT = "text-align:left", "text-align:right"


def html_of(title: str, parts: Iterable[Sentences | Table]) -> str:
    """Title and parts in one `div`."""
    from html import escape

    texts = [f"<p><strong>{escape(title)}</strong></p>"] if title else []
    for part in parts:
        if isinstance(part, Table):
            texts.append(_table(part))
        else:
            texts.append("<p>" + "<br>\n".join(map(escape, part.lines)) + "</p>")
    return "<div>\n" + "\n".join(texts) + "\n</div>"


def _table(table: Table) -> str:
    """A table with its title as caption."""
    from html import escape

    title = f"<caption>{escape(table.title)}</caption>\n" if table.title else ""
    styles = [_LEFT if column.kind == "label" else _RIGHT for column in table.columns]
    head = "".join(
        f'<th scope="col" style="{style}">{escape(column.heading)}</th>'
        for column, style in zip(table.columns, styles, strict=True)
    )
    rows = []
    for row in range(table.n_rows):
        cells = []
        for column, style in zip(table.columns, styles, strict=True):
            text = escape(column.cells[row])
            if column.bold and column.bold[row]:
                text = f"<strong>{text}</strong>"
            cells.append(f'<td style="{style}">{text}</td>')
        rows.append(f"<tr>{''.join(cells)}</tr>")
    body = "\n".join(rows)
    drawn = f"<table>\n{title}<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
    return drawn + (f"\n<p>{escape(table.extras)}</p>" if table.extras else "")


# Printed results as text of a given width.


WIDEST = 80
_INDENT = "  "  # of all lines of a sentence but the first
NARROWEST = 40
_GAP = 2  # between columns
_READABLE = 16  # width to which names are folded before a table is split
_LONGEST_WORD = 24  # that is not broken, where there is room
_SHORTEST = 6  # width of labels where there is not
#: where text may be broken: after a space or a sign, not before a digit
_BREAK = re.compile(r"(?<=\s)(?=\S)|(?<=[._/-])(?![\d\s._/-])")
_NO_BREAK = "\u00a0"
_FILLER = "\ue000"  # of the second column of a wide character
_JOINT = "\ue001"  # where a long word may go on in the next line
#: what stays on one line: intervals, p = .01, 95 %
_TOGETHER = re.compile(r"\[[^\[\]\n]{1,40}\]|(?:\b[\w-]{1,16} )?[=<≤>≥±] [-+]?[\d.]\S*|\d %")


def line_width(widest: int | None = None) -> int:
    """Columns of the terminal, or of the variable COLUMNS: from 40 to 80, or to `widest`."""
    import shutil

    return max(NARROWEST, min(widest or WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns))


def text_of(
    title: str, parts: Iterable[Sentences | Table], width: int, *, styled: bool = False
) -> str:
    """Title and parts, with blank lines between them; `styled` for a terminal that shows bold."""
    texts = [wrapped(title, width)]
    for part in parts:
        if isinstance(part, Table):
            texts.append(table_text(part, width, styled=styled))
        else:
            texts.append("\n".join(wrapped(line, width) for line in part.lines if line.strip()))
    return "\n\n".join(text for text in texts if text)


def wrapped(text: str, width: int) -> str:
    """A sentence on lines of this width, later ones indented; no interval is broken."""
    from rich.cells import get_character_cell_size

    glued = _TOGETHER.sub(lambda found: found[0].replace(" ", _NO_BREAK), text)
    wide = [c for c in set(glued) if get_character_cell_size(c) > 1]
    filled = glued.translate({ord(c): c + _FILLER for c in wide})
    room = width - bool(wide)  # a character and its filler may be parted
    parted = " ".join(_parted(word, room - len(_INDENT) - 1) for word in filled.split(" "))
    lines = textwrap.wrap(parted, room, subsequent_indent=_INDENT, break_on_hyphens=False)
    joined = "\n".join(lines).replace(f"{_JOINT} ", "").replace(_JOINT, "")
    return joined.replace(_NO_BREAK, " ").replace(_FILLER, "")


def _parted(word: str, room: int) -> str:
    """A word that is longer than a line, with spaces where it may be broken; others as they are."""
    if len(word) <= room or _NO_BREAK in word:
        return word
    return f"{_JOINT} ".join(folded(word, room).split("\n"))


def table_text(table: Table, width: int, *, styled: bool = False) -> str:
    """A table; where it is too wide, extras are left out, labels folded, numbers put below."""
    shown = pieces(table, width)
    parts = [_drawn(part, widths, styled) for part, widths in shown]
    if table.extras and any(one.kind == "extra" for part, _ in shown for one in part):
        parts[-1] += f"\n\n{wrapped(table.extras, width)}"
    if table.title:
        parts[0] = f"{wrapped(table.title, width)}\n{parts[0]}"
    return "\n\n".join(parts)


def pieces(table: Table, width: int) -> list[tuple[tuple[Column, ...], list[int]]]:
    """Columns of each part of a table that fits, and their widths."""
    labels = [one for one in table.columns if one.kind == "label"]
    numbers = [one for one in table.columns if one.kind != "label"]
    if _total([*labels, *numbers]) > width:
        numbers = [one for one in numbers if one.kind != "extra"]
    if _total([*labels, *numbers]) > width:
        numbers = [replace(one, heading=_folded_heading(one)) for one in numbers]
    groups = [numbers]
    if numbers and width - _total(numbers) - _GAP * bool(labels) < _least(labels):
        groups = _groups(numbers, width - _least(labels, _READABLE) - _GAP * bool(labels))
    room = width - max(map(_total, groups)) - _GAP * bool(labels and numbers)
    of_labels = _folded(labels, room)
    return [((*labels, *group), [*of_labels, *map(_natural, group)]) for group in groups]


def _groups(columns: list[Column], room: int) -> list[list[Column]]:
    """Columns in groups that fit, or that have one column."""
    out: list[list[Column]] = []
    for column in columns:
        if out and _total([*out[-1], column]) <= room:
            out[-1].append(column)
        else:
            out.append([column])
    return out


def _natural(column: Column) -> int:
    """Width of a column whose lines are not broken."""
    from rich.cells import cell_len

    return max(map(cell_len, (*column.heading.split("\n"), *column.cells)))


def _folded_heading(column: Column) -> str:
    """A heading on as many lines as its words need beside the cells."""
    from rich.cells import cell_len

    return folded(column.heading, max(map(cell_len, (*column.heading.split(" "), *column.cells))))


def _narrowest(column: Column) -> int:
    """Width of a column whose lines are broken between words only, if those are not long."""
    from rich.cells import cell_len

    words = (word for cell in (column.heading, *column.cells) for word in _BREAK.split(cell))
    return min(max(map(cell_len, words), default=0), _LONGEST_WORD)


def _total(columns: list[Column]) -> int:
    return sum(map(_natural, columns)) + _GAP * max(len(columns) - 1, 0)


def _least(labels: list[Column], readable: int = 0) -> int:
    """Width of labels that are folded as far as they can be, or to a readable width."""
    widths = (min(_natural(one), max(_narrowest(one), readable)) for one in labels)
    return sum(widths) + _GAP * max(len(labels) - 1, 0)


def _folded(labels: list[Column], room: int) -> list[int]:
    """Widths of labels within the room that there is, the widest being folded first.

    Words are broken only where nothing else helps, or where a column with a long word would leave
    the others too little.
    """
    widths = [_natural(one) for one in labels]
    share = max(_READABLE, room // max(len(labels), 1) - _GAP)
    over = sum(widths) + _GAP * max(len(labels) - 1, 0) - room
    whole = [min(_narrowest(one), share) for one in labels]
    for least in (whole, [_SHORTEST] * len(labels)):
        while over > 0:
            foldable = [j for j in range(len(labels)) if widths[j] > least[j]]
            if not foldable:
                break
            widths[max(foldable, key=lambda j: widths[j])] -= 1
            over -= 1
    return widths


def folded(text: str, width: int) -> str:
    """Text on lines of this width, broken after spaces and the signs . _ - /, not in numbers.

    Examples
    --------
    >>> print(folded("waterloo.A-rank-normal", 12))
    waterloo.A-
    rank-normal
    """
    from rich.cells import cell_len

    lines = [""]
    for word in _BREAK.split(text):
        if lines[-1] and cell_len(lines[-1]) + cell_len(word.rstrip()) > width:
            lines.append("")
        lines[-1] += word
    return "\n".join(line.rstrip() for line in lines)


def _drawn(columns: tuple[Column, ...], widths: list[int], styled: bool) -> str:
    """Lines of a table, drawn by rich."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for column, width in zip(columns, widths, strict=True):
        options: Any = {"overflow": "fold"} if column.kind == "label" else {"justify": "right"}
        drawn.add_column(Text(column.heading), width=width, **options)
    marks = [column.bold or (False,) * len(column.cells) for column in columns]
    texts = [
        [folded(cell, width) for cell in column.cells] if column.kind == "label" else column.cells
        for column, width in zip(columns, widths, strict=True)
    ]
    for row, cells in enumerate(zip(*texts, strict=True)):
        marked = zip(cells, [mark[row] for mark in marks], strict=True)
        drawn.add_row(*(Text(cell, "bold" if mark else "") for cell, mark in marked))
    file = StringIO()
    colours: Any = "standard" if styled else None
    width = sum(widths) + _GAP * len(widths)
    console = Console(  # in a notebook, rich would display the table there and leave the file empty
        file=file, width=width, force_terminal=styled, force_jupyter=False, color_system=colours
    )
    console.print(drawn)
    return "\n".join(line.rstrip() for line in file.getvalue().rstrip("\n").split("\n"))


_METHODS = "More: "  # begins the line with what a result has for Python
Parts = Iterable[Sentences | Table | str | None]


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
    def of(cls, title: str, *parts: Sentences | Table | str | None) -> Printed:
        """A title, and the parts that are not None and not empty, control characters escaped."""
        whole = (Sentences.of(part) if isinstance(part, str) else part for part in parts)
        kept = [
            part
            for part in whole
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


class Result:
    """Base class of results: what `print`, IPython and notebooks show of them.

    A subclass says its title and its parts: tables, and sentences, of which one may be a str.
    `repr` is the class with the title; a result whose title lacks its number has one of its own.
    """

    __slots__ = ()
    _more: ClassVar[str] = ""  # what else it has, in the last line: ".to_frame(), .plot()"

    def __init_subclass__(cls, **options: Any) -> None:
        """Let IPython show the answer of a class that defines `__repr__`, too.

        It takes what the class itself defines, `__repr__` or `_repr_pretty_`, before what it
        inherits.
        """
        super().__init_subclass__(**options)
        cls._repr_pretty_ = Result._repr_pretty_  # type: ignore[method-assign]

    def _title(self) -> str:
        """What it is, and of what."""
        raise NotImplementedError

    def _parts(self) -> Parts:
        """What is shown below the title."""
        raise NotImplementedError

    def _answer(self) -> Printed:
        """What is shown."""
        return Printed.of(self._title(), *self._parts(), self._more and f"{_METHODS}{self._more}")

    def __repr__(self) -> str:
        name = type(self).__name__
        return printable(f"{name}({self._title().removeprefix(f'{name}: ')})")

    def __str__(self) -> str:
        return self._answer().text()

    def _repr_html_(self) -> str:
        return self._answer().html()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What IPython shows on a terminal."""
        printer.text(repr(self) if cycle else str(self))


def without_methods(result: Result) -> Printed:
    """What is shown of a result on the command line: without its line of methods of Python."""
    shown = result._answer()
    parts = [
        part
        if isinstance(part, Table)
        else replace(part, lines=tuple(x for x in part.lines if not x.startswith(_METHODS)))
        for part in shown.parts
    ]
    return Printed.of(shown.title, *parts)
