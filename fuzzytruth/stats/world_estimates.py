"""Estimates where worlds are random, alone or with the queries.

Where a world is one crisp truth, the score itself varies over worlds: its interval holds a share
of the worlds. Where a world is the expected score under resampled subjects, the estimate varies:
its variance, times S / (S - 1), is that of the estimate, and t has S - 1 degrees of freedom.
"""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.samples import samples
from fuzzytruth.stats.contrasts import Contrasts
from fuzzytruth.stats.fits import Fit, drawn_fit, student_fit
from fuzzytruth.stats.observations import Observations, WorldMeans


def over_worlds(observed: Observations, contrasts: Contrasts) -> Fit:
    """Queries fixed."""
    worlds, scale = _worlds_of(observed), observed.scale
    value = samples(observed.by_query(contrasts).T, scale=contrasts.largest(scale)).mean
    means = worlds.of(contrasts, scale=scale)
    std_error, df = _spread(worlds, means)
    if worlds.resampled:
        return student_fit(
            value, std_error, df, "t over resampled subjects", pairs=contrasts.are_pairs
        )
    return drawn_fit(value, std_error, df, "quantiles of worlds", means)


def over_queries_and_worlds(observed: Observations, contrasts: Contrasts) -> Fit:
    """Queries drawn from a population, and worlds for them.

    The variance of expected values over queries, plus that over worlds given the queries. For
    resampled subjects both include the subjects' interaction with queries, so that the interval
    errs on the wide side; it is exact under independent worlds.
    """
    worlds, scale = _worlds_of(observed), observed.scale
    of_queries = samples(observed.by_query(contrasts).T, scale=contrasts.largest(scale))
    from_queries = of_queries.std_error**2
    std_error, df = _spread(worlds, worlds.of(contrasts, scale=scale))
    from_worlds = std_error**2
    variance = from_queries + from_worlds
    bottom = from_queries**2 / np.maximum(of_queries.n - 1, 1) + from_worlds**2 / df
    total_df = np.where(of_queries.n > 1, np.inf, 0.0)
    np.divide(variance**2, bottom, out=total_df, where=bottom > 0)
    method = "t over queries, plus worlds"
    return student_fit(
        of_queries.mean, np.sqrt(variance), total_df, method, pairs=contrasts.are_pairs
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
