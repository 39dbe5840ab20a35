"""Agreement and ties behind scores."""

from __future__ import annotations

import pytest
from support.analysed import runs, truth

import fuzzytruth as ft
from fuzzytruth.analysis.data_check import check_sources


def test_agreement_is_that_of_the_votes() -> None:
    found = check_sources(truth(), ft.Runs.from_dict(runs()))
    assert found.agreement.value == ft.agreement(truth()).value
    assert found.pairs.to_frame().equals(ft.pairwise_agreement(truth()).to_frame())
    assert found.notes == ()


def test_more_than_two_grades_are_ordinal() -> None:
    votes = ft.Judgments.from_columns(
        ["q"] * 8, [*"aabbccdd"], [0, 0, 1, 1, 2, 2, 2, 1], subject=["ann", "bob"] * 4
    )
    found = check_sources(votes, ft.Runs.from_dict({"x": {"q": ["a"]}}))
    assert found.agreement.value == ft.agreement(votes, metric="ordinal").value
    assert found.agreement.value != ft.agreement(votes).value
    weighted = ft.pairwise_agreement(votes, metric="ordinal").to_frame()
    assert found.pairs.to_frame().equals(weighted)


def test_one_truth_has_no_agreement() -> None:
    judged = ft.Judgments.from_dict({"q": {"a": 1, "b": 0}})
    found = check_sources(judged, ft.Runs.from_dict({"x": {"q": ["a"]}}))
    assert (found.agreement, found.pairs, found.notes) == (None, None, ())


def test_why_there_is_none_is_noted() -> None:
    votes = ft.Judgments.from_columns(["q", "r"], ["a", "a"], [1, 0], subject=["ann", "bob"])
    found = check_sources(votes, ft.Runs.from_dict({"x": {"q": ["a"]}}))
    assert found.pairs is None
    assert found.notes
    assert all("\n" not in note for note in found.notes)


def test_votes_for_categories() -> None:
    votes = ft.Assignments.from_columns([*"stu"] * 3, [*"aaabbbccc"], [*"uuvuvvuuu"])
    lists = ft.Runs.from_dict({"x": {"a": ["b", "c"], "b": ["a", "c"]}})
    found = check_sources(votes.by_example(), lists)
    assert found.agreement.value == pytest.approx(ft.agreement(votes).value)


def test_ties() -> None:
    lists = {
        "none": {"q": {"a": 3.0, "b": 2.0}, "r": {"a": 3.0, "b": 1.0}},
        "some": {"q": {"a": 1.0, "b": 1.0, "c": 0.5}, "r": {"a": 1.0}},
        "float32": {"q": {"a": 1.0, "b": 1.0 + 1e-12}},
    }
    found = check_sources(ft.Judgments.from_dict({"q": {"a": 1}}), ft.Runs.from_dict(lists))
    assert dict(found.tied) == {"none": 0.0, "some": 0.5, "float32": 1.0}
