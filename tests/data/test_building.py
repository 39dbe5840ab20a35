"""Validation of edges, and joining of several roots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.small_taxonomies import FIGURE, FIGURE_1

import fuzzytruth as ft


def test_a_named_root_joins_several() -> None:
    joined = ft.Taxonomy.from_children({"a": ["x"], "b": []}, root="all")
    assert joined.to_children() == {"all": ["a", "b"], "a": ["x"]}
    under_one = ft.Taxonomy.from_children({"a": ["x"], "b": []}, root="b")
    assert under_one.to_children() == {"b": ["a"], "a": ["x"]}
    assert ft.Taxonomy.from_children(FIGURE_1, root="everything") == FIGURE  # nothing to join


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: {"a": ["b"], "b": ["c"], "c": ["b"]}, r"cycle: (b → c → b|c → b → c);"),
        (lambda: {"a": ["a"]}, "'a' is its own parent"),
        (lambda: {"a": ["b", "b"]}, "'b' is given twice as a child of 'a'"),
        (lambda: {1: ["b"], "1": ["b"]}, "'b' is given twice as a child of '1'"),
        (lambda: {"all": ["people"], "poeple": ["x"]}, r"2 roots.*'poeple' \(nearest: 'people'\)"),
        (lambda: {str(j): [] for j in range(12)}, "12 roots.* and 2 more; .*root='all'"),
        (dict, "it has no categories"),
        (lambda: {"a": ["b", ""]}, "column 'child': the id is empty"),
        (lambda: {"a": [None]}, "column 'child': the id is missing"),
        (lambda: {"a": "bc"}, "parent 'a': 'bc' is not a list"),
        (lambda: {"a": {"b": ["c"]}}, "parent 'a': .* is not a list; .*from_nested takes mappings"),
        (lambda: {"a": 3}, "parent 'a': 3 is not a list"),
        (lambda: ["a"], "is not a mapping"),
    ],
)
def test_bad_children(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(ft.DataError, match=message):
        ft.Taxonomy.from_children(make())
