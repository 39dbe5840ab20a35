"""The parts of a gate's result are values."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace

import pytest

from fuzzytruth.comparison.gate import GateConditions, GateTest


def test_they_are_frozen_values() -> None:
    conditions = GateConditions(new="a", old="b", better=False, level=0.95)
    assert conditions.groups is None
    assert replace(conditions, better=True) != conditions == replace(conditions)
    with pytest.raises(FrozenInstanceError):
        conditions.level = 0.5  # type: ignore[misc]


def test_fields_are_the_keys_of_json() -> None:
    assert [field.name for field in fields(GateTest)] == [
        *("measure", "over", "decides", "passed", "outcome", "margin", "difference", "std_error"),
        *("bound", "p", "detectable", "n_queries", "n_subjects", "n_units", "higher_is_better"),
    ]
