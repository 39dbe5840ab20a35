"""Names, titles and legends that stay inside the figure, whatever names systems have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, zip_longest
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
                start = next(
                    n for n, two in enumerate(zip_longest(first, second)) if len({*two}) > 1
                )
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
    """Width and height in inches that there are for axes and their labels."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    if _is_alone(ax):
        width, height = figure.get_size_inches()
        return float(width), float(height)
    box = ax.get_window_extent()
    return box.width / figure.dpi / 0.775, box.height / figure.dpi / 0.77  # Matplotlib's margins


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
    alone = _is_alone(ax)
    points = 72 * inches_of(ax)[0] * (1 - 3 * _EDGE if alone else 0.6)
    lines = [wrapped(printable(line), points, TITLE_SIZE) for line in text.split("\n")]
    drawn = ax.set_title("\n".join(lines), loc="left", fontsize=TITLE_SIZE, **_PLAIN)
    figure = ax.get_figure()
    if alone and figure is not None:
        from matplotlib.transforms import blended_transform_factory

        drawn.set_transform(blended_transform_factory(figure.transSubfigure, drawn.get_transform()))
        drawn.set_x(_EDGE)


def wrapped(text: str, points: float, size: float) -> str:
    """Text in lines of at most a width in points; a longer word has a line of its own.

    Matplotlib's own wrapping takes one word a line while a layout puts titles above the figure.
    """
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    font, measure = FontProperties(size=size), TextToPath().get_text_width_height_descent
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and measure(longer, font, False)[0] <= points:
            lines[-1] = longer
        else:
            lines.append(word)
    return "\n".join(lines)


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


def short_number(value: float, digits: int) -> str:
    """A signed number for a narrow cell, without a zero before the point.

    Examples
    --------
    >>> short_number(0.25, 2), short_number(-1.5, 1), short_number(-0.001, 2)
    ('+.25', '-1.5', '.00')
    """
    text = format(value, f"+.{digits}f")
    if not float(text):
        text = text[1:]
    start, point, end = text.partition(".")
    return f"{start[:-1]}.{end}" if point and start.lstrip("+-") == "0" else text
