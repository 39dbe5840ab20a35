"""Interpolated precision by hand."""

from __future__ import annotations

import numpy as np
import pytest
from support.building import batch_of, query
from support.golden import value

from fuzzytruth.measures.recall import interpolated_precision

#: precision 1/2, 2/3, 3/6 at the relevant items; a fourth is not retrieved
BATCH = batch_of(query([0, 1, 1, 0, 0, 1], [1]))


@pytest.mark.parametrize(
    ("level", "expected"), [(0, 2 / 3), (0.25, 2 / 3), (0.5, 2 / 3), (0.75, 0.5), (1, 0)]
)
def test_by_hand(level: float, expected: float) -> None:
    assert value(f"IPrec@{level}", BATCH) == pytest.approx(expected)


def test_mean_over_levels() -> None:
    assert value("IPrecAvg(levels=5)", BATCH) == pytest.approx((3 * 2 / 3 + 0.5 + 0) / 5)
    assert value("IPrecAvg(levels=0.75/1)", BATCH) == pytest.approx(0.25)


@pytest.mark.parametrize(("interp", "expected"), [("trec", 1), ("round", 1), ("exact", 3 / 5)])
def test_rounding_of_levels(interp: str, expected: float) -> None:
    """Recall 0.34 of 3 items is 1.02 of them: one, or two as the next whole number."""
    batch = batch_of(query([1, 0, 0, 1, 1]))
    values = interpolated_precision(batch, 1, np.array([0.34]), interp)
    assert values.shape == (1, 1, 1)
    assert values.item() == pytest.approx(expected)
