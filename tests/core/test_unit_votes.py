"""Sums over pairs with and without some votes, against the same from fewer votes."""

from __future__ import annotations

import numpy as np
import pytest
from support.pairs_of_votes import (
    TWELVE,
    alpha_of,
    cut,
    random_table,
    removals,
    repeated,
    unit_votes,
    units_of,
)

from fuzzytruth.core.unit_votes import Paired, Removed, Sums, TwoMargins
from fuzzytruth.core.value_distances import (
    TableDistances,
    nominal_distances,
    ratio_table,
    squared_distances,
)
from fuzzytruth.stats.agreement import Chance

PLACES = np.array([0.0, 1.0, 2.0, 4.0])
DISTANCES = {
    "nominal": nominal_distances(4),
    "interval": squared_distances(PLACES),
    "ratio": TableDistances.of(ratio_table(PLACES)),
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
            "ratio": lambda a, b: ratio_table(PLACES)[int(a), int(b)],
        }[name]
        value = Chance("alpha").value(paired.all())[0]
        assert value == pytest.approx(alpha_of(units_of(table), d), abs=1e-12)


def test_two_margins() -> None:
    table = TWELVE[1:3] - 1
    votes = unit_votes(table, 5)
    both = ~np.isnan(table).any(axis=0)
    all_pairs = Paired.of(votes, nominal_distances(5), by_vote=False)
    pairs = TwoMargins.of(votes, nominal_distances(5), all_pairs.gaps / 2, both)
    # 8 of 10 units are alike; Cohen's kappa by hand from the margins
    a, b = table[:, both].astype(int)
    chance = sum((a == k).mean() * (b == k).mean() for k in range(5))
    kappa = ((a == b).mean() - chance) / (1 - chance)
    assert Chance("cohen").value(pairs.all())[0] == pytest.approx(kappa)
    without = Chance("cohen").value(pairs.without(Removed(np.arange(12), 12, np.arange(12), None)))
    for unit in np.flatnonzero(both):
        keep = both & (np.arange(12) != unit)
        a, b = table[:, keep].astype(int)
        chance = sum((a == k).mean() * (b == k).mean() for k in range(5))
        assert without[unit] == pytest.approx(((a == b).mean() - chance) / (1 - chance))
