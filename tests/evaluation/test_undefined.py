"""Warnings of queries without relevant items."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from fuzzytruth.core.cells import Cells
from fuzzytruth.errors import UndefinedMeasureWarning
from fuzzytruth.evaluation.validation import report_undefined_cells, report_undefined_worlds

QUERIES = ("q1", "q2", "q3")


def test_cells_without_relevant_items_are_counted() -> None:
    cells = Cells.complete(3, 2)
    none = np.array([True, False, False, False, True, True])
    with pytest.warns(UndefinedMeasureWarning) as caught:
        report_undefined_cells({"AP": none, "RR": none}, cells, QUERIES, exclude=True)
    assert str(caught[0].message) == (
        "no relevant item, so that these are undefined and are left out: "
        "AP, RR: 3 of 6 subject–query pairs (q1, q3)"
    )


def test_measures_that_differ_have_notes_of_their_own() -> None:
    cells = Cells.of_queries(3)
    without = {"AP": np.array([1, 0, 0], bool), "R@2": np.array([1, 1, 0], bool)}
    with pytest.warns(UndefinedMeasureWarning) as caught:
        report_undefined_cells(without, cells, QUERIES, exclude=False)
    assert len(caught) == 1
    text = str(caught[0].message)
    assert text.endswith(
        "AP: 1 of 3 queries (q1); R@2: 2 of 3 queries (q1, q2); undefined='exclude' leaves them out"
    )


def test_many_spellings_of_a_measure_are_one() -> None:
    cells = Cells(np.array([0, 1, 1]), np.array([0, 0, 1]), 3, 2)  # of 6 places in a table
    none = np.array([True, False, True])
    names = [f"{measure}@{k}" for measure in ("R", "nDCG(dcg='burges')") for k in range(1, 31)]
    with pytest.warns(UndefinedMeasureWarning) as caught:
        report_undefined_cells(dict.fromkeys(names, none), cells, QUERIES, exclude=True)
    assert str(caught[0].message).endswith(
        ": R at 30 cut-offs, nDCG(dcg='burges') at 30 cut-offs: 2 of 3 subject–query pairs (q1, q2)"
    )


def test_a_few_groups_are_named() -> None:
    without = {f"R(rel={n})": np.arange(20) < n for n in range(1, 11)}
    with pytest.warns(UndefinedMeasureWarning) as caught:
        report_undefined_cells(
            without, Cells.of_queries(20), tuple("abcdefghijklmnopqrst"), exclude=True
        )
    text = str(caught[0].message)
    assert text.count("of 20 queries") == 5
    assert text.endswith("; and 5 more groups")


def test_nothing_undefined_gives_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report_undefined_cells({}, Cells.of_queries(3), QUERIES, exclude=True)
        report_undefined_cells(
            {"AP": np.zeros(3, bool)}, Cells.of_queries(3), QUERIES, exclude=True
        )
        report_undefined_worlds({"AP": np.full(3, 0.0099)}, QUERIES, exclude=True)


def test_worlds_without_relevant_items_are_shares() -> None:
    """The mean share of the queries that reach a hundredth."""
    with pytest.warns(UndefinedMeasureWarning) as caught:
        report_undefined_worlds({"AP": np.array([0.01, 0.5, 0.009])}, QUERIES, exclude=True)
    assert str(caught[0].message).endswith("AP: 2 of 3 queries (q1, q2), in 0.26 of worlds")
