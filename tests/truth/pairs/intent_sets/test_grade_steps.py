"""Steps between distinct grades, and drawing one grade an item."""

import numpy as np
import pytest

from fuzzytruth.truth.pairs.intent_sets import GradeSteps, draw_codes, grade_steps
from fuzzytruth.truth.pairs.pool import votes_of

GRADES = {0: [2.0, 0.0, 2.0], 1: [1.0], 2: [0.2, 0.9, 0.5, 0.9]}
KEYS = np.array([11, 12, 13], np.uint64)
ORDER = np.array([2, 0, 1])


def votes():
    rows = [(pair, s, g) for pair, grades in GRADES.items() for s, g in enumerate(grades)]
    pair, subject, grade = (np.array(part) for part in zip(*rows, strict=True))
    return votes_of(pair, subject, grade, n_pairs=3)


@pytest.mark.parametrize("outer", [1, 2])
def test_drawn_grades_have_their_probabilities(outer: int) -> None:
    steps = grade_steps(votes())
    tail = np.array([[[2 / 3, 0, 0.75], [0, 0, 0.5]], [[0.1, 0, 1.0], [0, 0, 0.2]]])[:outer]
    n = 20_001
    streams = np.arange(outer, dtype=np.uint64) << np.uint64(32)
    codes = draw_codes(steps, tail, KEYS, streams, slice(0, n), ORDER)
    drawn = steps.scale[codes][np.argsort(ORDER)]  # (items, outer · worlds)
    for world in range(outer):
        part = drawn[:, world * n : (world + 1) * n]
        assert set(part[1]) == {1.0}
        for item, levels in ((0, [2.0]), (2, [0.5, 0.9])):
            assert set(part[item]) <= set(GRADES[item])
            for s, level in enumerate(levels):
                p = tail[world, s, item]
                error = 4 * np.sqrt(p * (1 - p) / n) + 1e-12
                assert abs((part[item] >= level).mean() - p) <= error


def test_steps_that_an_item_lacks_raise_nothing() -> None:
    steps = GradeSteps(np.array([0.0, 1.0]), np.array([[1.0, 2.0], [np.inf, 4.0]]))
    base, rise = steps.codes
    assert (base.tolist(), rise.tolist()) == ([0, 1], [[1, 1], [0, 1]])
    assert steps.scale[steps.largest_code].tolist() == [1, 4]
