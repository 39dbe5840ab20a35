"""Query by example and by item: options that are refused, and grades against plain loops."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.answers_by_category import grade_of
from support.small_collections import DAG, TREE, make_votes
from support.texts import is_stored
from support.worlds_of_items import subtree

import fuzzytruth as ft
from fuzzytruth.data import by_example as module
from fuzzytruth.errors import UnjudgedItemWarning

TAX = ft.Taxonomy.from_children(TREE)
FRAME = make_votes(0, TAX, several=True)
VOTES = ft.Assignments.from_frame(FRAME, taxonomy=TAX)
QUESTIONS = pd.DataFrame({"subject": ["s"] * 3, "item": [*"ijk"], "category": ["city"] * 3})
#: of whom was asked about one category only
ASKED = ft.Assignments.from_frame(QUESTIONS.iloc[:1], taxonomy=TAX, asked=QUESTIONS)


@pytest.mark.parametrize("relevance", ["subtree", "path", "wu-palmer"])
@pytest.mark.parametrize(("seed", "shape"), [(0, TREE), (1, DAG)])
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

    sets = [(name,) if isinstance(name, str) else name for name in votes.set_names()]
    truth = votes.by_example(relevance=relevance)
    want = np.array([[best(a, b) for b in sets] for a in sets])
    np.testing.assert_allclose(module.grades(truth), want, atol=1e-12)
    rounded = votes.by_example(relevance=relevance, digits=1)
    np.testing.assert_array_equal(module.grades(rounded), np.round(module.grades(truth), 1))
    of_names = [[best((name,), b) for b in sets] for name in tax.nodes]
    found = module.grades_of_categories(truth, list(tax.nodes))
    np.testing.assert_allclose(found, of_names, atol=1e-12)


@pytest.mark.parametrize("relevance", ["exact", "subtree", "path", "wu-palmer", "lin"])
@pytest.mark.parametrize(("shape", "digits"), [(TREE, 1), (DAG, None)])
def test_grades_of_items_by_definition(relevance: Any, shape: Any, digits: int | None) -> None:
    tax = ft.Taxonomy.from_children(shape)
    votes = ft.Assignments.from_frame(make_votes(4, tax, several=True), taxonomy=tax)
    sets = [frozenset([s] if isinstance(s, str) else s) for s in votes.set_names()]
    grade = grade_of(tax, relevance, digits)
    got = module.category_grades(votes.by_item(relevance=relevance, digits=digits))
    want = [[grade(category, s) for category in tax.nodes] for s in sets]
    np.testing.assert_allclose(got.toarray(), want, atol=1e-12)
    assert (got.data > 0).all()


def test_printed_and_shown() -> None:
    tree = ft.Taxonomy.from_children({"all": ["people", "scenery"], "people": ["one", "crowd"]})
    given = ["one", "one", "one", "crowd", "scenery", "crowd", "one", "people"]
    votes = ft.Assignments.from_columns([*"stststst"], [*"aabbccdd"], given, taxonomy=tree)
    assert is_stored("by_item", votes.by_item()._answer().text(80))
    assert is_stored("by_example", votes.by_example()._answer().text(80))
    own = "ByExample(all answered queries, own category, subtree, Assignments("
    assert repr(VOTES.by_example()).startswith(own)
    one = "ByExample(1 query, given category, subtree"
    assert repr(VOTES.by_example("a", category="city")).startswith(one)
    assert repr(VOTES.by_item(relevance="lin")) == f"ByItem(lin, {VOTES!r})"
    assert VOTES.by_example([1, "a"]).queries == ("1", "a")
    votes = ft.Assignments.from_columns(["bob", "ann"], ["i", "j"], ["a", "b"])
    assert votes.by_example().subjects == votes.by_item().subjects == ("bob", "ann")


def test_names_and_shares_of_categories() -> None:
    tax = ft.Taxonomy.flat(["beach", "city"])
    assert module.check_category(tax, None) == (None, [])
    assert module.check_category(tax, "city") == ("city", ["city"])
    given, names = module.check_category(
        tax, {1: "all", "q": {"city": 0.3, "beach": 0.7}, "r": {"city": 1, "beach": 0}}
    )
    assert given == {"1": "all", "q": {"beach": 0.7, "city": 0.3}, "r": "city"}
    assert list(given["q"]) == ["beach", "city"]  # type: ignore[index, call-overload]
    assert names == ["all", "beach", "city", "city"]
    assert module.chances("city") == [("city", 1.0)]
    assert module.chances({"beach": 0.7, "city": 0.3}) == [("beach", 0.7), ("city", 0.3)]
    truth = VOTES.by_example(category={"q": {"city": 0.25, "sea": 0.75}, "r": "sea"})
    assert truth.category == {"q": {"city": 0.25, "sea": 0.75}, "r": "sea"}
    assert truth.subjects is None
    assert truth.random_category
    sure = VOTES.by_example(category={"q": {"city": 1}, "r": "sea"})
    assert sure.category == {"q": "city", "r": "sea"}
    assert not sure.random_category


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"queries": ["a", "b", "a"]}, "^queries: 'a' is listed twice; remove one$"),
        ({"queries": []}, "^queries: there are none$"),
        ({"category": "town"}, "'town'"),
        ({"category": {}}, "^category: the dict is empty$"),
        ({"category": 3}, r"^category=3: give a category, a dict \{query: category\}, or nothing$"),
        ({"category": {"q": {"sea": 0.7, "city": 0.2}}}, "^category of query 'q': must add up to"),
        ({"category": {"q": {"sea": 1.2, "city": -0.2}}}, "^category of query 'q'.*not be negativ"),
        ({"category": {"q": {"sea": "x"}}}, "must be numbers"),
        ({"category": {"q": {}}}, "^category of query 'q': the dict is empty"),
        ({"category": {"q": {"sea": 0.5, "town": 0.5}}}, "'town'"),
        ({"category": {"q": {1: 0.5, "1": 0.5}}}, "^category of query 'q': '1' is listed twice"),
        ({"category": {1: "city", "1": "city"}}, "^category: '1' is listed twice"),
        ({"category": {"q": ""}}, "^category, category: the name is empty"),
        ({"relevance": "tree"}, "^relevance='tree': must be one of '(exact', ')?subtree', 'path'"),
        ({"digits": 1.5}, "^digits=1.5: must be a whole number$"),
        ({"digits": True}, "^digits=True: must be a whole number$"),
        ({"digits": -1}, "^digits=-1: must be 0 or more$"),
        ({"collection": ["x"]}, "^collection: none of 1 item has votes, such as 'x'; votes are on"),
        ({"collection": ["a", "a"]}, "^collection: 'a' is listed twice; remove one$"),
        ({"collection": []}, "^collection: there are none$"),
    ],
)
def test_options_that_are_refused(options: dict[str, Any], message: str) -> None:
    verbs = [VOTES.by_example]
    if {*options} <= {"relevance", "digits"}:
        verbs.append(VOTES.by_item)
    for verb in verbs:
        with pytest.raises(ft.FuzzytruthError, match=message):
            verb(**options)


def test_flat_labels_have_no_similarities() -> None:
    flat = ft.Assignments.from_columns(["s"] * 2, ["i", "j"], ["a", "b"])
    for make in (flat.by_example, flat.by_item):
        with pytest.raises(ft.errors.OptionError, match=r"^relevance='lin': .* equally similar"):
            make(relevance="lin")


def test_where_only_some_categories_were_asked() -> None:
    for options in (
        {"category": {"q": "city", "r": "sea"}},
        {"category": "city", "relevance": "path"},
        {"category": {"q": {"city": 0.25, "sea": 0.75}}},
    ):
        with pytest.raises(ft.errors.OptionError, match="p is known for one category at a time"):
            ASKED.by_example(**options)  # type: ignore[arg-type]
    with pytest.raises(ft.errors.DataError, match="query's own category has no distribution"):
        ASKED.by_example()
    both = {"q": "city", "r": "city"}
    assert ASKED.by_example(category=both).category == both
    with pytest.raises(
        ft.errors.DataError, match=r"^by_item: subjects were asked .*\(votes.to_frame\(\)"
    ):
        ASKED.by_item()
    named = ft.Assignments.from_frame(ASKED.to_frame(), taxonomy=ASKED.taxonomy)
    assert len(named.by_item().votes) == 1
    row = module.grades_of_categories(ASKED.by_example(category="scenery"), ["scenery"])[0]
    assert dict(zip(ASKED.set_names(), row.tolist(), strict=True)) == {(): 0.0, "city": 1.0}


def test_collections() -> None:
    truth = VOTES.by_example(collection=["b", "a"])
    assert truth.collection == ("b", "a")
    assert repr(truth).startswith("ByExample(all answered queries, collection of 2 items, own")
    message = "^no votes on 2 of 3 items of the collection, which count as not relevant: x, y$"
    with pytest.warns(UnjudgedItemWarning, match=message):
        VOTES.by_example(collection=["x", "a", "y"])
    runs = {"A": {"q": {"j": 2.0, "i": 1.0, "x": 0.0}}}
    truth = ASKED.by_example(category="city", collection=["i", "k"])
    with pytest.warns(UnjudgedItemWarning, match=r"2 items \(j, x\), 2 entries of lists"):
        scores = ft.evaluate(truth, runs, ["P@2", "R"])
    assert scores.values.ravel().tolist() == [0.5, 1]
    questions = QUESTIONS.assign(category=["city", "city", "sea"])
    asked = ft.Assignments.from_frame(questions.iloc[:1], taxonomy=TAX, asked=questions)
    with pytest.raises(
        ft.errors.DataError, match="nobody was asked about this category for any item"
    ):
        ft.evaluate(asked.by_example(category="city", collection=["k"]), runs, ["P@2"])
