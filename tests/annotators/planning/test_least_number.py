"""The least number that is enough."""

from __future__ import annotations

import math

import pytest

from fuzzytruth.annotators.planning.planned_designs import least_enough


@pytest.mark.parametrize("power", [0.1, 0.5, 2.0])
@pytest.mark.parametrize("want", [1, 2, 7, 999, 10_000])
def test_exact_and_quick(power: float, want: int) -> None:
    asked = []

    def excess(n: int) -> float:
        asked.append(n)
        return math.log(want) - math.log(n) if power == 0.1 else want**power - n**power

    assert least_enough(range(1, 10_001), excess) == want
    assert len(asked) <= 30


def test_infinite_excess_and_lists() -> None:
    assert least_enough([3, 40, 500], lambda n: math.inf if n < 40 else -math.inf) == 40
    assert least_enough([3], lambda n: -1) == 3
    assert least_enough([3], lambda n: math.nan) is None
    assert least_enough([], lambda n: -1) is None
