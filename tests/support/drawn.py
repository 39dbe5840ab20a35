"""What is drawn on axes, read back."""

from itertools import pairwise
from typing import Any


def y_names(ax: Any) -> list[str]:
    """Labels of the vertical axis, from the top."""
    labels = zip(ax.get_yticks(), ax.get_yticklabels(), strict=True)
    texts = [(tick, label.get_text()) for tick, label in labels]
    return [text for _, text in sorted(texts, reverse=not ax.yaxis_inverted())]


def x_names(ax: Any) -> list[str]:
    """Labels of the horizontal axis."""
    return [label.get_text() for label in ax.get_xticklabels()]


def legend_of(ax: Any) -> list[str]:
    """Texts of the legend; none without a legend."""
    legend = ax.get_legend()
    return [] if legend is None else [text.get_text() for text in legend.get_texts()]


def title_of(ax: Any) -> str:
    """The title, without line breaks and with plain spaces."""
    return ax.get_title(loc="left").replace("\n", " ")


def cells_of(ax: Any) -> Any:
    """Numbers behind the colours of a heat map, masked where there are none."""
    from matplotlib.collections import QuadMesh

    (mesh,) = [part for part in ax.collections if isinstance(part, QuadMesh)]
    return mesh.get_array()


def marks_of(ax: Any) -> list[tuple[float, float]]:
    """Places of scattered marks, sorted."""
    from matplotlib.collections import PathCollection

    parts = [part for part in ax.collections if isinstance(part, PathCollection)]
    return sorted(tuple(place) for part in parts for place in part.get_offsets().tolist())


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


def curves_of(ax: Any) -> dict[str, list[list[float]]]:
    """Points of each line by its label."""
    return {line.get_label(): line.get_xydata().tolist() for line in ax.lines}


def corners_of(band: Any) -> set[tuple[float, float]]:
    """Corners of a filled area."""
    return {tuple(corner) for corner in band.get_paths()[0].vertices.tolist()}


def fits_a_page(ax: Any, n_rows: int) -> bool:
    """Whether labels of this many rows are apart from each other, and inside a figure of a page."""
    ax.figure.canvas.draw()
    boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
    apart = all(one.y0 >= two.y1 - 1.5 for one, two in pairwise(boxes))
    small = max(ax.figure.get_size_inches()) <= 10.5
    return len(boxes) == n_rows and apart and small and min(box.x0 for box in boxes) >= 0
