"""Means over clusters: units of one cluster vary together.

References
----------
Cochran, W. G. (1977), Sampling Techniques, §6. Cameron, A. C. & Miller, D. L. (2015), A
practitioner's guide to cluster-robust inference, Journal of Human Resources 50.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core import arithmetic
from fuzzytruth.core.arithmetic import ROUNDING, divide, segment_max, segment_sum, without_rounding
from fuzzytruth.core.cells import grouped_sum


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Moments of many samples.

    Parameters
    ----------
    n : (..., samples) int
        Values that are not missing.
    mean, std : (..., samples) float
        NaN where n < 1; `std` has divisor n - 1, is NaN where n < 2 and 0 where all values agree.
    centred : float, in the shape of the values
        Values minus their mean; 0 where a value is missing, and where all agree.
    """

    n: Ints
    mean: Floats
    std: Floats
    centred: Floats

    @property
    def std_error(self) -> Floats:
        """Standard error of the mean."""
        return self.std / np.sqrt(np.maximum(self.n, 1))


@np.errstate(under="ignore")
def samples(values: Floats, *, scale: ArrayLike = 0.0) -> Samples:
    """Moments of (..., units, samples); NaN is missing.

    Values that differ by less than 1e-12 of the largest agree: they differ by rounding errors. Of
    differences, `scale` (..., samples) is the largest of the values that they are differences of;
    a mean below 1e-12 of it is 0.
    """
    present = ~np.isnan(values)
    n = present.sum(axis=-2)
    filled = np.where(present, values, 0.0)
    largest = np.maximum(np.abs(filled).max(axis=-2, initial=0.0), scale)
    mean = without_rounding(divide(filled.sum(axis=-2), n, fill=np.nan), largest)
    centred = np.where(present, filled - np.nan_to_num(mean)[..., None, :], 0.0)
    flat = np.abs(centred).max(axis=-2, initial=0.0) <= ROUNDING * largest
    centred[np.broadcast_to(flat[..., None, :], centred.shape)] = 0.0
    return Samples(n, mean, _std((centred**2).sum(axis=-2), n), centred)


@np.errstate(under="ignore")
def segment_samples(values: Floats, offsets: Ints, *, scale: ArrayLike = 0.0) -> Samples:
    """Moments of each segment of (..., n) values, as `samples` has them: (..., segments).

    `scale` (...,) is that of all segments.
    """
    size = np.diff(offsets)
    present = ~np.isnan(values)
    n = segment_sum(present, offsets)
    filled = np.where(present, values, 0.0)
    of_all = np.asarray(scale)[..., None]
    largest = np.maximum(segment_max(np.abs(filled), offsets), of_all)
    mean = without_rounding(divide(segment_sum(filled, offsets), n, fill=np.nan), of_all)
    centre = np.repeat(np.nan_to_num(mean), size, axis=-1)
    centred = np.where(present, filled - centre, 0.0)
    flat = segment_max(np.abs(centred), offsets) <= ROUNDING * largest
    centred[np.repeat(flat, size, axis=-1)] = 0.0
    return Samples(n, mean, _std(segment_sum(centred**2, offsets), n), centred)


def _std(squares: Floats, n: Ints) -> Floats:
    """Standard deviation of n values from their sum of squares; NaN of fewer than two."""
    return np.where(n > 1, np.sqrt(squares / np.maximum(n - 1, 1)), np.nan)


def pair_differences(values: Floats, first: Ints, second: Ints, *, scale: Floats) -> Floats:
    """Differences of pairs of rows of (rows, ...) values: (pairs, ...).

    0 where less than 1e-12 of `scale` (rows,), the larger of the two: a rounding error.
    """
    out: Floats = np.subtract(values[first], values[second], order="C")
    least = ROUNDING * np.maximum(scale[first], scale[second])
    out[np.abs(out) <= least.reshape(-1, *(1,) * (out.ndim - 1))] = 0.0
    return out


