"""Steps between distinct grades, and drawing one grade an item."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.truth.pairs.grade_steps import draw_grades, grade_steps
from fuzzytruth.truth.pairs.votes import votes_of

GRADES = {0: [2.0, 0.0, 2.0], 1: [1.0], 2: [0.2, 0.9, 0.5, 0.9]}


def votes():
    rows = [(pair, s, g) for pair, grades in GRADES.items() for s, g in enumerate(grades)]
    pair, subject, grade = (np.array(part) for part in zip(*rows, strict=True))
    return votes_of(pair, subject, grade, n_pairs=3)


def test_steps_lead_upwards() -> None:
    steps = grade_steps(votes())
    assert steps.base.tolist() == [0, 1, 0.2]
    assert steps.level.tolist() == [[2, np.inf, 0.5], [np.inf, np.inf, 0.9]]
    np.testing.assert_allclose(steps.step, [[2, 0, 0.3], [0, 0, 0.4]])
    assert steps.grades.tolist() == [2, 1, 0.9, 0.5, 0.2, 0]


def test_impossible_grades_are_no_steps() -> None:
    pair, nobody = np.array([0, 0]), np.array([0, 0])
    chance = np.array([1.0, 0.0])
    steps = grade_steps(votes_of(pair, nobody, np.array([1.0, 0.0]), n_pairs=1, chance=chance))
    assert (steps.base.tolist(), len(steps.level)) == ([1], 0)


@pytest.mark.parametrize("outer", [1, 2])
def test_drawn_grades_have_their_probabilities(outer: int) -> None:
    steps = grade_steps(votes())
    tail = np.array([[[2 / 3, 0, 0.75], [0, 0, 0.5]], [[0.1, 0, 1.0], [0, 0, 0.2]]])[:outer]
    n = 20_000
    seed = np.random.SeedSequence(4)
    drawn = draw_grades(steps, np.repeat(tail, n, axis=0) if outer > 1 else tail, n * outer, seed)
    for world in range(outer):
        part = drawn[world * n : (world + 1) * n]
        assert set(part[:, 1]) == {1.0}
        for item, levels in ((0, [2.0]), (2, [0.5, 0.9])):
            assert set(part[:, item]) <= set(GRADES[item])
            for s, level in enumerate(levels):
                p = tail[world, s, item]
                error = 4 * np.sqrt(p * (1 - p) / n) + 1e-12
                assert abs((part[:, item] >= level).mean() - p) <= error
    again = draw_grades(steps, tail[:1], 10, seed)
    np.testing.assert_array_equal(again, draw_grades(steps, tail[:1], 10, seed))
