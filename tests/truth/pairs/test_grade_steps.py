"""Steps between distinct grades, and drawing one grade an item."""

import numpy as np
import pytest

from fuzzytruth.core import checksums as keyed
from fuzzytruth.truth.pairs.intent_sets import draw_codes, grade_steps
from fuzzytruth.truth.pairs.pool import votes_of

GRADES = {0: [2.0, 0.0, 2.0], 1: [1.0], 2: [0.2, 0.9, 0.5, 0.9]}
KEYS = np.array([11, 12, 13], np.uint64)
ORDER = np.array([2, 0, 1])


def votes():
    rows = [(pair, s, g) for pair, grades in GRADES.items() for s, g in enumerate(grades)]
    pair, subject, grade = (np.array(part) for part in zip(*rows, strict=True))
    return votes_of(pair, subject, grade, n_pairs=3)


def test_steps_lead_upwards() -> None:
    steps = grade_steps(votes())
    assert steps.base.tolist() == [0, 1, 0.2]
    assert steps.level.tolist() == [[2, np.inf, 0.5], [np.inf, np.inf, 0.9]]
    assert steps.scale.tolist() == [0, 0.2, 0.5, 0.9, 1, 2]
    base, rise = steps.codes
    assert (base.tolist(), rise.tolist()) == ([0, 4, 1], [[5, 0, 1], [0, 0, 1]])
    assert (base.dtype, steps.largest_code.tolist()) == (np.uint8, [5, 4, 3])


def test_many_grades_have_wider_codes() -> None:
    n = 300
    every = votes_of(np.arange(n), np.zeros(n, int), np.arange(n) / 7, n_pairs=n)
    base, _ = grade_steps(every).codes
    assert base.dtype == np.uint16
    assert base.tolist() == list(range(n))


def test_impossible_grades_are_no_steps() -> None:
    pair, nobody = np.array([0, 0]), np.array([0, 0])
    chance = np.array([1.0, 0.0])
    steps = grade_steps(votes_of(pair, nobody, np.array([1.0, 0.0]), n_pairs=1, chance=chance))
    assert (steps.base.tolist(), len(steps.level)) == ([1], 0)


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


def test_draws_depend_on_the_key_and_the_world_alone() -> None:
    steps = grade_steps(votes())
    tail, streams = np.array([[[0.3, 0, 0.6], [0, 0, 0.3]]]), np.zeros(1, np.uint64)
    whole = draw_codes(steps, tail, KEYS, streams, slice(0, 99), np.arange(3))
    later = draw_codes(steps, tail, KEYS, streams, slice(40, 77), ORDER)
    np.testing.assert_array_equal(later, whole[ORDER, 40:77])
    # The second of two outer worlds, which starts at counter 7, has the worlds from 14 on.
    two = draw_codes(
        steps, np.repeat(tail, 2, axis=0), KEYS, np.array([0, 7], np.uint64), slice(0, 20), ORDER
    )
    np.testing.assert_array_equal(two, whole[ORDER][:, [*range(20), *range(14, 34)]])


def test_a_chance_of_one_is_certain(monkeypatch) -> None:
    """Even where the largest number is drawn, in one of several outer worlds."""
    steps = grade_steps(votes())
    largest = [(slice(0, 1), np.full((1, 4), 2**32 - 1, np.uint32))]
    monkeypatch.setattr(keyed, "keyed_bits", lambda keys, counter: largest)
    tail = np.array([[[1, 0, 1], [0, 0, 1]], [[0.5, 0, 1], [0, 0, 1]]])
    codes = draw_codes(steps, tail, KEYS, np.zeros(2, np.uint64), slice(0, 2), np.arange(3))
    assert codes.tolist() == [[5, 5, 0, 0], [4] * 4, [3] * 4]
