"""Votes of every form as coordinates."""

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.annotators.ratings import Ratings, ratings_of


def rows(ratings: Ratings) -> list[tuple[object, ...]]:
    """(unit's ids, subject, value, weight) of each vote."""
    ids = list(zip(*(column.to_pylist() for column in ratings.units.values()), strict=True))
    names = ratings.subjects or ("",)
    return [
        (ids[u], names[s], ratings.names[v], w)
        for u, s, v, w in zip(
            ratings.unit.tolist(),
            ratings.subject.tolist(),
            ratings.value.tolist(),
            ratings.weight.tolist(),
            strict=True,
        )
    ]


def test_judgments() -> None:
    votes = ft.Judgments.from_columns(
        ["r", "q", "q", "q"], ["b", "a", "a", "b"], [2, 1, 0.5, 1], subject=["t", "t", "s", "s"]
    )
    ratings = ratings_of(votes)
    assert rows(ratings) == [
        (("r", "b"), "t", "2", 1.0),
        (("q", "a"), "t", "1", 1.0),
        (("q", "a"), "s", "0.5", 1.0),
        (("q", "b"), "s", "1", 1.0),
    ]
    assert ratings.grades is not None
    assert ratings.grades.tolist() == [0.5, 1, 2]
    assert ratings.cluster is not None
    assert ratings.cluster.tolist()[1] == ratings.cluster.tolist()[2]
    assert len(set(ratings.cluster.tolist())) == 2


def test_a_frame_is_read_as_judgments() -> None:
    frame = pd.DataFrame({"qid": ["q"] * 2, "docid": ["a"] * 2, "rel": [1, 0], "rater": [*"st"]})
    assert [row[1:3] for row in rows(ratings_of(frame))] == [("s", "1"), ("t", "0")]


def test_repeats_share_a_vote() -> None:
    votes = ft.Judgments.from_columns(
        ["q"] * 4, ["a"] * 4, [1, 0, 1, 1], subject=[*"ssst"], repeat=[1, 2, 3, 1]
    )
    assert [row[1:] for row in rows(ratings_of(votes))] == [
        ("s", "0", 1 / 3),
        ("s", "1", 1 / 3),
        ("s", "1", 1 / 3),
        ("t", "1", 1.0),
    ]


def test_nested_subjects_are_different_people_in_each_query() -> None:
    votes = ft.Judgments.from_columns(
        ["q", "q", "r"], ["a"] * 3, [1, 0, 1], subject=[*"sts"], design="nested"
    )
    ratings = ratings_of(votes)
    assert ratings.nested
    assert ratings.subjects == ("s (q)", "t (q)", "s (r)")


def test_counts_are_weights_of_people_without_names() -> None:
    votes = ft.Judgments.from_columns(["q"] * 2, ["a"] * 2, [1, 0], count=[3, 2])
    ratings = ratings_of(votes)
    assert ratings.subjects is None
    assert ratings.weight.tolist() == [2, 3]
    with pytest.raises(ft.DataError, match="pairs: nobody is named"):
        ratings.named("pairs")
    counts = ft.Assignments.from_counts(np.array([[2, 1], [0, 4]]))
    assert ratings_of(counts).weight.tolist() == [2, 1, 4]


def test_label_sets() -> None:
    votes = ft.Assignments.from_columns([*"aabb"], [*"ijii"], ["x", "x", "x", "y"])
    ratings = ratings_of(votes)
    assert rows(ratings) == [
        (("i",), "a", "x", 1.0),
        (("i",), "b", "x + y", 1.0),
        (("j",), "a", "x", 1.0),
    ]
    assert ratings.cluster is None


def test_other_questions_about_an_item_are_another_unit() -> None:
    asked = pd.DataFrame(
        {"subject": [*"aabbc"], "item": ["i"] * 5, "category": ["x", "y", "x", "y", "x"]}
    )
    votes = ft.Assignments.from_frame(asked.iloc[[0, 3]], asked=asked)
    ratings = ratings_of(votes)
    assert [row[1:3] for row in rows(ratings)] == [("a", "x"), ("b", "y"), ("c", "(none)")]
    assert ratings.unit.tolist() == [0, 0, 1]
    assert ratings.cluster is not None
    assert ratings.cluster.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("votes", "said"),
    [
        (ft.Judgments.from_probabilities(["q"], ["a"], [0.5]), "these are probabilities"),
        (ft.Judgments.from_dict({"q": {"a": 1}}), "unknown author"),
    ],
)
def test_votes_of_nobody_are_refused(votes: ft.Judgments, said: str) -> None:
    with pytest.raises(ft.DataError, match=said):
        ratings_of(votes)
