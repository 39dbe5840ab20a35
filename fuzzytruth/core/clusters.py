"""Means over clusters: units of one cluster vary together.

References
----------
Cochran, W. G. (1977), Sampling Techniques, §6. Cameron, A. C. & Miller, D. L. (2015), A
practitioner's guide to cluster-robust inference, Journal of Human Resources 50.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import ROUNDING, divide, without_rounding
from fuzzytruth.core.cells import grouped_sum
from fuzzytruth.core.samples import Samples, nan_mean, samples, segment_samples
from fuzzytruth.core.segments import offsets_of


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
    missing = np.isnan(values)
    size = grouped_sum(~missing, cluster, n_clusters)  # (rows, clusters)
    excess = grouped_sum(units.centred.T, cluster, n_clusters)  # T_c - R·M_c
    largest = np.maximum(np.nan_to_num(np.abs(values)).max(axis=1, initial=0.0), scale)
    gap = np.abs(divide(excess, size)).max(axis=1, initial=0.0)
    excess[gap <= ROUNDING * largest] = 0.0  # the clusters' means differ by rounding errors
    shift = divide(excess, units.n[:, None] - size)  # R - R_(-c)
    n = (size > 0).sum(axis=1)
    std_error = jackknife_error((shift**2).sum(axis=1), n)
    return units.mean, std_error, np.maximum(n - 1.0, 0.0)


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
    offsets = offsets_of(np.bincount(stratum, minlength=n_strata))
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
