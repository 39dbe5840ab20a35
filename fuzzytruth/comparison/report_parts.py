"""Printed tables and sentences, and figures, as parts of a report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fuzzytruth.errors import require
from fuzzytruth.io import answer
from fuzzytruth.io.number_text import digits_for, number_text
from fuzzytruth.io.paths import as_path
from fuzzytruth.io.writing import write_whole
from fuzzytruth.plots.svg import svg_text
from fuzzytruth.report import Column, Figure, Page, Table, Text, page_html
from fuzzytruth.report.parts import Kind

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

LETTER = "letter"  # heading of the column that other cells refer to


def report_table(table: answer.Table, caption: str, *, note: str = "") -> Table:
    """A printed table as one that can be sorted.

    Parameters
    ----------
    table : Table
        Of `io.answer`; its first column with a heading names the rows.
    caption : str
    note : str
        Below it, before what the table says of its extra columns.
    """
    columns = [
        Column(one.heading or LETTER, one.cells, one.kind != "label", one.bold)
        for one in table.columns
    ]
    if table.columns and not table.columns[0].heading:  # letters go behind the names of the rows
        columns.insert(1, columns.pop(0))
    return Table(caption, tuple(columns), " ".join(filter(None, (note, table.extras))))


def frame_table(frame: pd.DataFrame, caption: str, *, note: str = "") -> Table:
    """A frame as a table: names as they are, whole numbers whole, others with three decimals."""
    columns = []
    for name in frame.columns:
        values = frame[name].tolist()
        is_number = frame[name].dtype.kind in "iuf"
        show: Callable[[Any], str] = str
        if is_number:
            show = "{:,}".format if frame[name].dtype.kind in "iu" else _decimals(values)
        columns.append(Column(str(name).replace("_", " "), tuple(map(show, values)), is_number))
    return Table(caption, tuple(columns), note)


def _decimals(values: list[float]) -> Callable[[float], str]:
    digits = digits_for(values, 3)
    return lambda value: number_text(value, digits)


def answer_texts(result: answer.Answer) -> tuple[Text, ...]:
    """The sentences that `print` shows of a result; those below a table are notes."""
    out: list[Text] = []
    kind: Kind = "paragraph"
    for part in answer.without_methods(result).parts:
        if isinstance(part, answer.Table):
            kind = "note"
        else:
            out.append(Text(part.lines, kind))
    return tuple(out)


def report_figure(
    draw: Callable[[], Axes],
    *,
    name: str,
    title: str,
    description: str,
    table: str = "",
    on_paper: bool = False,
) -> Figure:
    """A figure with its caption; parameters as of `plots.svg.svg_text` and `Figure`."""
    svg = svg_text(draw, name=name, title=title, description=description, on_paper=on_paper)
    return Figure(title, svg, table)


def write_page(page: Page, path: Any) -> Path:
    """Write a page, and return where."""
    target = as_path("path", path)
    require("title", page.title, isinstance(page.title, str), "must be a text")
    text = page_html(page)
    write_whole(target, lambda file: file.write(text.encode(errors="replace")))
    return target
