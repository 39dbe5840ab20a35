"""Pairs of votes on a unit, against a loop over units."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from fuzzytruth.core.votes import value_distances as corated
from fuzzytruth.core.votes.value_distances import PairDesign, n_pairs_of_votes


def votes(n_units: int = 12, n_subjects: int = 5, seed: int = 3) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    unit, subject = (axis.ravel() for axis in np.indices((n_units, n_subjects)))
    kept = rng.random(len(unit)) < 0.6
    unit, subject = unit[kept], subject[kept]
    return unit, subject, rng.integers(0, 3, len(unit)), np.ones(len(unit))


def listed(design: PairDesign) -> list[tuple[object, ...]]:
    """(cluster, subjects, values, weight) of each pair of votes."""
    return sorted(
        (int(c), int(design.first[p]), int(design.second[p]), int(g), int(h), float(w))
        for block in design.blocks()
        for c, p, g, h, w in zip(
            block.cluster, block.pair, block.left, block.right, block.weight, strict=True
        )
    )


def by_loop(unit: np.ndarray, *columns: np.ndarray, cluster: np.ndarray) -> list[object]:
    rows = list(zip(unit.tolist(), *(c.tolist() for c in columns), strict=True))
    return sorted(
        (int(cluster[u]), s, t, g, h, w * x)
        for (u, s, g, w), (v, t, h, x) in combinations(rows, 2)
        if u == v and s != t
    )


@pytest.mark.parametrize("all_pairs", [True, False])
@pytest.mark.parametrize("block", [1, 7, 10_000])
def test_pairs_of_votes(all_pairs: bool, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corated, "_BLOCK", block)
    if not all_pairs:
        monkeypatch.setattr(corated, "_ALL_PAIRS", 0)
    unit, subject, value, weight = votes()
    cluster = np.arange(12) % 4  # units of a cluster do not adjoin
    design = PairDesign.of(unit, subject, value, weight, cluster, 5)
    assert listed(design) == by_loop(unit, subject, value, weight, cluster=cluster)
    assert n_pairs_of_votes(unit) == len(listed(design))
    seen = [set(part.cluster.tolist()) for part in design.blocks()]
    assert sum(map(len, seen)) == len(set().union(*seen))  # no cluster is in two blocks


def test_repeated_votes_are_no_pair_of_their_own() -> None:
    unit, subject = np.zeros(3, dtype=int), np.array([0, 0, 1])
    weight = np.array([0.5, 0.5, 1.0])
    design = PairDesign.of(unit, subject, np.array([0, 1, 1]), weight, np.zeros(1, dtype=int), 2)
    assert listed(design) == [(0, 0, 1, 0, 1, 0.5), (0, 0, 1, 1, 1, 0.5)]


def test_no_unit_in_common() -> None:
    unit, subject = np.arange(2), np.arange(2)
    design = PairDesign.of(unit, subject, np.zeros(2, dtype=int), np.ones(2), np.arange(2), 2)
    assert design.n_pairs == 1
    assert listed(design) == []
