"""Estimates with intervals, by t, by variance components or by any bootstrap.

A bootstrap resamples units (queries, or subjects) with replacement; all rows share the resamples,
so that differences are paired.

References
----------
Efron, B. (1987), Better bootstrap confidence intervals, Journal of the American Statistical
Association 82. Davison, A. C. & Hinkley, D. V. (1997), Bootstrap Methods and their Application.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from fuzzytruth._lazy import special
from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core.arithmetic import divide, without_rounding
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.clusters import counts, drawn_units, nan_mean, samples
from fuzzytruth.core.exact_sums import on_grid, on_segment_grids, tied_share
from fuzzytruth.errors import OptionError, require
from fuzzytruth.stats import observations
from fuzzytruth.stats.agreement import percent_intervals, proportion_intervals
from fuzzytruth.stats.effects import Statistic, apply, named_statistic
from fuzzytruth.stats.laws import student_fit
from fuzzytruth.stats.observations import Contrasts, Observations, QueryGroups, RunValues
from fuzzytruth.stats.settings import Over, Purpose, Resampling, in_words
from fuzzytruth.stats.world_estimates import Estimates, estimate

# Means of tables of queries × subjects, both resampled at once with replacement.
#
# References
# ----------
# Owen, A. B. (2007), The pigeonhole bootstrap, Annals of Applied Statistics 1.


_BLOCK = 2**18  # weighted sums of a batch of tables, which then fit in cache


def pigeonhole_means(
    values: Floats, cells: Cells, query_counts: Floats, subject_counts: Floats
) -> Floats:
    """Mean over queries of means over subjects, in each resample: (tables, resamples).

    Parameters
    ----------
    values : (tables, cells) float
        NaN is missing. A query that lost all its subjects is left out; NaN if all did.
    cells : Cells
    query_counts : (resamples, queries) float
        How often a resample has each query; whole numbers.
    subject_counts : (resamples, subjects) float
        How often a resample has each subject; `cells.n_subjects` of them in all.
    """
    present = ~np.isnan(values)
    filled = on_segment_grids(np.where(present, values, 0.0), cells.offsets, cells.n_subjects)
    if (present == present[:1]).all():
        present = present[:1]
    out = np.empty((len(values), len(query_counts)))
    size = max(1, _BLOCK // query_counts.size)
    for start in range(0, len(values), size):
        tables = slice(start, start + size)
        if not start or len(present) > 1:
            weight = _weighted_sums(present[tables].astype(np.float64), cells, subject_counts)
            times = query_counts * (weight > 0)
            divisor = np.where(weight > 0, weight, 1.0)
            n_queries = times.sum(axis=-1)
        total = _weighted_sums(filled[tables], cells, subject_counts)
        total /= divisor
        total *= times
        out[tables] = divide(total.sum(axis=-1), n_queries, fill=np.nan)
    return out


def _weighted_sums(values: Floats, cells: Cells, subject_counts: Floats) -> Floats:
    """Sums over each query's subjects, as often as resampled: (tables, resamples, queries)."""
    if cells.is_dense:
        return np.asarray(subject_counts @ cells.dense(values, fill=0.0).swapaxes(-1, -2))
    sums = [(cells.incidence(row) @ subject_counts.T).T for row in values]
    return np.stack(sums) if sums else np.zeros((0, len(subject_counts), cells.n_queries))


# Means of systems under resampled queries, subjects, both, or under worlds.


