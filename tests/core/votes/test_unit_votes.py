"""Sums over pairs with and without some votes, against the same from fewer votes."""

from __future__ import annotations

import numpy as np
import pytest
from support.pairs_of_votes import (
    alpha_of,
    cut,
    random_table,
    removals,
    repeated,
    unit_votes,
    units_of,
)

from fuzzytruth.core.votes.unit_votes import Paired, Removed, Sums
from fuzzytruth.core.votes.value_distances import (
    nominal_distances,
    ratio_distances,
    squared_distances,
)
from fuzzytruth.stats.agreement import Chance

PLACES = np.array([0.0, 1.0, 2.0, 4.0])
DISTANCES = {
    "nominal": nominal_distances(4),
    "interval": squared_distances(PLACES),
    "ratio": ratio_distances(PLACES),
}


def fields(sums: Sums) -> np.ndarray:
    return np.stack([sums.gaps, sums.weight, sums.size, sums.squares, sums.own])


@pytest.mark.parametrize("by_vote", [True, False])
@pytest.mark.parametrize("metric", DISTANCES)
@pytest.mark.parametrize("kind", ["units", "pairs of units", "subjects", "votes"])
def test_sums_without_some_votes_are_those_of_the_others(
    kind: str, metric: str, by_vote: bool
) -> None:
    table = random_table(2, subjects=4, items=12)
    distances = DISTANCES[metric]
    votes = unit_votes(table, 4)
    removed = removals(votes)[kind]
    without = Paired.of(votes, distances, by_vote=by_vote).without(removed)
    for group in range(removed.n_groups):
        rest = Paired.of(unit_votes(cut(table, kind, group), 4), distances, by_vote=by_vote).all()
        np.testing.assert_allclose(
            fields(without)[:, group], fields(rest)[:, 0], rtol=1e-12, atol=1e-12
        )


@pytest.mark.parametrize("by_vote", [True, False])
def test_repetitions_share_a_vote_and_are_no_pair(by_vote: bool) -> None:
    votes = repeated()
    assert votes.repeated
    distances = DISTANCES["interval"]
    paired = Paired.of(votes, distances, by_vote=by_vote)
    shares = votes.votes.toarray()  # (cells, values), of subjects 0, 1, 2 in turn
    table = np.subtract.outer(PLACES, PLACES) ** 2
    for u in range(6):
        mine = shares[3 * u : 3 * u + 3]
        pairs = sum(mine[a] @ table @ mine[b] for a in range(3) for b in range(3) if a != b)
        assert paired.gaps[u] == pytest.approx(pairs)
    without = paired.without(removals(votes)["subjects"])
    for subject in range(3):
        rest = Paired.of(repeated(subject), distances, by_vote=by_vote).all()
        np.testing.assert_allclose(fields(without)[:, subject], fields(rest)[:, 0], atol=1e-12)


def test_alpha_is_that_of_all_pairs() -> None:
    table = random_table(7)
    for name, metric in DISTANCES.items():
        paired = Paired.of(unit_votes(table, 4), metric, by_vote=True)
        d = {
            "nominal": lambda a, b: float(a != b),
            "interval": lambda a, b: (PLACES[int(a)] - PLACES[int(b)]) ** 2,
            "ratio": lambda a, b: ratio_distances(PLACES).columns(slice(None))[int(a), int(b)],
        }[name]
        value = Chance("alpha").value(paired.all())[0]
        assert value == pytest.approx(alpha_of(units_of(table), d), abs=1e-12)


@pytest.mark.parametrize("by_vote", [True, False])
@pytest.mark.parametrize("metric", DISTANCES)
def test_without_the_units_that_differ_there_are_no_gaps(metric: str, by_vote: bool) -> None:
    """Exactly 0, although the sums of fractions that are subtracted are rounded."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        table = rng.integers(0, 4, (4, 12)).astype(float)
        table[:, ::2] = table[0, ::2]
        table[rng.random(table.shape) < 0.15] = np.nan
        odd = Removed(np.zeros(6, dtype=np.int64), 1, np.arange(1, 12, 2), None)
        paired = Paired.of(unit_votes(table, 4), DISTANCES[metric], by_vote=by_vote)
        assert paired.all().gaps[0] > 0
        assert paired.without(odd).gaps.tolist() == [0]
