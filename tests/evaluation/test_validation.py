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
from fuzzytruth.data.by_example import ByExample
from fuzzytruth.data.reading import as_runs
from fuzzytruth.errors import (
    MissingQueryWarning,
    UndefinedMeasureWarning,
    UnjudgedItemWarning,
    UnjudgedQueryWarning,
)
from fuzzytruth.evaluation.validation import (
    as_truth,
    check_top_grade,
    check_truth,
    check_worlds,
    few_measures,
    report_grades,
    report_undefined_cells,
    report_undefined_worlds,
    short_scales,
)
from fuzzytruth.measures import parse_measure, parse_measures, registry
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


def test_every_judged_item_is_relevant() -> None:
    ((category, message),) = reported(graded(1, 3, 5, 2), "AP", "nDCG@10", "P(rel=2)@10")
    assert category is errors.AllRelevantWarning
    assert message == (
        "every judged item counts as relevant for AP: all 4 grades are from 1 to 5, and the "
        "threshold is 1; if low grades mean not relevant, say which are, such as rel=5"
    )


def test_grades_between_0_and_1() -> None:
    ((category, message),) = reported(graded(0.2, 0, 1, 0.9), "AP", "nDCG@10", "P(rel=0.5)@10")
    assert category is errors.FractionWarning
    assert message.startswith(
        "2 of 4 grades are between 0 and 1, and so not relevant for AP, whose threshold is 1; if "
        "they are probabilities, use Judgments.from_probabilities or a column 'probability'"
    )


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


@pytest.mark.parametrize("seed", range(2))
def test_chances_as_in_the_docstring(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grades = [rng.integers(0, rng.integers(1, 7), rng.integers(1, 30)) for _ in range(6)]
    pairs = [rng.choice(35, len(g), replace=False) for g in grades]
    subject = np.repeat(np.arange(6), [len(g) for g in grades])
    grade = np.concatenate(grades).astype(float)
    smallest, largest, short = short_scales(np.concatenate(pairs), grade, subject, 6)
    positive = min(g for some in grades for g in some if g > 0)
    for s, own in enumerate(grades):
        twice = 2 * max(own.max(), positive)
        others = [
            [grades[t][pairs[t] == pair] for t in range(6) if t != s] for pair in pairs[s].tolist()
        ]
        shared = [np.concatenate(some) for some in others]
        number = sum(len(some) > 0 for some in shared)
        every = np.concatenate(shared)
        smaller = (np.sum(every < twice) + 1) / (len(every) + 2)
        assert (smallest[s], largest[s]) == (own.min(), own.max())
        assert short[s] == (smaller**number < 0.01 / 6)


def test_a_run_without_judged_items() -> None:
    truth = {"q": {"d1": 1, "d2": 0}, "r": {"d1": 1}}
    runs = {
        "far": {"q": {"D1": 2, "D2": 1}, "r": {"D3": 1}},
        "near": {"q": {"d1": 1}, "r": {"x": 1}},
    }
    message = re.escape(
        "no retrieved item was judged, in any query, for 1 run: far (such as 'D1', where 'd1' is "
        "judged); if the ids of the items are written differently, make them match"
    )
    with pytest.warns(errors.UnjudgedRunWarning, match=f"^{message}$"):
        scores = ft.evaluate(truth, runs, "P@1")
    assert scores.mean().to_numpy().ravel().tolist() == [0, 0.5]


@pytest.mark.parametrize(
    "truth",
    [
        graded(0, 1, 1, 0),
        graded(1, 1, 1),
        graded(-2, 0, 1, 2),
        graded(1, 2, probability=[0.5, 0.1]),
        graded(1, 1, 0, count=[1, 2, 3]),
        crowd([0, 1, 0, 1] * 50, [0, 0, 0, 0] * 50),
        crowd([0, 1, 2, 2] * 200, [0, 1, 2, 3] * 200),  # 3 is not twice 2
        crowd([0, 1, 1], [2, 2, 2]),  # too few to tell
        crowd([0, 1, 2] * 500, [0, 1, 2] * 499 + [0, 1, 10]),  # a typing error
        crowd(*np.random.default_rng(0).choice(4, (300, 8), p=[0.6, 0.2, 0.15, 0.05]).tolist()),
        ft.Judgments.from_columns(  # of other items each
            ["q"] * 240,
            range(240),
            [0, 1, 2] * 40 + [0] * 100 + [1] * 20,
            subject=["a"] * 120 + ["b"] * 120,
        ),
        ft.Judgments.from_frame(
            crowd([1, 0, 1, 1, 0] * 4, [1, 3, 5, 2, 4] * 4).to_frame(), design="nested"
        ),
    ],
)
def test_silent_on_ordinary_grades(truth: ft.Judgments) -> None:
    assert reported(truth, "AP", "nDCG@10", "P@10", "RR") == []
    assert reported(graded(1, 3, 5, 0.5), "WD", "RBO") == []  # lists have no scale
    report_grades(object(), parse_measures("AP"))


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
    with pytest.raises(ft.OptionError, match=words):
        ft.evaluate(TWO, LISTED, measure, rel=rel)
    votes = ft.Assignments.from_columns(["s", "s"], ["i", "j"], ["a", "a"])
    with pytest.raises(ft.OptionError, match="rel=1: is for Judgments"):
        ft.evaluate(votes.by_example(), {"s": {"i": ["j"]}}, "P@1", rel=1)


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


@pytest.mark.parametrize(
    ("names", "want"),
    [
        ([], ""),
        (["AP", "P@5", "P@10", "P@20", "R@5"], "AP, P@5, P@10, P@20, R@5"),
        (["AP", "P@5", "P@10", "P@20", "R@5", "R@6"], "AP, P at 3 cut-offs, R at 2 cut-offs"),
        (
            [*"ABCD", *(f"P(rel={rel})@{k}" for rel in (1, 2, 3) for k in (5, 10))],
            "A, B, C, D, P(rel=1) at 2 cut-offs, and 2 more measures",
        ),
        (list("ABCDEF"), "A, B, C, D, E, and 1 more measure"),
    ],
)
def test_few_of_many(names: list[str], want: str) -> None:
    assert few_measures(names) == want


def test_what_a_kernel_gives_without_relevant_items_is_declared() -> None:
    truth = ft.Judgments.from_columns(["q", "q"], ["a", "b"], [0, 0], intent=["x", "x"])
    for name in registry.names():
        cls, _ = registry.lookup(name)
        if cls.needs_relevant and not cls.compares_lists:
            with pytest.warns(errors.UndefinedMeasureWarning):
                scores = ft.evaluate(truth, {"x": {"q": ["a", "b"]}}, [cls.example or name])
            assert scores.values.item() == cls.empty, name
