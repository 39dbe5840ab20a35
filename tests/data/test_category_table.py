"""Counts and probabilities of items and categories, in each form they may come in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.data.category_table import votes_of_numbers

COUNTS = np.array([[7, 3, 0], [0, 0, 4], [1, 1, 1]])
ITEMS, CATEGORIES = ["i", "j", "k"], ["dog", "cat", "ant"]
WIDE = pd.DataFrame(COUNTS, index=ITEMS, columns=CATEGORIES)
LONG = WIDE.reset_index(names="item").melt("item", var_name="category", value_name="count")


def votes(given: Any, **options: Any) -> set[tuple[Any, ...]]:
    counted = ft.Assignments.from_counts(given, **options)
    return set(map(tuple, counted.to_frame().to_numpy().tolist()))


@pytest.mark.parametrize(
    ("given", "options"),
    [
        (COUNTS, {"items": ITEMS, "categories": CATEGORIES}),
        (COUNTS.astype(float).tolist(), {"items": ITEMS, "categories": CATEGORIES}),
        (WIDE, {}),
        (WIDE.reset_index(names="item"), {}),
        (WIDE.reset_index(drop=True), {"items": ITEMS}),
        (LONG, {}),
        (LONG.rename(columns={"item": "image", "category": "label"}).sample(frac=1), {}),
        (LONG[LONG["count"] > 0], {}),
    ],
)
@pytest.mark.parametrize("tree", [False, True])
def test_every_form_gives_the_same_votes(given: Any, options: Any, tree: bool) -> None:
    taxonomy = ft.Taxonomy.from_children({"all": ["pet", "ant"], "pet": ["cat", "dog"]})
    want = {
        (item, category, COUNTS[j, k])
        for j, item in enumerate(ITEMS)
        for k, category in enumerate(CATEGORIES)
        if COUNTS[j, k]
    }
    assert votes(given, **options, taxonomy=taxonomy if tree else None) == want


def test_rows_and_columns_have_numbers_by_default() -> None:
    assert votes([[2, 0], [1, 1]]) == {("0", "0", 2), ("1", "0", 1), ("1", "1", 1)}
    assert ft.Assignments.from_counts([[2, 0]]).taxonomy.nodes == ("all", "0", "1")
    assert ft.Assignments.from_counts(LONG).taxonomy.nodes == ("all", "ant", "cat", "dog")


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ([[1, -2]], {}, r"^counts, item '0', category '1': value -2 is not a number of people; g"),
        (
            [[1, 0.5]],
            {},
            r"^counts, item '0', category '1': value 0.5 is not a num.*; for probabilities",
        ),
        (
            [[1, 0], [0, 0]],
            {},
            "^counts: all numbers of 1 item are 0, the first is '1'; leave such items out$",
        ),
        ([1, 2], {}, r"^counts: must be a matrix, rows × columns, but its shape is \(2,\)"),
        ([["a"]], {}, "^counts, row 1, column 1: value 'a' is not a number"),
        ([[np.nan]], {"items": ["i"]}, r"^counts, row 1 \('i'\), column 1: nan is not allowed"),
        (
            [[1]],
            {"items": ["a", "b"]},
            r"^counts: shape \(1, 1\) does not fit 2 items and 1 category; items= needs 1 id$",
        ),
        (
            [[1]],
            {"categories": ["a", "b"]},
            r"^counts: shape \(1, 1\) does not fit 1 item and 2 categories; cat.*= needs 1 id$",
        ),
        ([[1], [1]], {"items": ["a", "a"]}, "^items: 'a' is listed twice among the items, at "),
        ([[1, 1]], {"categories": ["a", "a"]}, "'a' is listed twice among the categories, at "),
        ([[1]], {"items": "a"}, "^items='a': must be a list of ids$"),
        (np.empty((0, 2)), {}, r"^counts: must be a matrix, .* shape is \(0, 2\)$"),
        (WIDE, {"taxonomy": ft.Taxonomy.flat(["dog", "cat"])}, "'ant'"),
        (LONG, {"items": ["a"]}, "^items=.*: the rows have an item; leave it out$"),
        (
            pd.concat([LONG, LONG.iloc[:1]]),
            {},
            r"^counts, row 10 .*: item 'i' and category 'dog' occur twice \(first: counts, row 1 ",
        ),
        (LONG.assign(count=-1), {}, "^counts, row 1 .*, column 'count': value -1 is not a num"),
        (LONG.assign(count="many"), {}, "column 'count': value 'many' is not a number"),
        (
            pd.DataFrame({"item": ["a"]}),
            {},
            "^counts: has no columns of numbers beside 'item', the",
        ),
    ],
)
def test_what_is_refused(given: Any, options: Any, message: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.Assignments.from_counts(given, **options)


def test_probabilities_of_an_item_add_up() -> None:
    rounded = np.float32([[0.1, 0.7, 0.2], [1 / 3, 1 / 3, 1 / 3]])
    soft = ft.Membership.from_probabilities(rounded)
    np.testing.assert_allclose(soft.votes.weight, rounded.ravel(), rtol=1e-6)
    np.testing.assert_allclose(soft.of_items("all"), 1, atol=1e-15)
    message = (
        r"^matrix, row 2 \(item 'b'\): probabilities add up to 0.9, not 1 \(so in 1 item\); divide"
    )
    with pytest.raises(ft.DataError, match=message):
        ft.Membership.from_probabilities([[0.5, 0.5], [0.5, 0.4]], items=["a", "b"])
    with pytest.raises(ft.DataError, match=r"take Assignments\.from_counts for numbers of votes"):
        ft.Membership.from_probabilities(COUNTS)
    long = pd.DataFrame({"item": ["i", "i"], "category": ["a", "b"], "probability": [0.25, 0.75]})
    assert ft.Membership.from_probabilities(long).direct("i") == {"a": 0.25, "b": 0.75}


def test_entries_are_sorted_whatever_the_order_of_the_taxonomy() -> None:
    table = votes_of_numbers(
        ft.Assignments,
        COUNTS,
        (ITEMS, CATEGORIES),
        ft.Taxonomy.flat(["ant", "cat", "dog"]),
        None,
        where="counts",
        column="count",
    )
    assert table.item.tolist() == [0, 0, 1, 2, 2, 2]
    assert table.sets.label[table.label_set].tolist() == [2, 3, 1, 1, 2, 3]
    assert table.weight.tolist() == [3, 7, 4, 1, 1, 1]


def test_columns_of_other_names() -> None:
    own = LONG.rename(columns={"count": "n_people"})
    assert votes(own, columns={"count": "n_people"}) == votes(LONG)
    with pytest.raises(ft.DataError, match=r"^counts: no column for 'count'.*'n_people'\}$"):
        votes(own)
    soft = pd.DataFrame({"item": ["i"], "category": ["cat"], "share": [1.0]})
    named = ft.Membership.from_probabilities(soft, columns={"probability": "share"})
    assert named.probability("i", "cat") == 1
    with pytest.raises(ft.OptionError, match=r"^columns=.*is for a table"):
        votes(COUNTS, columns={"count": "n"})
