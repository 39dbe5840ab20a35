"""Sizes of studies: closed forms, the figures of the specification, and simulation."""

import numpy as np
import pytest

from fuzzytruth.stats.votes.sizes import consensus, consensus_limit, people_variance


@pytest.mark.parametrize(
    ("accuracy", "rho", "votes", "limit"),
    [
        (0.6, 0.0, 67, 1.0),
        (0.7, 0.0, 17, 1.0),
        (0.7, 0.02, 23, 1.0),
        (0.8, 0.05, 9, 1.0),
        (0.8, 0.1, 17, 0.975),
        (0.9, 0.2, 5, 0.977),
        (0.7, 0.1, None, 0.90),
        (0.6, 0.4, None, 0.63),
    ],
)
def test_votes_for_a_consensus(
    accuracy: float, rho: float, votes: int | None, limit: float
) -> None:
    enough = (n for n in range(1, 200, 2) if consensus(n, accuracy, rho) >= 0.95)
    assert next(enough, None) == votes
    assert consensus_limit(accuracy, rho) == pytest.approx(limit, abs=0.006)


def test_against_items_that_are_hard_and_people_who_differ() -> None:
    rng = np.random.default_rng(0)
    odds = rng.normal(1.0, 0.6, (40_000, 9)) + 1.5 * rng.normal(size=(40_000, 1))
    right = rng.random(odds.shape) < 1 / (1 + np.exp(-odds))
    accuracy = right.mean()
    pairs = ((right[:, 0] - accuracy) * (right[:, 1] - accuracy)).mean()
    rho = pairs / accuracy / (1 - accuracy)
    for n in (3, 5, 9):
        observed = (right[:, :n].sum(axis=1) > n / 2).mean()
        assert consensus(n, accuracy, rho) == pytest.approx(observed, abs=0.01)


def test_people_count_twice() -> None:
    """Variance of the mean agreement of pairs from people's effects, by simulation."""
    rng = np.random.default_rng(1)
    s, n = 8, 400
    found, means = [], []
    for _ in range(200):
        effect = rng.normal(0, 0.1, s)
        pairs = effect[:, None] + effect + 0.7
        agree = np.broadcast_to((pairs.sum(axis=1) - np.diag(pairs)) / (s - 1), (n, s))
        noise = rng.normal(0, 0.3, (n, s))
        found.append(people_variance(agree + noise) / s)
        means.append(pairs[np.triu_indices(s, 1)].mean())
    # a person's mean agreement has (s - 2) / (s - 1) of the own effect
    assert np.mean(found) * ((s - 1) / (s - 2)) ** 2 == pytest.approx(np.var(means), rel=0.15)
