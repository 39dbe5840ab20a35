"""Santini's (16), (17), (22) and (23) as printed: displacement of a list."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Floats
from fuzzytruth.core.validation import number, probabilities
from fuzzytruth.errors import DataError


def displacement(
    subject: Sequence[Hashable], relevances: ArrayLike, system: Sequence[Hashable]
) -> float:
    """(17) with (16) taken literally: Σ s_k |k - π_k|, the system's list being [I_π1, ..., I_πn].

    By (16), π_k is the number of the item at position k of the system's list, so that s_k weights
    the displacement of another item than k. "How far the system has placed the image k" needs the
    rank of item k, the inverse permutation. The two agree if the permutation is its own inverse or
    all relevances are equal.

    Parameters
    ----------
    subject : (n,) sequence of items
        I_1..I_n.
    relevances : (n,) float in [0, 1]
        s_1..s_n, in the subject's order.
    system : (n,) sequence of items
        The same items in another order.

    Returns
    -------
    float
        0 or more.

    Raises
    ------
    DataError
        The lists do not hold the same items once each, or a relevance is outside [0, 1].

    References
    ----------
    Santini, "Benchmarking without ground truth", section 5, eqs. (16) and (17).

    Examples
    --------
    The most relevant of three items comes last, 2 places away:

    >>> displacement("abc", [1, 0, 0], "bca")
    1.0
    >>> import fuzzytruth as ft
    >>> ft.displacement(list("abc"), [1, 0, 0], list("bca"), ties="position").value
    2.0
    """
    weight = _weights(relevances)
    place = {item: k for k, item in enumerate(subject, start=1)}
    same = set(system) == set(place) and len(system) == len(subject) == len(place)
    if not same or len(weight) != len(place):
        raise DataError(
            "subject, relevances, system: (16) needs the same items once each in both lists, and a "
            "relevance for each"
        )
    number_at = np.array([place[item] for item in system])  # π
    return float(weight @ np.abs(np.arange(1, len(weight) + 1) - number_at))


def optimist_displacement(relevances: ArrayLike, length: int) -> float:
    """(22): Σ s_i |i - (m + i)| over the items of B, which is m Σ s_i.

    The β of position and weight is missing, so that every item that the system does not list is
    displaced by m, whatever its position in the subject's list. That is no lower bound: the last of
    the subject's items may come next. Intended: Σ s_β(i) |β_i - (m + i)|, where β_i is the position
    of the i-th item of B in the subject's list. (Our copy has lost letters nearby.)

    Parameters
    ----------
    relevances : (items of B,) float in [0, 1]
    length : int
        m, the length of both lists.

    Returns
    -------
    float
        0 or more.

    Raises
    ------
    DataError
        A relevance outside [0, 1], or a negative length.

    References
    ----------
    Santini, "Benchmarking without ground truth", section 5, eq. (22).

    Examples
    --------
    >>> optimist_displacement([0.5], 3)
    1.5
    >>> import fuzzytruth as ft
    >>> ft.displacement(list("abc"), [1, 1, 0.5], list("abx"), ties="position").w_B
    0.5
    """
    return _scaled(relevances, "length", length)


def pessimist_displacement(relevances: ArrayLike, size: int) -> float:
    """(23): Σ s_i N over the items of B.

    The paper's own approximation of what it says in words, that the items of B are the last of the
    collection, at N - |B| + i. It exceeds every possible displacement. It is kept as
    ``unseen="pessimist"``; the words are ``unseen="pessimist-tail"``, the upper bound is
    ``unseen="worst"``.

    Parameters
    ----------
    relevances : (items of B,) float in [0, 1]
    size : int
        N, the size of the collection.

    Returns
    -------
    float
        0 or more.

    Raises
    ------
    DataError
        A relevance outside [0, 1], or a negative size.

    References
    ----------
    Santini, "Benchmarking without ground truth", section 5, eq. (23).

    Examples
    --------
    >>> pessimist_displacement([0.5, 0.25], 1000)
    750.0
    """
    return _scaled(relevances, "size", size)


def _scaled(relevances: ArrayLike, name: str, given: int) -> float:
    factor = number(name, given)
    if factor < 0:
        raise DataError(f"{name}={given}: must not be negative")
    return factor * float(_weights(relevances).sum())


def _weights(relevances: ArrayLike) -> Floats:
    weight = probabilities("relevances", relevances)
    if weight.ndim != 1:
        raise DataError(f"relevances: must be a list, not of shape {weight.shape}")
    return weight
