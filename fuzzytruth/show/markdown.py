"""Text for Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from fuzzytruth._typing import Bools
from fuzzytruth.errors import printable
from fuzzytruth.show.answer import Table

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_SPECIAL = re.compile(r"([\\`*_|\[\]~$])|([&<>])")


def escape(text: str) -> str:
    r"""Text as Markdown prints it, within a cell of a table too; control characters as in errors.

    Examples
    --------
    >>> print(escape("run_1 | <b>"))
    run\_1 \| &lt;b&gt;
    """
    return _SPECIAL.sub(
        lambda found: "\\" + found[1] if found[1] else _ENTITIES[found[2]], printable(text)
    )


def table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    bold: Bools | None = None,
    right: Sequence[bool] | None = None,
) -> str:
    """A table of cells that are Markdown.

    Parameters
    ----------
    headings : sequence of str
    rows : sequence of sequences of str
    bold : (rows, columns) bool, optional
    right : sequence of bool, optional
        Columns that are flush right.

    Examples
    --------
    >>> print(table(["system", "AP"], [["a", "0.5"]], right=[False, True]), end="")
    | system | AP |
    |---|---:|
    | a | 0.5 |
    """
    rule = ["---:" if flush else "---" for flush in right or [False] * len(headings)]
    lines = [f"| {' | '.join(headings)} |", f"|{'|'.join(rule)}|"]
    for row, cells in enumerate(rows):
        marks = [False] * len(cells) if bold is None else bold[row].tolist()
        shown = (f"**{c}**" if mark else c for c, mark in zip(cells, marks, strict=True))
        lines.append(f"| {' | '.join(shown)} |")
    return "\n".join(lines) + "\n"


def _number(cell: str) -> str:
    return cell.replace("[", r"\[")


def of_table(
    shown: Table, caption: str, *, code: Callable[[str], str] = _number, right: bool = True
) -> str:
    """A printed table without its title, and a caption below.

    `code` is Markdown of a number; numbers are flush `right`.
    """
    cells = [
        list(map(escape if column.kind == "label" else code, column.cells))
        for column in shown.columns
    ]
    flush = [right and column.kind != "label" for column in shown.columns]
    headings = [escape(column.heading) for column in shown.columns]
    text = table(headings, list(zip(*cells, strict=True)), bold=shown.marks, right=flush)
    return f"{text}\n{escape(caption)}\n"
