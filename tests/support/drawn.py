"""What is drawn on axes, read back."""

from __future__ import annotations

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
    """The title, without line breaks."""
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
