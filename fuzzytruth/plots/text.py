"""Names, titles and legends that stay inside the figure, whatever names systems have."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from itertools import combinations
from os.path import commonprefix
from typing import TYPE_CHECKING, Any

from fuzzytruth.errors import printable
from fuzzytruth.plots.appearance import TICK_SIZE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE_SIZE = 9  # points
_LETTER = 0.56  # mean width of a letter, in font sizes
_EDGE = 0.015  # of the figure, left of a title
_PLAIN: dict[str, Any] = {"parse_math": False}  # "$" is a dollar


def shown_names(names: Iterable[object], width: int) -> list[str]:
    """Names of about `width` characters, cut in the middle where they are longer.

    Control characters are escaped. Names that would look alike keep what tells them apart; where
    this is not enough, all are cut less.

    Examples
    --------
    >>> shown_names(["bm25", "a_long_name_of_run_1", "a_long_name_of_run_2"], 9)
    ['bm25', 'a_lo…un_1', 'a_lo…un_2']
    >>> shown_names(["same_start_bm25_same_end", "same_start_tfidf_same_end"], 9)
    ['sa…_bm25…', 'sa…_tfid…']
    """
    whole = [printable(str(name)) for name in names]
    unique = list(dict.fromkeys(whole))
    for size in range(max(width, 7), max(map(len, whole), default=0), 2):
        cut = {name: _cut(name, size) for name in unique}
        alike = [name for name in unique if [*cut.values()].count(cut[name]) > 1]
        for first, second in combinations(alike, 2):
            if cut[first] == _cut(second, size):
                start = len(commonprefix([first, second]))
                cut |= {name: _cut_around(name, start, size) for name in (first, second)}
        if len(set(cut.values())) == len(unique):
            return [cut[name] for name in whole]
    return whole


def _cut(name: str, width: int) -> str:
    """The start and the end of a long name."""
    if len(name) <= width:
        return name
    end = (width - 1) // 2
    return f"{name[: width - 1 - end]}…{name[-end:]}"


def _cut_around(name: str, start: int, width: int) -> str:
    """The first letters, and those from shortly before `start` on."""
    n_first = max(width // 3 - 1, 1)
    begin = max(start - 1, n_first + 1)
    end = begin + width - n_first - 2
    return f"{name[:n_first]}…{name[begin:end]}{'…' if end < len(name) else ''}"


def letters_in(points: float, size: float = TICK_SIZE) -> int:
    """About how many letters of a font size fit into a width in points."""
    return max(int(points / (_LETTER * size)), 1)


def inches_of(ax: Axes) -> tuple[float, float]:
    """Width and height in inches that the layout has for axes and their labels."""
    figure = ax.get_figure(root=True)
    box = ax.get_window_extent()
    dpi = 100.0 if figure is None else float(figure.dpi)
    return box.width / dpi / 0.775, box.height / dpi / 0.77  # Matplotlib's margins of axes


def name_ticks(
    ax: Axes, axis: str, places: Sequence[float], names: Sequence[str], **style: Any
) -> None:
    """Label places of an axis ("x" or "y") with names, which are not parsed as mathematics."""
    setter = ax.set_xticks if axis == "x" else ax.set_yticks
    setter(places, list(names), **_PLAIN, **style)


def title(ax: Axes, text: str) -> None:
    """Put a title above the axes, wrapped to the figure's width, or to theirs beside others."""
    if not text:
        return
    text = "\n".join(printable(line) for line in text.split("\n"))
    alone = _is_alone(ax)
    if not alone:
        most = letters_in(72 * 0.775 * inches_of(ax)[0], TITLE_SIZE)
        text = "\n".join(textwrap.fill(line, most) for line in text.split("\n"))
    drawn = ax.set_title(text, loc="left", fontsize=TITLE_SIZE, wrap=True, **_PLAIN)
    figure = ax.get_figure()
    if alone and figure is not None:
        from matplotlib.transforms import blended_transform_factory

        drawn.set_transform(blended_transform_factory(figure.transSubfigure, drawn.get_transform()))
        drawn.set_x(_EDGE)


def _is_alone(ax: Axes) -> bool:
    """Whether these are the only axes of their figure, so that a title may begin at its edge."""
    spec = ax.get_subplotspec()
    return spec is not None and spec.get_gridspec().get_geometry() == (1, 1)


def legend_below(ax: Axes, handles: Sequence[Any], *, columns: int | None = None) -> None:
    """Put a legend below the label of the horizontal axis, its right end at that of the axes."""
    from matplotlib.transforms import ScaledTranslation

    figure = ax.get_figure(root=True)
    assert figure is not None
    down = 30 + 11 * (ax.get_xlabel().count("\n") + bool(ax.get_xlabel()))
    shift = ScaledTranslation(0, -down / 72, figure.dpi_scale_trans)
    wide = inches_of(ax)[0] > 5
    legend = ax.legend(
        handles=list(handles),
        loc="upper right",
        bbox_to_anchor=(1.0, 0.0),
        bbox_transform=ax.transAxes + shift,
        ncols=columns or (len(handles) if wide else 1),
        frameon=False,
        fontsize=TICK_SIZE,
        borderaxespad=0,
    )
    for label in legend.get_texts():
        label.set_parse_math(False)
