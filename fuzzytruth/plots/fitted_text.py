"""Texts that fit: ids as labels, and title, axis label and legend as wide as their axes.

A constrained layout makes room for labels of rows, but not for wide titles and axis labels, which
it clips: they are broken into lines of the width that will be left.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.plots.appearance import TICK_SIZE
from fuzzytruth.plots.text import shown_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

_TITLE_SIZE = 9.0  # points
_LABEL_SIZE = 9.0
_LEGEND_SIZE = 8.0
_SMALLEST = 4.0  # points, of labels of many rows
_CHARACTER = 0.57  # mean width of a character, in font sizes
_AXES_SHARE = 0.775  # of a figure's width and height that new axes have, by Matplotlib's default
_LABELS_SHARE = 0.38  # of the width that labels of rows may take
_LONGEST = 28  # characters of an id
_PAD = 6.0  # points between labels and axes, and at the margins


def id_labels(ids: Iterable[Any], longest: int = _LONGEST) -> list[str]:
    r"""Ids as texts of a figure: none is parsed as mathematics, and long ones lose their middle.

    Different ids that would look the same keep what tells them apart, see `text.shown_names`.

    Examples
    --------
    >>> id_labels(["bm25", "cost_in_$", "a-very-long-name-of-a-system"], 12)
    ['bm25', 'cost_in_\\$', 'a-very…ystem']
    """
    return [escaped(name) for name in shown_names(ids, longest)]


def escaped(text: str) -> str:
    """A text that Matplotlib does not parse as mathematics."""
    return text.replace("$", r"\$")


def longest_label(ax: Axes, rows: float = 1) -> int:
    """Characters that the label of each of so many rows may have."""
    room = _LABELS_SHARE * _slot(ax) / (_label_size(ax, rows) * _CHARACTER)
    return int(min(max(room, 8), _LONGEST))


def row_labels(ax: Axes, places: Floats | Ints, labels: Sequence[str], rows: float) -> None:
    """Labels of rows, smaller where `rows` of them share the height of the axes."""
    ax.set_yticks(places, labels, fontsize=_label_size(ax, rows))
    ax.tick_params(axis="y", length=0)


def _label_size(ax: Axes, rows: float) -> float:
    return min(max(0.85 * size_in_points(ax)[1] / max(rows, 1), _SMALLEST), TICK_SIZE)


def size_in_points(ax: Axes) -> tuple[float, float]:
    """Width and height of the axes in points, before their figure makes room for labels."""
    box = ax.get_window_extent()
    return float(box.width * _point(ax)), float(box.height * _point(ax))


def width_left(ax: Axes) -> float:
    """Width in points that the axes have beside the labels of their rows."""
    if _has_layout(ax):
        return max(_slot(ax) - _labels_width(ax) - 2 * _PAD, 30.0)
    return size_in_points(ax)[0]


def finish(ax: Axes, title: str, *, handles: Sequence[Any] | None = None) -> None:
    """Set the title, break the label of the horizontal axis, and put the legend below it.

    Parameters
    ----------
    title : str
        As it is to be read: `$` is no mathematics. Its lines stay apart.
    handles : sequence of artists, optional
        Of the legend; by default those that have labels.
    """
    width, left = width_left(ax), _labels_width(ax)
    label = ax.get_xlabel()
    ax.set_xlabel(_lines(label, width, _LABEL_SIZE), fontsize=_LABEL_SIZE)
    ax.yaxis.label.set_fontsize(_LABEL_SIZE)
    ax.tick_params(labelsize=TICK_SIZE, axis="x")
    text = escaped(_lines(title, width + left, _TITLE_SIZE))
    shown: Text = ax.set_title(text, fontsize=_TITLE_SIZE, x=0, ha="left")
    shown.set_transform(shown.get_transform() + _moved(ax, -left, 0))
    _legend_below(ax, left, width, handles)


def _legend_below(ax: Axes, left: float, width: float, handles: Sequence[Any] | None) -> None:
    if handles is None:
        handles = ax.get_legend_handles_labels()[0]
    if not handles:
        return
    names = (str(handle.get_label()) for handle in handles)
    one = max(map(len, names)) * _LEGEND_SIZE * 0.9 * _CHARACTER + 4 * _LEGEND_SIZE
    label = ax.get_xlabel()
    texts = [text for text in ax.get_xticklabels() if text.get_text()]
    down = max((text.get_window_extent().height for text in texts), default=0.0) * _point(ax)
    down += 10.0 + (1.3 * _LABEL_SIZE * (label.count("\n") + 1) if label else 0.0)
    ax.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=(0.0, 0.0),
        bbox_transform=ax.transAxes + _moved(ax, -left, -down),
        ncols=max(1, min(len(handles), int((left + width) // one))),
        frameon=False,
        fontsize=_LEGEND_SIZE,
        borderaxespad=0.0,
        columnspacing=1.2,
    )


def _lines(text: str, width: float, size: float) -> str:
    characters = max(int(width / (size * _CHARACTER)), 12)
    return "\n".join(line for part in text.split("\n") for line in wrap(part, characters))


def _labels_width(ax: Axes) -> float:
    """Width in points of the labels left of the axes."""
    texts = [label for label in ax.get_yticklabels() if label.get_text()]
    widest = max((text.get_window_extent().width for text in texts), default=0.0) * _point(ax)
    if ax.get_ylabel():
        widest += 1.6 * _LABEL_SIZE
    ticks = ax.yaxis.get_major_ticks()
    widest += 3.0 + (ticks[0].tick1line.get_markersize() if ticks else 0.0)
    return float(widest if _has_layout(ax) else min(widest, ax.bbox.x0 * _point(ax)))


def _slot(ax: Axes) -> float:
    """Width in points of the axes and their labels."""
    return size_in_points(ax)[0] / _AXES_SHARE


def _has_layout(ax: Axes) -> bool:
    figure = ax.get_figure(root=True)
    return figure is not None and figure.get_layout_engine() is not None


def _point(ax: Axes) -> float:
    """Points in a pixel."""
    figure = ax.get_figure(root=True)
    return 72 / figure.dpi if figure is not None else 1.0


def _moved(ax: Axes, right: float, up: float) -> Any:
    """A shift by points."""
    from matplotlib.transforms import ScaledTranslation

    figure = ax.get_figure(root=True)
    assert figure is not None
    return ScaledTranslation(right / 72, up / 72, figure.dpi_scale_trans)
