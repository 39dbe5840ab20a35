"""Input and outcome of tests of paired values.

`paired_t`, `equivalence`, `sign_flip` and `sign_test` take differences (queries,) of one pair of
systems, or (queries, contrasts) of several. NaN marks a query that one of the two lacks: it is left
out of that contrast, and a contrast without any value has NaN for all its numbers. The other tests
take one pair, (queries,), with the same rule.

What differs by less than 1e-12 of `scale`, a rounding error, is equal: `scale` is the largest
|value| that the differences were computed from, and by default the largest |difference|.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core import student
from fuzzytruth.core.validation import numbers
from fuzzytruth.errors import DataError, shown
from fuzzytruth.stats.fits import Fit


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


def t_outcome(fit: Fit, n: Ints, at: int | slice, level: float) -> PairedOutcome:
    """Two-sided outcome of estimates (contrasts,) whose errors follow Student's t."""
    t = np.where(np.isnan(fit.value), np.nan, student.statistic(fit.value, fit.std_error))
    p = fit.law.p_value(fit.value, "two-sided")
    lower, upper = fit.law.interval(fit.value, level, "two-sided")
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
