"""Bounds of average precision against every completion of the judgments."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzzytruth.core.open_lists import bounds_of_average_precision

#: of each rank: 1 relevant, 0 not relevant, None unjudged
ranked = st.lists(st.sampled_from([0, 1, None]), min_size=1, max_size=7)


def average_precision(grades, elsewhere: int) -> Fraction:
    hits, total = 0, Fraction()
    for rank, grade in enumerate(grades, start=1):
        hits += grade
        total += Fraction(hits * grade, rank)
    return total / (hits + elsewhere) if hits + elsewhere else Fraction()


def completions(grades, missed: int, outside: int) -> list[float]:
    ways = product(*[[0, 1] if g is None else [g] for g in grades])
    return [
        float(average_precision(way, missed + more)) for way in ways for more in range(outside + 1)
    ]


def bounds(rows, missed, outside):
    relevant = np.array([[g == 1 for g in row] for row in rows])
    unjudged = np.array([[g is None for g in row] for row in rows])
    return bounds_of_average_precision(
        relevant, unjudged, relevant.sum(axis=-1) + np.array(missed), np.array(outside)
    )


@settings(max_examples=150)
@given(ranked, st.integers(0, 3), st.integers(0, 2))
def test_every_completion(grades, missed, outside) -> None:
    low, high = bounds([grades], [missed], [outside])
    values = completions(grades, missed, outside)
    assert low.tolist() == pytest.approx([min(values)], abs=1e-14)
    assert high.tolist() == pytest.approx([max(values)], abs=1e-14)


def test_lists_are_each_on_their_own() -> None:
    rng = np.random.default_rng(0)
    rows = rng.choice([0, 1, None], (20, 6)).tolist()
    missed, outside = rng.integers(0, 4, 20), rng.integers(0, 3, 20)
    low, high = bounds(rows, missed, outside)
    for j, row in enumerate(rows):
        values = completions(row, missed[j], outside[j])
        assert (low[j], high[j]) == pytest.approx((min(values), max(values)), abs=1e-14)


@pytest.mark.parametrize(
    ("grades", "missed", "outside", "expected"),
    [
        ([0, 0], 0, 0, (0, 0)),
        ([1, 0, 1], 0, 0, (5 / 6, 5 / 6)),  # all judged
        ([None], 0, 0, (0, 1)),
        ([None, None], 1, 0, (0, 2 / 3)),
        ([1], 0, 3, (1 / 4, 1)),
        ([1, None], 0, 0, (1, 1)),  # relevant or not, what follows a hit at rank 1 changes nothing
    ],
)
def test_by_hand(grades, missed, outside, expected) -> None:
    low, high = bounds([grades], [missed], [outside])
    assert (low.item(), high.item()) == pytest.approx(expected, abs=1e-15)
