"""Compatibility: overlap of a list with the ideal list that is most like it."""

from __future__ import annotations

from functools import partial

import numpy as np

from fuzzytruth._typing import Array, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.measures.measure import Measure, real
from fuzzytruth.measures.registry import define
from fuzzytruth.truth.batch import Batch


@define("compatibility")
class Compat(Measure):
    """Largest rank-biased overlap of the list with an ideal list: items by grade, above 0.

    Items of equal grade stand in the ideal list in the order of the list itself, and those that it
    lacks behind them. Overlap counts to the end of the longer list (or rank k), and its weights
    p^(d - 1) are divided by their sum. With `normalize`, the result is divided by the overlap of
    the ideal list with itself, which is below 1 where the list is longer than that.
    """

    p: float = real(0.95, above=0, below=1)
    normalize: bool = True
    meaning = "rank-biased overlap with the most similar ideal list"
    formula = (
        r"\frac{o(L, I)}{o(I, I)}, \quad o(L, I) = "
        r"\frac{\sum_{d=1}^{D} p^{d-1} \, |L_d \cap I_d| / d}{\sum_{d=1}^{D} p^{d-1}}"
    )
    reference = "Clarke, Vtyurina & Smucker 2021"
    needs_relevant = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(isinstance(self.normalize, bool), "normalize must be True or False")

    def score(self, batch: Batch) -> Array:
        top, number = batch.top(self.k), batch.n_relevant(None)  # (worlds, queries)
        depth = np.maximum(batch.listed(self.k), number)
        if self.k is not None:
            depth = np.minimum(depth, self.k)
        deepest = int(depth.max(initial=0))
        rank = np.arange(1, deepest + 1)
        weight = np.power(self.p, rank - 1.0)
        shared = np.append(0.0, np.cumsum(weight / rank))  # weight of an item from each depth on
        common = np.maximum(_ideal_ranks(top), top.first)
        end = top.per_hit(shared[depth])
        inside = (top.values_of(lambda g: g > 0) > 0) & (common <= top.per_hit(depth))
        overlap = top.per_query(inside * (end - shared[np.minimum(common, deepest + 1) - 1]))
        if not self.normalize:
            return divide(overlap, np.append(0.0, np.cumsum(weight))[depth])
        most = np.minimum(number, depth)
        sums = np.append(0.0, np.cumsum(shared))
        return divide(overlap, most * shared[depth] - sums[most])


def _ideal_ranks(batch: Batch) -> Ints:
    """Rank of each hit in the ideal list, for grades above 0: (worlds, hits)."""
    out = np.zeros(batch.code.shape, dtype=np.int64)
    gain = batch.gain
    for grade in np.unique(batch.judged.grades):
        if grade > 0:
            same = gain == grade
            above = batch.judged.n_where(partial(np.less, grade))
            out += same * (batch.per_hit(above) + batch.running(same))
    return out
