"""Probabilities of grades, item by item."""

from dataclasses import replace

import numpy as np
import pytest

from fuzzytruth.truth.item_probabilities import GradeProbabilities, ItemProbabilities

GRADE = np.array([[0.0, 0.0, 1.0], [1.0, 2.0, np.nan]])
CHANCE = np.array([[0.25, 0.5, 1.0], [0.75, 0.5, 0.0]])
OFFSETS = np.array([0, 2, 3])


def grades(count: np.ndarray | None = None) -> GradeProbabilities:
    return GradeProbabilities(OFFSETS, GRADE, CHANCE, count)


def test_expected_values_of_grades() -> None:
    assert grades().at_least(1).tolist() == [0.75, 0.5, 1.0]
    assert grades().at_least(2).tolist() == [0, 0.5, 0]
    assert grades().sum_over(np.square).tolist() == [0.75, 2.0, 1.0]
    mean, variance = grades().moments(lambda grade: grade)
    assert mean.tolist() == [0.75, 1.0, 1.0]
    assert variance.tolist() == [0.1875, 1.0, 0.0]


def test_resamples_lead() -> None:
    twice = GradeProbabilities(OFFSETS, GRADE, np.stack((CHANCE, CHANCE[::-1])))
    assert twice.at_least(1).tolist() == [[0.75, 0.5, 1.0], [0.25, 0.5, 0.0]]


def test_items_with_counts() -> None:
    assert grades().sizes.tolist() == [2, 1]
    assert grades(np.array([3.0, 1.0, 5.0])).sizes.tolist() == [4, 5]
    part = grades(np.array([3.0, 1.0, 5.0])).of_queries(np.array([1]))
    assert part.count is not None
    assert (part.offsets.tolist(), part.count.tolist(), part.grade.shape) == ([0, 1], [5], (2, 1))


def test_the_rest_is_made_when_asked_for() -> None:
    made = []

    def rest() -> GradeProbabilities:
        made.append(1)
        return grades()

    items = ItemProbabilities(
        np.array([4, 2]), np.array([1, 3, 2]), grades(), rest, np.array([7, 8, 9])
    )
    assert not made
    query = items.of_query(0)
    assert (query.rank.tolist(), query.entry.tolist(), query.length.tolist()) == (
        [1, 3],
        [7, 8],
        [4],
    )
    assert query.rest.at_least(1).tolist() == pytest.approx([0.75, 0.5])
    assert items.rest is items.rest
    assert made == [1]


def test_judged_only() -> None:
    """Hits that are judged for certain move up, hits that never are judged go."""
    grade = np.array([[0.0, -1.0, 1.0], [1.0, -2.0, np.nan]])
    hits = GradeProbabilities(OFFSETS, grade, CHANCE)
    given = ItemProbabilities(
        np.array([9, 5]), np.array([3, 4, 5]), hits, grades(), np.array([7, 8, 9])
    )
    short = given.judged_only()
    assert (short.length.tolist(), short.rank.tolist()) == ([1, 1], [1, 1])
    assert (short.entry.tolist(), short.hits.offsets.tolist()) == ([7, 9], [0, 1, 2])
    assert short.hits.grade[0].tolist() == [0, 1]
    half = np.array([[0.0, 0.0, 1.0], [1.0, -2.0, np.nan]])  # judged in half of the worlds
    mixed = replace(given, hits=GradeProbabilities(OFFSETS, half, CHANCE))
    assert given.are_judged.tolist() == [True, True]
    assert mixed.are_judged.tolist() == [False, True]
    second = mixed.of_queries(np.array([1]))
    assert (second.length.tolist(), second.rank.tolist(), second.entry.tolist()) == ([5], [5], [9])
    assert second.rest.offsets.tolist() == [0, int(np.diff(mixed.rest.offsets)[1])]
    assert second.judged_only().entry.tolist() == [9]


def test_votes_decide_whether_a_hit_is_judged_not_the_resample() -> None:
    """A vote that has no weight here has one elsewhere."""
    grade = np.array([[-1.0, -1.0, -1.0], [2.0, 0.0, np.nan]])
    chance = np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]])
    hits = GradeProbabilities(np.array([0, 1, 2, 3]), grade, chance)
    given = ItemProbabilities(
        np.array([1, 1, 1]), np.array([1, 1, 1]), hits, hits, np.array([0, 1, 2])
    )
    assert given.are_judged.tolist() == [False, False, True]
