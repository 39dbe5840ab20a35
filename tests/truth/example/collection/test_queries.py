"""Queries by example and the categories they are given."""

import pytest

import fuzzytruth as ft
from fuzzytruth.truth.example.collection import settle_queries

VOTES = ft.Assignments.from_columns(["s", "s"], ["i", "j"], ["a", "b"])


def test_queries_are_those_answered_or_asked_for() -> None:
    items = VOTES.items
    queries, place = settle_queries(VOTES.by_example(), ["x", "j", "j", "i"], items)
    assert (queries, place.tolist()) == (("j", "i"), [1, 0])
    truth = VOTES.by_example(category={"x": "a", "i": "b"})
    queries, place = settle_queries(truth, ["x", "j", "i"], items)
    assert (queries, place.tolist()) == (("x", "i"), [-1, 0])
    none_has = "none of the queries that runs answer has votes.* a run has 'x'"
    with pytest.raises(ft.errors.DataError, match=none_has):
        settle_queries(VOTES.by_example(), ["x", "y"], items)
    with pytest.raises(ft.errors.DataError, match=r"^queries: 1 query has no votes.*'x'"):
        settle_queries(VOTES.by_example(["i", "x"]), [], items)
    with pytest.raises(
        ft.errors.DataError, match=r"^queries: 2 queries have no votes.*first is 'x'"
    ):
        settle_queries(VOTES.by_example(["i", "x", "y"]), [], items)
