"""Permutations of votes, trades, and tests of structure, by definition and by simulation."""

from collections import Counter
from itertools import combinations, permutations, product

import numpy as np
import pytest
from scipy import stats

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.stats import vote_structure as vs
from tests.support import panels


def pattern_of(votes: Ints) -> vs.VotePattern:
    item, person = np.nonzero(votes >= 0)
    return vs.VotePattern.of(item, person, votes[item, person], votes.shape[1])


def by_definition(votes: Ints) -> dict[str, float]:
    """The five statistics in loops."""
    n = votes.shape[1]
    z = np.zeros((n, n))
    for s, t in combinations(range(n), 2):
        excess = variance = 0.0
        for row in votes[(votes[:, s] >= 0) & (votes[:, t] >= 0)]:
            given = row[row >= 0].tolist()
            pairs = list(permutations(given, 2))
            agree = sum(a == b for a, b in pairs) / len(pairs)
            excess += (row[s] == row[t]) - agree
            variance += agree * (1 - agree)
        z[s, t] = z[t, s] = excess / np.sqrt(variance) if variance > 0 else 0.0
    rates = majority = 0.0
    for s in range(n):
        rows = [(row[s], Counter(row[row >= 0].tolist())) for row in votes if row[s] >= 0]
        for value in range(votes.max() + 1):
            p = [count[value] / count.total() for _, count in rows]
            variance = sum(x * (1 - x) for x in p)
            if variance > 0:
                rates += (sum(v == value for v, _ in rows) - sum(p)) ** 2 / variance
        modes = [{v for v in c if c[v] == max(c.values())} for _, c in rows]
        q = [sum(c[v] for v in m) / c.total() for (_, c), m in zip(rows, modes, strict=True)]
        sided = sum(v in m for (v, _), m in zip(rows, modes, strict=True))
        variance = sum(x * (1 - x) for x in q)
        majority += (sided - sum(q)) ** 2 / variance if variance > 1e-12 else 0.0
    return {
        "pairs": float((z**2).sum() / 2),
        "eigen": float(np.linalg.eigvalsh(z)[-1]),
        "copies": float(z.max()),
        "rates": rates,
        "majority": majority,
    }


@pytest.mark.parametrize("seed", range(3))
def test_statistics_are_those_of_the_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    votes = panels.incomplete(rng, rng.integers(0, 4, (25, 7)), 0.25)
    votes[:3] = np.where(votes[:3] >= 0, 1, -1)  # nobody disagrees
    pattern = pattern_of(votes)
    pairs = vs.PairsOfSubjects.of(pattern)
    found = vs.statistics(pairs, pattern.option[None])
    assert {name: value[0] for name, value in found.items()} == pytest.approx(by_definition(votes))


def test_pairs_are_of_the_subjects_with_most_votes() -> None:
    rng = np.random.default_rng(0)
    votes = rng.integers(0, 3, (40, 6))
    votes[:30, [1, 4]] = -1
    pattern = pattern_of(votes)
    few = vs.PairsOfSubjects.of(pattern, most=4)
    every = vs.PairsOfSubjects.of(pattern)
    assert few.subjects.tolist() == [0, 2, 3, 5]
    inside = np.ix_(few.subjects, few.subjects)
    draws = vs.permuted(pattern, 5, rng)
    np.testing.assert_allclose(few.excess(draws), every.excess(draws)[:, *inside], atol=1e-12)


def test_sparse_products_equal_dense_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    pattern = pattern_of(panels.incomplete(rng, rng.integers(0, 3, (30, 9))))
    pairs, draws = vs.PairsOfSubjects.of(pattern), vs.permuted(pattern, 4, rng)
    dense = pairs.agreements(draws)
    monkeypatch.setattr(vs, "_CELLS", 0)
    np.testing.assert_array_equal(pairs.agreements(draws), dense)


def test_every_permutation_of_a_unit_is_equally_likely() -> None:
    votes = np.array([[0, 1, 2, -1], [0, 0, 1, 1]])
    pattern = pattern_of(votes)
    n = 6000
    draws = vs.permuted(pattern, n, np.random.default_rng(0))
    counts = Counter(map(tuple, pattern.value[draws].tolist()))
    first = set(permutations((0, 1, 2)))
    second = set(permutations((0, 0, 1, 1)))
    assert set(counts) == {a + b for a, b in product(first, second)}
    assert stats.chisquare(list(counts.values())).pvalue > 0.001


def margins(pattern: vs.VotePattern, draws: vs.Options, level: int) -> Ints:
    """Each subject's count of every value, and at level 2 with and without the mode."""
    symbol = pattern.value if level == 1 else 2 * pattern.value + pattern.modes
    cells = pattern.subject * (symbol.max() + 1) + symbol[draws]
    return np.array([np.bincount(row, minlength=cells.max() + 1) for row in cells])


