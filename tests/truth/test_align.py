"""Each kind of truth has its own alignment."""

from typing import Any

import pytest

import fuzzytruth as ft
from fuzzytruth.truth import align
from fuzzytruth.truth.example.aligned import AlignedExample
from fuzzytruth.truth.item import AlignedItems
from fuzzytruth.truth.pairs.aligned import AlignedPairs

VOTES = ft.Assignments.from_columns(["s", "s"], ["a", "b"], ["cat", "dog"])
ITEMS = ft.Runs.from_dict({"x": {"a": {"b": 1.0}}})
LABELS = ft.Runs.from_dict({"x": {"a": {"cat": 1.0}, "b": {"cat": 1.0}}})


@pytest.mark.parametrize(
    ("truth", "runs", "kind", "n_queries", "n_items"),
    [
        (ft.Judgments.from_dict({"a": {"b": 1, "c": 0}}), ITEMS, AlignedPairs, 1, 2),
        (VOTES.by_example(), ITEMS, AlignedExample, 1, 2),
        (VOTES.by_item(), LABELS, AlignedItems, 2, 2),
    ],
)
def test_kinds_of_truths(
    truth: Any, runs: ft.Runs, kind: type, n_queries: int, n_items: int
) -> None:
    aligned = align(truth, runs, ties="trec")
    assert type(aligned) is kind
    assert (aligned.facts.systems, len(aligned.facts.queries), aligned.facts.n_items) == (
        ("x",),
        n_queries,
        n_items,
    )


def test_other_types_are_refused() -> None:
    with pytest.raises(ft.OptionError, match=r"^truth: int is not registered with align$"):
        align(3, ITEMS, ties="trec")
