"""Sums over pairs of votes, whole and without some, against loops and the same from fewer votes."""

from itertools import permutations

import numpy as np
import pytest
from scipy.sparse import csr_array
from support.covering import covering_array
from support.pairs_of_votes import (
    alpha_of,
    cut,
    random_table,
    removals,
    repeated,
    unit_votes,
    units_of,
)

from fuzzytruth.core.votes.unit_votes import CategoryPairs, Paired, Removed, Sums
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
KINDS = ["units", "pairs of units", "subjects", "votes"]
BELONGS = csr_array(np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]], dtype=float))


def fields(sums: Sums) -> np.ndarray:
    return np.stack([sums.gaps, sums.weight, sums.size, sums.squares, sums.own])


@pytest.mark.parametrize(
    "chosen",
    covering_array({"kind": KINDS, "metric": list(DISTANCES), "by_vote": [True, False]}),
    ids=lambda chosen: " ".join(map(str, chosen.values())),
)
def test_sums_without_some_votes_are_those_of_the_others(chosen) -> None:
    kind, distances, by_vote = chosen["kind"], DISTANCES[chosen["metric"]], chosen["by_vote"]
    table = random_table(2, subjects=4, items=12)
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
    paired = Paired.of(votes, DISTANCES["interval"], by_vote=by_vote)
    shares = votes.votes.toarray().reshape(6, 3, 4)  # (units, subjects, values)
    table = np.subtract.outer(PLACES, PLACES) ** 2
    for u, mine in enumerate(shares):
        pairs = sum(mine[a] @ table @ mine[b] for a, b in permutations(range(3), 2))
        assert paired.gaps[u] == pytest.approx(pairs)
    without = paired.without(removals(votes)["subjects"])
    for subject in range(3):
        rest = Paired.of(repeated(subject), DISTANCES["interval"], by_vote=by_vote).all()
        np.testing.assert_allclose(fields(without)[:, subject], fields(rest)[:, 0], atol=1e-12)


@pytest.mark.parametrize("metric", DISTANCES)
def test_alpha_is_that_of_all_pairs(metric: str) -> None:
    table = random_table(1)
    d = {
        "nominal": lambda a, b: float(a != b),
        "interval": lambda a, b: (PLACES[int(a)] - PLACES[int(b)]) ** 2,
        "ratio": lambda a, b: DISTANCES["ratio"].columns(slice(None))[int(a), int(b)],
    }[metric]
    paired = Paired.of(unit_votes(table, 4), DISTANCES[metric], by_vote=True)
    value = Chance("alpha").value(paired.all())[0]
    assert value == pytest.approx(alpha_of(units_of(table), d), abs=1e-12)
    # exactly 0 without the units that differ, although sums of fractions are subtracted
    for seed in range(10):
        rng = np.random.default_rng(seed)
        table = rng.integers(0, 4, (4, 12)).astype(float)
        table[:, ::2] = table[0, ::2]
        table[rng.random(table.shape) < 0.15] = np.nan
        odd = Removed(np.zeros(6, dtype=np.int64), 1, np.arange(1, 12, 2), None)
        paired = Paired.of(unit_votes(table, 4), DISTANCES[metric], by_vote=bool(seed % 2))
        assert paired.all().gaps[0] > 0
        assert paired.without(odd).gaps.tolist() == [0]


def test_agreement_by_category_by_loops() -> None:
    table = random_table(3)
    sums = CategoryPairs.of(unit_votes(table, 4), BELONGS).all()
    has = BELONGS.toarray().astype(bool)
    units = units_of(table)
    for k in (1, 2):
        pairs = [(has[int(a), k], has[int(b), k]) for u in units for a, b in permutations(u, 2)]
        same = sum(a and b for a, b in pairs) / sum(a for a, _ in pairs)
        assert sums.specific()[0, k] == pytest.approx(same)
        binary = [[float(has[int(v), k]) for v in unit] for unit in units]
        assert sums.alpha()[0, k] == pytest.approx(alpha_of(binary, lambda a, b: float(a != b)))
    assert sums.specific()[0, 0] == 1
    assert np.isnan(sums.alpha()[0, 0])  # everybody gives it always
