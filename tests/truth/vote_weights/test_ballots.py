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


def test_ballots_that_differ_from_the_one_before() -> None:
    item, subject, option = (
        np.array([0, 0, 0, 1, 1, 2]),
        np.array([0, 0, 0, 0, 1, 1]),
        [1, 1, 0, 1, 0, 1],
    )
    ballots = Ballots.of(HASH, item, subject, np.array(option), np.ones(6), KEY)
    assert ballots.changed_minds.tolist() == [2]
    assert ballots.first.tolist() == [0, 3, 4, 5]