def nan_mean(values: Floats, axis: int) -> Floats:
    """Mean over the values that are not NaN; NaN if there are none."""
    present = ~np.isnan(values)
    total = np.where(present, values, 0.0).sum(axis=axis)
    return divide(total, present.sum(axis=axis), fill=np.nan)


# Bootstrap weights: how often each unit is in each resample.


def drawn_units(seed: np.random.SeedSequence, resamples: int, n: int) -> NDArray[np.intp]:
    """Which unit each draw takes, uniformly with replacement: (resamples, n)."""
    kind = np.uint16 if n <= 2**16 else np.uint32
    rng = np.random.Generator(np.random.SFC64(seed))
    return rng.integers(0, n, size=(resamples, n), dtype=kind).astype(np.intp)


def stratified_counts(seed: np.random.SeedSequence, resamples: int, sizes: Ints) -> Floats:
    """How often each unit was taken, from strata of these sizes one after the other.

    (resamples, units); as many units of each stratum as it has.
    """
    children = seed.spawn(len(sizes))
    drawn = [
        counts(drawn_units(child, resamples, int(size)))
        for child, size in zip(children, sizes, strict=True)
    ]
    return np.concatenate(drawn, axis=1)


def counts(units: NDArray[np.intp]) -> Floats:
    """How often each unit was taken: (resamples, n), multinomial."""
    resamples, n = units.shape
    flat = (units + np.arange(resamples)[:, None] * n).ravel()
    return np.bincount(flat, minlength=resamples * n).reshape(resamples, n).astype(np.float64)


# Bootstrap resamples of subjects, enumerated when few.


#: resamples of the subjects are enumerated up to this many
_MOST_ENUMERATED = 2_000


def subject_resamples(
    n_subjects: int, n_worlds: int, seed: np.random.SeedSequence
) -> tuple[Floats, Floats, bool]:
    """Bootstrap resamples: probabilities, multiplicities, and whether they were drawn.

    All distinct resamples if they are few, else `n_worlds` random ones.

    Returns
    -------
    probability : (worlds,) float
    votes : (worlds, subjects) float
        How often a resample has each subject.
    drawn : bool
    """
    if comb(2 * n_subjects - 1, n_subjects) <= min(_MOST_ENUMERATED, n_worlds):
        return *_all_resamples(n_subjects), False
    rng = np.random.default_rng(seed)
    votes = rng.multinomial(n_subjects, np.full(n_subjects, 1 / n_subjects), size=n_worlds)
    return np.full(n_worlds, 1 / n_worlds), votes.astype(np.float64), True


