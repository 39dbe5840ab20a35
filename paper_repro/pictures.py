"""Figures with captions, as PNG whatever backend of Matplotlib is set."""

from __future__ import annotations

import os
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 150
BLUE, ORANGE, GREEN = "#0072B2", "#D55E00", "#009E73"  # Okabe & Ito's, for colour-blind readers


def pyplot() -> Any:
    """Matplotlib's pyplot, which draws into memory.

    Matplotlib cannot even be imported where MPLBACKEND names a backend that it does not know.
    """
    os.environ["MPLBACKEND"] = "agg"
    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt

    return plt


@dataclass(frozen=True, repr=False)
class Picture:
    """A figure, closed, and what it shows.

    Parameters
    ----------
    figure : Figure
    caption : str
        Markdown.
    """

    figure: Figure
    caption: str

    def __post_init__(self) -> None:
        pyplot().close(self.figure)

    def __repr__(self) -> str:
        return f"Picture({self.caption})"

    def png(self, dpi: int = DPI) -> bytes:
        """The figure as PNG, the same bytes each time."""
        out = BytesIO()
        options: Any = {"dpi": dpi, "bbox_inches": "tight", "metadata": {"Software": None}}
        self.figure.savefig(out, format="png", **options)
        return out.getvalue()

    def _repr_png_(self) -> bytes:
        return self.png(100)
