"""Votes by coordinates."""

import numpy as np

from fuzzytruth.truth.pairs.pool import votes_of

PAIR, SUBJECT = np.array([2, 0, 2, 0, 2]), np.array([1, 1, 0, 0, 4])
GRADE = np.array([5.0, 1.0, 2.0, 3.0, 4.0])


def test_votes_are_sorted_by_pair_and_subject() -> None:
    votes = votes_of(PAIR, SUBJECT, GRADE, n_pairs=4, position=GRADE * 10)
    assert votes.pair.tolist() == [0, 0, 2, 2, 2]
    assert votes.subject.tolist() == [0, 1, 0, 1, 4]
    assert votes.grade.tolist() == [3, 1, 2, 5, 4]
    assert votes.chance.tolist() == [0.5, 0.5, 1 / 3, 1 / 3, 1 / 3]
    assert votes.offsets.tolist() == [0, 2, 2, 5, 5]
    assert votes.position is not None
    assert votes.position.tolist() == [30, 10, 20, 50, 40]
    assert len(votes) == 5


def test_given_chances_move_with_their_votes() -> None:
    votes = votes_of(PAIR, SUBJECT, GRADE, n_pairs=3, chance=GRADE / 10)
    assert votes.chance.tolist() == (votes.grade / 10).tolist()


def test_some_pairs_only() -> None:
    part = votes_of(PAIR, SUBJECT, GRADE, n_pairs=4).of_pairs(slice(1, 4))
    assert part.pair.tolist() == [1, 1, 1]
    assert part.grade.tolist() == [2, 5, 4]
    assert part.offsets.tolist() == [0, 0, 3, 3]
    assert part.position is None


def test_weights_give_the_chances() -> None:
    votes = votes_of(
        np.array([1, 0, 0, 1]),
        np.array([0, 1, 0, 0]),
        np.array([1.0, 2.0, 3.0, 4.0]),
        n_pairs=2,
        weight=np.array([1.0, 3.0, 1.0, 1.0]),
    )
    assert votes.grade.tolist() == [3, 2, 1, 4]
    assert votes.weight.tolist() == [1, 3, 1, 1]
    assert votes.chance.tolist() == [0.25, 0.75, 0.5, 0.5]
    assert votes.first_of_subject.tolist() == [True, True, True, False]
    once = votes.once()
    assert once.grade.tolist() == [3, 2, 1]
    assert once.offsets.tolist() == [0, 2, 3]
    assert once.once() is once
    assert votes.of_pairs(slice(1, 2)).weight.tolist() == [1, 1]
