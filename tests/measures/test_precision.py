"""Precision, recall and their relatives by hand."""

from __future__ import annotations

import pytest
from support.building import batch_of, query
from support.golden import value

#: 3 of 5 relevant items retrieved, at ranks 1, 3 and 6; rank 4 is not judged
BATCH = batch_of(query([1, 0, 2, None, 0, 1], [1, 1, 0]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("P", 3 / 6),
        ("P@3", 2 / 3),
        ("P@10", 3 / 10),
        ("P(rel=2)@3", 1 / 3),
        ("R", 3 / 5),
        ("R@3", 2 / 5),
        ("R(rel=2)@3", 1),
        ("Success@1", 1),
        ("Success(rel=2)@2", 0),
        ("RelP@3", 2 / 3),
        ("RelP@10", 3 / 5),
        ("Rprec", 2 / 5),
        ("Rprec(mult=0.2)", 1),
        ("Judged", 5 / 6),
        ("Judged@4", 3 / 4),
    ],
)
def test_by_hand(text: str, expected: float) -> None:
    assert value(text, BATCH) == pytest.approx(expected, abs=1e-15)


def test_ties_share_their_ranks() -> None:
    batch = batch_of(query([1, 0, 0, 1], ties=[3, 1]))
    assert value("P@2", batch) == pytest.approx(2 / 3 / 2)
    assert value("Success@2", batch) == pytest.approx(2 / 3)
    assert value("R@2", batch) == pytest.approx(2 / 3 / 2)
