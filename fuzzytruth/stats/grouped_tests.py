"""Student's t over clusters of queries, and over strata.

Input and missing values: see `fuzzytruth.stats.paired`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth.core.validation import between_zero_and_one
from fuzzytruth.errors import DataError, shown
from fuzzytruth.stats.fits import student_fit
from fuzzytruth.stats.paired import PairedOutcome, contrasts_of, scale_of, t_outcome
from fuzzytruth.stats.query_groups import Kind, QueryGroups, stratum_of_one


def cluster_t(
    differences: ArrayLike,
    clusters: ArrayLike,
    *,
    level: float = 0.95,
    scale: ArrayLike | None = None,
) -> PairedOutcome:
    """Student's t test over clusters of queries, two-sided, with its interval.

    Null: the mean difference over the population of queries is 0, where clusters of queries were
    drawn (five captions of an image, variants of a topic). The variance is the delete-one-cluster
    jackknife's, with as many degrees of freedom as clusters less one. For a single cluster p is 1
    and the interval infinite; clusters of one query each give `paired_t`.

    Parameters
    ----------
    differences : (queries,) or (queries, contrasts) float
        NaN is missing.
    clusters : (queries,)
        Label of each query's cluster, text or numbers.
    level : float
        Confidence level of the interval.
    scale : float or (contrasts,) float, optional
        See `fuzzytruth.stats.paired`.

    Returns
    -------
    PairedOutcome
        `n` counts queries, `estimate` is the mean difference over queries, `statistic` its t.

    Raises
    ------
    DataError
        There is not one label for each query.

    References
    ----------
    Cochran 1977, Sampling Techniques, §6; Cameron & Miller 2015, Journal of Human Resources 50.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> outcome = ft.stats.cluster_t([0.2, 0.1, 0.3, 0.1, 0.4], ["x", "x", "y", "y", "z"])
    >>> round(float(outcome.estimate), 2), round(float(outcome.p), 4)
    (0.22, 0.0554)
    """
    return _grouped_t("clusters", differences, clusters, level, scale)


def stratified_t(
    differences: ArrayLike,
    strata: ArrayLike,
    *,
    level: float = 0.95,
    scale: ArrayLike | None = None,
) -> PairedOutcome:
    """Student's t test of the mean over strata of queries, two-sided, with its interval.

    Null: the mean over strata of their mean differences is 0, where each stratum is fixed and its
    queries were drawn. All strata have the same weight; degrees of freedom are Satterthwaite's.

    Parameters
    ----------
    differences : (queries,) or (queries, contrasts) float
        NaN is missing; strata without any value are left out of that contrast.
    strata : (queries,)
        Label of each query's stratum, text or numbers.
    level : float
        Confidence level of the interval.
    scale : float or (contrasts,) float, optional
        See `fuzzytruth.stats.paired`.

    Returns
    -------
    PairedOutcome
        `n` counts queries, `estimate` is the mean of the strata's means, `statistic` its t.

    Raises
    ------
    DataError
        There is not one label for each query, or a stratum has a single value.

    References
    ----------
    Cochran 1977, Sampling Techniques, §5; Welch 1947, Biometrika 34.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> outcome = ft.stats.stratified_t([0.2, 0.1, 0.3, 0.5, 0.4], ["x", "x", "y", "y", "y"])
    >>> round(float(outcome.estimate), 3), round(float(outcome.p), 4)
    (0.275, 0.0063)
    """
    return _grouped_t("strata", differences, strata, level, scale)


def _grouped_t(
    kind: Kind,
    differences: ArrayLike,
    labels: ArrayLike,
    level: float,
    scale: ArrayLike | None,
) -> PairedOutcome:
    level = between_zero_and_one("level", level)
    values, at = contrasts_of(differences)
    groups = groups_of(kind, labels, len(values))
    if kind == "strata":
        singles = groups.singles(values.T)
        if singles.any():
            raise stratum_of_one(groups.names[int(np.argmax(singles.any(axis=0)))])
    mean, std_error, df = groups.estimate(values.T, scale=scale_of(values, scale))
    n = (~np.isnan(values)).sum(axis=0)
    return t_outcome(student_fit(mean, std_error, df, pairs=True), n, at, level)


def groups_of(kind: Kind, labels: ArrayLike, n: int) -> QueryGroups:
    """Groups by their labels.

    Raises
    ------
    DataError
        There is not one label for each query.
    """
    given = np.asarray(labels, dtype=object)
    if given.shape != (n,):
        raise DataError(f"{kind} of shape {given.shape}: must be one label for each of {n} queries")
    try:
        missing = any(label is None or bool(label != label) for label in given)
        names, code = np.unique(np.asarray(labels), return_inverse=True)
    except TypeError:  # labels that have no order, such as text and pandas' NA
        missing = True
    if missing:
        raise DataError(f"{kind}={shown(labels)}: must be text or numbers, none of them missing")
    return QueryGroups(kind, code, len(names), tuple(map(str, names.tolist())))
