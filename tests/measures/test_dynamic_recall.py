"""Average dynamic recall of SHREC 2006, and by hand."""

from __future__ import annotations

import pytest
from support.building import batch_of, query
from support.golden import SHREC, value


def test_shrec_2006() -> None:
    assert value("ADR") == pytest.approx(SHREC["ADR"], abs=5.1e-8)
    assert value("ADR") == pytest.approx(sum(SHREC["ADR_r"]) / len(SHREC["ADR_r"]), abs=1e-7)


def test_by_hand() -> None:
    """Ideal grades 2, 1, 1: recall 0 of one item at rank 1, 2 of 2 at rank 2, 2 of 3 at rank 3."""
    assert value("ADR", batch_of(query([1, 2, 0], [1]))) == pytest.approx((0 + 2 / 2 + 2 / 3) / 3)
    assert value("ADR", batch_of(query([0, 1], [2]))) == pytest.approx((0 + 1 / 2) / 2)
