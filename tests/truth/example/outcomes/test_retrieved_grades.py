"""Grades of retrieved items and of all others, worked out by hand."""

from typing import Any

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.truth.example.collection import ExampleBlock, LabellingCache, make_collection
from fuzzytruth.truth.example.outcomes import ExampleOutcomes, RetrievedGrades
from fuzzytruth.truth.inputs import GradeProbabilities
from fuzzytruth.truth.vote_weights import as_given

# a with chance: i 1, j 1/2, k 1/2, l 0
VOTES = ft.Assignments.from_columns(
    [*"stststst"], [*"iijjkkll"], ["a", "a", "a", "b", "b", "a", "b", "b"]
)


def retrieved(items: list[int], query: str = "j", **options: Any) -> RetrievedGrades:
    """A query that retrieved some items; or all its components, each with these items."""
    collection = make_collection(VOTES.by_example(**options), [query])
    block = ExampleBlock(collection, slice(0, 1), ())
    labels = ExampleOutcomes(block, as_given(), slice(0, 1), LabellingCache())
    rows = labels.rows()
    component = np.repeat(np.arange(len(rows.row)), len(items))
    return RetrievedGrades(
        labels, rows, component, np.tile(np.array(items, dtype=np.int64), len(rows.row))
    )


def relevant(of: GradeProbabilities) -> list[list[float]]:
    """Chances of grade 1 of each component's items, in ascending order."""
    chance = np.where(of.grade == 1, of.probability, 0).sum(axis=-2).ravel()
    count = np.ones(len(chance)) if of.count is None else np.ravel(of.count)
    each = zip(of.offsets[:-1], of.offsets[1:], strict=True)
    return [sorted(np.repeat(chance[a:b], count[a:b].astype(int)).tolist()) for a, b in each]


@pytest.mark.parametrize(
    ("items", "options", "rest"),
    [
        ([2], {"category": "a"}, [[0, 1]]),  # i and l; j itself is left out
        ([2], {"category": "a", "keep_query": True}, [[0, 0.5, 1]]),
        ([2], {"keep_query": True}, [[0, 1, 1]] * 2),  # j has its own category
        ([1], {"keep_query": True}, [[0, 0.5, 1]] * 2),
        ([2], {"query": "i", "keep_query": True}, [[0, 0.5, 1]]),  # i is a for sure
        ([0], {"query": "i", "keep_query": True}, [[0, 0.5, 0.5]]),
        ([3, 0], {}, [[0.5]] * 2),
        ([], {}, [[0, 0.5, 1]] * 2),
    ],
)
def test_all_other_items(items: list[int], options: Any, rest: list[list[float]]) -> None:
    made = retrieved(items, **options)
    assert relevant(made.everything_else()) == rest
    assert relevant(made.grouped_rest()) == rest


def test_the_query_itself_has_the_category_of_its_component() -> None:
    """Grades by similarity: chances of all options, of which its own is certain."""
    taxonomy = ft.Taxonomy.from_children({"all": ["c", "d"], "c": ["a", "b"]})
    votes = ft.Assignments.from_columns(
        [*"ststst"], [*"iijjkk"], ["a", "a", "a", "b", "b", "a"], taxonomy=taxonomy
    )
    collection = make_collection(votes.by_example(relevance="path", keep_query=True), ["j"])
    assert not collection.binary
    block = ExampleBlock(collection, slice(0, 1), ())
    labels = ExampleOutcomes(block, as_given(), slice(0, 1), LabellingCache())
    rows = labels.rows()
    component = np.repeat(np.arange(2), 2)
    made = RetrievedGrades(labels, rows, component, np.array([1, 2, 1, 2]))
    grade, chance = made.grades(component, made.item)
    expected = np.nansum(grade * chance, axis=0)
    other = np.nanmin(grade)  # similarity of a and b
    assert 0 < other < 1
    half = (1 + other) / 2
    np.testing.assert_allclose(expected, [1, half, 1, half], rtol=1e-12)
