"""Bounds of measures against all ways to judge the unjudged items; of gain: tests/measures."""

import itertools
import math

import numpy as np
import pytest
from support.completions import Case, Completion, cases, check, open_lists

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


def test_gains_may_need_a_grade_in_between() -> None:
    """Gains 2 and unjudged in the list, another 2 missed, the top gain being 4."""
    weight = 1 / np.log2(np.arange(2, 20))
    levels = bounds.gain_levels(np.array([2.0, 2.0]), np.array([0, 2]), 4.0)
    low, high = bounds.normalised_gain_bounds(
        np.array([[2.0, 0.0]]), np.array([[False, True]]), np.array([0]), levels, weight, None
    )
    of_gain = [
        (2 * weight[0] + g * weight[1]) / np.dot(sorted([2, 2, g])[::-1], weight[:3])
        for g in (0.0, 2.0, 4.0)
    ]
    assert (low.item(), high.item()) == pytest.approx((of_gain[0], of_gain[1]))
    assert of_gain[2] < of_gain[1] - 0.04


def test_a_kernel_sees_blocks_and_the_result_is_whole() -> None:
    lists = open_lists(cases(5000))
    sizes: list[int] = []

    def kernel(some):
        sizes.append(len(some.length))
        return some.n_hits * 1.0, some.n_open * 1.0

    low, high = lists.ends(kernel)
    assert len(sizes) > 1
    np.testing.assert_array_equal(low, lists.relevant.sum(axis=1))
    np.testing.assert_array_equal(high, lists.unjudged.sum(axis=1))