@pytest.mark.parametrize("level", [1, 2])
def test_trades_keep_margins(level: vs.Level) -> None:
    rng = np.random.default_rng(2)
    pattern = pattern_of(panels.incomplete(rng, rng.integers(0, 3, (40, 9)), 0.3))
    draws = vs.conditional_draws(pattern, 20, level, rng)
    expected = margins(pattern, pattern.option[None], level)
    np.testing.assert_array_equal(margins(pattern, draws, level), np.repeat(expected, 20, 0))
    np.testing.assert_array_equal(np.sort(draws, 1), np.sort(np.tile(pattern.option, (20, 1)), 1))
    assert len(np.unique(draws, axis=0)) == 20


def test_trades_reach_all_tables_equally_often() -> None:
    votes = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]])
    tables = [
        np.array(rows).ravel().tolist()
        for rows in product(*(sorted(set(permutations(row))) for row in votes.tolist()))
        if np.array_equal(np.sum(rows, 0), votes.sum(0))
    ]
    pattern = pattern_of(votes)
    draws = vs.conditional_draws(pattern, 4000, 1, np.random.default_rng(0))
    counts = Counter(map(tuple, pattern.value[draws].tolist()))
    assert set(counts) == set(map(tuple, tables))
    assert stats.chisquare(list(counts.values())).pvalue > 0.001


def test_partners_in_a_sparse_panel_share_units() -> None:
    rng = np.random.default_rng(3)
    subject = np.repeat(np.arange(400), 3)
    pattern = vs.VotePattern.of(
        rng.integers(150, size=1200), subject, rng.integers(3, size=1200), 400
    )
    first, second = vs._shared_votes(pattern, rng)
    assert len(first) > 100
    np.testing.assert_array_equal(pattern.unit[first], pattern.unit[second])
    pairs = set(zip(pattern.subject[first].tolist(), pattern.subject[second].tolist(), strict=True))
    people = [person for pair in pairs for person in pair]
    assert len(people) == len(set(people))


def test_adjusted_p_is_of_the_smallest() -> None:
    rng = np.random.default_rng(4)
    table = rng.normal(size=(3, 60)).round(1)
    p = np.array([[(row >= x).mean() for x in row] for row in table])
    expected = [(p.min(0) <= own[0]).mean() for own in p]
    np.testing.assert_allclose(vs.min_p(table[:, 0], table[:, 1:]), expected)
    np.testing.assert_allclose(vs.p_values(table[:, 0], table[:, 1:]), p[:, 0])


def rejected(make: object, n_sets: int, level: float = 0.95, **how: int) -> Floats:
    """Adjusted p of the five statistics, each set: (sets, 5)."""
    rng = np.random.default_rng(5)
    given = {"n_permutations": 99, "n_draws": 0} | how
    return np.array(
        [
            vs.structure_tests(pattern_of(make(rng)), level=level, rng=rng, **given).p  # type: ignore[operator]
            for _ in range(n_sets)
        ]
    )


def test_levels_of_votes_without_structure() -> None:
    def half(rng: np.random.Generator) -> Ints:
        return panels.incomplete(rng, panels.independent(rng, 30, 10))

    p = rejected(half, 150)
    assert ((p <= 0.05).mean(0) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 150)).all()
    assert (np.abs(p.mean(0) - 0.5) < 0.1).all()


@pytest.mark.parametrize(
    ("make", "statistic"),
    [
        (lambda rng: panels.communities(rng, (10, 10), sure=0.5), "eigen"),
        (lambda rng: panels.severe(rng), "rates"),
        (lambda rng: panels.experts(rng), "majority"),
        (lambda rng: panels.with_copy(rng, panels.independent(rng)), "copies"),
    ],
    ids=["communities", "severity", "expertise", "copy"],
)
def test_each_kind_of_structure_is_found_by_its_statistic(make: object, statistic: str) -> None:
    p = rejected(make, 8)
    assert (p[:, [*vs.STATISTICS].index(statistic)] <= 0.02).mean() >= 0.85


def test_severity_is_not_structure_beyond_severity() -> None:
    rng = np.random.default_rng(6)
    p, shares = [], []
    for _ in range(20):
        found = vs.structure_tests(pattern_of(panels.severe(rng)), 39, 39, 0.95, rng)
        p.append(found.p_levels)
        shares.append(found.shares)
    assert (np.array(p) <= 0.05).mean(0).max() <= 0.2
    assert np.nanmean(shares, 0)[0] > 0.8


def test_a_copy_is_named_and_communities_are_not_copies() -> None:
    rng = np.random.default_rng(7)
    copied = panels.with_copy(rng, panels.independent(rng, 100, 12), 1.0)
    found = vs.structure_tests(pattern_of(copied), 199, 39, 0.95, rng)
    assert np.argwhere(np.triu(found.near)).tolist() == [[0, 11]]
