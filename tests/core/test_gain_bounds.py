"""Bounds of normalised gain against all grades of the unjudged items."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from fuzzytruth.core.lists.measure_bounds import gain_levels, normalised_gain_bounds
from fuzzytruth.core.segments import offsets_of

TOP = 4.0
WEIGHTS = {
    "log2": 1 / np.log2(np.arange(2, 20)),
    "none": np.ones(18),
    "jarvelin": 1 / np.maximum(1, np.log2(np.arange(1, 19))),
}


def random_case(rng: random.Random):
    """Gains by rank (None if unjudged), gains of judged items that were missed, items outside."""
    gains = rng.choice([(0.0, 1.0, TOP), (0.0, 0.5, 1.0, 3.0), (0.0, 0.0, 2.0), (0.0,)])
    ranked = [rng.choice([*gains, None, None]) for _ in range(rng.randrange(1, 7))]
    while ranked.count(None) > 3:
        ranked.remove(None)
    return ranked, [rng.choice(gains) for _ in range(rng.randrange(4))], rng.randrange(3)


def normalised(ranked, others, weight, cutoff) -> float:
    ideal = sorted([*ranked, *others], reverse=True)[:cutoff]
    best = sum(g * w for g, w in zip(ideal, weight, strict=False))
    return sum(g * w for g, w in zip(ranked[:cutoff], weight, strict=False)) / best if best else 0.0


def values_of(case, weight, cutoff, scale) -> list[float]:
    ranked, missed, outside = case
    n_open = ranked.count(None)
    out = []
    for new in itertools.product(scale, repeat=n_open + outside):
        each = iter(new)
        judged = [next(each) if g is None else g for g in ranked]
        out.append(normalised(judged, [*missed, *each], weight, cutoff))
    return out


@pytest.mark.parametrize("discount", WEIGHTS)
@pytest.mark.parametrize("cutoff", [None, 1, 3])
def test_every_gain_of_the_scale(discount: str, cutoff: int | None) -> None:
    rng, weight = random.Random(8), WEIGHTS[discount]
    several = [random_case(rng) for _ in range(80)]
    width = max(len(ranked) for ranked, _, _ in several)
    rows = [ranked + [0.0] * (width - len(ranked)) for ranked, _, _ in several]
    gain = np.array([[g or 0.0 for g in row] for row in rows])[:, :cutoff]
    unjudged = np.array([[g is None for g in row] for row in rows])
    outside = np.array([o for _, _, o in several]) + unjudged[:, cutoff or width :].sum(axis=-1)
    judged = [[g for g in r if g is not None] + missed for r, missed, _ in several]
    levels = gain_levels(np.concatenate(judged), offsets_of(np.array(list(map(len, judged)))), TOP)
    low, high = normalised_gain_bounds(gain, unjudged[:, :cutoff], outside, levels, weight, cutoff)
    for j, case in enumerate(several):
        grid = sorted({0.0, TOP, *judged[j]})
        ends = values_of(case, weight, cutoff, grid)  # some of these reach both ends
        np.testing.assert_allclose((low[j], high[j]), (min(ends), max(ends)), rtol=0, atol=1e-12)
        between = values_of(case, weight, cutoff, [rng.uniform(0, TOP) for _ in range(4)])
        assert low[j] - 1e-12 <= min(between)
        assert max(between) <= high[j] + 1e-12


def test_the_highest_value_may_need_a_grade_in_between() -> None:
    """Gains 2 and unjudged in the list, another 2 missed, the top gain being 4."""
    weight = WEIGHTS["log2"]
    levels = gain_levels(np.array([2.0, 2.0]), np.array([0, 2]), 4.0)
    low, high = normalised_gain_bounds(
        np.array([[2.0, 0.0]]), np.array([[False, True]]), np.array([0]), levels, weight, None
    )
    of_gain = {g: normalised([2.0, g], [2.0], weight, None) for g in (0.0, 2.0, 4.0)}
    assert low.item() == pytest.approx(of_gain[0.0])
    assert high.item() == pytest.approx(of_gain[2.0])
    assert of_gain[4.0] < of_gain[2.0] - 0.04


def test_levels_by_hand() -> None:
    levels = gain_levels(np.array([1.0, 3.0, 1.0, 0.0, 4.0]), np.array([0, 4, 5, 5]), 4.0)
    assert levels.width.tolist() == [[1, 2, 1], [4, 0, 0], [4, 0, 0]]
    assert levels.count.tolist() == [[0, 1, 3], [1, 0, 0], [0, 0, 0]]
