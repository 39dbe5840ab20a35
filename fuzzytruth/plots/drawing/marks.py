"""Entries of legends that stand for no single mark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def name_shade(ax: Axes, label: str, colour: str, opacity: float) -> None:
    """Add an entry to the legend for an area of that shade."""
    style: dict[str, Any] = {"linewidth": 8, "solid_capstyle": "butt"}
    ax.plot([], [], color=colour, alpha=opacity, label=label, **style)
