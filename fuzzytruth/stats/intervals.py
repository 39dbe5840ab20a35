"""Estimates with intervals, by t, by variance components or by any bootstrap."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core.arithmetic import without_rounding
from fuzzytruth.errors import OptionError
from fuzzytruth.stats.agreement import percent_intervals, proportion_intervals
from fuzzytruth.stats.bootstrap import BootstrapMethod, bootstrap, subject_bootstrap
from fuzzytruth.stats.effects import Statistic, named_statistic
from fuzzytruth.stats.laws import student_fit
from fuzzytruth.stats.observations import Contrasts, Observations, missing_patterns
from fuzzytruth.stats.settings import Over, Purpose, Resampling, in_words
from fuzzytruth.stats.world_estimates import Estimates, estimate

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
        (of_mean.value - least) / width,
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
        )
    out = np.full((4, len(values)), np.nan)
    size = max(1, using.numbers // using.n_resamples)
    for units, rows in missing_patterns(~np.isnan(values)):
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
    """Ends, standard error × √(S / (S - 1)) and min(Q, S) - 1 degrees of freedom."""
    if over != ("query", "subject") or observed.nested:
        raise OptionError("method='pigeonhole': is for over=('query', 'subject'), crossed")
    smaller = np.minimum(of_mean.n_queries, of_mean.n_subjects)
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
    values = observed.of(contrasts)
    drawn = subject_bootstrap(values, observed.cells, using, with_queries=True)
    return np.asarray(np.nanstd(drawn, axis=1))
