"""Differences of systems with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.errors import OptionError, shown_all
from fuzzytruth.plots.axes import axes_or_new
from fuzzytruth.plots.frames import check_columns

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_COLUMNS = ("measure", "system_a", "system_b", "difference", "lower", "upper", "significant")


def forest(
    frame: pd.DataFrame, ax: Axes | None = None, *, measure: str | None = None, note: str = ""
) -> Axes:
    """Draw the differences of pairs of systems by one measure, each with its interval.

    Parameters
    ----------
    frame : DataFrame
        One row for each pair and measure: columns measure, system_a, system_b, difference, lower,
        upper, significant (bool); see `Comparison.to_frame`. Pairs without a difference (NaN) are
        left out; infinite ends of intervals are not drawn.
    ax : matplotlib Axes, optional
        Axes to draw on; by default those of a new figure, as high as its rows need.
    measure : str, optional
        The first of the frame by default.
    note : str
        Text after the label of the horizontal axis, "difference of <measure>": what the intervals
        are of.

    Returns
    -------
    matplotlib Axes
        Markers of significant differences are filled.

    Raises
    ------
    DataError
        A column is missing, or there are no rows.
    OptionError
        The frame does not have the measure.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.forest(pd.DataFrame({
    ...     "measure": ["AP"], "system_a": ["bm25"], "system_b": ["tfidf"],
    ...     "difference": [0.04], "lower": [0.01], "upper": [0.07], "significant": [True]}))
    >>> ax.get_xlabel(), ax.get_yticklabels()[0].get_text()
    ('difference of AP', 'bm25 − tfidf')
    """
    measures = tuple(dict.fromkeys(check_columns(frame, _COLUMNS)["measure"]))
    if measure is not None and measure not in measures:
        raise OptionError(f"measure {measure!r} is not in the frame; it has {shown_all(measures)}")
    chosen = measures[0] if measure is None else measure
    rows = frame[(frame["measure"] == chosen) & frame["difference"].notna()]
    ax = axes_or_new(ax, height=1.2 + 0.25 * len(rows))
    _draw_intervals(ax, rows)
    ax.axvline(0, color="0.6", linewidth=1, zorder=0)
    ax.set_yticks(_heights(rows), (rows["system_a"] + " − " + rows["system_b"]).to_list())
    ax.set_xlabel(f"difference of {chosen}{note}")
    return ax


def _draw_intervals(ax: Axes, rows: pd.DataFrame) -> None:
    height = _heights(rows)
    for significant, fill in ((True, "full"), (False, "none")):
        chosen = (rows["significant"] == significant).to_numpy()
        part = rows[chosen]
        difference = part["difference"]
        lengths = np.stack((difference - part["lower"], part["upper"] - difference))  # (2, rows)
        bars = np.where(np.isfinite(lengths), lengths, 0.0)
        ax.errorbar(difference, height[chosen], xerr=bars, fmt="o", color="C0", fillstyle=fill)


def _heights(rows: pd.DataFrame) -> Ints:
    """Vertical position of each row, the first on top."""
    return np.arange(len(rows))[::-1]
