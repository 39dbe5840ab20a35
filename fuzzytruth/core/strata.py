"""Means of strata: groups of units that are fixed, each with its own sample.

References
----------
Cochran, W. G. (1977), Sampling Techniques, §5. Satterthwaite, F. E. (1946), An approximate
distribution of estimates of variance components, Biometrics Bulletin 2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.rounding import without_rounding
from fuzzytruth.core.samples import Samples, nan_mean, segment_samples
from fuzzytruth.core.segments import offsets_of


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
