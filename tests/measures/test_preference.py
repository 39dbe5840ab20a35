"""bpref by hand."""

from __future__ import annotations

import pytest
from support.building import batch_of, query
from support.golden import value


@pytest.mark.parametrize(
    ("ranked", "missed", "expected"),
    [
        ([1, 0, 1], [0], (1 + (1 - 1 / 2)) / 2),
        ([0, 0, 0, 1], [], 1 - 1 / 1),
        ([None, -1, 1], [0], 1.0),
        ([1, 1], [], 1.0),
        ([0], [1], 0.0),
    ],
)
def test_by_hand(ranked, missed, expected: float) -> None:
    assert value("bpref", batch_of(query(ranked, missed))) == pytest.approx(expected)


def test_tied_with_a_nonrelevant_item() -> None:
    """In half of the orders one of at most one non-relevant items is above."""
    assert value("bpref", batch_of(query([1, 0], ties=[2]))) == pytest.approx(0.5)
