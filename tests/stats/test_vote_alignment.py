"""Who is closer to the others, beside loops over people."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.stats.alternative_annotator import (
    similarity_gaps,
    squared_error_gaps,
)

GRADES = np.array([0.1, 0.3, 0.2, 0.7])
TABLE = np.array([[1, 0.3, 0.1, 0], [0.3, 1, 0.2, 0], [0.1, 0.2, 1, 0.6], [0, 0, 0.6, 1]])


def votes(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Units, values and rivals of votes; some units have one vote, some none."""
    rng = np.random.default_rng(seed)
    unit = np.repeat(np.arange(40), rng.integers(0, 6, 40))
    rival = rng.integers(0, 4, 40)[unit]
    return unit, rng.integers(0, 4, len(unit)), rival, 40


def expected(unit: np.ndarray, value: np.ndarray, rival: np.ndarray, score) -> list[int]:
    out = []
    for j in range(len(unit)):
        others = [int(value[i]) for i in range(len(unit)) if unit[i] == unit[j] and i != j]
        if not others:
            out.append(0)
            continue
        own, other = (round(score(int(v), others), 9) for v in (value[j], rival[j]))
        out.append(int(own > other) - int(own < other))
    return out


@pytest.mark.parametrize("seed", range(4))
def test_by_hand(seed: int) -> None:
    unit, value, rival, n = votes(seed)
    same = similarity_gaps(unit, value, n, rival)
    assert same.tolist() == expected(
        unit, value, rival, lambda v, others: np.mean([v == o for o in others])
    )
    alike = similarity_gaps(unit, value, n, rival, lambda a, b: TABLE[a, b])
    assert alike.tolist() == expected(
        unit, value, rival, lambda v, others: np.mean([TABLE[v, o] for o in others])
    )
    near = squared_error_gaps(unit, GRADES[value], n, GRADES[rival])
    assert near.tolist() == expected(
        unit,
        value,
        rival,
        lambda v, others: -np.sqrt(np.mean([(GRADES[v] - GRADES[o]) ** 2 for o in others])),
    )


def test_rounding_errors_are_ties() -> None:
    # .1 and .3 are as far from .2, but for rounding: .3 - .2 < .2 - .1 in doubles
    unit = np.zeros(3, dtype=np.int64)
    grade, rival = np.array([0.1, 0.2, 0.2]), np.array([0.3, 0.2, 0.2])
    assert squared_error_gaps(unit, grade, 1, rival).tolist() == [0, 0, 0]


def test_no_votes() -> None:
    none = np.zeros(0, dtype=np.int64)
    assert similarity_gaps(none, none, 3, none).tolist() == []
    assert squared_error_gaps(none, none.astype(float), 3, none.astype(float)).tolist() == []
