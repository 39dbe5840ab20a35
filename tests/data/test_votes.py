"""Votes as arrays, and back as frames and categorisations."""

from __future__ import annotations

import pandas as pd
import pytest

import fuzzytruth as ft

TAXONOMY = ft.Taxonomy.from_children({"all": ["people", "scenery"], "people": ["crowd"]})
ROWS = [
    ("ann", "i1", "crowd", 2.0),
    ("ann", "i2", "people", 1.0),
    ("ann", "i2", "scenery", 1.0),
    ("bob", "i1", "scenery", 0.5),
]
COLUMNS = ["subject", "item", "category", "weight"]
VOTES = ft.Assignments.from_frame(pd.DataFrame(ROWS, columns=COLUMNS), taxonomy=TAXONOMY)


def test_a_ballot_is_one_subject_and_item() -> None:
    assert len(VOTES) == 3
    assert repr(VOTES) == "Assignments(3 votes, 2 items, 2 subjects, 4 categories)"
    one = ft.Assignments.from_frame(pd.DataFrame(ROWS[:1], columns=COLUMNS), taxonomy=TAXONOMY)
    assert repr(one) == "Assignments(1 vote, 1 item, 1 subject, 4 categories)"


def test_frame_has_a_row_for_each_category() -> None:
    frame = VOTES.to_frame()
    assert frame.columns.tolist() == COLUMNS
    assert sorted(map(tuple, frame.to_numpy().tolist())) == sorted(ROWS)
    again = ft.Assignments.from_frame(frame, taxonomy=TAXONOMY)
    pd.testing.assert_frame_equal(again.to_frame(), frame)


def test_categorisation_of_one_subject() -> None:
    ann = VOTES.categorisation("ann")
    assert ann["i1"] == "crowd"
    assert sorted(ann["i2"]) == ["people", "scenery"]
    assert VOTES.categorisation("bob") == {"i1": "scenery"}
    with pytest.raises(ft.OptionError, match="subject 'eve' is not among the subjects: ann, bob"):
        VOTES.categorisation("eve")


def test_unknown_subject_among_many() -> None:
    rows = [(f"s{n}", "i1", "crowd", 1.0) for n in range(12)]
    votes = ft.Assignments.from_frame(pd.DataFrame(rows, columns=COLUMNS), taxonomy=TAXONOMY)
    with pytest.raises(ft.OptionError, match=r"s0, s1, .*s9, and 2 more$"):
        votes.categorisation("eve")


def test_no_to_all_questions_is_an_empty_set() -> None:
    asked = pd.DataFrame([("ann", "i1", "crowd"), ("bob", "i1", "crowd")], columns=COLUMNS[:3])
    votes = ft.Assignments.from_frame(asked.iloc[:1], taxonomy=TAXONOMY, asked=asked)
    assert votes.categorisation("ann") == {"i1": "crowd"}
    assert votes.categorisation("bob") == {"i1": ()}
    assert repr(votes).endswith("4 categories, only some asked)")
