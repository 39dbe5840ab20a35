"""`difference_intervals`: intervals of differences of two systems, by any method."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from fuzzytruth._lazy import pd
from fuzzytruth.core.validation import place_of
from fuzzytruth.evaluation.scores.score_arrays import check_scores, check_several
from fuzzytruth.evaluation.scores.summary import interval_table
from fuzzytruth.stats.contrasts import against, all_pairs
from fuzzytruth.stats.effects import Statistic
from fuzzytruth.stats.intervals import IntervalMethod
from fuzzytruth.stats.settings import Resampling

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.scores import Scores


def difference_intervals(
    scores: Scores,
    *,
    baseline: str | None = None,
    over: Iterable[str] | str = ("query",),
    level: float = 0.95,
    method: IntervalMethod = "auto",
    statistic: str | Statistic = "mean",
    n_resamples: int = 9999,
    rng: Any = 0,
    n_jobs: int = 1,
    full: bool = False,
) -> pd.DataFrame:
    """Intervals of differences by any method, not adjusted for their number.

    Estimand: the statistic of the per-query (or per-subject) differences of two systems, in the
    population that `over` names; the difference of the means if it is the mean. `compare` gives
    tests and simultaneous intervals.

    Parameters
    ----------
    scores : Scores
    baseline : str, optional
        By default all pairs.
    over, level, method, statistic, n_resamples, rng, n_jobs, full
        As in `Scores.summary`.

    Returns
    -------
    DataFrame
        One row per pair and measure: system_a, system_b, measure, the statistic's name, lower,
        upper, n_queries[, n_subjects]; with ``full=True`` also std_error, df and method.

    Raises
    ------
    OptionError
        As in `Scores.summary`; or the baseline is unknown.
    DataError
        There is one system only.

    References
    ----------
    Efron 1987 (BCa); Davison & Hinkley 1997.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": list("aaabbb"), "query": [1, 2, 3] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.3, 0.6, 0.6]}))
    >>> medians = ft.difference_intervals(scores, statistic="median", method="bca")
    >>> medians[["system_a", "system_b", "median"]].values.tolist()
    [['a', 'b', 0.2]]
    """
    check_scores(scores)
    check_several(scores, "difference_intervals")
    k = len(scores.systems)
    base = None if baseline is None else place_of(scores.systems, baseline, "baseline")
    return interval_table(
        scores,
        all_pairs(k) if base is None else against([base], k),
        over=over,
        level=level,
        method=method,
        statistic=statistic,
        resampling=Resampling(n_resamples, rng, n_jobs),
        full=full,
    )
