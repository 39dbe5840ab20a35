"""Query by example: options that are refused, and grades between label sets against plain loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.small_collections import DAG, TREE, make_votes
from support.worlds_of_items import subtree

import fuzzytruth as ft
from fuzzytruth.data.by_example import grades, grades_of_categories
from fuzzytruth.errors import UnjudgedItemWarning

TAX = ft.Taxonomy.from_children(TREE)
VOTES = ft.Assignments.from_frame(make_votes(0, TAX), taxonomy=TAX)


def members(votes: ft.Assignments) -> list[tuple[str, ...]]:
    """The categories of each label set."""
    return [(name,) if isinstance(name, str) else name for name in votes.set_names()]


@pytest.mark.parametrize("relevance", ["subtree", "path", "wu-palmer"])
@pytest.mark.parametrize("shape", [TREE, DAG])
@pytest.mark.parametrize("seed", range(4))
def test_grades_are_those_of_the_best_pair(seed: int, shape: Any, relevance: Any) -> None:
    tax = ft.Taxonomy.from_children(shape)
    frame = make_votes(seed, tax, several=True)
    votes = ft.Assignments.from_frame(frame.drop(columns="weight"), taxonomy=tax)

    def grade(asked: str, given: str) -> float:
        if relevance == "subtree":
            return float(given in subtree(tax, asked))
        return tax.similarity(asked, given, relevance)

    def best(asked: tuple[str, ...], given: tuple[str, ...]) -> float:
        return max(grade(a, b) for a in asked for b in given)

    sets = members(votes)
    truth = votes.by_example(relevance=relevance)
    want = [[best(a, b) for b in sets] for a in sets]
    np.testing.assert_allclose(grades(truth), want, atol=1e-12)
    names = list(tax.nodes)
    want = [[best((name,), b) for b in sets] for name in names]
    np.testing.assert_allclose(grades_of_categories(truth, names), want, atol=1e-12)


def test_similarities_may_be_rounded_and_empty_sets_have_none() -> None:
    truth = VOTES.by_example(relevance="path", digits=1)
    exact = grades(VOTES.by_example(relevance="path"))
    np.testing.assert_array_equal(grades(truth), np.round(exact, 1))
    assert VOTES.by_example(relevance="path", digits=np.int64(1)).checksum == truth.checksum
    frame = pd.DataFrame({"subject": ["s", "t"], "item": ["i", "i"], "category": ["city", "sea"]})
    votes = ft.Assignments.from_frame(frame.iloc[:1], taxonomy=TAX, asked=frame)
    row = grades_of_categories(votes.by_example(category="scenery"), ["scenery"])[0]
    assert dict(zip(votes.set_names(), row.tolist(), strict=True)) == {(): 0.0, "city": 1.0}


def test_repr() -> None:
    assert repr(VOTES.by_example()).startswith(
        "ByExample(all answered queries, own category, subtree, Assignments("
    )
    assert repr(VOTES.by_example("a", category="city")).startswith(
        "ByExample(1 query, given category, subtree"
    )
    assert VOTES.by_example([1, "a"]).queries == ("1", "a")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"queries": ["a", "b", "a"]}, "^queries: 'a' is listed twice; remove one$"),
        ({"queries": []}, "^queries: there are none$"),
        ({"category": "town"}, "'town'"),
        ({"category": {}}, "^category: the dict is empty$"),
        ({"category": 3}, r"^category=3: give a category, a dict \{query: category\}, or nothing$"),
        ({"relevance": "tree"}, "^relevance='tree': must be one of 'subtree', 'path'"),
        ({"digits": 1.5}, "^digits=1.5: must be a whole number$"),
        ({"digits": True}, "^digits=True: must be a whole number$"),
        ({"digits": -1}, "^digits=-1: must be 0 or more$"),
    ],
)
def test_options_that_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=message):
        VOTES.by_example(**options)


def test_where_only_some_categories_were_asked() -> None:
    frame = pd.DataFrame({"subject": ["s"], "item": ["i"], "category": ["city"]})
    votes = ft.Assignments.from_frame(frame, taxonomy=TAX, asked=frame)
    with pytest.raises(ft.DataError, match="query's own category has no distribution"):
        votes.by_example()
    for options in (
        {"category": {"q": "city", "r": "sea"}},
        {"category": "city", "relevance": "path"},
    ):
        with pytest.raises(ft.OptionError, match="p is known for one category at a time"):
            votes.by_example(**options)  # type: ignore[arg-type]
    assert votes.by_example(category={"q": "city", "r": "city"}).category == {
        "q": "city",
        "r": "city",
    }


def test_subjects_are_those_who_voted() -> None:
    tax = ft.Taxonomy.from_children({"all": ["a", "b"]})
    rows = pd.DataFrame({"subject": ["bob", "ann"], "item": ["i", "j"], "category": ["a", "b"]})
    truth = ft.Assignments.from_frame(rows, taxonomy=tax).by_example()
    assert truth.subjects == ("bob", "ann")


def test_collections() -> None:
    truth = VOTES.by_example(collection=["b", "a"])
    assert truth.collection == ("b", "a")
    assert repr(truth).startswith("ByExample(all answered queries, collection of 2 items, own")
    message = "^no votes on 2 of 3 items of the collection, which count as not relevant: x, y$"
    with pytest.warns(UnjudgedItemWarning, match=message):
        VOTES.by_example(collection=["x", "a", "y"])
    for collection, error in (
        (["x"], "^collection: none of 1 item has votes, such as 'x'; votes are on items such as"),
        (["a", "a"], "^collection: 'a' is listed twice; remove one$"),
        ([], "^collection: there are none$"),
    ):
        with pytest.raises(ft.DataError, match=error):
            VOTES.by_example(collection=collection)


def test_an_asked_category_within_a_collection() -> None:
    frame = pd.DataFrame(
        {"subject": ["s"] * 3, "item": ["i", "j", "k"], "category": ["city", "city", "sea"]}
    )
    votes = ft.Assignments.from_frame(frame.iloc[:1], taxonomy=TAX, asked=frame)
    runs = {"A": {"q": {"j": 2.0, "i": 1.0, "k": 0.0}}}
    truth = votes.by_example(category="city", collection=["i", "k"])
    with pytest.warns(UnjudgedItemWarning, match="2 retrieved items"):
        assert ft.evaluate(truth, runs, ["P@2", "R"]).values.ravel().tolist() == [0.5, 1]
    with pytest.raises(ft.DataError, match="nobody was asked about this category for any item"):
        ft.evaluate(votes.by_example(category="city", collection=["k"]), runs, ["P@2"])


def test_categories_with_shares_have_no_subjects() -> None:
    truth = VOTES.by_example(category={"q": {"city": 0.25, "sea": 0.75}, "r": "sea"})
    assert truth.category == {"q": {"city": 0.25, "sea": 0.75}, "r": "sea"}
    assert truth.subjects is None
    assert truth.random_category
    sure = VOTES.by_example(category={"q": {"city": 1}, "r": "sea"})
    assert sure.category == {"q": "city", "r": "sea"}
    assert not sure.random_category
    frame = pd.DataFrame({"subject": ["s"], "item": ["i"], "category": ["city"]})
    asked = ft.Assignments.from_frame(frame, taxonomy=TAX, asked=frame)
    with pytest.raises(ft.OptionError, match="p is known for one category at a time"):
        asked.by_example(category={"q": {"city": 0.25, "sea": 0.75}})


@pytest.mark.parametrize("relevance", ["path", "wu-palmer", "lin"])
def test_flat_labels_have_no_similarities(relevance: Any) -> None:
    flat = ft.Assignments.from_columns(["s"] * 2, ["i", "j"], ["a", "b"])
    for make in (flat.by_example, flat.by_item):
        with pytest.raises(ft.OptionError, match=rf"^relevance='{relevance}': .* equally similar"):
            make(relevance=relevance)
