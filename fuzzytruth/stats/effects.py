"""How large a difference is, and for how many queries, subjects and worlds it holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._lazy import stats
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core import student
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.clusters import nan_mean, samples
from fuzzytruth.core.validation import numbers
from fuzzytruth.errors import DataError, OptionError, shown
from fuzzytruth.stats.laws import Fit
from fuzzytruth.stats.observations import Contrasts, Observations


def means_of_pairs(observed: Observations, pairs: Contrasts) -> tuple[Floats, Floats]:
    """Means of both systems of each pair, over the values that both have: (rows,) each."""
    assert pairs.second is not None
    if observed.same_cells:
        means = means_over_queries(observed, observed.values)
        return means[pairs.first], means[pairs.second]
    parts = []
    for batch in observed.batches(pairs):
        both = ~np.isnan(observed.of(batch))  # (rows, cells)
        sides = (observed.values[system] for system in (batch.first, batch.second))
        parts.append([means_over_queries(observed, np.where(both, x, np.nan)) for x in sides])
    first, second = (np.concatenate(side) for side in zip(*parts, strict=True))
    return first, second


def means_over_queries(observed: Observations, values: Floats) -> Floats:
    """Means of (rows, cells) values over queries, or over strata of them: (rows,)."""
    by_query = observed.cells.mean_by_query(values)
    return (
        nan_mean(by_query, axis=-1) if observed.groups is None else observed.groups.mean(by_query)
    )


def effects(
    observed: Observations, contrasts: Contrasts, *, higher_is_better: bool
) -> dict[str, Any]:
    """Columns of effect sizes, from per-query differences; a win is the first system's.

    d_z is the mean difference over the standard deviation of the per-query differences;
    p_improvement the share of queries on which the first system is better, ties counting ½.
    """
    differences = observed.by_query(contrasts)  # (rows, queries)
    of_queries = samples(differences.T, scale=contrasts.largest(observed.scale))
    d_z = np.where(of_queries.mean == 0, 0.0, np.copysign(np.inf, of_queries.mean))
    np.divide(of_queries.mean, of_queries.std, out=d_z, where=of_queries.std > 0)
    d_z[np.isnan(of_queries.std)] = np.nan
    signed = differences if higher_is_better else -differences
    wins, ties, losses = (part.sum(axis=1) for part in (signed > 0, signed == 0, signed < 0))
    return {
        "d_z": d_z,
        "p_improvement": divide(wins + ties / 2, of_queries.n, fill=np.nan),
        "wins": wins,
        "ties": ties,
        "losses": losses,
    }


def agreement(observed: Observations, contrasts: Contrasts, value: Floats) -> dict[str, Any]:
    """Shares of subjects and of worlds whose difference has the sign of the overall one.

    NaN without crossed subjects or without worlds, and where the overall difference, `value`, is 0;
    of worlds also under strata, for their means are over all queries alike.
    """
    out = {
        "share_subjects": np.full(len(contrasts), np.nan),
        "subjects_agree": np.zeros(len(contrasts), dtype=np.int64),
        "subjects_tied": np.zeros(len(contrasts), dtype=np.int64),
        "share_worlds": np.full(len(contrasts), np.nan),
    }
    signs = np.sign(value)[:, None]
    known = ~np.isnan(value) & (value != 0)
    if observed.has_subjects and not observed.nested:
        each = observed.by_subject(contrasts)
        n = (~np.isnan(each)).sum(axis=1)
        same = ((np.sign(each) == signs) & known[:, None]).sum(axis=1)
        out["subjects_agree"] = same
        out["subjects_tied"] = ((each == 0) & known[:, None]).sum(axis=1)
        np.divide(same, n, out=out["share_subjects"], where=known & (n > 0))
    elif observed.worlds is not None and not observed.of_strata:
        weight = observed.worlds.weight
        same = (np.sign(observed.worlds.of(contrasts, scale=observed.scale)) == signs) * weight
        # Summed as the weights are, so that worlds that all agree have a share of 1.
        share = same.sum(axis=1) / weight.sum()
        out["share_worlds"] = np.where(known, np.minimum(share, 1.0), np.nan)
    return out


# Statistics that can be bootstrapped, by name or as functions.


#: ``statistic(values, axis)``, vectorised as NumPy's functions are
Statistic = Callable[..., Any]


def geometric_mean(values: Floats, axis: int = -1) -> Floats:
    """Geometric mean along an axis; 0 where a value is 0, NaN where one is NaN.

    Raises
    ------
    DataError
        A value is negative.

    Examples
    --------
    >>> geometric_mean(np.array([[0.25, 1.0], [0.0, 1.0]])).tolist()
    [0.5, 0.0]
    """
    if (values < 0).any():
        raise DataError("statistic='geometric_mean': some values are negative")
    return np.asarray(stats.gmean(values, axis=axis))


_NAMED: dict[str, Statistic] = {
    "mean": np.mean,
    "median": np.median,
    "geometric_mean": geometric_mean,
}


def named_statistic(given: str | Statistic) -> tuple[str, Statistic]:
    """Name and function of a statistic.

    Raises
    ------
    OptionError
        Neither a known name nor a function.
    """
    if isinstance(given, str) and given in _NAMED:
        return given, _NAMED[given]
    if callable(given):
        return getattr(given, "__name__", "statistic"), given
    raise OptionError(
        f"statistic={shown(given)}: must be one of {', '.join(map(repr, _NAMED))}, or a function "
        "statistic(values, axis)"
    )


def apply(statistic: Statistic, values: Floats) -> Floats:
    """Apply the statistic along the last axis: (..., units) → (...).

    Raises
    ------
    OptionError
        The statistic does not reduce that axis.
    """
    try:
        out = np.asarray(statistic(values, axis=-1), dtype=np.float64)
    except TypeError as error:
        rule = "is called as statistic(values, axis=-1), and must return numbers"
        raise OptionError(f"statistic: {rule} ({error})") from error
    if out.shape != values.shape[:-1]:
        raise OptionError(
            f"statistic: returned shape {out.shape} for values of shape {values.shape}; it must "
            "reduce its axis, as numpy.median(values, axis=axis) does"
        )
    return out


@dataclass(frozen=True, slots=True, eq=False)
class PairedOutcome:
    """Outcome of a test of paired values: numbers, or (contrasts,) arrays of them.

    Parameters
    ----------
    n : int
        Queries with values of both systems.
    estimate, statistic, p : float
        See each test for what it estimates.
    lower, upper : float
        Interval at `level` that goes with the test; NaN where it has none.
    level : float
    exact : bool
        Whether p comes from a known distribution or from all resamples, not from drawn ones, and
        is no mid-p.
    """

    n: Ints | int
    estimate: Floats | float
    statistic: Floats | float
    p: Floats | float
    lower: Floats | float = float("nan")
    upper: Floats | float = float("nan")
    level: float = 0.95
    exact: bool = True

    @property
    def numbers(self) -> dict[str, float]:
        """Estimate, statistic, p and ends of one pair by name, as plain numbers."""
        names = ("estimate", "statistic", "p", "lower", "upper")
        return {name: float(getattr(self, name)) for name in names}


def t_outcome(fit: Fit, n: Ints, at: int | slice, level: float) -> PairedOutcome:
    """Two-sided outcome of estimates (contrasts,) whose errors follow Student's t."""
    t = np.where(np.isnan(fit.value), np.nan, student.statistic(fit.value, fit.std_error))
    p = fit.p_value()
    lower, upper = fit.interval(level)
    return PairedOutcome(n[at], fit.value[at], t[at], p[at], lower[at], upper[at], level)


