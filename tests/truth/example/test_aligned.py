"""Which worlds votes by example have, whoever gave them, and which cells are uncertain."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.truth import align

RUNS = ft.Runs.from_dict({"A": {q: {"i": 3.0, "j": 2.0, "k": 1.0} for q in ("i", "j")}})
COUNTS = ft.Assignments.from_counts([[2, 1], [0, 3], [1, 0]], items=["i", "j", "k"])
SOFT = ft.Membership.from_probabilities([[0.5, 0.5], [0, 1], [1, 0]], items=["i", "j", "k"])
SURE = ft.Assignments.from_counts([[2, 0], [0, 3], [1, 0]], items=["i", "j", "k"])


def aligned(truth: ft.ByExample) -> Any:
    return align(truth, RUNS, ties="trec")


def test_an_aligned_truth_is_equal_to_itself_alone() -> None:
    truth = COUNTS.by_example()
    one = aligned(truth)
    assert one == one
    assert one != aligned(truth)


@pytest.mark.parametrize("votes", [COUNTS, SOFT, SURE])
@pytest.mark.parametrize("worlds", ["subject", "population"])
def test_nobody_has_worlds_of_subjects(votes: Any, worlds: Any) -> None:
    truth = votes.by_example()
    assert truth.subjects is None
    assert aligned(truth).facts.subjects is None
    with pytest.raises(ft.OptionError, match=rf"^worlds='{worlds}': .* without names"):
        ft.evaluate(truth, RUNS, "P@1", worlds=worlds)


def test_categories_are_no_intents() -> None:
    with pytest.raises(ft.MeasureError, match="of the query; votes for categories have none; give"):
        ft.evaluate(COUNTS.by_example(), RUNS, "alpha-nDCG@2")


def test_a_single_truth_without_names() -> None:
    message = r"^worlds='crisp': the votes on 1 item differ, so that there is no single truth"
    for votes in (COUNTS, SOFT):
        assert aligned(votes.by_example()).facts.default == "independent"
        with pytest.raises(ft.OptionError, match=message):
            ft.evaluate(votes.by_example(), RUNS, "P@1", worlds="crisp")
    assert aligned(SURE.by_example()).facts.default == "crisp"
    named = ft.Assignments.from_columns(["s"] * 3, ["i", "j", "k"], ["0", "1", "0"])
    measures = ["P@1", "AP", "R@1", "nDCG@2"]
    got = ft.evaluate(SURE.by_example(["i"]), RUNS, measures)
    assert got.subjects is None
    want = ft.evaluate(named.by_example(["i"]), RUNS, measures)
    np.testing.assert_array_equal(got.values, want.values)
    drawn = ft.evaluate(SURE.by_example(["i"]), RUNS, measures, worlds="independent")
    np.testing.assert_allclose(drawn.values, want.values, atol=1e-15)


@pytest.mark.parametrize("worlds", ["subject", "population", "crisp"])
def test_probable_categories_have_no_subjects(worlds: Any) -> None:
    votes = ft.Assignments.from_columns(["s", "t"] * 2, ["i", "i", "j", "j"], ["a", "b", "a", "a"])
    truth = votes.by_example(category={"i": {"a": 0.5, "b": 0.5}, "j": "a"})
    assert truth.subjects is None
    assert aligned(truth).facts.default == "independent"
    with pytest.raises(ft.OptionError, match="given by probabilities, which have no subjects"):
        ft.evaluate(truth, RUNS, "P@1", worlds=worlds)


REPEATS = pd.DataFrame(
    [
        ("s", "i", "a", 1),
        ("s", "i", "b", 2),
        ("s", "j", "a", 1),
        ("t", "i", "a", 1),
        ("t", "i", "a", 2),
        ("t", "j", "b", 1),
    ],
    columns=["subject", "item", "category", "repeat"],
)


@pytest.mark.parametrize(
    ("options", "uncertain"),
    [
        ({}, [True, False, True, False]),
        ({"category": "a"}, [True, False, True, False]),
        ({"collection": ["j"]}, [True, False, False, False]),
        ({"collection": ["j"], "category": "a"}, [False, False, False, False]),
    ],
)
def test_uncertain_cells_have_repetitions_that_differ(options: Any, uncertain: Any) -> None:
    truth = ft.Assignments.from_frame(REPEATS).by_example(**options)
    assert aligned(truth).facts.uncertain.tolist() == uncertain
    once = ft.Assignments.from_frame(REPEATS[REPEATS["repeat"] == 1]).by_example(**options)
    assert not aligned(once).facts.uncertain.any()
    assert not aligned(COUNTS.by_example()).facts.uncertain.any()


def test_a_subject_with_repetitions_has_a_single_truth_if_they_agree() -> None:
    for subject, default in (("s", "independent"), ("t", "crisp")):
        votes = ft.Assignments.from_frame(REPEATS[REPEATS["subject"] == subject])
        assert aligned(votes.by_example()).facts.default == default
    differ = ft.Assignments.from_frame(REPEATS[REPEATS["subject"] == "s"]).by_example()
    with pytest.raises(ft.OptionError, match="judged some items repeatedly and differently"):
        ft.evaluate(differ, RUNS, "P@1", worlds="crisp")


def test_repetitions_are_no_missing_judgments() -> None:
    truth = ft.Assignments.from_frame(REPEATS).by_example()
    assert aligned(truth).facts.n_missing == 0
    some = aligned(ft.Assignments.from_frame(REPEATS.iloc[[0, 1, 3, 5]]).by_example())
    assert some.facts.n_missing == 1
    assert some.facts.cells.query.tolist() == [0, 0, 1]
    assert some.facts.missing.tolist() == [1, 0, 0]
