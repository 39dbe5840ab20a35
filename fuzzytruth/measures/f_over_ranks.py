"""Maximum and mean of F over all ranks of a list."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.harmonic import digamma_sum
from fuzzytruth.truth.batch import Batch


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
