"""Each subject's difference for each pair of systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.core.validation import whole_number
from fuzzytruth.errors import counted
from fuzzytruth.plots.drawing.appearance import REFERENCE, axes_or_new
from fuzzytruth.plots.drawing.names import shown_names
from fuzzytruth.plots.drawing.subject_rows import Rows, draw_rows, draw_strips
from fuzzytruth.plots.drawing.text import finish
from fuzzytruth.plots.frames import PlotData, check_columns, known_rows, plot_data, rows_of_measure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLUMNS = ("system_a", "system_b", "difference", "lower", "upper", "significant")
_PAIR = ["system_a", "system_b"]
_FEW = 8  # subjects that have a row of their own
_MOST_ROWS = 40  # of a new figure with a row a subject
_MOST_STRIPS = 20
_STRIP, _ROW = 0.4, 0.17  # inches
_AROUND = 1.7
_LONGEST = 28  # letters of the other system


def subject_strip(
    data: Any,
    ax: Axes | None = None,
    *,
    pooled: pd.DataFrame | None = None,
    measure: str | None = None,
    n_pairs: int | None = None,
    title: str | None = None,
) -> Axes:
    """Draw each subject's difference for each pair of systems, beside that of all together.

    Up to 8 subjects have a row each, with an interval; more are a strip of dots for each pair, in
    which dots that would cover one another are stacked (closer than they are high where there are
    too many). Pairs are ordered by the difference of all subjects together (by the median without
    `pooled`), and named by the first system where the second is the same for all.

    Parameters
    ----------
    data : SubjectComparisons or DataFrame
        See `Comparison.by_subject`. A frame has one row a subject and pair: columns subject,
        system_a, system_b, difference, lower, upper, significant (bool). Undefined differences
        (NaN) are not drawn, and counted; infinite intervals, and those that are much longer than
        the differences spread, end at the edge of the axes.
    ax : matplotlib Axes, optional
        Axes to draw on; by default those of a new figure, as high as its rows need.
    pooled : DataFrame, optional
        The same of all subjects together, one row a pair without a column subject; a result has
        its own.
    measure : str, optional
        Which one, where there are several (a column measure); the first by default.
    n_pairs : int, optional
        The most pairs that are drawn, those with the largest differences; the title says how many
        there are. By default as many as are legible: 20, or some 40 rows of single subjects.
    title : str, optional
        By default that of the result.

    Returns
    -------
    matplotlib Axes
        Triangles point to the side on which the subject alone finds a significant difference,
        circles are not significant.

    Raises
    ------
    DataError
        A column is missing, there are no rows, or no difference is defined.
    OptionError
        The measure is not in the data, or `n_pairs` is below 1.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.subject_strip(pd.DataFrame({
    ...     "subject": ["ann", "bob"], "system_a": "bm25", "system_b": "tfidf",
    ...     "difference": [0.04, -0.01], "lower": [0.01, -0.04], "upper": [0.07, 0.02],
    ...     "significant": [True, False]}))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['bm25', 'ann', 'bob']
    """
    found = plot_data(data, "subject_strip", measure=measure)
    frame, beside = _frames(found, pooled, measure)
    defined = known_rows(frame, "difference")
    rows = _rows(frame, defined, beside, n_pairs)
    ax = axes_or_new(ax, height=_AROUND + (_ROW * rows.n_rows if rows.apart else _STRIP * rows.n))
    (draw_rows if rows.apart else draw_strips)(ax, rows)
    ax.axvline(0, color=REFERENCE, linewidth=1, zorder=0)
    ax.set_xlabel(_axis(frame, rows))
    finish(ax, found.heading(title, rows.note))
    return ax


def _axis(frame: pd.DataFrame, rows: Rows) -> str:
    """Label of the axis: what differs from what."""
    of = f" of {frame['measure'].iloc[0]}" if "measure" in frame.columns else ""
    other = f" from {shown_names([rows.baseline], _LONGEST)[0]}" if rows.baseline else ""
    return f"difference{of}{other}"


def _frames(
    found: PlotData, pooled: pd.DataFrame | None, measure: str | None
) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Rows of one measure, and those of all subjects together."""
    frame, name = rows_of_measure(check_columns(found.frame, ("subject", *_COLUMNS)), measure)
    beside = found.beside if pooled is None else pooled
    if beside is not None:
        beside, _ = rows_of_measure(check_columns(beside, _COLUMNS, "pooled"), name or None)
    return frame, beside


def _rows(
    frame: pd.DataFrame, defined: pd.DataFrame, beside: pd.DataFrame | None, n_pairs: int | None
) -> Rows:
    """The pairs that are drawn, in their order."""
    together = defined.groupby(_PAIR, sort=False)["difference"].median()
    if beside is not None:
        known = beside[beside["difference"].notna()].set_index(_PAIR)["difference"]
        together = known.reindex(together.index).fillna(together)
    n_subjects = frame["subject"].nunique()
    apart = n_subjects <= _FEW
    most = max(1, _MOST_ROWS // (n_subjects + 1)) if apart else _MOST_STRIPS
    limit = most if n_pairs is None else whole_number("n_pairs", n_pairs, 1)
    kept = together.iloc[np.sort(np.argsort(-together.abs().to_numpy(), kind="stable")[:limit])]
    pairs = kept.sort_values(ascending=False, kind="stable").index
    by_pair = dict(list((frame if apart else defined).groupby(_PAIR, sort=False)))
    notes = []
    if len(kept) < len(together):
        notes.append(f"{len(kept)} of {len(together):,} pairs, those with the largest differences")
    left_out = len(frame) - len(defined)
    if left_out:
        notes.append(f"{counted(left_out, 'difference')} of {len(frame):,} undefined")
    return Rows(
        tuple(pairs),
        tuple(by_pair[pair] for pair in pairs),
        None if beside is None else beside.set_index(_PAIR).reindex(pairs),
        apart,
        "; ".join(notes),
    )