def bootstrap_means(observed: Observations, over: Over, using: Resampling) -> tuple[Floats, Floats]:
    """Means (draws, systems) and the weight of each draw (draws,), which sum to 1.

    Subjects nested in queries come with their query. Clusters of queries are drawn whole; of
    strata, the queries of each are drawn, and the means are those of their means.

    Raises
    ------
    OptionError
        Worlds together with another axis, or nested subjects alone.
    """
    if over == ("world",) and observed.worlds is not None:
        return observed.worlds.means, observed.worlds.weight
    if observed.runs is not None and "replicate" in over:
        return _with_runs(observed, observed.runs, over, using)
    if "world" in over or (observed.nested and over == ("subject",)):
        raise OptionError(
            f"over {in_words(over)}: draw queries, crossed subjects, both, or worlds alone"
        )
    if over == ("query",) or observed.nested:
        systems = observations.each_system(len(observed.values))
        means = query_bootstrap(observed.by_query(systems), using, observed.groups)
    else:
        with_queries = "query" in over
        values, cells = observed.values, observed.cells
        drawn = subject_bootstrap(
            values, cells, using, with_queries=with_queries, groups=observed.groups
        )
        means = drawn.T
    return means, np.full(len(means), 1 / len(means))


def _with_runs(
    observed: Observations, runs: RunValues, over: Over, using: Resampling
) -> tuple[Floats, Floats]:
    """Means of systems whose runs are resampled, beside what else is random."""
    rest: Any = tuple(axis for axis in over if axis != "replicate")
    of_runs = replace(observed, values=runs.values, worlds=None, runs=None)
    if rest:
        means, weight = bootstrap_means(of_runs, rest, using)  # (draws, runs)
    else:
        every = observations.each_system(len(runs.values))
        mean = nan_mean(of_runs.by_query(every), -1)
        means = np.broadcast_to(mean, (using.n_resamples, len(mean)))
        weight = np.full(using.n_resamples, 1 / using.n_resamples)
    members = [np.flatnonzero(runs.system == place) for place in range(len(runs.fixed))]

    def task(seed: np.random.SeedSequence, size: int) -> Floats:
        times = np.ones((size, len(runs.values)))
        for place, (child, own) in enumerate(zip(seed.spawn(len(members)), members, strict=True)):
            if not runs.fixed[place]:
                times[:, own] = counts(drawn_units(child, size, len(own)))
        return times

    times = np.concatenate(using.run(Purpose.RUNS, task))
    each = [(means[:, own] * times[:, own]).sum(axis=1) / len(own) for own in members]
    return np.stack(each, axis=1), weight


def query_bootstrap(values: Floats, using: Resampling, groups: QueryGroups | None = None) -> Floats:
    """Means of resampled queries: (rows, queries) → (draws, rows); NaN without values."""
    if groups is not None and groups.kind == "strata":
        return _strata_bootstrap(values, groups, using)
    n = values.shape[1]
    cluster, n_clusters, largest = np.arange(n), n, 1
    if groups is not None:
        cluster, n_clusters, largest = groups.code, groups.n, int(groups.sizes.max())
    filled, present = _summands(values, n_clusters * largest)

    def task(seed: np.random.SeedSequence, size: int) -> Floats:
        times = counts(drawn_units(seed, size, n_clusters))[:, cluster]
        return divide(times @ filled, times @ present, fill=np.nan)

    return np.concatenate(using.run(Purpose.QUERIES, task))


def _strata_bootstrap(values: Floats, groups: QueryGroups, using: Resampling) -> Floats:
    """Means of strata whose queries are resampled: (draws, rows).

    NaN where the draw has no value in a stratum in which the row has some.
    """
    members = [np.flatnonzero(groups.code == stratum) for stratum in range(groups.n)]
    parts = [_summands(values[:, queries], len(queries)) for queries in members]
    has_values = np.array([present.any(axis=0) for _, present in parts])  # (strata, rows)

    def task(seed: np.random.SeedSequence, size: int) -> Floats:
        total = np.zeros((size, len(values)))
        for child, (filled, present), has in zip(
            seed.spawn(groups.n), parts, has_values, strict=True
        ):
            times = counts(drawn_units(child, size, len(filled)))
            total += np.where(has, divide(times @ filled, times @ present, fill=np.nan), 0.0)
        return divide(total, has_values.sum(axis=0), fill=np.nan)

    return np.concatenate(using.run(Purpose.QUERIES, task))


