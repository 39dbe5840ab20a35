"""Reciprocal rank by hand."""

from __future__ import annotations

import numpy as np
import pytest
from support.building import batch_of, query
from support.golden import value

from fuzzytruth.measures import RR


def test_by_hand() -> None:
    batch = batch_of(query([None, 0, 1, 2]), query([], [1]), query([2]))
    np.testing.assert_allclose(RR().score(batch), [[1 / 3, 0, 1]])
    np.testing.assert_allclose((RR() @ 2).score(batch), [[0, 0, 1]])
    np.testing.assert_allclose(RR(rel=2).score(batch), [[1 / 4, 0, 1]])


def test_tied_items() -> None:
    batch = batch_of(query([1, 0, 0], ties=[3]))
    assert value("RR", batch) == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    assert value("RR@2", batch) == pytest.approx((1 + 1 / 2) / 3)
