"""Merging the grades of several subjects into one grade for each pair of query and item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.segments import segment_cumsum, segment_of, segment_sum

Aggregation = Literal["mean", "median", "majority", "max", "min"]


def merge_grades(
    pair: Sequence[Array], grade: Floats, how: Aggregation, weight: Floats | None = None
) -> tuple[Ints, Floats]:
    """One grade for each distinct pair.

    Parameters
    ----------
    pair : sequence of (rows,) int
        Codes of what is graded: of the query, the item, and the intent if there are any. Rows with
        equal codes are grades of the same pair.
    grade : (rows,) float
    how : {"mean", "median", "majority", "max", "min"}
        See `Judgments.aggregate`.
    weight : (rows,) float, optional
        How much each row counts, by default 1. A row of weight 0 is as if it were not there, and
        each pair has another one.

    Returns
    -------
    first_row : (pairs,) int
        The first row of each pair, ascending.
    merged : (pairs,) float
    """
    weight = np.ones(len(grade)) if weight is None else weight
    rows = np.flatnonzero(weight > 0)
    rows = rows[np.lexsort((grade[rows], *(code[rows] for code in pair)))]
    differs = np.zeros(max(len(rows) - 1, 0), dtype=bool)
    for code in pair:
        differs |= np.diff(code[rows]) != 0
    start = np.flatnonzero(np.concatenate((np.ones(min(len(rows), 1), dtype=bool), differs)))
    first_row = np.minimum.reduceat(rows, start)
    offsets = np.append(start, len(rows))
    merged = _MERGES[how](grade[rows], weight[rows], offsets)
    order = np.argsort(first_row)
    return first_row[order], merged[order]


# Each takes the grades of all pairs end to end, ascending within a pair; their weights; and where
# each pair's grades start.


def _mean(grade: Floats, weight: Floats, offsets: Ints) -> Floats:
    mean = segment_sum(grade * weight, offsets) / segment_sum(weight, offsets)
    # Rounding must not move the mean of equal grades: that of 0.7, 0.7 and 0.7 is 0.7.
    return np.clip(mean, grade[offsets[:-1]], grade[offsets[1:] - 1])


def _median(grade: Floats, weight: Floats, offsets: Ints) -> Floats:
    """Half of the weight lies on either side; the middle, if that is between two grades."""
    half = np.repeat(segment_sum(weight, offsets) / 2, np.diff(offsets))
    running = segment_cumsum(weight, offsets)
    low, high = (offsets[:-1] + segment_sum(b, offsets) for b in (running < half, running <= half))
    return (grade[low] + grade[high]) / 2


def _majority(grade: Floats, weight: Floats, offsets: Ints) -> Floats:
    """The most frequent grade; of equally frequent ones, the lowest."""
    pair = segment_of(offsets)
    new = np.ones(len(grade), dtype=bool)
    new[1:] = (np.diff(grade) != 0) | (np.diff(pair) != 0)
    start = np.flatnonzero(new)  # of each grade of each pair
    votes = np.add.reduceat(weight, start)
    best = np.lexsort((grade[start], -votes, pair[start]))
    _, first = np.unique(pair[start][best], return_index=True)
    return grade[start][best[first]]


def _max(grade: Floats, weight: Floats, offsets: Ints) -> Floats:
    return grade[offsets[1:] - 1]


def _min(grade: Floats, weight: Floats, offsets: Ints) -> Floats:
    return grade[offsets[:-1]]


_MERGES: dict[Aggregation, Callable[[Floats, Floats, Ints], Floats]] = {
    "mean": _mean,
    "median": _median,
    "majority": _majority,
    "max": _max,
    "min": _min,
}
