"""Who agrees stands together."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.plots.matrix_plots import by_agreement


def symmetric(n: int, pairs: dict[tuple[int, int], float], other: float = 0.0) -> np.ndarray:
    out = np.full((n, n), other)
    for (a, b), value in pairs.items():
        out[a, b] = out[b, a] = value
    np.fill_diagonal(out, 1)
    return out


def neighbours(order: np.ndarray) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in zip(order.tolist(), order[1:].tolist(), strict=False)}


def test_those_who_agree_are_neighbours() -> None:
    order = by_agreement(symmetric(4, {(0, 2): 0.9, (1, 3): 0.8}))
    assert sorted(order) == [0, 1, 2, 3]
    assert {frozenset({0, 2}), frozenset({1, 3})} <= neighbours(order)


def test_a_cluster_stays_together_whatever_its_members_agreement() -> None:
    agreement = symmetric(4, {(0, 1): 0.9, (2, 3): 0.8, (1, 2): 0.1})
    assert frozenset({0, 3}) not in neighbours(by_agreement(agreement))
    order = by_agreement(agreement, [np.array([0, 3])])
    assert frozenset({0, 3}) in neighbours(order)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_fewer_than_three_stay_as_they_are(n: int) -> None:
    assert by_agreement(np.eye(n)).tolist() == list(range(n))


def test_unknown_agreement_counts_as_the_mean() -> None:
    known = symmetric(4, {(0, 3): 0.9, (1, 2): 0.3, (0, 1): 0.2, (2, 3): 0.2}, 0.2)
    unknown = known.copy()
    unknown[0, 2] = unknown[2, 0] = np.nan
    filled = known.copy()
    filled[0, 2] = filled[2, 0] = np.nanmean(unknown[~np.eye(4, dtype=bool)])
    assert by_agreement(unknown).tolist() == by_agreement(filled).tolist()
    assert sorted(by_agreement(np.full((3, 3), np.nan))) == [0, 1, 2]
