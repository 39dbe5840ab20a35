"""Rows of votes become ballots, also repeated ones and those of whoever was asked."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import fuzzytruth as ft
from fuzzytruth.data.votes import VoteColumns, group_asked_votes, group_votes

TREE = ft.Taxonomy.from_children({"all": ["cat", "dog"]})
CAT, DOG = TREE.codes(["cat", "dog"]).tolist()


def text(*values: str) -> pa.LargeStringArray:
    return pa.array(values, pa.large_string())


def columns(rows: list[tuple[str, str, str]]) -> VoteColumns:
    subject, item, category = zip(*rows, strict=True)
    given = {"subject": list(subject), "item": list(item), "category": list(category)}
    return VoteColumns.of(given, "votes", None)


def test_categories_of_one_subject_are_one_ballot() -> None:
    item, subject = np.array([0, 0, 0]), np.array([1, 1, 0])
    votes = group_votes(
        ft.Assignments,
        TREE,
        (item, text("i")),
        (subject, text("s", "t")),
        np.array([CAT, DOG, DOG]),
        np.full(3, 2.0),
    )
    assert votes.subject.tolist() == [0, 1]
    assert votes.weight.tolist() == [2, 2]
    assert [votes.set_names()[s] for s in votes.label_set.tolist()] == ["dog", ("cat", "dog")]


def test_repetitions_share_the_weight_of_their_subject() -> None:
    votes = group_votes(
        ft.Assignments,
        TREE,
        (np.zeros(4, dtype=int), text("i")),
        (np.zeros(4, dtype=int), text("s")),
        np.array([CAT, CAT, DOG, CAT]),
        np.ones(4),
        repeats=(np.arange(4), text("1", "2", "3", "4")),
    )
    assert votes.weight.tolist() == [0.25] * 4
    assert votes.repeats is not None
    assert votes.repeats.code.tolist() == [0, 1, 2, 3]


def test_whoever_was_asked_has_a_ballot() -> None:
    asked = columns([("s", "i", "cat"), ("s", "i", "dog"), ("t", "i", "cat")])
    given = columns([("s", "i", "dog")])
    labels = given.labels(TREE)
    votes = group_asked_votes(ft.Assignments, given, labels, np.ones(1), asked, TREE)
    assert [votes.set_names()[s] for s in votes.label_set.tolist()] == ["dog", ()]
    more = columns([("t", "i", "dog")])
    with pytest.raises(ft.DataError, match=r"row 1: subject 't' .* 'dog', but was not asked"):
        group_asked_votes(ft.Assignments, more, more.labels(TREE), np.ones(1), asked, TREE)
