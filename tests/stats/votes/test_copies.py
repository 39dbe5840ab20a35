"""Near-copies, found before any model."""

import numpy as np
import pytest
from support.crowds import crowd

from fuzzytruth.stats.votes.copies import find_copies
from fuzzytruth.stats.votes.models import fit_votes
from fuzzytruth.stats.votes.table import VoteTable


def test_excess_by_hand() -> None:
    """Of the pair that copies; reliabilities are told by all other pairs."""
    votes, _ = crowd("copies", 7, 200, 7, k=3, seed=1)
    said = np.zeros((7, 200, 3))
    said[votes.subject, votes.unit, votes.value] = 1
    share = said.mean(axis=1)
    scores = (said - share[:, None]) / np.sqrt(1 - (share**2).sum(axis=1))[:, None, None]
    correlation = np.einsum("aik,bik->ab", scores, scores) / 200
    others = {a: [b for b in range(7) if b != a and {a, b} != {0, 1}] for a in range(7)}
    r = np.full(7, 0.5)
    for _ in range(200):
        n = np.array([len(others[a]) for a in range(7)])
        mean = (r * n).sum() / n.sum()
        follows = [sum(200 * correlation[a, b] * r[b] for b in others[a]) for a in range(7)]
        size = [sum(200 * r[b] ** 2 for b in others[a]) for a in range(7)]
        r = (r + (np.array(follows) + 10 * mean) / (np.array(size) + 10)) / 2
    found = find_copies(votes)
    expected = (correlation[0, 1] - r[0] * r[1]) / (1 - r[0] * r[1])
    assert found.cluster.tolist() == [0, 0, 1, 2, 3, 4, 5]
    assert found.excess[0, 1] == pytest.approx(expected, abs=1e-3)
    assert found.effective == pytest.approx(49 / (7 + 2 * found.excess[0, 1]))


def graded(s: int, m: int, *, cut: int | None, seed: int) -> VoteTable:
    """Votes on 200 units of values that vary much; four in ten people are strict."""
    rng = np.random.default_rng([seed, s, m])
    severity = np.where(np.arange(s) < 0.4 * s, 2.5, 0.0) + rng.normal(0, 0.3, s)
    unit = np.repeat(np.arange(200), m)
    subject = np.concatenate([rng.permutation(s)[:m] for _ in range(200)])
    value = rng.normal(0, 3, 200)[unit] - severity[subject]
    odds = np.exp(np.cumsum(np.stack([0 * value, value + 1.2, value, value - 1.2]), axis=0))
    grade = (rng.random(len(unit)) > (odds / odds.sum(axis=0)).cumsum(axis=0)).sum(axis=0)
    grade = grade if cut is None else (grade >= cut).astype(int)
    return VoteTable.of(unit, subject, grade, (200, s, 4 if cut is None else 2))


@pytest.mark.parametrize("cut", [None, 2])
def test_shared_severity_is_no_copying(cut: int | None) -> None:
    designs = (5, 5), (20, 5), (20, 20)
    tables = [graded(s, m, cut=cut, seed=seed) for s, m in designs for seed in range(5)]
    assert sum(find_copies(votes).any for votes in tables) == 0


def test_shared_tables_of_errors_are_no_copying() -> None:
    """Eight people miss, and twelve invent; each errs independently."""
    for seed in range(8):
        rng = np.random.default_rng(seed)
        truth = rng.integers(0, 2, 200)
        unit, subject = np.repeat(np.arange(200), 20), np.tile(np.arange(20), 200)
        strict = subject < 8
        yes = np.where(truth[unit] == 1, np.where(strict, 0.55, 0.95), np.where(strict, 0.03, 0.4))
        value = (rng.random(len(unit)) < yes).astype(int)
        assert not find_copies(VoteTable.of(unit, subject, value, (200, 20, 2))).any


def test_copies_are_found_where_two_people_share_few_units() -> None:
    """Ten units a pair; a cluster of six has 150."""
    found = [find_copies(crowd("copies", 20, 200, 5, 3, seed=seed)[0]) for seed in range(12)]
    whole = [len(set(one.cluster[:6].tolist())) == 1 for one in found]
    assert np.mean(whole) >= 0.8
    joined = [(np.bincount(one.cluster)[one.cluster[6:]] > 1).sum() for one in found]
    assert np.mean(joined) <= 0.5


def test_clusters_are_several_and_one_copies_a_guesser() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 200)
    table = np.where(rng.random((12, 200)) < 0.75, truth, 1 - truth)
    table[3] = rng.integers(0, 2, 200)
    for first, size in ((0, 3), (3, 2)):
        same = rng.random((size - 1, 200)) < 0.95
        table[first + 1 : first + size][same] = np.broadcast_to(table[first], same.shape)[same]
    subject, unit = np.indices(table.shape).reshape(2, -1)
    found = find_copies(VoteTable.of(unit, subject, table.ravel(), (200, 12, 2)))
    assert found.cluster.tolist() == [0, 0, 0, 1, 1, *range(2, 9)]


@pytest.mark.parametrize(("s", "m"), [(5, 5), (10, 10), (20, 20), (20, 10)])
def test_copies_count_once(s: int, m: int) -> None:
    """The gap between probability and accuracy closes, and accuracy rises."""
    gaps = []
    for seed in range(6):
        votes, truth = crowd("copies", s, 300, m, seed=seed)
        found = find_copies(votes)
        for table in (votes, found.weigh(votes)):
            posterior = fit_votes(table).posterior
            right = (posterior.argmax(axis=1) == truth).mean()
            gaps += [posterior.max(axis=1).mean() - right]
    before, after = np.array(gaps).reshape(-1, 2).mean(axis=0)
    assert before > 0.05
    assert after < 0.03


@pytest.mark.parametrize("kind", ["coin", "hard", "spam"])
def test_independent_people_are_no_copies(kind: str) -> None:
    joined = [
        find_copies(crowd(kind, s, 200, m, seed=seed)[0]).any
        for s, m in ((5, 5), (10, 10), (20, 5))
        for seed in range(8)
    ]
    assert np.mean(joined) <= 0.05


def test_weights_and_repeated_votes() -> None:
    votes, _ = crowd("copies", 10, 100, 10)
    found = find_copies(votes)
    weighed = found.weigh(votes)
    for unit in (0, 50):
        at = weighed.unit == unit
        total = np.bincount(found.cluster[weighed.subject[at]], weighed.weight[at])
        np.testing.assert_allclose(total[total > 0], 1)
    twice = VoteTable.of(
        *(np.tile(x, 2) for x in (votes.unit, votes.subject, votes.value)), votes.sizes
    )
    np.testing.assert_allclose(find_copies(twice).excess, found.excess)


def test_few_subjects_or_units() -> None:
    two = VoteTable.of(np.arange(4) // 2, np.arange(4) % 2, np.zeros(4, int), (2, 2, 2))
    assert not find_copies(two).any
    votes, _ = crowd("copies", 6, 5, 6)
    assert not find_copies(votes).any  # five common units
