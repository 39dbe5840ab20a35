"""Moderated bootstrap max-t of differences given as an array."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.samples import samples
from fuzzytruth.core.validation import between_zero_and_one
from fuzzytruth.errors import DataError
from fuzzytruth.stats.bootstrap_max_t import Block, bootstrap_max_t
from fuzzytruth.stats.fits import student_fit
from fuzzytruth.stats.grouped_tests import groups_of
from fuzzytruth.stats.paired import scale_of
from fuzzytruth.stats.settings import Resampling
from fuzzytruth.stats.sides import Alternative, check_alternative


@dataclass(frozen=True, slots=True, eq=False)
class ModeratedMaxT:
    """Simultaneous inference about several mean differences; arrays are (contrasts,).

    Parameters
    ----------
    n : int
        Queries with a value.
    estimate, std_error : float
        Mean difference and its standard error, not moderated.
    p : float
        Of Student's t, one contrast at a time.
    p_adjusted : float
        Never below `p`.
    lower, upper : float
        Simultaneous intervals, which exclude 0 exactly where `p_adjusted` is 1 - `level` or less.
    level : float
    d0 : float
        Prior degrees of freedom of the variances; 0: not moderated.
    critical : float
        The largest moderated |t| that is not significant; infinite where resamples are too few.
    """

    n: Ints
    estimate: Floats
    std_error: Floats
    p: Floats
    p_adjusted: Floats
    lower: Floats
    upper: Floats
    level: float
    d0: float
    critical: float


def moderated_max_t(
    differences: ArrayLike,
    resampling: Resampling,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    clusters: ArrayLike | None = None,
    scale: ArrayLike | None = None,
) -> ModeratedMaxT:
    """Simultaneous intervals and adjusted p of several mean differences over queries.

    Null of each adjusted p: the contrast's mean difference over the population of queries is 0
    (or, one-sided, 0 or on the other side), whatever the others are. Queries are resampled, the
    same for all contrasts; the largest |t| of each resample, with variances moderated towards their
    geometric mean, gives the quantile of the intervals and the tail of p. Contrasts of fewer than 5
    queries have a t of their own at their share of the level, and contrasts that are 0 on all
    queries are no part of the family: p is 1 and the interval [0, 0].

    Parameters
    ----------
    differences : (queries, contrasts) float
        NaN is missing.
    resampling : Resampling
    level : float
        Simultaneous confidence level.
    alternative : {"two-sided", "greater", "less"}
    clusters : (queries,), optional
        Label of each query's cluster; clusters are resampled whole.
    scale : float or (contrasts,) float, optional
        See `fuzzytruth.stats.paired`.

    Returns
    -------
    ModeratedMaxT

    Raises
    ------
    DataError
        The differences have no two axes, or there is not one label for each query.
    OptionError
        The level or the alternative is unknown.

    References
    ----------
    Westfall & Young 1993, Resampling-Based Multiple Testing; Smyth 2004, Linear models and
    empirical Bayes methods, SAGMB 3.

    Examples
    --------
    >>> import numpy as np, fuzzytruth as ft
    >>> d = np.random.default_rng(1).normal([0.0, 0.1, 0.2], 0.1, size=(25, 3))
    >>> result = ft.stats.moderated_max_t(d, ft.stats.Resampling())
    >>> (result.p_adjusted <= 0.05).tolist(), (result.lower > 0).tolist()
    ([False, True, True], [False, True, True])
    """
    level, alternative = between_zero_and_one("level", level), check_alternative(alternative)
    values = np.asarray(differences, dtype=np.float64)
    if values.ndim != 2:
        raise DataError(f"differences of shape {values.shape}: must be (queries, contrasts)")
    groups = None if clusters is None else groups_of("clusters", clusters, len(values))
    largest = scale_of(values, scale)
    moments = samples(values, scale=largest)
    if groups is None:
        mean, std_error, df = moments.mean, moments.std_error, np.maximum(moments.n - 1.0, 0.0)
    else:
        mean, std_error, df = groups.estimate(values.T, scale=largest)
    fit = student_fit(mean, std_error, df, pairs=True)
    n_units = moments.n if groups is None else groups.units(values.T)
    block = Block(values, fit.value, fit.std_error, n_units, fit.law)
    (out,) = bootstrap_max_t(
        [block], resampling, level=level, alternative=alternative, groups=groups
    )
    return ModeratedMaxT(
        n=moments.n,
        estimate=fit.value,
        std_error=fit.std_error,
        p=fit.law.p_value(fit.value, alternative),
        p_adjusted=out.p_adjusted,
        lower=out.lower,
        upper=out.upper,
        level=level,
        d0=out.d0,
        critical=out.critical,
    )