def _all_resamples(n: int) -> tuple[Floats, Floats]:
    """Every distinct resample of `n` subjects: its probability, and how often it has each."""
    votes = np.array(
        [np.bincount(drawn, minlength=n) for drawn in combinations_with_replacement(range(n), n)]
    )
    n_orders = [factorial(n) // prod(factorial(v) for v in row) for row in votes.tolist()]
    return np.array(n_orders) / float(n) ** n, votes.astype(np.float64)


@np.errstate(under="ignore")
def clustered_means(
    values: Floats, cluster: Ints, n_clusters: int, *, scale: ArrayLike = 0.0
) -> tuple[Floats, Floats, Floats]:
    """Means over units, their standard errors and degrees of freedom: (rows,) each.

    The mean is R = ΣT_c / ΣM_c, T_c being the sum of the M_c values of cluster c. Its variance is
    the delete-one-cluster jackknife's around R, (G - 1) / G · Σ(R_(-c) - R)², with G - 1 degrees of
    freedom, G being the clusters with a value in that row. Of a single cluster it is NaN. Clusters
    of one unit each give Student's t over units.

    Parameters
    ----------
    values : (rows, units) float
        NaN is missing.
    cluster : (units,) int
        From 0 to `n_clusters` - 1.
    n_clusters : int
    scale : (rows,) float, optional
        Largest of the values that these are differences of; see `core.samples.samples`.

    Examples
    --------
    >>> clustered_means(np.array([[1.0, 2.0, 6.0]]), np.array([0, 0, 1]), 2)
    (array([3.]), array([2.37170825]), array([1.]))
    """
    units = samples(values.T, scale=scale)
    size = grouped_sum(~np.isnan(values), cluster, n_clusters)  # (rows, clusters)
    excess = grouped_sum(units.centred.T, cluster, n_clusters)  # T_c - R·M_c
    largest = np.maximum(np.nan_to_num(np.abs(values)).max(axis=1, initial=0.0), scale)
    gap = np.abs(divide(excess, size)).max(axis=1, initial=0.0)
    excess[gap <= ROUNDING * largest] = 0.0  # the clusters' means differ by rounding errors
    shift = divide(excess, units.n[:, None] - size)  # R - R_(-c)
    n = (size > 0).sum(axis=1)
    return units.mean, jackknife_error((shift**2).sum(axis=1), n), np.maximum(n - 1.0, 0.0)


def jackknife_error(squares: ArrayLike, n: ArrayLike) -> Any:
    """Standard errors by leaving out one of n clusters at a time; NaN below two.

    `squares` is the sum of the squared changes of the estimate.

    Examples
    --------
    >>> jackknife_error([4.0, 4.0], [2, 1])
    array([1.41421356,        nan])
    """
    squares, n = np.asarray(squares), np.asarray(n)
    variance = (n - 1) / np.maximum(n, 1) * squares
    return np.where(n > 1, np.sqrt(np.maximum(variance, 0.0)), np.nan)[()]


# Means of strata: groups of units that are fixed, each with its own sample.
#
# References
# ----------
# Cochran, W. G. (1977), Sampling Techniques, §5. Satterthwaite, F. E. (1946), An approximate
# distribution of estimates of variance components, Biometrics Bulletin 2.


def stratified_means(
    values: Floats, stratum: Ints, n_strata: int, *, scale: ArrayLike = 0.0
) -> tuple[Floats, Floats, Floats]:
    """Means of the means of strata, their standard errors and degrees of freedom: (rows,) each.

    Parameters
    ----------
    values : (rows, units) float
        NaN is missing.
    stratum : (units,) int
        From 0 to `n_strata` - 1.
    n_strata : int
    scale : (rows,) float, optional
        Largest of the values that these are differences of; see `core.samples.samples`.

    Examples
    --------
    >>> stratified_means(np.array([[1.0, 3.0, 5.0, 7.0, 9.0]]), np.array([0, 0, 1, 1, 1]), 2)
    (array([4.5]), array([0.76376262]), array([2.88235294]))
    """
    order = np.argsort(stratum, kind="stable")
    offsets = arithmetic.offsets_of(np.bincount(stratum, minlength=n_strata))
    return macro_means(segment_samples(values[:, order], offsets, scale=scale), scale=scale)


def macro_means(within: Samples, *, scale: ArrayLike = 0.0) -> tuple[Floats, Floats, Floats]:
    """As `stratified_means`, from the samples of each row and stratum: (rows, strata).

    The variance is Σs_h²/n_h / H², H being the strata with a value in that row; its degrees of
    freedom are Satterthwaite's, as in Welch's test. With a stratum of one value it is NaN.
    """
    n = within.n
    strata = (n > 0).sum(axis=-1)
    each = np.where(n > 0, within.std_error**2, 0.0)  # NaN in a stratum of one
    total = each.sum(axis=-1)
    share = divide(each, total[..., None])
    bottom = (share**2 / np.maximum(n - 1, 1)).sum(axis=-1)
    df = (n - 1.0).clip(min=0).sum(axis=-1)
    np.divide(1.0, bottom, out=df, where=bottom > 0)
    std_error = np.where(strata > 0, np.sqrt(total) / np.maximum(strata, 1), np.nan)
    mean = without_rounding(nan_mean(within.mean, -1), scale)
    return mean, std_error, np.where(np.isnan(total), 0.0, df)
