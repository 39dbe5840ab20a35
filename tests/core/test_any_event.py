"""Probability of no event and of some, against fractions."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import numpy as np
import pytest

from fuzzytruth.core.lists.relevant_counts import log_none, none_and_some

CHANCES = [1e-300, 1e-16, 1e-9, 1e-3, 0.3, 0.5, 0.9, 1 - 2**-40]


@pytest.mark.parametrize("p", CHANCES)
@pytest.mark.parametrize("q", CHANCES)
def test_both_are_relatively_accurate(p: float, q: float) -> None:
    expected = prod((1 - Fraction(x) for x in (p, q, q)), start=Fraction(1))
    for given in (
        none_and_some(np.array([p, q, q]), np.array([0, 3])),
        none_and_some(np.array([p, q]), np.array([0, 2]), np.array([1.0, 2.0])),
    ):
        none, some = (x.item() for x in given)
        assert none == pytest.approx(float(expected), rel=1e-13)
        assert some == pytest.approx(float(1 - expected), rel=1e-13)


def test_certain_events_and_empty_segments() -> None:
    none, some = none_and_some(np.array([1.0, 0.2, 0.0]), np.array([0, 2, 2, 3]))
    assert (none.tolist(), some.tolist()) == ([0, 1, 1], [1, 0, 0])


def test_a_count_of_0_is_no_event() -> None:
    assert log_none(np.array([1.0, 0.5]), np.array([0.0, 2.0])) == pytest.approx([0, np.log(0.25)])
