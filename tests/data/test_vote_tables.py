"""Columns of votes that are not used are reported."""

from __future__ import annotations

import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.errors import UnusedColumnWarning

ROWS = pd.DataFrame({"image": ["i", "i"], "label": ["cat", "dog"], "rater": ["ann", "bob"]})


def test_a_column_that_says_yes_or_no_is_reported() -> None:
    message = r"^votes: not used: 'answer'; every row counts .* category \('label'\)"
    with pytest.warns(UnusedColumnWarning, match=message):
        ft.Assignments.from_frame(ROWS.assign(answer=["yes", "no"]))


def test_counts_beside_names_are_reported_or_refused() -> None:
    with pytest.warns(UnusedColumnWarning, match=r"not used: 'count', as there is 'rater'"):
        votes = ft.Assignments.from_frame(ROWS.assign(count=2))
    assert votes.subject_names == ("ann", "bob")
    with pytest.raises(ft.FuzzytruthError, match="count"):
        ft.Assignments.from_frame(ROWS.assign(n=2), columns={"count": "n"})


def test_the_same_of_judgments() -> None:
    frame = pd.DataFrame({"qid": "q", "docno": ["a", "b"], "rel": 1, "rater": "ann", "count": 2})
    with pytest.warns(UnusedColumnWarning, match=r"not used: 'count', as there is 'rater'"):
        assert ft.Judgments.from_frame(frame).count is None
    with pytest.raises(ft.FuzzytruthError, match="count"):
        ft.Judgments.from_frame(frame, columns={"count": "count"})
    both = frame.assign(p=0.5).drop(columns=["rater", "count"])
    named = ft.Judgments.from_frame(both, columns={"probability": "p"})
    assert (named.grade.tolist(), named.probability.tolist()) == ([1, 1], [0.5, 0.5])
