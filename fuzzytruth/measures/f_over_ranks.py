"""F from counts, its maximum and mean over all ranks of a list, and bounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.harmonic import digamma_sum
from fuzzytruth.core.open_lists import Ends, OpenLists
from fuzzytruth.core.peak_bounds import peak_bounds
from fuzzytruth.core.rank_mean_bounds import rank_mean_bounds
from fuzzytruth.truth.batch import Batch


def f_value(hits: Any, retrieved: Any, relevant: Any, beta: float) -> Array:
    """F from counts: (1 + β²)·hits / (β²·relevant + retrieved), 0 without relevant items."""
    weight = beta * beta
    return divide((1 + weight) * hits, weight * relevant + retrieved)


def largest_f(batch: Batch, rel: float, beta: float, cutoff: int | None) -> Array:
    """Largest F over the first `cutoff` ranks: (worlds, queries). Ties must be resolved."""
    top = batch.top(cutoff)
    relevant = top.relevant(rel)
    weight = beta * beta
    # F decreases between hits, so its maximum is at a hit.
    ranks = top.per_hit(weight * top.n_relevant(rel)) + top.first  # (worlds, hits)
    f = (1 + weight) * top.running(relevant) * relevant / ranks
    return top.largest(f)


def mean_f(batch: Batch, rel: float, beta: float, cutoff: int | None) -> Array:
    """(Expected) mean of F over the ranks up to `cutoff` or the end of the list.

    F at rank i is (1 + β²)·(hits up to i) / (x + i) with x = β²·(relevant items). A hit at rank r
    contributes to all ranks i from r on: Σ 1/(x + i), a difference of digamma functions.
    """
    from scipy.special import psi

    top = batch.top(cutoff)
    weight = beta * beta
    x = top.per_hit(weight * top.n_relevant(rel))  # (worlds, hits)
    end = top.listed(cutoff)  # (queries,)
    to = top.per_hit(end)
    if top.tied:
        size = top.last - top.first + 1
        ranks = np.minimum(to - top.first + 1, size)  # of the tie, within the cut-off
        added = (ranks * psi(x + to + 1) - digamma_sum(x + top.first, ranks)) / size
    else:
        added = psi(x + to + 1) - psi(x + top.first)
    total = top.per_query(added * top.relevant(rel))
    return divide((1 + weight) * total, end)


def f_bounds(lists: OpenLists, retrieved: Any, beta: float, points: str) -> Ends:
    """Lowest and highest F, or its maximum or mean over ranks, over all judgments: (cells,) both.

    Parameters
    ----------
    lists : OpenLists
        Cut at the cut-off.
    retrieved : int or (cells,) int
        Number of items that F at the cut-off is divided by.
    points : {"cutoff", "max", "mean"}
    """
    rank = np.arange(1, lists.relevant.shape[-1] + 1)

    def at_rank(hits: Array, relevant: Array) -> Array:
        return f_value(hits, rank, relevant, beta)

    def mean(length: Array, hits: Array, relevant: Array) -> Array:
        weight = beta * beta
        shares = hits / (weight * relevant + rank)
        if (length < len(rank)).any():
            shares *= rank <= length[:, None]
        return divide((1 + weight) * shares.sum(axis=-1), length)

    if points == "max":
        return peak_bounds(lists, at_rank)
    if points == "mean":
        return rank_mean_bounds(lists, mean)
    # Grows with hits that are relevant items too, and falls with other relevant items.
    least, more = lists.n_hits, lists.n_open
    return (
        f_value(least, retrieved, lists.n_relevant + lists.outside, beta),
        f_value(least + more, retrieved, lists.n_relevant + more, beta),
    )
