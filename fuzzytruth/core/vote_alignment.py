"""Who is closer to the other people: a person or somebody else, unit by unit.

A vote's alignment with the other people who judged a unit is the mean similarity of its value and
theirs, or minus the root mean squared difference. Only its order matters here, and all compared
votes of a unit have the same others.

References
----------
Calderon, N., Reichart, R. & Dror, R. (2025), The alternative annotator test for LLM-as-a-judge,
ACL.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.rounding import ROUNDING
from fuzzytruth.core.segments import ragged

#: similarity of values, by their codes, element by element
Similarity = Callable[[Ints, Ints], Floats]


def similarity_gaps(
    unit: Ints, value: Ints, n_units: int, rival: Ints, similarity: Similarity | None = None
) -> NDArray[np.int8]:
    """Sign of each vote's similarity to the others minus that of a rival's value: (votes,).

    Parameters
    ----------
    unit, value : (votes,) int
        Votes of people, units ascending.
    n_units : int
    rival : (votes,) int
        The value that is compared with each vote.
    similarity : callable, optional
        By default 1 for equal values, else 0.
    """
    if similarity is None:
        counts = _Counts(unit, value, max(int(value.max(initial=0)), int(rival.max(initial=0))) + 1)
        more = counts.of(unit, value) - 1 - counts.of(unit, rival) + (rival == value)
        return np.asarray(np.sign(more)).astype(np.int8)
    totals = [_sums(unit, value, n_units, one, similarity) for one in (value, rival)]
    own = totals[0] - similarity(value, value)
    other = totals[1] - similarity(rival, value)
    largest = np.maximum(np.abs(totals[0]), np.abs(totals[1]))
    gap = own - other
    out: NDArray[np.int8] = np.where(np.abs(gap) <= ROUNDING * largest, 0, np.sign(gap)).astype(
        np.int8
    )
    return out


def squared_error_gaps(unit: Ints, grade: Floats, n_units: int, rival: Floats) -> NDArray[np.int8]:
    """Sign of a rival's mean squared difference from the others minus that of each vote: (votes,).

    Positive where the vote is closer. The parameters are those of `similarity_gaps`, as numbers.
    """
    n = np.bincount(unit, minlength=n_units)[unit] - 1.0  # others
    others: Any = np.bincount(unit, grade, n_units)[unit] - grade
    between = n * (rival + grade) - 2 * others
    largest = n * np.maximum(np.abs(rival), np.abs(grade)) + np.abs(others)
    between = np.where(np.abs(between) <= ROUNDING * largest, 0.0, between)
    return np.asarray(np.sign(rival - grade) * np.sign(between)).astype(np.int8)


class _Counts:
    """How many people gave each value to each unit."""

    def __init__(self, unit: Ints, value: Ints, n_values: int) -> None:
        self.n_values = n_values
        self.key, self.count = np.unique(unit * n_values + value, return_counts=True)

    def of(self, unit: Ints, value: Ints) -> Ints:
        """Of some units and values."""
        key = unit * self.n_values + value
        place = np.minimum(np.searchsorted(self.key, key), len(self.key) - 1)
        out: Ints = np.where(self.key[place] == key, self.count[place], 0)
        return out


def _sums(unit: Ints, value: Ints, n_units: int, compared: Ints, similarity: Similarity) -> Floats:
    """Sum of the similarities of each compared value and all votes of its unit: (votes,)."""
    offsets = np.searchsorted(unit, np.arange(n_units + 1))
    owner, vote = ragged(offsets, unit)
    each = similarity(compared[owner], value[vote])
    return np.bincount(owner, each, len(unit)).astype(np.float64)
