"""Bounds of binary preference against all ways to judge the unjudged items."""

from __future__ import annotations

import numpy as np
from support.completions import Case, Completion, check, check_long, open_lists

from fuzzytruth.core.lists.measure_bounds import preference_bounds


def binary_preference(c: Completion) -> float:
    most, total, above = min(c.n_relevant, c.n_nonrelevant), 0.0, 0
    for relevant in c.ranked:
        if relevant:
            total += 1 - (min(above, most) / most if most else 0.0)
        else:
            above += 1
    return total / c.n_relevant if c.n_relevant else 0.0


def test_every_way_to_judge() -> None:
    check(preference_bounds, binary_preference, 1200)


def test_long_lists() -> None:
    """Numbers of relevant items that are left out of the search are not extreme."""
    check_long(preference_bounds, binary_preference, 150)


def test_the_highest_value_may_have_relevant_items_outside_the_list() -> None:
    """A hit below a non-relevant item: 0 of 1, but with a second relevant item 1/2 · 1/2."""
    lists = open_lists([Case((False, True), 0, 3, 1)])
    low, high = preference_bounds(lists)
    np.testing.assert_allclose((low[0], high[0]), (0, 1 / 4))
