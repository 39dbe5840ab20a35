"""Probabilities of labels, worked out by hand."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
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
