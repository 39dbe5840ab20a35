"""Checks of truth, runs, measures and options against each other."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.small_collections import TREE, make_votes

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells
from fuzzytruth.data.by_example import ByExample
from fuzzytruth.data.reading import as_runs
from fuzzytruth.errors import MissingQueryWarning, UnjudgedItemWarning, UnjudgedQueryWarning
from fuzzytruth.evaluation.validation import as_truth, check_top_grade, check_truth, check_worlds
from fuzzytruth.measures import parse_measure
from fuzzytruth.truth.protocol import Coverage

GRADES = {"q": {"a": 1, "b": 0}}
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
    def test_everything_that_makes_judgments(self, tmp_path) -> None:
        judgments = ft.Judgments.from_dict(GRADES)
        path = tmp_path / "qrels.txt"
        path.write_text("q 0 a 1\nq 0 b 0\n")
        expected = judgments.to_frame()
        assert as_truth(judgments) is judgments
        for given in (GRADES, expected, path, str(path)):
            pd.testing.assert_frame_equal(as_truth(given).to_frame(), expected)

    def test_votes_need_queries(self) -> None:
        taxonomy = ft.Taxonomy.from_children(TREE)
        votes = ft.Assignments.from_frame(make_votes(0, taxonomy), taxonomy=taxonomy)
        truth = votes.by_example()
        assert isinstance(truth, ByExample)
        assert as_truth(truth) is truth
        with pytest.raises(ft.OptionError, match=r"votes\.by_example"):
            as_truth(votes)

    def test_anything_else(self) -> None:
        with pytest.raises(ft.OptionError, match=r"truth: give Judgments, .* or a path, not 3"):
            as_truth(3)


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
        with pytest.raises(ft.OptionError, match=r"runs: give Runs|path=''"):
            as_runs(given)


class TestWorlds:
    def test_the_default_is_the_truths(self) -> None:
        assert check_worlds(aligned(default="crisp"), None, "subject") == "crisp"

    def test_several_subjects_may_have_another_default(self) -> None:
        assert check_worlds(aligned(), None, "subject") == "subject"
        assert check_worlds(aligned(), None, "independent") == "independent"
        for subjects in (None, ("s",)):
            assert check_worlds(aligned(subjects=subjects), None, "subject") == "independent"

    def test_named_worlds_are_those_or_an_error(self) -> None:
        assert check_worlds(aligned(), "population", "subject") == "population"
        truth = aligned(lacks={"subject": "these judgments have no subjects"})
        with pytest.raises(ft.OptionError, match="worlds='subject': these judgments have no subj"):
            check_worlds(truth, "subject", "subject")
        with pytest.raises(ft.OptionError, match="worlds='all'"):
            check_worlds(aligned(), "all", "subject")


class TestMeasures:
    def test_kind_of_worlds(self) -> None:
        assert checked(aligned(), "AP") == "independent"
        assert checked(aligned(), "AP", several="subject") == "subject"
        with_lists = aligned(lacks={})
        assert checked(with_lists, "WD") == "subject"

    def test_expected_ties_need_a_rule(self) -> None:
        assert checked(aligned(), "P@2", ties="expected") == "independent"
        with pytest.raises(
            ft.MeasureError, match=r"no expectation over orders of ties.* infAP; use"
        ):
            checked(aligned(), "P@2", "infAP", ties="expected")

    def test_missing_judgments_need_a_decision(self) -> None:
        truth = aligned(n_missing=1234, missing=np.array([0, 1234]), queries=("q7",))
        message = r"1,234 judgments are missing.*1,234 by 't' for query 'q7'.*missing='pooled'"
        with pytest.raises(ft.DataError, match=message):
            checked(truth, "AP", worlds="subject")
        assert checked(truth, "AP", worlds="subject", missing="exclude") == "subject"
        assert checked(truth, "AP", worlds="independent") == "independent"

    def test_lists_have_no_missing_judgments(self) -> None:
        truth = aligned(n_missing=3, lacks={})
        assert checked(truth, "WD") == "subject"
        with pytest.raises(ft.DataError, match=r"WD.* can do without and be evaluated apart"):
            checked(truth, "AP", "WD", worlds="subject")

    def test_lists_need_one_subject_at_a_time(self) -> None:
        with_lists = aligned(lacks={})
        with pytest.raises(ft.MeasureError, match="compares whole lists of one subject; it has no"):
            checked(aligned(), "WD")
        with pytest.raises(ft.MeasureError, match="worlds='population' takes apart"):
            checked(with_lists, "WD", worlds="population")
        with pytest.raises(ft.MeasureError, match="missing='pooled' leaves open"):
            checked(with_lists, "WD", "AP", worlds="subject", missing="pooled")

    def test_a_threshold_above_every_grade(self) -> None:
        with pytest.raises(ft.MeasureError, match=r"from grade 2, .* is 1, .* such as AP"):
            check_top_grade(1.0, measures("P@2", "AP(rel=2)"))
        check_top_grade(0.0, measures("AP(rel=2)"))  # nothing is relevant to anyone
        check_top_grade(2.0, measures("AP(rel=2)"))


class TestCoverage:
    def test_a_system_without_any_judged_query(self) -> None:
        truth = aligned(coverage=coverage(disjoint={"x": ("1", "2")}))
        with pytest.raises(ft.DataError, match=r"run .x. .* has 1, 2, the judgments q1, q2"):
            checked(truth, "AP")

    def test_queries_of_one_side_only(self) -> None:
        truth = aligned(coverage=coverage(missing={"x": ["q2"], "y": ["q1", "q2"]}))
        with pytest.warns(MissingQueryWarning) as caught:
            checked(truth, "AP")
        assert str(caught[0].message) == (
            "judged queries are missing from x (1: q2), y (2: q1, q2); they count as empty lists"
        )
        truth = aligned(coverage=coverage(unjudged={name: ["q7"] for name in "abcde"}))
        with pytest.warns(UnjudgedQueryWarning, match=r"c \(1: q7\), and 2 more runs$"):
            checked(truth, "AP")

    def test_empty_lists_are_the_best_to_an_optimist(self) -> None:
        truth = aligned(coverage=coverage(missing={"x": ["q2"]}), lacks={})
        with pytest.warns(MissingQueryWarning, match="look at unseen=pessimist or worst, too"):
            checked(truth, "WD")

    def test_items_without_votes(self) -> None:
        counts = {"a": 1000, "b": 2, "c": 3, "d": 4}
        with pytest.warns(
            UnjudgedItemWarning,
            match=r": 1,009 retrieved items: a \(1,000\).* and 1 more run$",
        ):
            checked(aligned(coverage=coverage(unknown_items=counts)), "AP")
