"""Inference where worlds are random, alone or with the queries.

Under ``worlds="independent"`` a world is one crisp truth, and what varies over worlds is the score
itself: its interval holds so many of the worlds. Under ``"population"`` a world is the expected
score under resampled subjects, and what varies is the estimate: its variance, times S / (S - 1),
is that of the estimate, and t has S - 1 degrees of freedom.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.samples import difference, samples
from fuzzytruth.evaluation.uncertainty import Uncertainty
from fuzzytruth.stats.rows import Rows, per_query

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores

#: estimate, standard error, degrees of freedom: (rows,) each; method; draws or None
Found = tuple[Floats, Floats, Floats, str, Floats | None]


def over_worlds(scores: Scores, measure: int, rows: Rows) -> Found:
    """Queries fixed."""
    spread = _spread_of(scores)
    value = samples(per_query(scores, measure, rows).T).mean
    means = world_means(spread, measure, rows)
    std_error, df = _of_worlds(spread, means)
    if spread.worlds == "population":
        return value, std_error, df, "t over resampled subjects", None
    return value, std_error, df, "quantiles of worlds", means


def over_queries_and_worlds(scores: Scores, measure: int, rows: Rows) -> Found:
    """Queries drawn from a population, and worlds for them.

    The variance of expected values over queries, plus that over worlds given the queries. For
    resampled subjects both hold the subjects' interaction with queries, so that the interval errs
    on the wide side; it is exact under independent worlds.
    """
    spread = _spread_of(scores)
    found = samples(per_query(scores, measure, rows).T)
    from_queries = found.std_error**2
    std_error, df = _of_worlds(spread, world_means(spread, measure, rows))
    from_worlds = std_error**2
    variance = from_queries + from_worlds
    bottom = from_queries**2 / np.maximum(found.n - 1, 1) + from_worlds**2 / df
    out = np.where(found.n > 1, np.inf, 0.0)
    np.divide(variance**2, bottom, out=out, where=bottom > 0)
    return found.mean, np.sqrt(variance), out, "t over queries, plus worlds", None


def _spread_of(scores: Scores) -> Uncertainty:
    assert scores.uncertainty is not None  # check_over saw to it
    return scores.uncertainty


def world_means(spread: Uncertainty, measure: int, rows: Rows) -> Floats:
    """Means over queries in each world: (rows, worlds)."""
    means = spread.world_means[:, :, measure].T
    return (
        means[rows.first]
        if rows.second is None
        else difference(means[rows.first], means[rows.second])
    )


def _of_worlds(spread: Uncertainty, means: Floats) -> tuple[Floats, Floats]:
    """Standard deviation over worlds as one of an estimate, and its degrees of freedom."""
    centre = means @ spread.weight
    variance = ((means - centre[:, None]) ** 2) @ spread.weight
    variance[np.ptp(means, axis=1) == 0] = 0.0
    df = np.inf
    if spread.worlds == "population":
        df = 1 / (spread.inflation - 1)  # inflation is S / (S - 1)
    return np.sqrt(variance * spread.inflation), np.full(len(means), df)


def quantile_interval(draws: Floats, level: float) -> tuple[Floats, Floats]:
    """Order statistics that leave (1 - level) / 2 on either side; -∞ and ∞ if draws are few.

    It leaves out 0 exactly where `two_sided_share` is 1 - level or less.
    """
    ordered = np.sort(draws, axis=-1)
    n = draws.shape[-1]
    k = int(np.floor((1 - level) / 2 * (n + 1) * (1 + 1e-12)))
    if k < 1:
        infinite = np.full(len(draws), np.inf)
        return -infinite, infinite
    return ordered[:, k - 1], ordered[:, n - k]


def two_sided_share(draws: Floats) -> Floats:
    """2 (b + 1) / (n + 1), b the draws on the rarer side of 0, those at 0 on both sides."""
    below, above = (draws <= 0).sum(axis=-1), (draws >= 0).sum(axis=-1)
    share: Floats = 2 * (np.minimum(below, above) + 1) / (draws.shape[-1] + 1)
    return np.minimum(share, 1.0)
