"""Assignments: what they accept, what they refuse, and what comes back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.small_collections import FIGURE_1, random_votes
from support.worlds_of_items import ballots

import fuzzytruth as ft


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"category": "peple"}, r"peple.*people"),
        ({"category": None}, r"row 1 \(index 0\), column 'category': the id is missing"),
        ({"weight": -1.0}, r"row 1 \(index 0\), column 'weight': value -1 must be above 0"),
        ({"weight": float("nan")}, "not a finite number"),
        ({"item": ""}, "the id is empty"),
    ],
)
def test_bad_votes(change: dict[str, Any], message: str) -> None:
    row = {"subject": "s", "item": "i", "category": "people", "weight": 1.0}
    frame = pd.DataFrame([row | change, row | {"subject": "t"}])
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.Assignments.from_frame(frame, taxonomy=ft.Taxonomy.from_children(FIGURE_1))


def test_votes_twice_and_weights_that_differ() -> None:
    tax = ft.Taxonomy.from_children(FIGURE_1)
    columns = ["subject", "item", "category", "weight"]
    twice = pd.DataFrame([("s", "i", "city", 1.0)] * 2, columns=columns)
    with pytest.raises(
        ft.DataError, match=r"row 2 \(index 1\): .*'city' twice \(first: votes, row 1 \(index 0\)\)"
    ):
        ft.Assignments.from_frame(twice, taxonomy=tax)
    differ = pd.DataFrame([("s", "i", "city", 1.0), ("s", "i", "crowd", 2.0)], columns=columns)
    with pytest.raises(ft.DataError, match=r"different weights \(2 and 1\)"):
        ft.Assignments.from_frame(differ, taxonomy=tax)
    with pytest.raises(ft.DataError, match="no votes"):
        ft.Assignments.from_frame(twice.iloc[:0], taxonomy=tax)
    m = ft.Assignments.from_frame(differ.iloc[:1], taxonomy=tax).membership()
    with pytest.raises(ft.DataError, match="nobody voted on item 'j'"):
        m.probability("j", "city")


def test_votes_come_back() -> None:
    frame = random_votes(np.random.default_rng(3), ft.Taxonomy.from_children(FIGURE_1))
    votes = ft.Assignments.from_frame(frame, taxonomy=ft.Taxonomy.from_children(FIGURE_1))
    columns = ["subject", "item", "category", "weight"]
    want = frame.sort_values(columns[:3]).reset_index(drop=True)
    got = votes.to_frame().sort_values(columns[:3]).reset_index(drop=True)
    pd.testing.assert_frame_equal(got, want, check_dtype=False)
    table = votes.membership().to_frame(tidy=True)
    assert (table["probability"] > 0).all()
    assert set(votes.categorisation("s0")) == {
        i for s, i in zip(frame.subject, frame.item, strict=True) if s == "s0"
    }


TAX = ft.Taxonomy.from_children(FIGURE_1)
COLUMNS = ["subject", "item", "category"]


def frame(*rows: tuple[object, ...], columns: list[str] = COLUMNS) -> pd.DataFrame:
    return pd.DataFrame(list(rows), columns=columns)


@pytest.mark.parametrize("seed", range(5))
def test_ballots_equal_grouping_of_rows(seed: int) -> None:
    rows = random_votes(np.random.default_rng(seed), TAX)
    votes = ft.Assignments.from_frame(rows.sample(frac=1, random_state=seed), taxonomy=TAX)
    items = votes.items.to_pylist()
    names = votes.set_names()
    got: dict[str, list[tuple[float, frozenset[str]]]] = {}
    for item, label_set, weight in zip(votes.item, votes.label_set, votes.weight, strict=True):
        name = names[label_set]
        categories = frozenset([name] if isinstance(name, str) else name)
        got.setdefault(items[item], []).append((float(weight), categories))
    want = ballots(rows)
    for of_item in (*got.values(), *want.values()):
        of_item.sort(key=lambda ballot: (ballot[0], sorted(ballot[1])))
    assert got == want
    pairs = list(zip(votes.item.tolist(), votes.subject.tolist(), strict=True))
    assert pairs == sorted(pairs)


def test_columns_go_by_many_names() -> None:
    rows = frame(("ann", 1, "city"), columns=["Worker", "image", "label"])
    assert repr(ft.Assignments.from_frame(rows, taxonomy=TAX)) == (
        "Assignments(1 vote, 1 item, 1 subject, 8 categories)"
    )
    with pytest.raises(ft.DataError, match=r"^votes: no column for 'category'"):
        ft.Assignments.from_frame(rows.drop(columns="label"), taxonomy=TAX)
    with pytest.raises(ft.OptionError, match=r"^asked=3: must be a DataFrame"):
        ft.Assignments.from_frame(rows, taxonomy=TAX, asked=3)  # type: ignore[arg-type]


def test_who_was_asked_has_a_ballot() -> None:
    asked = frame(("s", "i", "city"), ("t", "i", "city"), ("t", "i", "crowd"))
    votes = ft.Assignments.from_frame(asked.iloc[[2]].assign(weight=2.0), taxonomy=TAX, asked=asked)
    assert repr(votes) == "Assignments(2 votes, 1 item, 2 subjects, 8 categories, only some asked)"
    assert votes.weight.tolist() == [1.0, 2.0]
    assert [votes.set_names()[s] for s in votes.label_set] == [(), "crowd"]
    assert votes.asked is not None
    np.testing.assert_array_equal(votes.asked.item, votes.item)
    np.testing.assert_array_equal(votes.asked.subject, votes.subject)


def test_one_subjects_own_categories() -> None:
    rows = frame(("s", "i", "city"), ("s", "i", "crowd"), ("s", "j", "city"), ("t", "j", "all"))
    votes = ft.Assignments.from_frame(rows, taxonomy=TAX)
    assert votes.categorisation("s") == {"i": ("crowd", "city"), "j": "city"}
    with pytest.raises(ft.OptionError, match=r"subject 'u' is not among the subjects: s, t$"):
        votes.categorisation("u")


def test_columns_of_different_lengths() -> None:
    with pytest.raises(ft.DataError, match=r"^votes: columns differ in length: \[1, 2\]"):
        ft.Assignments.from_columns(["s"], ["i", "j"], ["city", "city"], taxonomy=TAX)
    with pytest.raises(ft.DataError, match=r"^votes, row 1: 1 weight for 2 votes"):
        ft.Assignments.from_columns(
            ["s", "t"], ["i", "j"], ["city", "city"], taxonomy=TAX, weight=[1]
        )
