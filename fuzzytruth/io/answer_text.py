"""Printed results as text of a given width."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterable
from io import StringIO
from typing import Any

from fuzzytruth.io.answer_parts import Column, Sentences, Table

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
    columns = shutil.get_terminal_size((WIDEST, 24)).columns
    return max(NARROWEST, min(widest or WIDEST, columns))


def text_of(
    title: str, parts: Iterable[Sentences | Table], width: int, *, styled: bool = False
) -> str:
    """Title and parts, with blank lines between them; `styled` for a terminal that shows bold."""
    texts = [wrapped(title, width)]
    for part in parts:
        if isinstance(part, Table):
            texts.append(table_text(part, width, styled=styled))
        else:
            texts.append("\n".join(wrapped(line, width) for line in part.lines))
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

    return max(map(cell_len, (column.heading, *column.cells)))


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
        bold = [mark[row] for mark in marks]
        marked = zip(cells, bold, strict=True)
        drawn.add_row(*(Text(cell, "bold" if mark else "") for cell, mark in marked))
    file = StringIO()
    colours: Any = "standard" if styled else None
    width = sum(widths) + _GAP * len(widths)
    console = Console(  # in a notebook, rich would display the table there and leave the file empty
        file=file,
        width=width,
        force_terminal=styled,
        force_jupyter=False,
        color_system=colours,
    )
    console.print(drawn)
    return "\n".join(line.rstrip() for line in file.getvalue().rstrip("\n").split("\n"))
