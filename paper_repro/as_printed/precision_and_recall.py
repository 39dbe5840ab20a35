"""Santini's (10) to (14) as printed: precision and recall."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Floats
from fuzzytruth.core.validation import number, numbers, probabilities
from fuzzytruth.errors import DataError


def hit_probabilities(p: ArrayLike) -> Floats:
    """(10): the sum over all i_1 < ... < i_k of ∏ p(i_u) · ∏ over j = i_1..i_k of (1 - p(j)).

    The second product is over the same items as the first, so that each is relevant and is not: a
    certain hit has probability 0, and the numbers do not sum to 1. Intended: j not among i_1..i_k.
    (The stroke of a ≠ may have been lost in our copy.)

    Parameters
    ----------
    p : (n,) float
        Probability that each retrieved item is relevant.

    Returns
    -------
    (n + 1,) float
        Printed as the probability of k = 0..n hits: the elementary symmetric polynomials of the
        p (1 - p).

    Raises
    ------
    DataError
        A probability outside [0, 1] or NaN; not a list.

    References
    ----------
    Santini, "Benchmarking without ground truth", section 4, eq. (10).

    Examples
    --------
    >>> hit_probabilities([0.5, 0.5]).tolist()
    [1.0, 0.5, 0.0625]
    """
    chances = probabilities("p", p)
    if chances.ndim != 1:
        raise DataError(f"p: must be a list of probabilities, not of shape {chances.shape}")
    out = np.ones(1)
    for term in chances * (1 - chances):  # multiply the factors 1 + term · t
        out = np.convolve(out, (1.0, term))
    return out


def precision_probabilities(hits: ArrayLike) -> tuple[Floats, Floats]:
    """(11): P(k/n) = p(k) / n.

    These sum to 1/n. The probability of the value k/n is p(k); as a density on [0, 1], with steps
    of width 1/n, it would be n · p(k).

    Parameters
    ----------
    hits : (n + 1,) float
        Probability of k = 0..n hits, p(k).

    Returns
    -------
    values, masses : (n + 1,) float
        k/n, and what is printed as its probability.

    Raises
    ------
    DataError
        Fewer than two numbers, or a NaN.

    References
    ----------
    Santini, "Benchmarking without ground truth", section 4, eq. (11).

    Examples
    --------
    >>> values, masses = precision_probabilities([0.25, 0.5, 0.25])
    >>> values.tolist(), masses.tolist()
    ([0.0, 0.5, 1.0], [0.125, 0.25, 0.125])
    """
    chance = _masses(hits)
    n = len(chance) - 1
    return np.arange(n + 1) / n, chance / n


def recall_probabilities(hits: ArrayLike, size: float) -> tuple[Floats, Floats]:
    """(12): R(k/|ω|) = p(k) / |ω|.

    These sum to 1/|ω|. Moreover |ω| is an expected size, eq. (9), while the number of relevant
    items is as random as the hits, so that k/|ω| can exceed 1.

    Parameters
    ----------
    hits : (n + 1,) float
        Probability of k = 0..n hits, p(k).
    size : float
        |ω|, above 0.

    Returns
    -------
    values, masses : (n + 1,) float
        k/|ω|, and what is printed as its probability.

    Raises
    ------
    DataError
        Fewer than two numbers, or a NaN; a size that is not above 0.

    References
    ----------
    Santini, "Benchmarking without ground truth", section 4, eq. (12).

    Examples
    --------
    >>> values, masses = recall_probabilities([0.25, 0.5, 0.25], 1.6)
    >>> values.tolist(), float(masses.sum())
    ([0.0, 0.625, 1.25], 0.625)
    """
    chance, whole = _masses(hits), number("size", size)
    if whole <= 0:
        raise DataError(f"size={size}: the size of the category must be above 0")
    return np.arange(len(chance)) / whole, chance / whole


def precision_mixture(given: ArrayLike, membership: ArrayLike) -> Floats:
    """(13): P(k/n) = Σ over all categories ω of P(k/n | ω) · p(ω | q).

    p(ω | q) counts a vote for a leaf again for each of its ancestors, as the paper remarks, so that
    the weights sum to more than 1. The law of total probability needs disjoint events: the direct
    shares.

    Parameters
    ----------
    given : (categories, n + 1) float
        P(k/n | ω).
    membership : (categories,) float
        p(ω | q), of every node of the tree.

    Returns
    -------
    (n + 1,) float
        Printed as the probability of k/n.

    Raises
    ------
    DataError
        A membership outside [0, 1], a NaN, or not one row a category.

    References
    ----------
    Santini, "Benchmarking without ground truth", section 4, eq. (13).

    Examples
    --------
    The root and a certain leaf:

    >>> precision_mixture([[0, 1], [0.5, 0.5]], [1, 1]).tolist()
    [0.5, 1.5]
    """
    rows, weights = numbers("given", given), probabilities("membership", membership)
    if rows.ndim != 2 or weights.shape != rows.shape[:1]:
        raise DataError(
            f"given of shape {rows.shape} and membership of shape {weights.shape}: must be "
            "(categories, n + 1) and (categories,)"
        )
    out: Floats = weights @ rows
    return out


def recall_mixture(given: ArrayLike, membership: ArrayLike) -> tuple[Floats, Floats]:
    """(14): R(k/n) = Σ over all categories ω of R(k/|ω| | ω) · p(ω | q).

    The left side assigns to k/n the probability of k/|ω|, which is another value for each category.
    Weights as in (13).

    Parameters
    ----------
    given : (categories, n + 1) float
        R(k/|ω| | ω).
    membership : (categories,) float
        p(ω | q), of every node of the tree.

    Returns
    -------
    values, masses : (n + 1,) float
        k/n, and what is printed as its probability.

    Raises
    ------
    DataError
        A membership outside [0, 1], a NaN, or not one row a category.

    References
    ----------
    Santini, "Benchmarking without ground truth", section 4, eq. (14).

    Examples
    --------
    A single answer that is one of ten relevant items has recall 1/10, not 1:

    >>> [column.tolist() for column in recall_mixture([[0, 1]], [1])]
    [[0.0, 1.0], [0.0, 1.0]]
    """
    masses = precision_mixture(given, membership)
    n = len(masses) - 1
    if n < 1:
        raise DataError("given: must have n + 1 columns, n at least 1")
    return np.arange(n + 1) / n, masses


def _masses(hits: ArrayLike) -> Floats:
    chance = numbers("hits", hits, finite=True)
    if chance.ndim != 1 or len(chance) < 2:
        raise DataError(f"hits: must be a list of n + 1 numbers, n ≥ 1, not {chance.shape}")
    return chance
