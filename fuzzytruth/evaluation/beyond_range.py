"""Intervals that reach beyond the values that their measure can have."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from fuzzytruth.core.atoms import NEAR
from fuzzytruth.errors import counted
from fuzzytruth.evaluation.measure_range import known_range
from fuzzytruth.evaluation.score_rows import ScoreRows


def cut_words(n_cut: int, what: str) -> str:
    """How many intervals are cut at the ends of what there can be."""
    return (
        f"{counted(n_cut, 'interval reached', 'intervals reached')} beyond the {what} and "
        f"{'is' if n_cut == 1 else 'are'} cut there"
    )


def beyond_range(rows: ScoreRows, places: Iterable[int] | None = None) -> str:
    """How many intervals of some measures (all by default) do so, and the first; "" if none does.

    Nothing is said of measures that the library does not know or whose values are on another scale,
    nor of infinite intervals, of which nothing is known.
    """
    if rows.lower is None or rows.upper is None:
        return ""
    found: list[tuple[str, str, str]] = []
    chosen = list(range(len(rows.measures)) if places is None else places)
    n_cut = 0 if rows.cut is None else int(rows.cut[:, chosen].sum())
    if n_cut:
        return cut_words(n_cut, "values that the measure can have")
    for m in chosen:
        least, most = known_range(rows.measures[m], rows.values[:, m])
        lower, upper = rows.lower[:, m], rows.upper[:, m]
        out = (lower < least - NEAR) | (upper > most + NEAR)
        out &= np.isfinite(lower) & np.isfinite(upper)
        where = f"from {least:g} to {most:g}"
        found += [(rows.labels[j][0], rows.measures[m], where) for j in np.flatnonzero(out)]
    if not found:
        return ""
    system, measure, where = found[0]
    return (
        f"{counted(len(found), 'interval reaches', 'intervals reach')} beyond the values that the "
        f"measure can have ({'' if len(found) == 1 else 'the first: '}{measure} of {system}, "
        f"{where}): these intervals are symmetric and are not cut off"
    )
