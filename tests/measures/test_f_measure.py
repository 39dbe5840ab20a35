"""F, E and EPSB by hand."""

from __future__ import annotations

import pytest
from support.building import batch_of, query
from support.golden import value

from fuzzytruth.measures.counts import f_value

BATCH = batch_of(query([1, 0, 1, 0]))


def test_over_all_points() -> None:
    points = [2 / 3, 2 / 4, 4 / 5, 4 / 6]
    assert value("F(points=max)", BATCH) == pytest.approx(max(points))
    assert value("F(points=mean)", BATCH) == pytest.approx(sum(points) / 4)


def test_harmonic_mean() -> None:
    batch = batch_of(query([1, 0, 1, 0], [1]))
    precision, recall = 1 / 2, 2 / 3
    assert value("F", batch) == pytest.approx(2 / (1 / precision + 1 / recall))
    assert value("F(beta=2)", batch) == pytest.approx(5 / (1 / precision + 4 / recall))
    assert value("E", batch) == pytest.approx(1 - value("F", batch))
    assert value("EPSB@4", batch) == pytest.approx(value("F@4", batch))


def test_from_counts() -> None:
    assert f_value(2, 4, 3, 1.0) == pytest.approx(4 / 7)
    assert f_value(0, 0, 0, 1.0) == 0
