"""Which pairs are near-duplicates, and their clusters."""

import numpy as np
import pytest

from fuzzytruth.stats.pair_agreement import duplicate_clusters, sure_agreement


def test_sure_agreement() -> None:
    """No difference in 100 units: at most 2.6 % (Wilson's upper end), beside 50 % and 20 %."""
    most = 1.6448536269514722**2
    most /= 100 + most
    found = sure_agreement(
        np.array([0.0, 0.0]), np.array([100.0, 0.0]), np.full(2, 0.5), np.full(2, 0.2), 0.95
    )
    assert [kind[0] for kind in found] == pytest.approx([1 - most / 0.5, 1 - most / 0.2])
    assert np.isnan([kind[1] for kind in found]).all()
    alone = sure_agreement(np.zeros(1), np.full(1, 100.0), np.full(1, 0.5), None, 0.95)
    assert np.isnan(alone[1]).all()


def clusters(alike: dict[tuple[int, int], float], threshold: float = 0.9) -> list[list[int]]:
    first, second = np.array(list(alike)).T
    values = np.array(list(alike.values()))
    return [one.tolist() for one in duplicate_clusters(first, second, values, threshold)]


def test_largest_first_and_none() -> None:
    pairs = {(0, 1): 1.0, (2, 3): 0.9, (2, 4): 0.95, (3, 4): 0.92, (0, 4): np.nan}
    assert clusters(pairs) == [[2, 3, 4], [0, 1]]
    assert clusters(pairs, threshold=0.93) == [[0, 1], [2, 4]]
    assert clusters({(0, 1): 0.89, (1, 2): np.nan}) == []
