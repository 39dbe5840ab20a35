"""The contingency table by hand."""

from __future__ import annotations

import pytest
from support.building import batch_of, query
from support.golden import value

from fuzzytruth.errors import MeasureError
from fuzzytruth.measures import parse_measure

BATCH = batch_of(query([1, 0, 2, None], [1, 0]))


@pytest.mark.parametrize(
    ("name", "whole", "at_2"),
    [
        ("TP", 2, 1),
        ("FP", 2, 1),
        ("FN", 1, 2),
        ("TN(collection=10)", 5, 6),
        ("NumRet", 4, 2),
        ("NumRelRet", 2, 1),
    ],
)
def test_by_hand(name: str, whole: float, at_2: float) -> None:
    assert value(name, BATCH) == whole
    assert value(f"{name}@2", BATCH) == at_2


def test_the_table_adds_up() -> None:
    parts = [value(name, BATCH) for name in ("TP@3", "FP@3", "FN@3", "TN(collection=10)@3")]
    assert sum(parts) == 10
    assert value("NumRel", BATCH) == parts[0] + parts[2]


def test_a_collection_that_is_too_small() -> None:
    with pytest.raises(MeasureError, match="retrieved items than the collection"):
        parse_measure("TN(collection=4)").score(BATCH)
