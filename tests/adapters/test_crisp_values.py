"""Values of a run by a crisp truth, query by query."""

from __future__ import annotations

import pytest

from fuzzytruth.adapters.crisp_values import CrispTruth, by_text, nested
from fuzzytruth.errors import DataError
from fuzzytruth.measures import parse_measures

TRUTH = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1, "d": 2}}
MEASURES = parse_measures(["RR", "NumRel(rel=2)"])


def test_values_of_shared_queries() -> None:
    run = {"q2": {"x": 2.0, "d": 1.0}, "q9": {"a": 1.0}}
    queries, values = CrispTruth(TRUTH).values(run, MEASURES)
    assert queries == ("q2",)
    assert values.tolist() == [[0.5], [1.0]]


def test_all_queries_come_in_the_order_of_the_truth() -> None:
    run = {"q2": {"c": 1.0}, "q1": {"b": 2.0, "a": 1.0}}
    queries, values = CrispTruth(TRUTH).values(run, MEASURES)
    assert queries == ("q1", "q2")
    assert values.tolist() == [[0.5, 1.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    ("run", "expected"), [({}, ()), ({"q9": {"a": 1}}, ()), ({"q2": {}}, ("q2",))]
)
def test_without_retrieved_items(run, expected) -> None:
    queries, values = CrispTruth(TRUTH).values(run, MEASURES)
    assert queries == expected
    assert values.tolist() == [[0.0] * len(expected), [1.0] * len(expected)]


def test_without_measures() -> None:
    assert CrispTruth(TRUTH).values({"q1": {"a": 1}}, ())[1].shape == (0, 1)


def test_nested() -> None:
    assert nested([(1, "a", 0.5), (1, 2, 1), ("q", "a", 3)], "run") == {
        "1": {"a": 0.5, "2": 1},
        "q": {"a": 3},
    }
    with pytest.raises(DataError, match="run: item 'a' occurs twice for query '1'"):
        nested([(1, "a", 0.5), ("1", "a", 1)], "run")


def test_queries_without_items_are_left_out() -> None:
    assert by_text({1: {"a": 1}, "q2": {}}) == {"1": {"a": 1}}
