"""Measures of SHREC 2006, SHREC 2019, NIST and image–text matching as printed."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth.core.validation import number, numbers, probabilities
from fuzzytruth.errors import DataError


def first_tier(gains: ArrayLike, n_highly: int, n_relevant: int) -> float:
    """SHREC 2006's first tier of relevant items: d1 = Va if Va < Cr, else Ch.

    Its own example divides 9 by 11 = Cr where this definition has 6 = Ch. Intended: else d1 = Cr.

    Parameters
    ----------
    gains : (Va,) float
        Grades in rank order: 2 highly relevant, 1 marginally, 0 not.
    n_highly, n_relevant : int
        Ch, the number of highly relevant items, and Cr, that of relevant ones.

    Returns
    -------
    float
        Share of relevant items among the first d1, in [0, 1].

    Raises
    ------
    DataError
        No answers, or an empty class.

    References
    ----------
    SHREC 2006, "Performance measures used", First Tier (relevant).

    Examples
    --------
    >>> first_tier([2, 2, 1, 2, 2, 1, 0, 1, 0, 1, 2, 0, 0, 0], 6, 11)
    1.0
    """
    return _tier(gains, n_highly, n_relevant, 1)


def second_tier(gains: ArrayLike, n_highly: int, n_relevant: int) -> float:
    """SHREC 2006's second tier of relevant items: d2 = Va if Va < 2 Cr, else 2 Ch.

    Intended: else d2 = 2 Cr. Its example has fewer than 2 Cr answers, and does not decide.

    Parameters
    ----------
    gains, n_highly, n_relevant
        As for `first_tier`.

    Returns
    -------
    float
        Share of relevant items among the first d2, in [0, 1].

    Raises
    ------
    DataError
        No answers, or an empty class.

    References
    ----------
    SHREC 2006, "Performance measures used", Second Tier (relevant).

    Examples
    --------
    >>> second_tier([2, 1, 1, 0, 0, 0], 1, 3)
    1.0
    """
    return _tier(gains, n_highly, n_relevant, 2)


def tier_outside_collection(relevant: ArrayLike, class_size: int, *, tier: int = 1) -> float:
    """SHREC 2019's tiers: the share of the class within the top K = tier · (|C| - 1).

    The 1 is for the query, which is part of the collection at NIST and Princeton. SHREC 2019's
    queries are photographs and its collection 3D scenes, so that nothing is to be subtracted, and
    even a perfect list has a first tier below 1. Intended: K = tier · |C|.

    Parameters
    ----------
    relevant : (n,) of 0 and 1
        Whether each answer is of the query's class, in rank order.
    class_size : int
        |C|, 2 or more.
    tier : int
        1 or 2.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    DataError
        A class of fewer than 2.

    References
    ----------
    SHREC 2019, "Extended 2D Scene Image-Based 3D Scene Retrieval", NN, Tier1 and Tier2.

    Examples
    --------
    >>> tier_outside_collection([1] * 20, 20)
    0.95
    """
    hits = numbers("relevant", relevant)
    if class_size < 2:
        raise DataError(f"class_size={class_size}: must be 2 or more")
    return float((hits[: tier * (class_size - 1)] > 0).sum()) / class_size


def nearest_neighbour(relevant: ArrayLike, class_size: int) -> float:
    """NN of SHREC 2019 and NIST by the letter: the share of the class within the top 1.

    "The ratio of models in the query's class that also appear within the top K matches", K = 1: at
    most 1/|C|. Intended: whether the first answer is of the query's class.

    Parameters
    ----------
    relevant : (n,) of 0 and 1
        Whether each answer is of the query's class, in rank order.
    class_size : int
        |C|, 1 or more.

    Returns
    -------
    float
        0 or 1/|C|.

    Raises
    ------
    DataError
        An empty class.

    References
    ----------
    SHREC 2019 and NIST Generic Shape Benchmark, "Evaluation Methods", Nearest Neighbor.

    Examples
    --------
    >>> nearest_neighbour([1, 1, 0], 20)
    0.05
    """
    hits = numbers("relevant", relevant)
    if class_size < 1:
        raise DataError(f"class_size={class_size}: must be 1 or more")
    return float((hits[:1] > 0).sum()) / class_size


def all_among_the_first(ranks: ArrayLike, k: int) -> float:
    """i2t_R@K of an image by the letter: whether "all 5 sentences" are "among the top K".

    The page goes on: "(every rank is calculated based on the highest ranking among the 5)", which
    is what is meant: any of them.

    Parameters
    ----------
    ranks : (texts of the image,) int
        From 1.
    k : int

    Returns
    -------
    float
        0 or 1.

    References
    ----------
    Image–text matching, "Evaluation Metrics", 1.1.

    Examples
    --------
    >>> all_among_the_first([3, 12, 20, 31, 44], 10)
    0.0
    """
    return float((numbers("ranks", ranks) <= k).all())


def precision_at_full_recall(relevant: ArrayLike) -> float:
    """NIST's R-precision: "the precision score when R relevant objects are retrieved".

    R is the number of relevant objects, so that all of them have been retrieved: the precision at
    full recall, wherever that is. Intended: when R objects are retrieved, precision at rank R.

    Parameters
    ----------
    relevant : (n,) of 0 and 1
        Whether each answer is relevant, in rank order; it holds all relevant objects.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    DataError
        No answer is relevant.

    References
    ----------
    NIST Generic Shape Benchmark, "Evaluation Methods", R-precision.

    Examples
    --------
    >>> precision_at_full_recall([1, 1, 0, 1, 0, 0, 1, 0, 0, 1])
    0.5
    """
    hits = np.flatnonzero(numbers("relevant", relevant) > 0)
    if not len(hits):
        raise DataError("relevant: no answer is relevant")
    return len(hits) / (int(hits[-1]) + 1)


def e_measure(precision: float, recall: float) -> float:
    """E = 1 - F of SHREC 2019 and NIST, with "higher values indicate better results".

    Van Rijsbergen's E is 0 for a perfect answer. The description fits `e_measure_psb`.

    Parameters
    ----------
    precision, recall : float in [0, 1]

    Returns
    -------
    float
        In [0, 1]; 1 if either is 0.

    Raises
    ------
    DataError
        A number outside [0, 1].

    References
    ----------
    SHREC 2019 and NIST Generic Shape Benchmark, "Evaluation Methods", eq. (4); van Rijsbergen
    (1979), Information Retrieval.

    Examples
    --------
    >>> e_measure(1, 1), e_measure(0, 0)
    (0.0, 1.0)
    """
    return 1.0 - e_measure_psb(precision, recall)


def e_measure_psb(precision: float, recall: float) -> float:
    """The Princeton Shape Benchmark's E-measure, 2 / (1/P + 1/R), which is F₁: higher is better.

    The two contests combine its description with van Rijsbergen's formula.

    Parameters
    ----------
    precision, recall : float in [0, 1]

    Returns
    -------
    float
        In [0, 1]; 0 if either is 0.

    Raises
    ------
    DataError
        A number outside [0, 1].

    References
    ----------
    Shilane et al. (2004), The Princeton Shape Benchmark.

    Examples
    --------
    >>> e_measure_psb(0.5, 0.5)
    0.5
    """
    p, r = (
        float(probabilities(name, number(name, value)))
        for name, value in (("precision", precision), ("recall", recall))
    )
    return 2 / (1 / p + 1 / r) if p and r else 0.0


def _tier(gains: ArrayLike, n_highly: int, n_relevant: int, tier: int) -> float:
    grades = numbers("gains", gains)
    if grades.ndim != 1 or not len(grades):
        raise DataError("gains: must be a list of grades, not empty")
    if not 1 <= n_highly <= n_relevant:
        raise DataError(
            f"n_highly={n_highly}, n_relevant={n_relevant}: must be 1 or more, and highly relevant "
            "items count as relevant"
        )
    enough = len(grades) >= tier * n_relevant
    depth = tier * n_highly if enough else len(grades)
    return float(np.mean(grades[:depth] > 0))
