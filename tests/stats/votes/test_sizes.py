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


def test_effects_of_people_by_pairs_of_their_units() -> None:
    """The same by loops over pairs of votes, where units have two to five."""
    rng = np.random.default_rng(8)
    asked = rng.random((12, 5)) < 0.7
    value = rng.integers(0, 3, asked.shape)
    y, weight = np.full(asked.shape, np.nan), np.zeros((12, 5, 5))
    for i in range(12):
        who = np.flatnonzero(asked[i])
        if len(who) < 3:
            continue
        agree = [np.mean([value[i, s] == value[i, o] for o in who if o != s]) for s in who]
        y[i, who] = (np.array(agree) - np.mean(agree)) * (len(who) - 1) / (len(who) - 2)
        for s in who:  # what y is expected to be of the effects
            weight[i, s, who] = -1 / len(who)
            weight[i, s, s] += 1
    pairs = [(s, i, j) for s in range(5) for i in range(12) for j in range(12) if i != j]
    pairs = [(s, i, j) for s, i, j in pairs if not np.isnan(y[i, s] + y[j, s])]
    products = sum(y[i, s] * y[j, s] for s, i, j in pairs)
    expected = sum(weight[i, s] @ weight[j, s] for s, i, j in pairs)
    of = asked[asked.sum(axis=1) > 1].sum(axis=0)
    effective = of.sum() ** 2 / (of**2).sum()
    unit, subject = np.nonzero(asked)
    found = people_variance(unit, subject, value[asked], scale=2.0)
    assert found == pytest.approx(4 * max(products / expected, 0) * 5 / effective * 4)
    assert found > 0


def test_too_few_votes_tell_nothing_of_people() -> None:
    unit, subject = np.divmod(np.arange(20), 2)
    assert np.isnan(people_variance(unit, subject, subject))
    assert np.isnan(people_variance(np.zeros(4, int), np.arange(4), np.arange(4)))


@pytest.mark.parametrize("votes", [3, 5, 10])
def test_people_vary_as_new_people_would(votes: int) -> None:
    """Against the variance of the mean agreement between samples of ten people."""
    rng = np.random.default_rng(1)
    people, units, found, means = 10, 300, [], []
    for _ in range(150):
        accuracy = np.clip(rng.normal(0.75, 0.15, people), 0, 1)
        subject = rng.random((units, people)).argsort(axis=1)[:, :votes]
        right = rng.random(subject.shape) < accuracy[subject]
        unit = np.repeat(np.arange(units), votes)
        found.append(people_variance(unit, subject.ravel(), right.ravel().astype(int)) / people)
        chance = np.outer(accuracy, accuracy) + np.outer(1 - accuracy, 1 - accuracy)
        means.append(chance[np.triu_indices(people, 1)].mean())
    assert np.mean(found) == pytest.approx(np.var(means), rel=0.15)


def test_people_of_units_with_two_votes_count_as_people() -> None:
    """The spread of effects is told by three people; how many share the votes, by all."""
    rng = np.random.default_rng(4)
    three = [(u, s, int(rng.random() < 0.5 + 0.2 * s)) for u in range(60) for s in range(3)]
    two = [(60 + u, 3 + u + d, int(rng.random() < 0.7)) for u in range(200) for d in (0, 1)]
    alone, every = (people_variance(*np.array(rows).T) for rows in (three, three + two))
    n = np.bincount(np.array(three + two)[:, 1]).astype(float)
    assert every == pytest.approx(alone * len(n) * (n**2).sum() / n.sum() ** 2)
