"""Columns of votes: each broken rule is one error that names the row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.core.label_sets import group_ballots
from fuzzytruth.data.votes import VoteColumns, check_one_weight, check_taxonomy
from fuzzytruth.errors import LabelWarning
from fuzzytruth.io.columns import string_array

TAX = ft.Taxonomy.from_children({"all": ["a", "b"]})


def columns(**changed: Any) -> VoteColumns:
    given = {"subject": ["s", "t"], "item": ["i", "i"], "category": ["a", "b"]} | changed
    return VoteColumns.of(given, "votes", None)


def test_checked_columns() -> None:
    votes = columns(item=[1, 2.0])
    assert votes.item.to_pylist() == ["1", "2"]
    assert votes.locate(1) == "votes, row 2"
    assert [TAX.nodes[code] for code in votes.labels(TAX)] == ["a", "b"]
    votes.check_duplicates()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"item": ["i"]}, r"^votes: columns differ in length: {'subject': 2, 'item': 1, 'c"),
        ({"subject": [], "item": [], "category": []}, "^votes: there are no votes in it$"),
        ({"subject": ["s", None]}, "^votes, row 2, column 'subject': the id is missing"),
    ],
)
def test_bad_columns(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ft.DataError, match=message):
        columns(**changed)


def test_unknown_categories_and_duplicates() -> None:
    with pytest.raises(ft.FuzzytruthError, match=r"^votes, row 2, column 'category': .*'c'"):
        columns(category=["a", "c"]).labels(TAX)
    message = r"^votes, row 2: subject 's' gives item 'i' the category 'a' twice \(first: votes, r"
    with pytest.raises(ft.DataError, match=message):
        columns(subject=["s", "s"], category=["a", "a"]).check_duplicates()


def test_weights() -> None:
    votes = columns()
    assert votes.weights(None).tolist() == [1, 1]
    assert votes.weights([0.5, 2]).tolist() == [0.5, 2]
    for weight, message in (
        ([1], "^votes, row 1: 1 weight for 2 votes$"),
        ([1, 0], "^votes, row 2, column 'weight': value 0 must be above 0; leave out"),
        ([1, "x"], "^votes, row 2, column 'weight': value 'x' is not a number$"),
    ):
        with pytest.raises(ft.DataError, match=message):
            votes.weights(weight)


@pytest.mark.parametrize("seed", range(10))
def test_a_ballot_has_one_weight(seed: int) -> None:
    rng = np.random.default_rng(seed)
    item, subject = rng.integers(0, 3, 12), rng.integers(0, 3, 12)
    ballots = group_ballots(item, subject, np.arange(12))
    items = (item, string_array(["i0", "i1", "i2"]))
    subjects = (subject, string_array(["s0", "s1", "s2"]))
    weight = 1.0 + item + 3 * subject
    check_one_weight(ballots, items, subjects, weight)
    pairs = list(zip(item.tolist(), subject.tolist(), strict=True))
    repeated = next(row for row in range(12) if pairs.count(pairs[row]) > 1)
    weight[repeated] += 0.5
    message = f"subject 's{subject[repeated]}' gives item 'i{item[repeated]}' several categories"
    with pytest.raises(ft.DataError, match=message):
        check_one_weight(ballots, items, subjects, weight)


def test_a_taxonomy_is_one() -> None:
    check_taxonomy(None)
    check_taxonomy(TAX)
    with pytest.raises(ft.OptionError, match=r"must be a Taxonomy, not a dict.*from_children"):
        check_taxonomy({"all": ["a", "b"]})
    with pytest.raises(ft.FuzzytruthError, match=r"'a; b' is not .*names 2 of them.*2 rows$"):
        columns(category=["a; b", "a"]).labels(TAX)


def test_labels_that_may_be_no_categories_are_reported() -> None:
    frame = pd.DataFrame({"subject": "s", "item": list("abc"), "category": ["cat", "na", "Cat"]})
    with (
        pytest.warns(LabelWarning, match=r"^read as categories: 'na'; if .* drop=\['na'\]$"),
        pytest.warns(LabelWarning, match=r"different categories: 'Cat' and 'cat'; they differ"),
    ):
        votes = ft.Assignments.from_frame(frame)
    assert votes.taxonomy.nodes == ("all", "Cat", "cat", "na")
