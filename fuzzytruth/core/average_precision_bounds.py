"""Lowest and highest average precision of lists with unjudged items."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import divide


def average_precision_bounds(
    relevant: Array, unjudged: Array, n_relevant: Array, outside: Array
) -> tuple[Array, Array]:
    """Lowest and highest AP over all judgments of the unjudged items: (...) both.

    AP is highest if only the top unjudged items are relevant, and lowest if only the bottom ones
    are, those outside the list first; every number of them is tried.

    Parameters
    ----------
    relevant, unjudged : (..., ranks) bool
        Whether the item at each rank is judged relevant, or unjudged.
    n_relevant, outside : (...) int
        Number of judged relevant items, and of unjudged items that are not in the list.
    """
    rank = np.arange(1, relevant.shape[-1] + 1)
    hits, place = np.cumsum(relevant, axis=-1), np.cumsum(unjudged, axis=-1)
    # How much the sum of precisions grows when the item at an unjudged rank becomes relevant:
    # at that rank, and at all relevant ranks below it.
    base = (relevant * hits / rank).sum(axis=-1)
    below = _from_end(relevant / rank)
    counted = (hits + place) / rank  # precision there if all unjudged above are relevant
    best = np.cumsum(np.where(unjudged, counted + below, 0.0), axis=-1)
    number = np.where(unjudged, place, 0)
    high = _largest(base, best, number, n_relevant, unjudged)
    # From the end: all unjudged items below are relevant already.
    own_precision = np.where(unjudged, hits / rank, 0.0)
    low_gain = np.where(unjudged, below + _from_end(unjudged / rank), 0.0)
    worst = _from_end(own_precision + low_gain)
    taken = _from_end(unjudged)
    everywhere = n_relevant + outside
    least = divide(base, everywhere)
    with_listed = divide(base[..., None] + worst, everywhere[..., None] + taken)
    return np.minimum(least, np.where(unjudged, with_listed, np.inf).min(axis=-1)), high


def _from_end(values: Array) -> Array:
    """Sum from each rank to the last."""
    out: Array = np.cumsum(values[..., ::-1], axis=-1)[..., ::-1]
    return out


def _largest(base: Array, best: Array, number: Array, n_relevant: Array, unjudged: Array) -> Array:
    """Highest AP over the numbers of relevant items among the unjudged ones."""
    with_any = divide(base[..., None] + best, n_relevant[..., None] + number)
    with_none = divide(base, n_relevant)
    out: Array = np.maximum(with_none, np.where(unjudged, with_any, -np.inf).max(axis=-1))
    return out
