"""Near-copies, found before any model."""

import warnings

import numpy as np
import pytest
from support.crowds import crowd

from fuzzytruth.stats.votes.copies import find_copies
from fuzzytruth.stats.votes.models import fit_votes
from fuzzytruth.stats.votes.table import VoteTable


def test_agreement_beyond_independent_errors_by_hand() -> None:
    """Reliabilities by repeated medians of all triples."""
    votes, _ = crowd("copies", 7, 200, 7, seed=1)
    table = np.empty((7, 200), int)
    table[votes.subject, votes.unit] = votes.value
    share = np.bincount(votes.value) / len(votes.value)
    chance = (share**2).sum()
    m = np.array([[((a == b).mean() - chance) / (1 - chance) for b in table] for a in table])
    np.fill_diagonal(m, np.nan)

    def reliabilities(m: np.ndarray) -> np.ndarray:
        r = []
        for a in range(7):
            of_b = []
            for b in range(7):
                ratios = [m[a, b] * m[a, c] / m[b, c] for c in range(7) if c not in (a, b)]
                of_b.append(np.nan if b == a else np.nanmedian(ratios))
            r.append(np.sqrt(np.nanmedian(of_b)))
        return np.array(r)

    def share(r: np.ndarray) -> np.ndarray:
        return (m - np.outer(r, r)) / np.maximum(1 - np.outer(r, r), 0.05)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        first = reliabilities(m)
        p = np.clip(chance + (1 - chance) * np.outer(first, first), 0.02, 0.98)
        z = (m - np.outer(first, first)) / (np.sqrt(p * (1 - p) / 200) / (1 - chance))
        apart = np.where((share(first) > 0.15) & (z > 1.645), np.nan, m)
        excess = share(reliabilities(apart))
    found = find_copies(votes)
    assert found.cluster[0] == found.cluster[1]
    assert found.excess[0, 1] == pytest.approx(excess[0, 1], rel=1e-9)
    assert found.effective == pytest.approx(49 / found.excess.sum())


@pytest.mark.parametrize(("s", "m"), [(10, 10), (20, 20), (20, 10)])
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
    assert np.mean(joined) <= 0.1


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
