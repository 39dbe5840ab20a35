"""Probabilities of labels, worked out by hand."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.truth.example import outcomes as module
from fuzzytruth.truth.example.collection import ExampleBlock, LabellingCache, make_collection
from fuzzytruth.truth.example.outcomes import ExampleOutcomes
from fuzzytruth.truth.vote_weights import as_given

TAX = ft.Taxonomy.from_children({"all": ["p", "s"], "p": ["c"]})
VOTES = ft.Assignments.from_frame(  # c and p for i, s and c for j, p for k
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


def labels(queries: list[str], **options: Any) -> ExampleOutcomes:
    collection = make_collection(VOTES.by_example(**options), queries)
    block = ExampleBlock(collection, slice(0, len(queries)), ())
    return ExampleOutcomes(block, as_given(), slice(0, 1), LabellingCache())


def test_a_query_asks_for_each_of_its_options() -> None:
    rows = labels(["k", "i"]).rows()
    names = VOTES.set_names()
    assert rows.offsets.tolist() == [0, 1, 3]
    assert rows.query.tolist() == [0, 1, 1]
    weights = {names[r]: w for r, w in zip(rows.row[1:], rows.weight[0, 1:], strict=True)}
    assert weights == {"c": 0.25, "p": 0.75}
    assert (names[rows.row[0]], rows.weight[0, 0]) == ("p", 1)


def test_given_categories_are_rows() -> None:
    rows = labels(["i", "x"], category={"i": "c", "x": {"p": 0.25, "s": 0.75}}).rows()
    assert rows.offsets.tolist() == [0, 1, 3]
    assert rows.weight.tolist() == [[1, 0.25, 0.75]]


@pytest.mark.parametrize(("category", "chance"), [("p", [1, 0.5, 1]), ("c", [0.25, 0.5, 0])])
@pytest.mark.parametrize("most", [64, 0])
def test_chance_of_a_grade(
    category: str, chance: list[float], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MANY_OPTIONS", most)
    given = labels(["x"], category=category)
    np.testing.assert_allclose(given.at_least(1.0), [[chance]], atol=1e-12)
    np.testing.assert_array_equal(given.at_least(None), given.at_least(1.0))
    assert not given.at_least(2.0).any()


@pytest.mark.parametrize(
    ("options", "none"),
    [
        # Given c, i itself is left out, j has it with 1/2, k has not; given p, k has it.
        ({}, [0.25 * 0.5, 0.0]),
        ({"category": "c"}, [0.5, 0.75 * 0.5]),
        ({"category": "c", "keep_query": True}, [0.75 * 0.5, 0.75 * 0.5]),
        ({"keep_query": True}, [0.0, 0.0]),  # it has its own category
    ],
)
def test_chance_of_none_and_some(options: dict[str, Any], none: list[float]) -> None:
    given = labels(["i", "k"], **options)
    np.testing.assert_allclose(given.chance_of_none(1.0), [none], atol=1e-12)
    np.testing.assert_allclose(given.chance_of_some(1.0), [1 - np.array(none)], atol=1e-12)


@pytest.mark.parametrize("most", [64, 0])
def test_a_sure_grade_has_a_chance_of_at_most_1(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shares may add up to a little more by rounding, of which 1 minus the chance has no log."""
    monkeypatch.setattr(module, "_MANY_OPTIONS", most)
    weight = np.random.default_rng(0).random((30, 7))
    item, one = (each.ravel().astype(str) for each in np.indices(weight.shape))
    votes = ft.Assignments.from_frame(
        pd.DataFrame({"subject": one, "item": item, "category": one, "weight": weight.ravel()}),
        taxonomy=ft.Taxonomy.from_children({"all": [*"0123456"]}),
    )
    collection = make_collection(votes.by_example(category="all"), ["x"])
    block = ExampleBlock(collection, slice(0, 1), ())
    given = ExampleOutcomes(block, as_given(), slice(0, 1), LabellingCache())
    chance = given.at_least(1.0)
    assert chance.max() <= 1
    np.testing.assert_allclose(chance, np.ones((1, 1, 30)), rtol=1e-14)
    assert given.chance_of_none(1.0).item() == pytest.approx(0, abs=1e-300)
