"""Bootstrap intervals over units: percentile, basic, BCa and studentised.

Units (queries, or subjects) are resampled with replacement; all rows share the resamples, so that
differences are paired.

References
----------
Efron, B. (1987), Better bootstrap confidence intervals, Journal of the American Statistical
Association 82. Davison, A. C. & Hinkley, D. V. (1997), Bootstrap Methods and their Application.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import ndtr, ndtri

from fuzzytruth._typing import Floats
from fuzzytruth.core.exact_sums import on_grid, tied_share
from fuzzytruth.core.resamples import counts, drawn_units
from fuzzytruth.core.rounding import without_rounding
from fuzzytruth.core.samples import samples
from fuzzytruth.errors import OptionError
from fuzzytruth.stats.bootstrap_means import query_bootstrap
from fuzzytruth.stats.query_groups import QueryGroups
from fuzzytruth.stats.settings import Purpose, Resampling
from fuzzytruth.stats.statistics import Statistic, apply

BootstrapMethod = Literal["percentile", "basic", "bca", "studentized"]


@dataclass(frozen=True, slots=True, eq=False)
class Bootstrapped:
    """A statistic, its bootstrap distribution and interval; rows are (rows,).

    Parameters
    ----------
    value, std_error, lower, upper : (rows,) float
        `std_error` is the standard deviation of the distribution.
    distribution : (rows, resamples) float
        In the order drawn.
    """

    value: Floats
    std_error: Floats
    lower: Floats
    upper: Floats
    distribution: Floats


@np.errstate(under="ignore")
def bootstrap(
    values: Floats,
    statistic: Statistic,
    *,
    method: BootstrapMethod,
    level: float,
    resampling: Resampling,
    purpose: Purpose = Purpose.QUERIES,
    groups: QueryGroups | None = None,
) -> Bootstrapped:
    """Interval of a statistic of (rows, units) values, none of them missing.

    Where all values agree, the interval is a point; for a single unit it is (-∞, ∞). Over clusters
    or strata of queries, see `grouped_bootstrap`.
    """
    if groups is not None:
        if statistic is not np.mean:
            raise OptionError("statistic: over clusters or strata only the mean is bootstrapped")
        return grouped_bootstrap(values, groups, method=method, level=level, resampling=resampling)
    rows, n = values.shape
    value = apply(statistic, values)
    if n < 2:
        unknown, infinite = np.full(rows, np.nan), np.full(rows, np.inf)
        return Bootstrapped(value, unknown, -infinite, infinite, value[:, None])
    is_mean = statistic is np.mean
    if method == "studentized":
        if not is_mean:
            raise OptionError("method='studentized': is for the mean only; use 'bca'")
        drawn, spread = resampled_moments(values, resampling, purpose)
        lower, upper = _studentized(values, drawn, spread, level)
    else:
        if is_mean:
            drawn = resampled_means(values, resampling, purpose)
        else:
            drawn = _resampled(values, statistic, resampling, purpose)
        lower, upper = _ends(values, value, drawn, statistic, method, level)
    constant = samples(values.T).std == 0
    lower, upper = np.where(constant, value, lower), np.where(constant, value, upper)
    std_error = np.where(constant, 0.0, drawn.std(axis=-1))
    return Bootstrapped(value, std_error, lower, upper, drawn)


def grouped_bootstrap(
    values: Floats,
    groups: QueryGroups,
    *,
    method: BootstrapMethod,
    level: float,
    resampling: Resampling,
) -> Bootstrapped:
    """Interval of the mean of (rows, queries) values, clusters drawn whole or within strata.

    For a single cluster, or a stratum of one value, it is (-∞, ∞).

    Raises
    ------
    OptionError
        The method is neither "percentile" nor "basic".
    """
    if method not in ("percentile", "basic"):
        raise OptionError(
            f"method={method!r}: over {groups.kind} of queries, use 'percentile', 'basic' or 't'"
        )
    value, error, _ = groups.estimate(values)
    drawn = query_bootstrap(values, resampling, groups).T
    lower, upper = _ends(values, value, drawn, np.mean, method, level)
    half = np.where(np.isnan(error), np.inf, 0.0)
    fixed = ~(error > 0)  # unknown, or without spread
    lower, upper = np.where(fixed, value - half, lower), np.where(fixed, value + half, upper)
    return Bootstrapped(value, np.where(fixed, error, drawn.std(axis=-1)), lower, upper, drawn)


def resampled_means(values: Floats, resampling: Resampling, purpose: Purpose) -> Floats:
    """Means of resampled units: (rows, units) → (rows, resamples)."""
    n = values.shape[1]
    columns = on_grid(values.T, 0)

    def task(seed: np.random.SeedSequence, size: int) -> Floats:
        out: Floats = counts(drawn_units(seed, size, n)) @ columns / n
        return out

    return np.concatenate(resampling.run(purpose, task)).T


def resampled_moments(
    values: Floats, resampling: Resampling, purpose: Purpose
) -> tuple[Floats, Floats]:
    """Means of resampled units and their standard errors: (rows, resamples) both."""
    centre = values.mean(axis=1, keepdims=True)
    n = values.shape[1]
    squares = (values - centre) ** 2
    both = np.concatenate((values - centre, squares))
    first, second = np.split(resampled_means(both, resampling, purpose), 2)
    variance = second - first**2
    variance[variance <= tied_share(n) * squares.max(axis=1, keepdims=True)] = 0.0
    return first + centre, np.sqrt(variance / (n - 1))


def _resampled(
    values: Floats, statistic: Statistic, resampling: Resampling, purpose: Purpose
) -> Floats:
    """The statistic of resampled units: (rows, resamples)."""
    rows, n = values.shape

    def task(seed: np.random.SeedSequence, size: int) -> Floats:
        units = drawn_units(seed, size, n)
        batch = max(1, resampling.numbers // (size * n))
        parts = [
            apply(statistic, values[start : start + batch][:, units])
            for start in range(0, rows, batch)
        ]
        return np.concatenate(parts)

    return np.concatenate(resampling.run(purpose, task), axis=1)


def _ends(
    values: Floats,
    value: Floats,
    drawn: Floats,
    statistic: Statistic,
    method: BootstrapMethod,
    level: float,
) -> tuple[Floats, Floats]:
    tail = (1 - level) / 2
    if method == "bca":
        low, high = _corrected(values, value, drawn, statistic, tail)
        return _quantile(drawn, low), _quantile(drawn, high)
    low, high = np.full(len(value), tail), np.full(len(value), 1 - tail)
    lower, upper = _quantile(drawn, low), _quantile(drawn, high)
    if method == "basic":
        return 2 * value - upper, 2 * value - lower
    return lower, upper


def _corrected(
    values: Floats, value: Floats, drawn: Floats, statistic: Statistic, tail: float
) -> tuple[Floats, Floats]:
    """Tails corrected for bias and acceleration; what differs by rounding errors is equal."""
    resamples = drawn.shape[1]
    gap = drawn - value[:, None]
    tie = tied_share(values.shape[1]) * np.abs(values).max(axis=1, keepdims=True)
    below, up_to = (gap < -tie).mean(axis=1), (gap <= tie).mean(axis=1)
    bias = ndtri(np.clip((below + up_to) / 2, 0.5 / resamples, 1 - 0.5 / resamples))
    left_out = _jackknife(values, statistic)
    influence = left_out.mean(axis=1, keepdims=True) - left_out
    influence[np.abs(influence) <= tie] = 0.0
    squares = (influence**2).sum(axis=1)
    acceleration = np.zeros(len(value))
    np.divide((influence**3).sum(axis=1), 6 * squares**1.5, out=acceleration, where=squares > 0)
    tails = []
    for z in (ndtri(tail), -ndtri(tail)):
        shifted = bias + z
        tails.append(ndtr(bias + shifted / (1 - acceleration * shifted)))
    return tails[0], tails[1]


def _jackknife(values: Floats, statistic: Statistic) -> Floats:
    """The statistic without each unit in turn: (rows, units)."""
    n = values.shape[1]
    if statistic is np.mean:
        out: Floats = (values.sum(axis=1, keepdims=True) - values) / (n - 1)
        return out
    others = np.arange(n - 1)[None, :] + (np.arange(n - 1)[None, :] >= np.arange(n)[:, None])
    return apply(statistic, values[:, others])


def _quantile(drawn: Floats, share: Floats) -> Floats:
    """Quantile of each row at its own probability, linear between order statistics."""
    ordered = np.sort(drawn, axis=1)
    place = share * (drawn.shape[1] - 1)
    low = np.clip(np.floor(place).astype(np.intp), 0, drawn.shape[1] - 1)
    high = np.minimum(low + 1, drawn.shape[1] - 1)
    row = np.arange(len(drawn))
    out: Floats = ordered[row, low] + (place - low) * (ordered[row, high] - ordered[row, low])
    return out


@np.errstate(invalid="ignore", under="ignore")  # infinite t of no spread, which is a point
def _studentized(
    values: Floats, drawn: Floats, spread: Floats, level: float
) -> tuple[Floats, Floats]:
    """Quantiles of resampled t; t is infinite in a resample without spread."""
    moments = samples(values.T)
    largest = np.abs(values).max(axis=1, keepdims=True)
    gap = without_rounding(drawn - moments.mean[:, None], largest)
    t = np.where(gap == 0, 0.0, np.copysign(np.inf, gap))
    np.divide(gap, spread, out=t, where=spread > 0)
    ordered = np.sort(t, axis=1)
    n = t.shape[1]
    k = max(int(np.floor((1 - level) / 2 * (n + 1) * (1 + 1e-12))), 1)
    low, high = ordered[:, k - 1], ordered[:, n - k]
    return moments.mean - high * moments.std_error, moments.mean - low * moments.std_error
