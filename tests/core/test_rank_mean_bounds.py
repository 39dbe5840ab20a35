"""Bounds of means over ranks against all ways to judge the unjudged items."""

from __future__ import annotations

import numpy as np
import pytest
from support.completions import Completion, check, check_long

from fuzzytruth.core.lists.measure_bounds import rank_mean_bounds


@pytest.mark.parametrize("weight", [0.25, 1.0, 4.0])
def test_mean_of_f(weight: float) -> None:
    def mean(length, hits, relevant):
        rank = np.arange(1, hits.shape[-1] + 1)
        f = hits / (weight * relevant + rank) * (rank <= length[:, None])
        return f.sum(axis=-1) / np.maximum(length, 1)

    def value(c: Completion) -> float:
        ranks = range(1, len(c.ranked) + 1)
        f = [sum(c.ranked[:r]) / (weight * c.n_relevant + r) for r in ranks]
        return sum(f) / max(len(f), 1)

    check(lambda lists: rank_mean_bounds(lists, mean), value)
    check_long(lambda lists: rank_mean_bounds(lists, mean), value)
