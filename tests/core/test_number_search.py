"""The search for the best number against trying every number."""

from __future__ import annotations

import numpy as np

from fuzzytruth.core.lists.measure_bounds import largest_over_numbers


def test_the_largest_of_many_random_functions() -> None:
    rng = np.random.default_rng(5)
    last = rng.integers(0, 40, 200)
    rough = rng.random((200, 40))
    asked = []

    def above(cells, first, end):
        asked.append(len(cells))
        return np.array(
            [rough[c, a : b + 1].max() for c, a, b in zip(cells, first, end, strict=True)]
        )

    expected = [rough[j, : n + 1].max() for j, n in enumerate(last)]
    np.testing.assert_array_equal(largest_over_numbers(above, last), expected)
    assert sum(asked) < 200 * 40 / 2  # bounds that are exact leave most numbers out


def test_loose_bounds_give_the_same() -> None:
    rng = np.random.default_rng(6)
    last = rng.integers(0, 30, 50)
    values = np.sin(np.arange(30) * rng.random((50, 1)))

    def above(cells, first, end):
        return values[cells, first] + np.where(first == end, 0.0, 3.0)

    expected = [values[j, : n + 1].max() for j, n in enumerate(last)]
    np.testing.assert_array_equal(largest_over_numbers(above, last), expected)
