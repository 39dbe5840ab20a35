"""Counts and probabilities of items and categories, in each form they may come in."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import fuzzytruth as ft

COUNTS = np.array([[7, 3, 0], [0, 0, 4], [1, 1, 1]])
ITEMS, CATEGORIES = ["i", "j", "k"], ["dog", "cat", "ant"]
IDS: dict[str, Any] = {"items": ITEMS, "categories": CATEGORIES}
WIDE = pd.DataFrame(COUNTS, index=ITEMS, columns=CATEGORIES)
FIRST = WIDE.reset_index(names="item")
LONG = FIRST.melt("item", var_name="category", value_name="count")


def votes(given: Any, **options: Any) -> set[tuple[Any, ...]]:
    counted = ft.Assignments.from_counts(given, **options)
    return set(map(tuple, counted.to_frame().to_numpy().tolist()))


@pytest.mark.parametrize(
    ("given", "options"),
    [
        (COUNTS, IDS),
        (COUNTS.astype(float).tolist(), IDS),
        (WIDE, {}),
        (WIDE.rename_axis("image"), {}),
        (FIRST, {}),
        (FIRST.rename(columns={"item": "name"}), {}),
        (pl.DataFrame(FIRST)[["dog", "item", "cat", "ant"]], {}),
        (pa.table(FIRST).rename_columns(["name", *CATEGORIES]), {}),
        (WIDE.reset_index(drop=True), {"items": ITEMS}),
        (LONG, {}),
        (LONG.to_dict("list"), {}),
        (LONG.rename(columns={"item": "image", "category": "label"}).sample(frac=1), {}),
        (LONG[LONG["count"] > 0].rename(columns={"count": "n"}), {"columns": {"count": "n"}}),
    ],
)
def test_every_form_gives_the_same_votes(given: Any, options: Any) -> None:
    tree = ft.Taxonomy.from_children({"all": ["pet", "ant"], "pet": ["cat", "dog"]})
    want = {row for row in LONG.itertuples(index=False, name=None) if row[-1]}
    for taxonomy in (None, tree):
        assert votes(given, **options, taxonomy=taxonomy) == want


TWICE = pd.concat([LONG, LONG.iloc[:1]])


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ([[1, -2]], {}, "^counts, item '0', category '1': value -2 is not a number of people; g"),
        ([[1, 0.5]], {}, "^counts, item '0', category '1': value 0.5 is .*; for probabilities"),
        ([[1], [0]], {}, "^counts: all numbers of 1 item are 0, the first is '1'; leave such item"),
        ([1, 2], {}, r"^counts: must be a matrix, rows × columns, but its shape is \(2,\)"),
        ([["a"]], {}, "^counts, row 1, column 1: value 'a' is not a number"),
        ([[np.nan]], {"items": ["i"]}, r"^counts, row 1 \('i'\), column 1: nan is not allowed"),
        ([[1]], {"items": ["a", "b"]}, r"\(1, 1\) does not fit 2 items and 1 c.*items= needs 1 id"),
        ([[1]], {"categories": ["a", "b"]}, r"does not fit 1 item and 2 .* cat.*= needs 1 id$"),
        ([[1], [1]], {"items": ["a", "a"]}, "^items: 'a' is listed twice among the items, at "),
        ([[1, 1]], {"categories": ["a", "a"]}, "'a' is listed twice among the categories, at "),
        ([[1]], {"items": "a"}, "^items='a': must be a list of ids$"),
        (np.empty((0, 2)), {}, r"^counts: must be a matrix, .* shape is \(0, 2\)$"),
        (WIDE, {"taxonomy": ft.Taxonomy.flat(["dog", "cat"])}, "'ant'"),
        (LONG, {"items": ["a"]}, "^items=.*: the rows have an item; leave it out$"),
        (TWICE, {}, "^counts, row 10 .*: item 'i' and category 'dog' .*first: counts, row 1 "),
        (LONG.assign(count=-1), {}, "^counts, row 1 .*, column 'count': value -1 is not a num"),
        (LONG.assign(count="many"), {}, "column 'count': value 'many' is not a number"),
        ({"item": ["a"]}, {}, "^counts: has no columns of numbers beside 'item', the ids$"),
        ({"item": ["i"], "cat": ["x"]}, {}, r"^counts, row 1 \('i'\), column 1 \('cat'\): .* 'x'"),
        (LONG.rename(columns={"count": "n"}), {}, r"^counts: no column for 'count'.*: 'n'\}$"),
        (LONG, {"columns": {"item": "who"}}, "who"),
        (COUNTS, {"columns": {"count": "n"}}, r"^columns=.*is for a table"),
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
    message = r"^matrix, row 2 \(item 'b'\): probabilities add up to 0.9, not 1 \(so in 1 item\); d"
    with pytest.raises(ft.errors.DataError, match=message):
        ft.Membership.from_probabilities([[0.5, 0.5], [0.5, 0.4]], items=["a", "b"])
    with pytest.raises(
        ft.errors.DataError, match=r"take Assignments\.from_counts for numbers of votes"
    ):
        ft.Membership.from_probabilities(COUNTS)
    long = pd.DataFrame({"item": ["i", "i"], "category": ["a", "b"], "share": [0.25, 0.75]})
    named = ft.Membership.from_probabilities(long, columns={"probability": "share"})
    assert named.direct("i") == {"a": 0.25, "b": 0.75}


GALAXY = ft.Taxonomy.from_nested({"all": {"smooth": [], "features": ["bar", "no bar"]}})
ANSWERS = ["smooth", "features", "bar", "no bar"]


def test_cumulative_counts_become_votes_that_stopped() -> None:
    counts = [[4, 6, 4, 1], [0, 9, 9, 0], [3, 0, 0, 0]]
    options = {"categories": ANSWERS, "taxonomy": GALAXY, "cumulative": True}
    votes = ft.Assignments.from_counts(counts, **options)
    assert votes.to_frame().values.tolist() == [
        *(["0", "smooth", 4], ["0", "features", 1], ["0", "bar", 4], ["0", "no bar", 1]),
        *(["1", "bar", 9], ["2", "smooth", 3]),
    ]
    assert votes.membership().probability("0", "features") == 0.6
    table = pd.DataFrame(counts, columns=ANSWERS).assign(item=["x", "y", "z"])
    long = table.melt("item", var_name="category", value_name="count")
    again = ft.Assignments.from_counts(long, taxonomy=GALAXY, cumulative=True)
    assert again.weight.tolist() == votes.weight.tolist()
    rooted = ft.Assignments.from_counts(
        [[12, 4, 6, 4, 1]], **options | {"categories": ["all", *ANSWERS]}
    )
    assert rooted.to_frame()["count"].tolist() == [2, 4, 1, 4, 1]


def test_counts_below_that_are_more_than_those_above() -> None:
    counts, options = [[4, 6, 4, 3], [1, 0, 1, 0]], {"categories": ANSWERS, "taxonomy": GALAXY}
    message = (
        "^counts: 2 counts are less than those below add up to; the first is of item '0', category "
        "'features': 6 and 7; "
    )
    with pytest.raises(
        ft.errors.DataError, match=f"{message}cumulative='clip' takes it that no vote st"
    ):
        ft.Assignments.from_counts(counts, cumulative=True, **options)
    with pytest.warns(ft.errors.LeftOutWarning, match=f"{message}no vote stopped there"):
        votes = ft.Assignments.from_counts(counts, cumulative="clip", **options)
    assert votes.to_frame()["count"].tolist() == [4, 4, 3, 1, 1]


@pytest.mark.parametrize(
    ("cumulative", "taxonomy", "message"),
    [
        (True, None, "cumulative=True: is for a taxonomy; give one"),
        ("no", GALAXY, "cumulative='no': must be one of False, True, 'clip'"),
        (
            True,
            ft.Taxonomy.from_edges([("r", "0"), ("r", "1"), ("0", "2"), ("1", "2")]),
            "cumulative: a category of this taxonomy lies below two others",
        ),
    ],
)
def test_what_cumulative_counts_need(cumulative: Any, taxonomy: Any, message: str) -> None:
    with pytest.raises(ft.errors.OptionError, match=message):
        ft.Assignments.from_counts([[3, 2, 1]], taxonomy=taxonomy, cumulative=cumulative)
