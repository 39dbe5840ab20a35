"""Checks of truth, runs, measures and options against each other, and warnings of grades."""

import re
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.small_collections import TREE, make_votes

import fuzzytruth as ft
from fuzzytruth import errors
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.workers import Workers
from fuzzytruth.data.by_example import ByExample
from fuzzytruth.data.parted import PartedJudgments
from fuzzytruth.data.reading import as_runs
from fuzzytruth.evaluation.validation import (
    as_truth,
    check_truth,
    report_grades,
)
from fuzzytruth.measures import parse_measure, parse_measures
from fuzzytruth.truth.protocol import Coverage

SCORES = {"x": {"q": {"a": 2.0, "b": 1.0}}}


def coverage(**parts: Any) -> Coverage:
    empty: dict[str, Any] = {"missing": {}, "unjudged": {}, "disjoint": {}}
    return Coverage(("q1", "q2"), **empty | parts)


def aligned(**changes: Any) -> Any:
    """A truth of two subjects with all kinds of worlds and no lists."""
    given = {
        "subjects": ("s", "t"),
        "default": "independent",
        "lacks": {"lists": "it has no lists"},
        "n_missing": 0,
        "top_grade": 1.0,
        "missing": np.array([0, 0]),
        "cells": Cells.complete(1, 2),
        "coverage": coverage(),
    }
    return SimpleNamespace(**given | changes)


def measures(*texts: str) -> Any:
    return tuple(map(parse_measure, texts))


def checked(truth: Any, *texts: str, **options: Any) -> str:
    given = {"worlds": None, "ties": "trec", "missing": "error"} | options
    return check_truth(truth, measures(*texts), **given)


class TestTruth:
    def test_votes_need_queries(self) -> None:
        taxonomy = ft.Taxonomy.from_children(TREE)
        votes = ft.Assignments.from_frame(make_votes(0, taxonomy), taxonomy=taxonomy)
        truth = votes.by_example()
        assert isinstance(truth, ByExample)
        assert as_truth(truth) is truth
        with pytest.raises(ft.errors.OptionError, match=r"votes\.by_example"):
            as_truth(votes)


class TestRuns:
    def test_everything_that_makes_runs(self, tmp_path) -> None:
        runs = ft.Runs.from_dict(SCORES)
        path = tmp_path / "x.txt"
        path.write_text("q Q0 a 1 2.0 x\nq Q0 b 2 1.0 x\n")
        assert as_runs(runs) is runs
        for given in (SCORES, runs.to_frame(), path, str(path), [path], {"x": path}):
            pd.testing.assert_frame_equal(as_runs(given).to_frame(), runs.to_frame())

    @pytest.mark.parametrize("given", [None, 3, [], {}])
    def test_anything_else(self, given: Any) -> None:
        with pytest.raises(ft.errors.OptionError, match=r"runs: give Runs|path=''"):
            as_runs(given)


class TestMeasures:
    def test_lists_have_no_missing_judgments(self) -> None:
        truth = aligned(n_missing=3, lacks={})
        assert checked(truth, "WD") == "subject"
        with pytest.raises(
            ft.errors.DataError, match=r"WD.* can do without and be evaluated apart"
        ):
            checked(truth, "AP", "WD", worlds="subject")
        with pytest.raises(
            ft.errors.DataError, match="say how they count: missing='exclude' to take them"
        ):
            checked(truth, "AP", worlds="subject")

    def test_lists_need_one_subject_at_a_time(self) -> None:
        with_lists = aligned(lacks={})
        with pytest.raises(
            ft.errors.MeasureError, match="compares whole lists of one subject; it has no"
        ):
            checked(aligned(), "WD")
        with pytest.raises(ft.errors.MeasureError, match="worlds='population' takes apart"):
            checked(with_lists, "WD", worlds="population")
        with pytest.raises(ft.errors.MeasureError, match="missing='pooled' leaves open"):
            checked(with_lists, "WD", "AP", worlds="subject", missing="pooled")


def reported(truth: ft.Judgments, *measures: str) -> list[tuple[type, str]]:
    with warnings.catch_warnings(record=True) as made:
        warnings.simplefilter("always")
        report_grades(truth, parse_measures(measures))
    return [(w.category, str(w.message)) for w in made]


def graded(*grades: float, **columns) -> ft.Judgments:
    items = [f"d{j}" for j in range(len(grades))]
    return ft.Judgments.from_columns(["q"] * len(items), items, grades, **columns)


def crowd(*of_subject: list[float]) -> ft.Judgments:
    """Each subject's grades, of items of their own."""
    rows = [(f"d{j}", f"s{s}", g) for s, some in enumerate(of_subject) for j, g in enumerate(some)]
    item, subject, grade = zip(*rows, strict=True)
    return ft.Judgments.from_columns(["q"] * len(rows), item, grade, subject=subject)


