"""Colours, markers and lines that stay apart in print, in grey and for colour-blind readers."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

from fuzzytruth.errors import OptionError, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: Okabe and Ito's colours, the darkest first, so that few of them differ in grey, too
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
LINES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1, 1, 1)))

MAIN = COLOURS[0]  # of marks of a single kind
REFERENCE = "0.55"  # of lines that are no data, such as the one at zero
NOT_SHOWN = "0.4"  # of differences that are not significant
BESIDE = COLOURS[3]  # of small marks beside those of the result, such as a dot for each subject
FAINT = "0.8"  # of grids and of what is not significant
EDGE = "0.47"  # of boxes, and of the lines that connect them
EMPTY = "0.957"  # of boxes without a value
SEQUENTIAL = "Blues"  # light is little
DIVERGING = "PuOr"  # white is zero
TICK_SIZE = 8  # points, of labels of systems, subjects and cells, and of legends
LABEL_SIZE = 9  # points, of labels of axes
TITLE_SIZE = 9  # points


@dataclass(frozen=True, slots=True)
class Look:
    """Colour, marker and line of one of several systems, subjects or distributions."""

    colour: str
    marker: str
    line: Any

    @property
    def style(self) -> dict[str, Any]:
        """What `Axes.plot` takes."""
        return {"color": self.colour, "marker": self.marker, "linestyle": self.line}


def looks(n: int) -> list[Look]:
    """A look for each of `n`; combinations of colour, marker and line repeat after 168."""
    return list(islice(map(Look, cycle(COLOURS), cycle(MARKERS), cycle(LINES)), n))


# Axes to draw on, and figures as files.


COLUMN_WIDTH = 3.4  # inches, of a column of a two-column paper
PAGE_WIDTH = 6.4  # inches, of a new figure that is not stated otherwise


def check_axes(ax: object) -> None:
    """Raise OptionError unless these are axes, or None for new ones."""
    from matplotlib.axes import Axes

    if ax is not None and not isinstance(ax, Axes):
        raise OptionError(
            f"ax={shown(ax)}: give one Axes of Matplotlib; options go by name, such as measure='AP'"
        )


def axes_or_new(
    ax: Axes | None, *, width: float = PAGE_WIDTH, height: float = PAGE_WIDTH * 0.62
) -> Axes:
    """The given axes, or those of a new figure of that size in inches, with small numbers at ticks.

    A new figure has a constrained layout, so that labels of any length are inside it.

    Raises
    ------
    OptionError
        `ax` is something else.
    """
    check_axes(ax)
    if ax is None:
        import matplotlib.pyplot as plt

        ax = plt.subplots(figsize=(width, height), layout="constrained")[1]
    ax.tick_params(labelsize=TICK_SIZE)
    return ax


# Marks, and entries of legends that stand for no single mark.


def draw_marks(
    ax: Axes, x: Any, y: Any, marker: Any, colour: str, size: float, fill: str = "", **style: Any
) -> Any:
    """Draw marks without a line, filled with their own colour unless another is given."""
    style |= {"color": colour, "markerfacecolor": fill or colour, "markersize": size}
    return ax.plot(x, y, linestyle="none", marker=marker, **style)[0]


def name_shade(ax: Axes, label: str, colour: str, opacity: float) -> None:
    """Add an entry to the legend for an area of that shade."""
    style: dict[str, Any] = {"linewidth": 8, "solid_capstyle": "butt"}
    ax.plot([], [], color=colour, alpha=opacity, label=label, **style)
