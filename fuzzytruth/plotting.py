"""Where pictures are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzytruth.errors import MissingPackageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def axes_or_new(ax: Axes | None) -> Axes:
    """The axes that were given, or those of a new figure.

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
    return plt.subplots()[1] if ax is None else ax