def test_err_by_name_has_another_scale_than_gdeval() -> None:
    ((category, message),) = reported(graded(0, 3, 1, 2), "ERR@20", "ERR@5", "AP")
    assert category is errors.MeasureNameWarning
    assert message == (
        "ERR@20, ERR@5: the scale is taken to end at 3, the largest grade; gdeval and ir_measures "
        "always let it end at 4, which gives other values; say which is meant: 'ERR(gmax=3)@20' is "
        "what is computed, 'ERR(gmax=4)@20' what they compute"
    )
    same = [(graded(0, 4, 1), "ERR@20"), (graded(0, 3, 1), "ERR(gmax=3)@20", "AP")]
    of_a_crowd = graded(0, 3, 1, subject=["a", "a", "b"])
    beyond = graded(0, 5)  # which they refuse
    for quiet in (*same, (of_a_crowd, "ERR@20"), (beyond, "ERR"), (graded(0, 0), "ERR")):
        assert not reported(*quiet)


def test_shorter_scales() -> None:
    truth = crowd([1, 0, 1, 1, 0, 1, 1, 0] * 2, [1, 3, 5, 2, 4, 4, 3, 1] * 2)
    ((category, message),) = reported(truth, "nDCG@10")
    assert category is errors.ScaleWarning
    assert message == (
        "grades of 1 subject of 2 keep to a shorter scale (s0 0 to 1) than those of the others (up "
        "to 5, as s1); if their scales differ, give each subject a threshold, "
        "rel={'s0': ..., ...}, or use truth.rescaled()"
    )
    assert reported(truth.binary({"s0": 1, "s1": 3}), "nDCG@10", "AP") == []
    assert reported(truth.rescaled(), "nDCG@10") == []


TWO = crowd([3, 2], [0, 1])


LISTED = {"s": {"q": ["d0", "d1"]}}


def test_thresholds_of_each_subject() -> None:
    options = {"worlds": "subject", "rel": {"s0": 3, "s1": 1}}
    scores = ft.evaluate(TWO, LISTED, ["P@1", "nDCG"], **options)
    want = ft.evaluate(crowd([1, 0], [0, 1]), LISTED, ["P@1", "nDCG"], worlds="subject")
    np.testing.assert_array_equal(scores.values, want.values)
    assert scores.provenance.rel == "s0: 3, s1: 1"
    message = re.escape(
        "rel: the grades of 1 of 2 subjects never reach the threshold (s1 up to 1, threshold 2), "
        "so that nothing is relevant by them; if their scales differ, give each subject a "
        "threshold, rel={'s1': ..., ...}"
    )
    with pytest.warns(errors.ScaleWarning, match=f"^{message}$"):
        one = ft.evaluate(TWO, LISTED, "P@1", worlds="subject", rel=2)
    assert one.values.ravel().tolist() == [1, 0]
    negative = {"q": {"a": 1, "b": -1, "c": 0}}
    for measure in ("bpref", "infAP"):
        with_rel, without = (
            ft.evaluate(negative, {"s": {"q": ["b", "c", "a"]}}, measure, rel=rel).values
            for rel in (1, None)
        )
        np.testing.assert_array_equal(with_rel, without)


@pytest.mark.parametrize(
    ("measure", "rel", "words"),
    [
        ("P@1", 4, r"^rel: no grade reaches .* \(s.*; low"),
        ("P(rel=2)@1", 2, r"rel=2: leaves grades 0 and 1, and P\(rel=2\)@1 set"),
        ("P@1", {"s0": 3}, "rel: no threshold for 1 subject: s1"),
    ],
)
def test_thresholds_that_are_refused(measure: str, rel: Any, words: str) -> None:
    with pytest.raises(ft.errors.OptionError, match=words):
        ft.evaluate(TWO, LISTED, measure, rel=rel)
    votes = ft.Assignments.from_columns(["s", "s"], ["i", "j"], ["a", "a"])
    with pytest.raises(ft.errors.OptionError, match="rel=1: is for Judgments"):
        ft.evaluate(votes.by_example(), {"s": {"i": ["j"]}}, "P@1", rel=1)


def test_judgments_in_parts_are_warned_of_as_others() -> None:
    dd = pytest.importorskip("dask.dataframe")
    parts = dd.from_pandas(graded(0, 3, 1, 2).to_frame(), npartitions=1)
    truth = as_truth(parts, Workers(None))
    assert isinstance(truth, PartedJudgments)
    measures = ("ERR@20", "AP(rel=5)", "nDCG")
    assert reported(truth, *measures) == reported(graded(0, 3, 1, 2), *measures) != []
