"""Nearest neighbour and tiers by hand."""

from __future__ import annotations

import pytest
from support.building import batch_of, query
from support.golden import value

#: three relevant items, at ranks 2 and 5, and one not retrieved
BATCH = batch_of(query([0, 1, 0, 0, 1], [1]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("NN", 0),
        ("FT", 1 / 3),
        ("ST", 2 / 3),
        ("FT(norm=depth)", 1 / 3),
        ("ST(norm=depth)", 2 / 5),
    ],
)
def test_by_hand(text: str, expected: float) -> None:
    assert value(text, BATCH) == pytest.approx(expected)


def test_a_perfect_list() -> None:
    batch = batch_of(query([1, 1, 0, 0, 0]))
    assert [value(t, batch) for t in ("NN", "FT", "ST", "ST(norm=depth)")] == [1, 1, 1, 0.5]


def test_tied_neighbours() -> None:
    assert value("NN", batch_of(query([1, 0, 0], ties=[3]))) == pytest.approx(1 / 3)
