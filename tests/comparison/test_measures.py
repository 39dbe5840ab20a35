"""Measures named by users."""

from __future__ import annotations

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.comparison.compare import measure_places
from fuzzytruth.core.cells import Cells

SCORES = ft.Scores(
    systems=("a",),
    queries=("q",),
    measures=("AP", "P@10", "mine"),
    values=np.zeros((1, 3, 1)),
    cells=Cells.of_queries(1),
    higher_is_better=(True, True, True),
)


def test_all_by_default() -> None:
    assert measure_places(SCORES, None) == (0, 1, 2)


def test_one_or_several_in_any_spelling_and_each_once() -> None:
    assert measure_places(SCORES, "P_10") == (1,)
    assert measure_places(SCORES, ["mine", "map", "AP"]) == (2, 0)
    assert measure_places(SCORES, iter(["AP"])) == (0,)


def test_none_and_unknown_ones() -> None:
    with pytest.raises(ft.OptionError, match="measures: name at least one"):
        measure_places(SCORES, [])
    with pytest.raises(ft.OptionError, match="measure 'RR'"):
        measure_places(SCORES, ["AP", "RR"])
