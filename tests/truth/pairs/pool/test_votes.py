"""Votes by coordinates."""

import numpy as np

from fuzzytruth.truth.pairs.pool import votes_of

PAIR, SUBJECT = np.array([2, 0, 2, 0, 2]), np.array([1, 1, 0, 0, 4])


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
