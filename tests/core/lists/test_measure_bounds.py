"""Bounds of measures against all ways to judge the unjudged items; of gain: tests/measures."""

import itertools
import math

import numpy as np
import pytest
from support.completions import Case, Completion, check, open_lists

from fuzzytruth.core.lists import measure_bounds as bounds


def precision_sum(first, each, c: Completion) -> float:
    hits = [j for j, relevant in enumerate(c.ranked) if relevant]
    total = sum(first[j] + above * each[j] for above, j in enumerate(hits))
    return total / c.n_relevant if c.n_relevant else 0.0


@pytest.mark.parametrize("powers", [None, (1.0, 0.5), (0.0, 2.0), (0.5, 0.0)])
def test_average_precision(powers) -> None:
    rank = np.arange(1.0, 41.0)
    if powers is None:
        check(bounds.average_precision_bounds, lambda c: precision_sum(1 / rank, 1 / rank, c))
        return
    first, each = (rank**-power for power in powers)

    def of_given(lists):
        n = lists.relevant.shape[1]
        return bounds.average_precision_bounds(lists, first[:n], each[:n])

    check(of_given, lambda c: precision_sum(first, each, c))


def binary_preference(c: Completion) -> float:
    most, total, above = min(c.n_relevant, c.n_nonrelevant), 0.0, 0
    for relevant in c.ranked:
        total += relevant * (1 - (min(above, most) / most if most else 0.0))
        above += not relevant
    return total / c.n_relevant if c.n_relevant else 0.0


def test_preference() -> None:
    check(bounds.preference_bounds, binary_preference, 600, 100)
    # A hit below a non-relevant item: 0 of 1, but with a second relevant item 1/2 · 1/2.
    low, high = bounds.preference_bounds(open_lists([Case((False, True), 0, 3, 1)]))
    np.testing.assert_allclose((low[0], high[0]), (0, 1 / 4))


@pytest.mark.parametrize("mult", [0.2, 1, 1.5, 2.7])
def test_r_precision(mult: float) -> None:
    """Depths that jump by more than one, or stay, so that the value does not grow steadily."""

    def depth(relevant):
        return np.floor(mult * np.asarray(relevant) + 0.9)

    def value(c: Completion) -> float:
        d = math.floor(mult * c.n_relevant + 0.9)
        return sum(c.ranked[:d]) / d if d else 0.0

    rule = (depth, lambda r, length: depth(r), mult)
    check(lambda lists: bounds.class_depth_bounds(lists, *rule), value)


@pytest.mark.parametrize(("classes", "reached"), [(1, False), (2, False), (1, True), (2, True)])
def test_tiers(classes: int, reached: bool) -> None:
    def norm(relevant, length):
        return np.minimum(classes * relevant, length) if reached else relevant

    def value(c: Completion) -> float:
        by = norm(c.n_relevant, len(c.ranked))
        return sum(c.ranked[: classes * c.n_relevant]) / by if by else 0.0

    rule = (lambda r: classes * r, norm, classes)
    check(lambda lists: bounds.class_depth_bounds(lists, *rule), value)


@pytest.mark.parametrize("weight", [0.25, 1.0, 9.0])
def test_f_over_ranks(weight: float) -> None:
    def at_rank(hits, relevant):
        return hits / (weight * relevant + np.arange(1, hits.shape[-1] + 1))

    def mean(length, hits, relevant):
        inside = np.arange(1, hits.shape[-1] + 1) <= length[:, None]
        return (at_rank(hits, relevant) * inside).sum(axis=-1) / np.maximum(length, 1)

    def values(c: Completion) -> list[float]:
        return [
            sum(c.ranked[:r]) / (weight * c.n_relevant + r) for r in range(1, len(c.ranked) + 1)
        ] or [0.0]

    check(lambda lists: bounds.peak_bounds(lists, at_rank), lambda c: max(values(c)))
    check(
        lambda lists: bounds.rank_mean_bounds(lists, mean),
        lambda c: sum(values(c)) / len(values(c)),
    )


@pytest.mark.parametrize("level", [0.0, 0.1, 0.5, 1.0])
def test_interpolated_precision(level: float) -> None:
    def at_rank(hits, relevant):
        rank = np.arange(1, hits.shape[-1] + 1)
        return np.where(hits >= np.ceil(level * relevant), hits / rank, 0.0)

    def value(c: Completion) -> float:
        needed = math.ceil(level * c.n_relevant)
        hits = itertools.accumulate(c.ranked)
        return max((h / r for r, h in enumerate(hits, 1) if h >= needed), default=0.0)

    check(lambda lists: bounds.peak_bounds(lists, at_rank), value)
