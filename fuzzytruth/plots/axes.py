"""Axes to draw on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fuzzytruth.errors import MissingPackageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def pyplot() -> Any:
    """Matplotlib's pyplot, imported on first use.

    Raises
    ------
    MissingPackageError
        Matplotlib is not installed.
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise MissingPackageError(
            "plots need Matplotlib; install it with: pip install 'fuzzytruth[plots]'"
        ) from error
    return plt


def axes_or_new(ax: Axes | None) -> Axes:
    """The given axes, or those of a new figure.

    Raises
    ------
    MissingPackageError
        Matplotlib is not installed.
    """
    plt = pyplot()
    if ax is not None:
        return ax
    new: Axes = plt.subplots()[1]
    return new