#: of one pair without a query in common
UNDEFINED = PairedOutcome(0, float("nan"), float("nan"), float("nan"))


def contrasts_of(differences: ArrayLike) -> tuple[Floats, int | slice]:
    """Differences as (queries, contrasts), and the index of (contrasts,) results to return.

    Raises
    ------
    DataError
        They have no axis, or more than two.
    """
    values = np.asarray(differences, dtype=np.float64)
    if values.ndim not in (1, 2):
        raise DataError(
            f"differences of shape {values.shape}: must be (queries,) or (queries, contrasts)"
        )
    return (values[:, None], 0) if values.ndim == 1 else (values, slice(None))


def scale_of(values: Floats, scale: ArrayLike | None) -> Floats:
    """Scale of rounding errors of (queries, ...) values: (...); by default the largest |value|.

    Raises
    ------
    DataError
        A given scale is negative or no finite number, or of another shape than one query's values.
    """
    if scale is None:
        size = np.abs(values)
        return np.asarray(np.max(size, axis=0, initial=0.0, where=np.isfinite(size)))
    given = numbers("scale", scale, finite=True)
    if (given.ndim and given.shape != values.shape[1:]) or (given < 0).any():
        raise DataError(
            f"scale={shown(scale)}: must be a number from 0, or one for each contrast: the largest "
            "|value| that the differences come from"
        )
    return np.broadcast_to(given, values.shape[1:])


def one_pair(differences: ArrayLike) -> Floats:
    """Differences of one pair, those that are NaN left out: (queries,).

    Raises
    ------
    DataError
        They are not one list.
    """
    values = np.asarray(differences, dtype=np.float64)
    if values.ndim != 1:
        raise DataError(f"differences of shape {values.shape}: must be (queries,)")
    return values[~np.isnan(values)]


def two_lists(a: ArrayLike, b: ArrayLike) -> tuple[Floats, Floats]:
    """Values of two systems, queries that either lacks (NaN) left out: (queries,) each.

    Raises
    ------
    DataError
        They are not two lists of one length.
    """
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if first.ndim != 1 or first.shape != second.shape:
        raise DataError(
            f"values of shapes {first.shape} and {second.shape}: must be (queries,) of both systems"
        )
    kept = ~(np.isnan(first) | np.isnan(second))
    return first[kept], second[kept]