def _summands(values: Floats, n_terms: int) -> tuple[Floats, Floats]:
    """Values whose sums are exact, 0 where they are missing, and whether they are not."""
    present = ~np.isnan(values)
    return on_grid(np.where(present, values, 0.0).T, 0, n_terms), present.T.astype(np.float64)


def subject_bootstrap(
    values: Floats,
    cells: Cells,
    using: Resampling,
    *,
    with_queries: bool,
    groups: QueryGroups | None = None,
) -> Floats:
    """Means of resampled subjects, and queries if asked: (rows, cells) → (rows, draws).

    Clusters of queries, if there are any, are drawn whole.
    """
    cluster, n_clusters = np.arange(cells.n_queries), cells.n_queries
    if groups is not None:
        cluster, n_clusters = groups.code, groups.n

    def task(seed: np.random.SeedSequence, size: int) -> Floats:
        first, second = seed.spawn(2)
        query_counts = np.ones((size, cells.n_queries))
        if with_queries:
            query_counts = counts(drawn_units(first, size, n_clusters))[:, cluster]
        subject_counts = counts(drawn_units(second, size, cells.n_subjects))
        batch = max(1, using.numbers // (size * cells.n_queries))
        parts = [
            pigeonhole_means(values[start : start + batch], cells, query_counts, subject_counts)
            for start in range(0, len(values), batch)
        ]
        return np.concatenate(parts)

    return np.concatenate(using.run(Purpose.SUBJECTS, task), axis=1)


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
    return Bootstrapped(value, np.where(constant, 0.0, drawn.std(axis=-1)), lower, upper, drawn)


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
    rule = f"over {groups.kind} of queries, use 'percentile', 'basic' or 't'"
    require("method", method, method in ("percentile", "basic"), rule)
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
        return np.asarray(counts(drawn_units(seed, size, n)) @ columns / n)

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
    return (2 * value - upper, 2 * value - lower) if method == "basic" else (lower, upper)


def _corrected(
    values: Floats, value: Floats, drawn: Floats, statistic: Statistic, tail: float
) -> tuple[Floats, Floats]:
    """Tails corrected for bias and acceleration; what differs by rounding errors is equal."""
    resamples = drawn.shape[1]
    gap = drawn - value[:, None]
    tie = tied_share(values.shape[1]) * np.abs(values).max(axis=1, keepdims=True)
    below, up_to = (gap < -tie).mean(axis=1), (gap <= tie).mean(axis=1)
    bias = special.ndtri(np.clip((below + up_to) / 2, 0.5 / resamples, 1 - 0.5 / resamples))
    left_out = _jackknife(values, statistic)
    influence = left_out.mean(axis=1, keepdims=True) - left_out
    influence[np.abs(influence) <= tie] = 0.0
    squares = (influence**2).sum(axis=1)
    acceleration = np.zeros(len(value))
    np.divide((influence**3).sum(axis=1), 6 * squares**1.5, out=acceleration, where=squares > 0)
    tails = []
    for z in (special.ndtri(tail), -special.ndtri(tail)):
        shifted = bias + z
        tails.append(special.ndtr(bias + shifted / (1 - acceleration * shifted)))
    return tails[0], tails[1]


def _jackknife(values: Floats, statistic: Statistic) -> Floats:
    """The statistic without each unit in turn: (rows, units)."""
    n = values.shape[1]
    if statistic is np.mean:
        return np.asarray((values.sum(axis=1, keepdims=True) - values) / (n - 1))
    others = np.arange(n - 1)[None, :] + (np.arange(n - 1)[None, :] >= np.arange(n)[:, None])
    return apply(statistic, values[:, others])


def _quantile(drawn: Floats, share: Floats) -> Floats:
    """Quantile of each row at its own probability, linear between order statistics."""
    ordered = np.sort(drawn, axis=1)
    place = share * (drawn.shape[1] - 1)
    low = np.clip(np.floor(place).astype(np.intp), 0, drawn.shape[1] - 1)
    high = np.minimum(low + 1, drawn.shape[1] - 1)
    row = np.arange(len(drawn))
    return np.asarray(ordered[row, low] + (place - low) * (ordered[row, high] - ordered[row, low]))


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


# Intervals by any of these, or by the law of the errors.


#: how intervals of shares are computed
WILSON = "Wilson score interval"

IntervalMethod = Literal[
    "auto", "t", "percentile", "basic", "bca", "studentized", "pigeonhole", "wilson"
]


def intervals(
    observed: Observations,
    contrasts: Contrasts,
    over: Over,
    *,
    level: float,
    method: IntervalMethod = "auto",
    statistic: str | Statistic = "mean",
    using: Resampling,
    bounds: tuple[float, float] = (-np.inf, np.inf),
    of_queries: bool = True,
) -> dict[str, Any]:
    """Estimate, interval, standard error, df, sizes and method of each contrast, by column name.

    `bounds` are the least and the largest value that the measure can have: intervals of means are
    cut there, and over queries, of values that are one of the two, they are Wilson's.
    `of_queries`: whether each value is that of a query, and not a pseudo-value.

    Raises
    ------
    OptionError
        The method does not go with the axes or the statistic.
    """
    how: Any
    name, function = named_statistic(statistic)
    of_mean = estimate(observed, contrasts, over)
    value, std_error, df, how = of_mean.value, of_mean.std_error, of_mean.df, of_mean.method
    if method == "pigeonhole":
        lower, upper, std_error, df = _pigeonhole(observed, contrasts, over, level, using, of_mean)
        how = "pigeonhole bootstrap, t"
    elif method == "wilson":
        value, std_error, lower, upper = _wilson(observed, contrasts, over, level, name)
        df, how = np.full(len(value), np.nan), WILSON
    elif method in get_args(BootstrapMethod) or name != "mean":
        resampling_method: Any = "percentile" if method in ("auto", "t") else method
        if method == "t":
            raise OptionError(f"method='t': is for the mean, not for statistic={name!r}")
        value, std_error, lower, upper = _bootstrapped(
            observed, contrasts, over, level, resampling_method, function, using
        )
        if contrasts.are_pairs:  # constant differences: see `laws`
            constant = (std_error == 0) & (value != 0)
            by_signs = of_mean.law.interval(value, level, "two-sided")
            lower = np.where(constant, by_signs[0], lower)
            upper = np.where(constant, by_signs[1], upper)
        df, how = (
            np.full(len(value), np.nan),
            f"{resampling_method} bootstrap over {in_words(over)}",
        )
    else:
        lower, upper = of_mean.interval(level)
        weighted = observed.groups is not None and observed.groups.kind == "strata"
        plain = over == ("query",) and of_queries and not weighted
        if method == "auto" and plain and np.isfinite(bounds).all():
            binary, ends = _of_shares(observed, contrasts, level, of_mean, bounds)
            lower, upper = np.where(binary, ends[0], lower), np.where(binary, ends[1], upper)
            how = np.where(binary, WILSON, how) if binary.any() else how
            df = np.where(binary, np.nan, df)
    if contrasts.second is None and name == "mean":
        lower, upper = np.clip(lower, *bounds), np.clip(upper, *bounds)
    return {
        name: value,
        "lower": lower,
        "upper": upper,
        "std_error": std_error,
        "df": df,
        "n_queries": of_mean.n_queries,
        "n_subjects": of_mean.n_subjects,
        "method": how,
    }


def _of_shares(
    observed: Observations,
    contrasts: Contrasts,
    level: float,
    of_mean: Estimates,
    bounds: tuple[float, float],
) -> tuple[Bools, tuple[Floats, Floats]]:
    """Systems all of whose values are one of the bounds, and Wilson's ends of all."""
    least, width = bounds[0], bounds[1] - bounds[0]
    values = (observed.by_query(contrasts) - least) / width
    at_end = without_rounding(values * (values - 1), 1.0) == 0
    binary = (at_end | np.isnan(values)).all(axis=1) & ~np.isnan(of_mean.std_error)
    if contrasts.second is not None:
        binary[:] = False
    lower, upper = percent_intervals(
        np.clip((of_mean.value - least) / width, 0, 1),  # differences may lie outside
        of_mean.std_error / width,
        of_mean.n_queries.astype(np.float64),
        of_mean.n_units,
        level,
        by_cluster=observed.groups is not None,
    )
    return binary, (least + width * lower, least + width * upper)


def _wilson(
    observed: Observations, contrasts: Contrasts, over: Over, level: float, statistic: str
) -> tuple[Floats, Floats, Floats, Floats]:
    """Share of ones, standard error and ends."""
    grouped = observed.groups is not None
    if over != ("query",) or contrasts.second is not None or statistic != "mean" or grouped:
        raise OptionError(
            "method='wilson': is for the mean of each system over independent queries; for "
            "differences, subjects, clusters, strata or other statistics use method='auto'"
        )
    return proportion_intervals(observed.by_query(contrasts), level)


def _bootstrapped(
    observed: Observations,
    contrasts: Contrasts,
    over: Over,
    level: float,
    method: BootstrapMethod,
    statistic: Statistic,
    using: Resampling,
) -> tuple[Floats, Floats, Floats, Floats]:
    """Value, standard error and ends; rows with values of the same units share a batch."""
    if over == ("query",):
        values, purpose = observed.by_query(contrasts), Purpose.QUERIES
    elif over == ("subject",) and not observed.nested:
        values, purpose = observed.by_subject(contrasts), Purpose.SUBJECTS
    else:
        raise OptionError(
            f"method={method!r} over {in_words(over)}: a bootstrap takes queries or crossed "
            "subjects, one at a time; use method='auto'"
            + (" or 'pigeonhole'" if over == ("query", "subject") else "")
            + (", or over='query'" if "query" in over else "")
        )
    out = np.full((4, len(values)), np.nan)
    size = max(1, using.numbers // using.n_resamples)
    for units, rows in observations.missing_patterns(~np.isnan(values)):
        for start in range(0, len(rows), size):
            batch = rows[start : start + size]
            boot = bootstrap(
                values[batch][:, units],
                statistic,
                method=method,
                level=level,
                resampling=using,
                purpose=purpose,
                groups=observed.groups and observed.groups.select(units),
            )
            out[:, batch] = boot.value, boot.std_error, boot.lower, boot.upper
    return out[0], out[1], out[2], out[3]


def _pigeonhole(
    observed: Observations,
    contrasts: Contrasts,
    over: Over,
    level: float,
    using: Resampling,
    of_mean: Estimates,
) -> tuple[Floats, Floats, Floats, Floats]:
    """Ends, standard error × √(S / (S - 1)) and min(Q, S) - 1 degrees of freedom.

    Q are the queries, or clusters of them.
    """
    if over != ("query", "subject") or observed.nested:
        raise OptionError("method='pigeonhole': is for over=('query', 'subject'), crossed")
    smaller = np.minimum(of_mean.n_units, of_mean.n_subjects)
    batches = observed.batches(contrasts)
    spread = np.concatenate([_pigeonhole_spread(observed, batch, using) for batch in batches])
    std_error = spread * np.sqrt(smaller / np.maximum(smaller - 1, 1))
    std_error = np.where(smaller < 2, np.nan, np.where(of_mean.std_error == 0, 0.0, std_error))
    df = np.maximum(smaller - 1.0, 0.0)
    fit = student_fit(of_mean.value, std_error, df, pairs=contrasts.are_pairs)
    return *fit.interval(level), fit.std_error, df


@np.errstate(under="ignore")
def _pigeonhole_spread(observed: Observations, contrasts: Contrasts, using: Resampling) -> Floats:
    """Standard deviation over resamples: (rows,)."""
    drawn = subject_bootstrap(
        observed.of(contrasts), observed.cells, using, with_queries=True, groups=observed.groups
    )
    return np.asarray(np.nanstd(drawn, axis=1))
