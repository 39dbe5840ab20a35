"""Bounds of measures against all ways to judge the unjudged items."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
from support.completions import Case, Completion, cases, check, open_lists

from fuzzytruth.core.lists import measure_bounds as bounds
from fuzzytruth.core.segments import offsets_of


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


TOP = 4.0
WEIGHTS = {
    "log2": 1 / np.log2(np.arange(2, 20)),
    "none": np.ones(18),
    "jarvelin": 1 / np.maximum(1, np.log2(np.arange(1, 19))),
}


def random_gains(rng: random.Random):
    """Gains by rank (None if unjudged), gains of judged items that were missed, items outside."""
    gains = rng.choice([(0.0, 1.0, TOP), (0.0, 0.5, 1.0, 3.0), (0.0, 0.0, 2.0), (0.0,)])
    ranked = [rng.choice([*gains, None, None]) for _ in range(rng.randrange(1, 7))]
    while ranked.count(None) > 3:
        ranked.remove(None)
    return ranked, [rng.choice(gains) for _ in range(rng.randrange(4))], rng.randrange(3)


def normalised(ranked, others, weight, cutoff) -> float:
    def gain(of):
        return sum(g * w for g, w in zip(of[:cutoff], weight, strict=False))

    best = gain(sorted([*ranked, *others], reverse=True))
    return gain(ranked) / best if best else 0.0


def values_of(case, weight, cutoff, scale) -> list[float]:
    ranked, missed, outside = case
    out = []
    for new in itertools.product(scale, repeat=ranked.count(None) + outside):
        each = iter(new)
        judged = [next(each) if g is None else g for g in ranked]
        out.append(normalised(judged, [*missed, *each], weight, cutoff))
    return out


@pytest.mark.parametrize(("discount", "cutoff"), [("log2", None), ("none", 1), ("jarvelin", 3)])
def test_every_gain_of_the_scale(discount: str, cutoff: int | None) -> None:
    rng, weight = random.Random(8), WEIGHTS[discount]
    several = [random_gains(rng) for _ in range(80)]
    width = max(len(ranked) for ranked, _, _ in several)
    rows = [ranked + [0.0] * (width - len(ranked)) for ranked, _, _ in several]
    gain = np.array([[g or 0.0 for g in row] for row in rows])[:, :cutoff]
    unjudged = np.array([[g is None for g in row] for row in rows])
    outside = np.array([o for _, _, o in several]) + unjudged[:, cutoff or width :].sum(axis=-1)
    judged = [[g for g in r if g is not None] + missed for r, missed, _ in several]
    offsets = offsets_of(np.array(list(map(len, judged))))
    levels = bounds.gain_levels(np.concatenate(judged), offsets, TOP)
    low, high = bounds.normalised_gain_bounds(
        gain, unjudged[:, :cutoff], outside, levels, weight, cutoff
    )
    for j, case in enumerate(several):
        grid = sorted({0.0, TOP, *judged[j]})
        ends = values_of(case, weight, cutoff, grid)  # some of these reach both ends
        np.testing.assert_allclose((low[j], high[j]), (min(ends), max(ends)), rtol=0, atol=1e-12)
        between = values_of(case, weight, cutoff, [rng.uniform(0, TOP) for _ in range(3)])
        assert low[j] - 1e-12 <= min(between)
        assert max(between) <= high[j] + 1e-12


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
