"""Compatibility by hand; definition: `test_brute_force`, values: `test_from_ir_measures`."""

from __future__ import annotations

import pytest
from support.building import batch_of, query

from fuzzytruth.errors import MeasureError
from fuzzytruth.measures import Compat


def value(measure, *queries) -> list[float]:
    return measure.score(batch_of(*queries))[0].tolist()


def test_by_hand() -> None:
    """The ideal list is (second, first): overlap 0 and 1 at depths 1 and 2."""
    measure = Compat(p=0.5)
    ideal = 1 + 0.5 * 1
    assert value(measure, query([1, 2])) == pytest.approx([0.5 / ideal])
    assert value(Compat(p=0.5, normalize=False), query([1, 2])) == pytest.approx([0.5 / 1.5])


def test_any_order_of_equal_grades_is_ideal() -> None:
    perfect = [query([2, 1, 1]), query([1, 1, 0, None]), query([3, 0], [0])]
    assert value(Compat(), *perfect) == pytest.approx([1, 1, 1])


def test_missed_items_are_behind_those_of_their_grade() -> None:
    """Ideal: listed, missed; depth 2, in which the list has one of two."""
    assert value(Compat(p=0.5), query([1], [1])) == pytest.approx([(1 + 0.25) / (1 + 0.5)])


def test_without_relevant_items_and_wrong_parameters() -> None:
    assert value(Compat(), query([0, None]), query([])) == [0, 0]
    for wrong in ({"p": 1}, {"normalize": "no"}):
        with pytest.raises(MeasureError):
            Compat(**wrong)
