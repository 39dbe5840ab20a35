"""Legends of curves and distributions, below the axes, whatever names systems have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fuzzytruth.plots.text import inches_of, legend_below, letters_in, shown_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HANDLE = 26.0  # points of a line or patch, and of the space after its name
_LONGEST = 40  # letters of a name


def add_legend(ax: Axes, *, at_least: int = 2) -> None:
    """A legend of everything that has a label, in as many columns as fit; none for a single one.

    Long names are cut in the middle.
    """
    handles = list(ax.get_legend_handles_labels()[0])
    if len(handles) < at_least:
        return
    room = 72 * 0.9 * inches_of(ax)[0]
    longest = min(_LONGEST, letters_in(room - _HANDLE))
    names = shown_names([str(handle.get_label()) for handle in handles], longest)
    for handle, name in zip(handles, names, strict=True):
        handle.set_label(name)
    wanted = letters_in(room) // max(max(map(len, names)) + letters_in(_HANDLE), 1)
    legend_below(ax, handles, columns=max(1, min(len(handles), wanted)))


def name_shade(ax: Axes, label: str, colour: str, opacity: float) -> None:
    """Add an entry to the legend for an area of that shade."""
    style: dict[str, Any] = {"linewidth": 8, "solid_capstyle": "butt"}
    ax.plot([], [], color=colour, alpha=opacity, label=label, **style)
