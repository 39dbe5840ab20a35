"""Some queries of a collection."""

from typing import Any

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.truth.example.collection import ExampleBlock, make_collection

VOTES = ft.Assignments.from_columns(["s"] * 4, list("ijkl"), list("abab"))
OPTIONS: dict[str, Any] = {"collection": ["k", "j", "i"]}


@pytest.mark.parametrize(
    ("options", "left_out", "knows_itself"),
    [
        ({}, [-1, 1], False),
        ({"keep_query": True}, [-1, -1], True),
        ({"keep_query": True, "category": "a"}, [-1, -1], False),
    ],
)
def test_queries_of_a_block(
    options: dict[str, Any], left_out: list[int], knows_itself: bool
) -> None:
    truth = VOTES.by_example(**OPTIONS, **options)
    block = ExampleBlock(make_collection(truth, ["k", "l", "j"]), slice(1, 3), ())
    assert block.n_queries == 2
    assert block.query_item.tolist() == [3, 1]  # l comes after the collection
    assert block.member.tolist() == [-1, 1]
    assert block.left_out.tolist() == left_out
    assert block.knows_itself == knows_itself
    assert not block.too_many_groups


def test_queries_that_are_no_items() -> None:
    collection = make_collection(VOTES.by_example(category="a"), ["x", "i"])
    block = ExampleBlock(collection, slice(0, 2), ())
    np.testing.assert_array_equal(block.query_item, [-1, 0])
    np.testing.assert_array_equal(block.left_out, [-1, 0])
