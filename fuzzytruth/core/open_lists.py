"""Average precision of lists some of whose items are not judged: the lowest and the highest."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Array


def bounds_of_average_precision(
    relevant: Array, unjudged: Array, n_relevant: Array, outside: Array
) -> tuple[Array, Array]:
    """Lowest and highest AP: (..., ranks) and (...) → (...), (...).

    Highest where some number of the best placed unjudged items are relevant, lowest where some
    number of the worst placed are, those outside the list first.
    """
    rank = np.arange(1, relevant.shape[-1] + 1)
    hits, place = np.cumsum(relevant, axis=-1), np.cumsum(unjudged, axis=-1)
    # How much the sum of precisions grows when the item at an unjudged rank becomes relevant:
    # at that rank, and at all relevant ranks below it.
    base = (relevant * hits / rank).sum(axis=-1)
    below = _from_end(relevant / rank)
    counted = (hits + place) / rank  # its own precision if all better unjudged are relevant
    best = np.cumsum(np.where(unjudged, counted + below, 0.0), axis=-1)
    number = np.where(unjudged, place, 0)
    high = _largest(base, best, number, n_relevant, unjudged)
    # From the end: the items below it, unjudged ones too, are relevant already.
    own = np.where(unjudged, hits / rank, 0.0)
    low_gain = np.where(unjudged, below + _from_end(unjudged / rank), 0.0)
    worst = _from_end(own + low_gain)
    taken = _from_end(unjudged)
    everywhere = n_relevant + outside
    least = _ratio(base, everywhere)
    some = _ratio(base[..., None] + worst, everywhere[..., None] + taken)
    return np.minimum(least, np.where(unjudged, some, np.inf).min(axis=-1)), high


def _from_end(values: Array) -> Array:
    """Sum from each rank to the last."""
    out: Array = np.cumsum(values[..., ::-1], axis=-1)[..., ::-1]
    return out


def _largest(base: Array, best: Array, number: Array, n_relevant: Array, unjudged: Array) -> Array:
    some = _ratio(base[..., None] + best, n_relevant[..., None] + number)
    none = _ratio(base, n_relevant)
    out: Array = np.maximum(none, np.where(unjudged, some, -np.inf).max(axis=-1))
    return out


def _ratio(top: Array, bottom: Array) -> Array:
    out: Array = np.zeros(np.broadcast(top, bottom).shape)
    np.divide(top, bottom, out=out, where=bottom > 0)
    return out
