"""What was drawn on axes: dots by label, horizontal lines, labels of rows."""

from __future__ import annotations

from typing import Any


def dots(ax: Any, label: str) -> list[tuple[float, float]]:
    """Positions of the marks with this label, in the order drawn."""
    lines = [line for line in ax.lines if line.get_label() == label]
    return [(float(x), float(y)) for line in lines for x, y in line.get_xydata()]


def lines_of(ax: Any) -> list[tuple[float, float, float]]:
    """Ends and heights of the lines of `hlines`."""
    from matplotlib.collections import LineCollection

    parts = [part for part in ax.collections if isinstance(part, LineCollection)]
    bars = [bar for part in parts for bar in part.get_segments()]
    return [(float(bar[0, 0]), float(bar[1, 0]), float(bar[0, 1])) for bar in bars]


def labels_of(ax: Any) -> list[str]:
    """Labels of the rows from top to bottom."""
    return [label.get_text() for label in ax.get_yticklabels()]
