"""Votes and queries by example as numbers."""

import itertools

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.truth.example.collection import make_collection
from fuzzytruth.truth.vote_weights import as_given, single_subjects

TAX = ft.Taxonomy.from_children({"all": ["p", "s"], "p": ["c"]})
VOTES = ft.Assignments.from_frame(
    pd.DataFrame(
        [
            ("ann", "i", "c", 1.0),
            ("bob", "i", "p", 3.0),
            ("ann", "j", "s", 1.0),
            ("bob", "j", "c", 1.0),
            ("bob", "k", "p", 2.0),
        ],
        columns=["subject", "item", "category", "weight"],
    ),
    taxonomy=TAX,
)


def test_shares_under_weighted_votes() -> None:
    collection = make_collection(VOTES.by_example(), ["i"])
    ballots = collection.ballots
    np.testing.assert_array_equal(ballots.shares(as_given())[0], ballots.share)
    ann, bob = ballots.shares(single_subjects(np.array([0, 1]), collection.subjects))
    assert ann[0].max() == bob[0].max() == 1.0
    assert ann[0].argmax() != bob[0].argmax()
    np.testing.assert_array_equal(ann[2], ballots.share[2])  # ann has no vote on k


def test_where_some_were_asked_grades_are_yes_and_no() -> None:
    asked = pd.DataFrame(
        [("ann", "i", "c"), ("bob", "i", "c"), ("ann", "j", "c")],
        columns=["subject", "item", "category"],
    )
    votes = ft.Assignments.from_frame(asked.iloc[:1], taxonomy=TAX, asked=asked)
    truth = votes.by_example(category=dict.fromkeys(["q", "j"], "c"), collection=["i"])
    collection = make_collection(truth, ["q", "j"])
    assert (collection.grade.tolist(), collection.top_grade) == ([[1, 0]], 1)
    assert collection.ballots.share.tolist() == [[0.5, 0.5], [1, 0]]  # of what asked ones say
    assert collection.ballots.slots.option.tolist() == [[0, 1], [1, -1]]
    # j may be asked for, but not retrieved; q is no item
    assert collection.items.to_pylist() == ["i", "j"]
    assert (collection.n_items, collection.query_item.tolist()) == (1, [-1, 1])


def test_at_most_64_distinct_similarities() -> None:
    """Along a path of n categories there are distances from 0 to n - 1."""
    names = [f"c{j:02}" for j in range(65)]
    edges = {a: [b] for a, b in itertools.pairwise(names)}
    for n in (64, 65):
        votes = ft.Assignments.from_columns(
            ["ann"] * n, names[:n], names[:n], taxonomy=ft.Taxonomy.from_children(edges)
        )
        truth = votes.by_example(relevance="path")
        if n == 64:
            assert len(make_collection(truth, ["c00"]).levels) == 64
        else:
            with pytest.raises(ft.errors.OptionError, match="65 distinct values; round them"):
                make_collection(truth, ["c00"])
