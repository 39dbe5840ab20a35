"""Ballots on items: parts, shares under resamples, and draws."""

import numpy as np
import pytest

from fuzzytruth.core.randomness import entropy_of
from fuzzytruth.truth.vote_weights import Ballots, as_given, resampled_subjects

ITEM = np.array([0, 0, 0, 1, 2, 2])
SUBJECT = np.array([0, 1, 2, 1, 0, 2])
OPTION = np.array([1, 0, 1, 2, 0, 2])
WEIGHT = np.array([1.0, 2.0, 1.0, 1.0, 1.0, 3.0])
KEY = np.array([50, 7, 90], dtype=np.uint64)
HASH = np.array([11, 22, 33], dtype=np.uint64)
BALLOTS = Ballots.of(HASH, ITEM, SUBJECT, OPTION, WEIGHT, KEY)
RESAMPLES = resampled_subjects(("a", "b", "c"), 100, np.random.SeedSequence(0))


def chances(ballots: Ballots, shares: np.ndarray) -> list[dict[int, float]]:
    """Chance of each option of each item, in the first outer world."""
    rows = zip(ballots.slots.option.tolist(), shares[0].tolist(), strict=True)
    return [{o: p for o, p in zip(*row, strict=True) if o >= 0} for row in rows]


def test_shares_are_those_of_the_weights() -> None:
    assert chances(BALLOTS, BALLOTS.shares(as_given())) == [
        {0: 0.5, 1: 0.5},
        {2: 1.0},
        {0: 0.25, 2: 0.75},
    ]
    assert len(BALLOTS) == 6
    assert not BALLOTS.equal_weights
    assert Ballots.of(HASH, ITEM, SUBJECT, OPTION, np.ones(6), KEY).equal_weights


def test_resampled_shares_and_lost_votes() -> None:
    assert RESAMPLES.counts is not None
    counts = RESAMPLES.counts
    lost = sum(not counts[w, SUBJECT[i == ITEM]].any() for w in range(len(counts)) for i in (0, 2))
    lost += int((counts[:, 1] == 0).sum())
    assert BALLOTS.lost_votes(RESAMPLES) == lost
    assert BALLOTS.lost_votes(as_given()) == 0
    shares = BALLOTS.shares(RESAMPLES)
    np.testing.assert_allclose(shares.sum(axis=2), 1, atol=1e-12)
    twice = int(np.argmax((counts == [1, 2, 0]).all(axis=1)))
    assert chances(BALLOTS, shares[twice:])[0] == pytest.approx({0: 0.8, 1: 0.2})


def test_parts() -> None:
    part = BALLOTS.of_items(slice(1, 3))
    assert part.item.tolist() == [0, 1, 1]
    assert part.item_hash.tolist() == [22, 33]
    assert chances(part, part.shares(as_given())) == [{2: 1.0}, {0: 0.25, 2: 0.75}]
    whole = BALLOTS.shares(RESAMPLES)
    np.testing.assert_array_equal(part.shares(RESAMPLES), whole[:, 1:])


def test_some_items_in_another_order() -> None:
    some = BALLOTS.select(np.array([2, 0]))
    assert (some.item.tolist(), some.subject.tolist()) == ([0, 0, 1, 1, 1], [0, 2, 0, 1, 2])
    assert some.option.tolist() == [0, 2, 1, 0, 1]
    assert some.item_hash.tolist() == [33, 11]
    assert chances(some, some.shares(as_given())) == [{0: 0.25, 2: 0.75}, {0: 0.5, 1: 0.5}]


def test_ballots_of_subjects_who_judged_repeatedly() -> None:
    assert BALLOTS.option.tolist() == OPTION.tolist()
    assert (BALLOTS.first.tolist(), BALLOTS.changed_minds.tolist()) == ([*range(6)], [])
    assert BALLOTS.n_differ == 2
    again = Ballots.of(
        HASH, ITEM, np.array([0, 0, 0, 1, 2, 2]), np.array([1, 1, 0, 2, 2, 2]), WEIGHT, KEY
    )
    assert (again.first.tolist(), again.changed_minds.tolist()) == ([0, 3, 4], [2])
    assert again.n_differ == 1


def test_draws_follow_the_shares_and_the_ids_alone() -> None:
    entropy, n = entropy_of(3), 20_000

    def options(ballots: Ballots) -> np.ndarray:
        share, stream = ballots.shares(as_given()), as_given().streams
        slot = ballots.draw(share, stream, slice(0, n), entropy)
        return np.take_along_axis(ballots.slots.option, slot, axis=1)

    drawn = options(BALLOTS)
    for item, chance in enumerate([{0: 0.5, 1: 0.5}, {2: 1.0}, {0: 0.25, 2: 0.75}]):
        for option, p in chance.items():
            assert abs((drawn[item] == option).mean() - p) <= 5 * np.sqrt(p * (1 - p) / n)
    np.testing.assert_array_equal(options(BALLOTS.of_items(slice(1, 3))), drawn[1:])
    # The options by other numbers, hence in other slots.
    new = np.array([2, 1, 0])
    other = Ballots.of(HASH, ITEM, SUBJECT, new[OPTION], WEIGHT, KEY[[2, 1, 0]])
    np.testing.assert_array_equal(options(other), new[drawn])
