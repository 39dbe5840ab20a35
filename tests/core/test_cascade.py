"""Expected reciprocal rank in the cascade model."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.measures.user_models import expected_reciprocal_rank


def test_against_a_loop_over_ranks() -> None:
    chances = np.random.default_rng(2).random((5, 7))
    expected = []
    for row in chances:
        going, total = 1.0, 0.0
        for rank, chance in enumerate(row, start=1):
            total += going * chance / rank
            going *= 1 - chance
        expected.append(total)
    assert expected_reciprocal_rank(chances) == pytest.approx(expected, abs=1e-14)


def test_each_probability_raises_it() -> None:
    chances = np.random.default_rng(3).random((40, 6)) * 0.9
    before = expected_reciprocal_rank(chances)
    for rank in range(6):
        more = chances.copy()
        more[:, rank] += 0.1
        assert (expected_reciprocal_rank(more) > before).all()
