"""Printed tables and sentences, and figures, as parts of a report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fuzzytruth._lazy import pd
from fuzzytruth.errors import OptionError, require
from fuzzytruth.io.paths import as_path
from fuzzytruth.io.writing import check_target, write_whole
from fuzzytruth.plots.drawing.appearance import COLUMN_WIDTH, PAGE_WIDTH, axes_or_new
from fuzzytruth.plots.drawing.text import inches_of
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.plots.svg import svg_text
from fuzzytruth.show.answer import Column, Kind, Result, Sentences, Table, without_methods
from fuzzytruth.show.number_text import digits_for, number_text
from fuzzytruth.show.page import Figure, Page, page_html

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LETTER = "letter"  # heading of the column that other cells refer to
OPEN_FIGURES = 2  # of each kind, of which those after these are folded
_TALLER = 0.4  # inches, of a narrow drawing, whose legend takes more lines


def report_table(table: Table, caption: str) -> Table:
    """A printed table with a caption, letters behind the names of its rows."""
    columns = list(table.columns)
    if columns and not columns[0].heading:
        columns.insert(1, replace(columns.pop(0), heading=LETTER))
    return replace(table, title=caption, columns=tuple(columns))


def frame_table(frame: pd.DataFrame, caption: str) -> Table:
    """A frame as a table: names as they are, whole numbers whole, others with three decimals."""
    columns = []
    for name in frame.columns:
        values = frame[name].tolist()
        is_number = frame[name].dtype.kind in "iuf"
        show: Callable[[Any], str] = str
        if is_number:
            show = "{:,}".format if frame[name].dtype.kind in "iu" else _decimals(values)
        heading, kind = str(name).replace("_", " "), "number" if is_number else "label"
        columns.append(Column(heading, tuple(map(show, values)), kind))
    return Table(tuple(columns), caption)


def _decimals(values: list[float]) -> Callable[[float], str]:
    digits = digits_for(values, 3)
    return lambda value: number_text(value, digits)


def answer_texts(result: Result) -> tuple[Sentences, ...]:
    """The sentences that `print` shows of a result; those below a table are notes."""
    out: list[Sentences] = []
    kind: Kind = "paragraph"
    for part in without_methods(result).parts:
        if isinstance(part, Table):
            kind = "note"
        else:
            out.append(replace(part, kind=kind))
    return tuple(out)


def report_figure(
    draw: Callable[..., Axes],
    data: PlotData,
    *,
    name: str,
    description: str,
    number: int | None = None,
    table: str = "",
    on_paper: bool = False,
) -> Figure:
    """A figure of `plots` with its title as the caption, where it can be read and copied.

    It is drawn again at the width of a phone, unless it is that narrow or so wide that its letters
    would not be legible there.

    Parameters
    ----------
    draw : callable
        A function of `plots`, to which only the data and a title are to be given.
    data : PlotData
        Of a result; its title is the caption.
    name, description, on_paper
        See `plots.svg.svg_text`.
    number : int, optional
        Its place among figures of its kind, of which the first ones are not folded.
    table
        See `Figure`.
    """
    caption, notes, width, height = _sentences(data.title), "", 0.0, 0.0

    def untitled(ax: Axes | None = None) -> Axes:
        nonlocal notes, width, height
        ax = draw(data, ax, title="")  # what the figure itself adds is left
        notes = " ".join((ax.get_title(loc="left") or ax.get_title()).split("\n"))
        for place in ("left", "center"):
            ax.set_title("", loc=place)
        width, height = inches_of(ax)
        return ax

    def narrow() -> Axes:
        return untitled(axes_or_new(None, width=COLUMN_WIDTH, height=height + _TALLER))

    if number is not None:
        name = f"{name}-{number}"
    told: dict[str, Any] = {"title": caption, "description": description, "on_paper": on_paper}
    svg = svg_text(untitled, name=name, **told)
    return Figure(
        " ".join(filter(None, (caption, _sentences(notes)))),
        svg,
        table,
        is_folded=number is not None and number >= OPEN_FIGURES,
        narrow=svg_text(narrow, name=f"{name}-narrow", **told)
        if COLUMN_WIDTH < width <= PAGE_WIDTH
        else "",
    )


def _sentences(title: str) -> str:
    """Lines of a title as sentences; the first one may begin with a name, and stays as it is."""
    first, *rest = (line.strip() for line in title.split("\n"))
    lines = [first, *(line[:1].upper() + line[1:] for line in rest)]
    return " ".join(line if line.endswith((".", ":")) else f"{line}." for line in lines if line)


PAGE_ENDINGS = (".html", ".htm")


def write_page(make: Callable[[], Page], path: Any) -> Path:
    """Make a page and write it, and return where; the path is checked before the page is made."""
    target = as_path("path", path)
    if target.suffix.lower() not in PAGE_ENDINGS and not target.is_dir():
        raise OptionError(f"{target}: a report is a page; name the file {', '.join(PAGE_ENDINGS)}")
    check_target(target)
    page = make()
    require("title", page.title, isinstance(page.title, str), "must be a text")
    text = page_html(page)
    write_whole(target, lambda file: file.write(text.encode(errors="replace")))
    return target
