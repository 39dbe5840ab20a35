"""Bounds of the largest value over ranks against all ways to judge the unjudged items."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.completions import Completion, check, check_long

from fuzzytruth.core.lists.measure_bounds import peak_bounds


@pytest.mark.parametrize("weight", [0.25, 1.0, 9.0])
def test_largest_f(weight: float) -> None:
    def at_rank(hits, relevant):
        rank = np.arange(1, hits.shape[-1] + 1)
        return (1 + weight) * hits / (weight * relevant + rank)

    def value(c: Completion) -> float:
        found = [
            sum(c.ranked[:r]) / (weight * c.n_relevant + r) for r in range(1, len(c.ranked) + 1)
        ]
        return (1 + weight) * max(found, default=0.0)

    check(lambda lists: peak_bounds(lists, at_rank), value, 400)
    check_long(lambda lists: peak_bounds(lists, at_rank), value)


@pytest.mark.parametrize("level", [0.0, 0.1, 0.5, 0.8, 1.0])
def test_interpolated_precision(level: float) -> None:
    def at_rank(hits, relevant):
        rank = np.arange(1, hits.shape[-1] + 1)
        return np.where(hits >= np.ceil(level * relevant), hits / rank, 0.0)

    def value(c: Completion) -> float:
        needed = math.ceil(level * c.n_relevant)
        hits = [sum(c.ranked[:r]) for r in range(1, len(c.ranked) + 1)]
        return max((h / r for r, h in enumerate(hits, 1) if h >= needed), default=0.0)

    check(lambda lists: peak_bounds(lists, at_rank), value, 400)
    check_long(lambda lists: peak_bounds(lists, at_rank), value)
