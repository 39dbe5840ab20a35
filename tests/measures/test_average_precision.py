"""AP, SetAP and infAP by hand."""

from __future__ import annotations

import pytest
from support.building import batch_of, query
from support.golden import value

BATCH = batch_of(query([1, 0, None, 1, 2], [1]))
TOTAL = 1 / 1 + 2 / 4 + 3 / 5


def test_norms() -> None:
    assert value("AP", BATCH) == pytest.approx(TOTAL / 4)
    assert value("AP(norm=retrieved)", BATCH) == pytest.approx(TOTAL / 3)
    assert value("AP(rel=2)", BATCH) == pytest.approx(1 / 5)
    assert value("AP@4", BATCH) == pytest.approx((1 + 1 / 2) / 4)


def test_as_a_set() -> None:
    assert value("SetAP", BATCH) == pytest.approx(3 / 5 * 3 / 4)


def test_from_a_sample_of_the_pool() -> None:
    """Rank 1 relevant; rank 2 pooled, not judged; rank 3 relevant, 1 of 1 judged above it."""
    expected = (1 + 1 / 3 * (1 + 2 * (1 + 1e-5) / (1 + 2e-5))) / 2
    assert value("infAP", batch_of(query([1, -1, 1]))) == pytest.approx(expected, abs=1e-12)


def test_judging_more_than_the_sample_makes_it_average_precision() -> None:
    batch = batch_of(query([1, 0, 1, 0, 1]))
    assert value("infAP", batch) == pytest.approx(value("AP", batch), abs=1e-4)
