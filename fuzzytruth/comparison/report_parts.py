"""Printed tables and sentences, and figures, as parts of a report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fuzzytruth.errors import require
from fuzzytruth.io import answer
from fuzzytruth.io.number_text import digits_for, number_text
from fuzzytruth.io.paths import as_path
from fuzzytruth.io.writing import write_whole
from fuzzytruth.plots.frames import PlotData
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
    draw: Callable[[Drawn], Axes],
    data: PlotData,
    *,
    name: str,
    description: str,
    table: str = "",
    on_paper: bool = False,
    is_folded: bool = False,
) -> Figure:
    """A figure of `plots` with its title as the caption, where it can be read and copied.

    Parameters
    ----------
    draw : callable
        Draws on new axes what it is given, which has `data`.
    data : PlotData
        Of a result; its title is the caption.
    name, description, on_paper
        See `plots.svg.svg_text`.
    table, is_folded
        See `Figure`.
    """
    caption = _sentences(data.title)
    drawn_title = ""

    def untitled() -> Axes:
        nonlocal drawn_title
        ax = draw(Drawn(data))
        drawn_title = ax.get_title(loc="left") or ax.get_title()
        for place in ("left", "center"):
            ax.set_title("", loc=place)
        return ax

    svg = svg_text(untitled, name=name, title=caption, description=description, on_paper=on_paper)
    note = _added(drawn_title, data.title)
    return Figure(f"{caption} {note}".strip(), svg, table, is_folded)


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a figure is drawn from, in place of the result that it is from."""

    data: PlotData

    def _plot_data(self, figure: str, **options: Any) -> PlotData:
        return self.data


def _sentences(title: str) -> str:
    """Lines of a title as sentences; the first one may begin with a name, and stays as it is."""
    first, *rest = (line.strip() for line in title.split("\n"))
    lines = [first, *(line[:1].upper() + line[1:] for line in rest)]
    return " ".join(line if line.endswith((".", ":")) else f"{line}." for line in lines if line)


def _added(drawn: str, title: str) -> str:
    """What a figure's own title, which is broken into lines, says after that of the result."""
    lines = drawn.replace(r"\$", "$").split("\n")
    rest = len("".join(title.split()))
    while lines and rest > 0:
        rest -= len("".join(lines.pop(0).split()))
    return _sentences("\n" + " ".join(lines))


def write_page(page: Page, path: Any) -> Path:
    """Write a page, and return where."""
    target = as_path("path", path)
    require("title", page.title, isinstance(page.title, str), "must be a text")
    text = page_html(page)
    write_whole(target, lambda file: file.write(text.encode(errors="replace")))
    return target
