"""Santini's (1) and (2) as printed: recall and precision of a set."""

from __future__ import annotations

from collections.abc import Collection, Hashable

from fuzzytruth.errors import DataError


def crisp_recall(answered: Collection[Hashable], relevant: Collection[Hashable]) -> float:
    """(1): |A ∪ V| / |V|, said to lie in [0, 1].

    It is never below 1. Intended: |A ∩ V| / |V|.

    Parameters
    ----------
    answered, relevant : collections of items
        A and V; an item counts once.

    Returns
    -------
    float
        1 or more.

    Raises
    ------
    DataError
        No item is relevant.

    References
    ----------
    Santini, "Benchmarking without ground truth", section 3, eq. (1).

    Examples
    --------
    >>> crisp_recall("abcd", "cdef")
    1.5
    """
    return _union_over("relevant", relevant, answered)


def crisp_precision(answered: Collection[Hashable], other: Collection[Hashable]) -> float:
    """(2): |A ∪ R| / |A|, said to lie in [0, 1].

    R is the paper's recall, a number, or in section 4 the results, that is A, which makes the ratio
    1 for every answer. With V for R it is never below 1. Intended: |A ∩ V| / |A|.

    Parameters
    ----------
    answered : collection of items
        A.
    other : collection of items
        R.

    Returns
    -------
    float
        1 or more.

    Raises
    ------
    DataError
        Nothing was answered.

    References
    ----------
    Santini, "Benchmarking without ground truth", section 3, eq. (2).

    Examples
    --------
    >>> crisp_precision("abcd", "abcd"), crisp_precision("abcd", "cdef")
    (1.0, 1.5)
    """
    return _union_over("answered", answered, other)


def _union_over(name: str, base: Collection[Hashable], other: Collection[Hashable]) -> float:
    if not len(base):
        raise DataError(f"{name}: is empty, so that the ratio is undefined")
    return len(set(base) | set(other)) / len(set(base))
