"""Warnings of grades that measures may misread; silent on ordinary data."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth import errors
from fuzzytruth.evaluation.validation import report_grades, short_scales
from fuzzytruth.measures import parse_measures


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
    ((_, message),) = reported(graded(2, 5), "AP", "P(rel=2)@10")
    assert "for AP, P(rel=2)@10: all" in message
    assert "the threshold is 1, 2;" in message


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


@pytest.mark.parametrize(
    "truth",
    [
        graded(0, 1, 1, 0),
        graded(1, 1, 1),
        graded(0, 1, 2, 3),
        graded(-2, 0, 1, 2),
        graded(0, 0, 0),
        graded(1, 2, probability=[0.5, 0.1]),
        graded(1, 1, 0, count=[1, 2, 3]),
        crowd([0, 1, 2], [0, 1, 1], [0, 0, 0]),
        crowd([0, 1, 0, 1] * 50, [0, 0, 0, 0] * 50),
        crowd([0, 1, 2, 2] * 200, [0, 1, 2, 3] * 200),  # 3 is not twice 2
        crowd([0, 1, 1], [2, 2, 2]),  # too few to tell
        crowd([0, 1, 2] * 500, [0, 1, 2] * 499 + [0, 1, 10]),  # a typing error
    ],
)
def test_silent_on_ordinary_grades(truth: ft.Judgments) -> None:
    assert reported(truth, "AP", "nDCG@10", "P@10", "RR") == []


def test_a_sparse_crowd_rarely_uses_the_top_grade() -> None:
    rng = np.random.default_rng(0)
    grades = [rng.choice(4, size=8, p=[0.6, 0.2, 0.15, 0.05]).tolist() for _ in range(300)]
    assert reported(crowd(*grades), "AP", "nDCG@10") == []


def test_lists_and_other_truths_have_no_scale() -> None:
    truth = graded(1, 3, 5, 0.5)
    assert reported(truth, "WD", "RBO") == []
    report_grades(object(), parse_measures("AP"))


def test_nested_subjects_are_not_compared() -> None:
    truth = crowd([1, 0, 1, 1, 0] * 4, [1, 3, 5, 2, 4] * 4)
    nested = ft.Judgments.from_frame(truth.to_frame(), design="nested")
    assert reported(nested, "nDCG@10") == []


@pytest.mark.parametrize("seed", range(5))
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


def test_subjects_who_share_no_items_are_not_compared() -> None:
    of_subject = [("ann", 0, [0, 1, 2] * 40), ("bob", 200, [0] * 100 + [1] * 20)]
    rows = [
        (f"d{first + j}", who, g) for who, first, some in of_subject for j, g in enumerate(some)
    ]
    item, subject, grade = zip(*rows, strict=True)
    truth = ft.Judgments.from_columns(["q"] * len(rows), item, grade, subject=subject)
    assert reported(truth, "nDCG@10") == []


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


def test_thresholds_of_each_subject() -> None:
    rows = [("q", "a", "ann", 3), ("q", "b", "ann", 2), ("q", "a", "bob", 0), ("q", "b", "bob", 1)]
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    runs = {"s": {"q": {"a": 2.0, "b": 1.0}}}
    options = {"worlds": "subject", "rel": {"ann": 3, "bob": 1}}
    scores = ft.evaluate(votes, runs, ["P@1", "nDCG"], **options)
    want = ft.evaluate(votes.assign(grade=[1, 0, 0, 1]), runs, ["P@1", "nDCG"], worlds="subject")
    np.testing.assert_array_equal(scores.values, want.values)
    assert scores.provenance == replace(want.provenance, rel="ann: 3, bob: 1")
    message = re.escape(
        "rel: the grades of 1 of 2 subjects never reach the threshold (bob up to 1, threshold 2), "
        "so that nothing is relevant by them; if their scales differ, give each subject a "
        "threshold, rel={'bob': ..., ...}"
    )
    with pytest.warns(errors.ScaleWarning, match=f"^{message}$"):
        one = ft.evaluate(votes, runs, "P@1", worlds="subject", rel=2)
    assert one.values.ravel().tolist() == [1, 0]
    with pytest.raises(ft.OptionError, match=r"^rel: no grade reaches .* \(a.*; low"):
        ft.evaluate(votes, runs, "P@1", worlds="subject", rel=4)
    with pytest.raises(ft.OptionError, match=r"rel=2: leaves grades 0 and 1, and P\(rel=2\)@1 set"):
        ft.evaluate(votes, runs, "P(rel=2)@1", rel=2)
    with pytest.raises(ft.OptionError, match="rel=1: is for Judgments"):
        ft.evaluate(_labels(), {"s": {"i": {"j": 1.0}}}, "P@1", rel=1)
    negative = {"q": {"a": 1, "b": -1, "c": 0}}
    lists = {"s": {"q": ["b", "c", "a"]}}
    for measure in ("bpref", "infAP"):
        as_given = ft.evaluate(negative, lists, measure).values
        np.testing.assert_array_equal(ft.evaluate(negative, lists, measure, rel=1).values, as_given)
    with pytest.raises(ft.OptionError, match="rel: no threshold for 1 subject: bob"):
        ft.evaluate(votes, runs, "P@1", rel={"ann": 3})


def _labels() -> ft.ByExample:
    tree = ft.Taxonomy.from_children({"all": ["a", "b"]})
    rows = pd.DataFrame([("s", "i", "a"), ("s", "j", "a")], columns=["subject", "item", "category"])
    return ft.Assignments.from_frame(rows, taxonomy=tree).by_example()
