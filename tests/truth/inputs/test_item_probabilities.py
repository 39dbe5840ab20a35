"""Probabilities of grades, item by item."""

from dataclasses import replace

import numpy as np

from fuzzytruth.truth.inputs import GradeProbabilities, ItemProbabilities

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


def test_items_with_counts() -> None:
    assert grades().sizes.tolist() == [2, 1]
    assert grades(np.array([3.0, 1.0, 5.0])).sizes.tolist() == [4, 5]
    part = grades(np.array([3.0, 1.0, 5.0])).of_queries(np.array([1]))
    assert part.count is not None
    assert (part.offsets.tolist(), part.count.tolist(), part.grade.shape) == ([0, 1], [5], (2, 1))


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
