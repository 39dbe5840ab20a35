"""Estimates where worlds are random, alone or with the queries.

Where a world is one crisp truth, the score itself varies over worlds: its interval holds a share
of the worlds. Where a world is the expected score under resampled subjects, the estimate varies:
its variance, times S / (S - 1), is that of the estimate, and t has S - 1 degrees of freedom.

Where the queries are drawn, too, their means vary with the subjects as well: `QueryWorldParts` says
how much of the variance is common to both, so that nothing counts twice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.pivotal import CrossedSquares, NormalMixtures, error_mixtures
from fuzzytruth.core.samples import samples
from fuzzytruth.errors import OptionError, counted
from fuzzytruth.stats.contrasts import Contrasts
from fuzzytruth.stats.fits import Fit, drawn_fit, mixture_fit, student_fit
from fuzzytruth.stats.observations import Observations, WorldMeans


def over_worlds(observed: Observations, contrasts: Contrasts) -> Fit:
    """Queries fixed."""
    worlds, scale = _worlds_of(observed), observed.scale
    value = samples(observed.by_query(contrasts).T, scale=contrasts.largest(scale)).mean
    means = worlds.of(contrasts, scale=scale)
    std_error, df = _spread(worlds, means)
    if worlds.resampled:
        method = "t over resampled subjects"
        return student_fit(value, std_error, df, method, pairs=contrasts.are_pairs)
    return drawn_fit(value, std_error, df, "quantiles of worlds", means)


@dataclass(frozen=True, slots=True, eq=False)
class QueryWorldParts:
    """Variance of estimates over queries and over resamples of the subjects; (rows,) each.

    Of values that are linear in the subjects' weights, of all subjects and queries, under all
    resamples, the parts are MSq / (QS), MSs / (QS) and MSe / (QS) of the analysis of variance of
    the values by single subjects.

    Parameters
    ----------
    mean : float
        Over queries.
    queries_part : float
        Variance of the queries' values over their number.
    worlds_part : float
        Variance of the mean over resamples, times S / (S - 1).
    both_part : float
        What both have in common: the interaction of queries and subjects.
    n_queries : int
    n_subjects : int
        S.
    """

    mean: Floats
    queries_part: Floats
    worlds_part: Floats
    both_part: Floats
    n_queries: Ints
    n_subjects: int

    @property
    def variance(self) -> Floats:
        """Of the mean, queries and subjects both being random."""
        both = self.both_part
        from_queries = np.maximum(self.queries_part, both)
        out: Floats = from_queries + np.maximum(self.worlds_part, both) - both
        return out

    @property
    def df(self) -> Floats:
        """Satterthwaite's degrees of freedom of the variance."""
        df_q, df_s = self.n_queries - 1.0, self.n_subjects - 1.0
        from_queries = divide(self.queries_part, self.variance)
        from_worlds = divide(self.worlds_part, self.variance)
        bottom = from_queries**2 / np.maximum(df_q, 1) + from_worlds**2 / df_s
        out: Floats = np.minimum(df_q, df_s).clip(min=0)
        np.divide(1.0, bottom, out=out, where=bottom > 0)
        return out


def query_world_parts(observed: Observations, contrasts: Contrasts) -> QueryWorldParts:
    """Parts of the variance of the mean of each contrast; NaN of a part that is unknown.

    Raises
    ------
    OptionError
        How two systems vary together over worlds is not known.
    """
    worlds, scale = _worlds_of(observed), observed.scale
    of_queries = samples(observed.by_query(contrasts).T, scale=contrasts.largest(scale))
    n = of_queries.n
    std_error, _ = _spread(worlds, worlds.of(contrasts, scale=scale))
    from_worlds = std_error**2
    within = worlds.within_of(contrasts)
    _check_known(within, of_queries.mean)
    of_one_query = divide(within, n, fill=np.nan)  # mean over queries of the variance of one
    both = np.maximum(divide(of_one_query - from_worlds, n - 1), 0.0)
    from_queries = of_queries.std_error**2
    return QueryWorldParts(of_queries.mean, from_queries, from_worlds, both, n, worlds.n_subjects)


def over_queries_and_worlds(observed: Observations, contrasts: Contrasts) -> Fit:
    """Queries drawn from a population, and subjects, of whom worlds are resamples."""
    parts = query_world_parts(observed, contrasts)
    df_s = float(parts.n_subjects - 1)
    mixtures = NormalMixtures.none(len(contrasts))
    for n in np.unique(parts.n_queries).tolist():
        rows = np.flatnonzero((parts.n_queries == n) & ~np.isnan(parts.variance))
        df_q = n - 1.0
        if min(df_q, df_s) <= 0 or not len(rows):
            continue
        squares = CrossedSquares(
            parts.queries_part[rows] * df_q,
            parts.worlds_part[rows] * df_s,
            parts.both_part[rows] * df_q * df_s,
            (df_q, df_s, df_q * df_s),
            (1.0, 1.0, 1.0),
        )
        mixtures.put(rows, error_mixtures(squares))
    least_df = np.maximum(np.minimum(parts.n_queries - 1.0, df_s), 0.0)
    return mixture_fit(
        parts.mean,
        np.sqrt(parts.variance),
        parts.df,
        least_df,
        mixtures,
        "generalised pivotal, queries × resampled subjects",
        pairs=contrasts.are_pairs,
    )


def can_cross(observed: Observations, contrasts: Contrasts) -> bool:
    """Whether contrasts have estimates over queries and worlds."""
    worlds = observed.worlds
    if worlds is None or not worlds.resampled:
        return False
    return observed.nested or not np.isnan(worlds.within_of(contrasts)).any()


def _check_known(within: Floats, mean: Floats) -> None:
    """Raise where variances of single queries are not known."""
    unknown = int((np.isnan(within) & ~np.isnan(mean)).sum())
    if unknown:
        raise OptionError(
            "over=('query', 'world'): how two systems vary together over worlds is not known for "
            f"{unknown:,} of {counted(len(within), 'comparison')}, as they were evaluated one "
            "after the other, or have values in different queries or worlds; evaluate them "
            "together, or each with keep_worlds=True before concat()"
        )


def _worlds_of(observed: Observations) -> WorldMeans:
    assert observed.worlds is not None, "over='world' without worlds"
    return observed.worlds


def _spread(worlds: WorldMeans, means: Floats) -> tuple[Floats, Floats]:
    """Standard deviation over worlds as one of an estimate, and its degrees of freedom."""
    centre = means @ worlds.weight
    variance = ((means - centre[:, None]) ** 2) @ worlds.weight
    variance[np.ptp(means, axis=1) == 0] = 0.0
    df = 1 / (worlds.inflation - 1) if worlds.resampled else np.inf  # inflation is S / (S - 1)
    return np.sqrt(variance * worlds.inflation), np.full(len(means), df)
