"""Values of a run by a crisp truth, query by query."""

import pytest

from fuzzytruth.adapters.pytrec_eval import CrispTruth, by_text, nested
from fuzzytruth.errors import DataError
from fuzzytruth.measures import parse_measures

TRUTH = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1, "d": 2}}
MEASURES = parse_measures(["RR", "NumRel(rel=2)"])


@pytest.mark.parametrize(
    ("run", "queries", "values"),
    [
        ({"q2": {"x": 2.0, "d": 1.0}, "q9": {"a": 1.0}}, ("q2",), [[0.5], [1.0]]),
        ({"q2": {"c": 1.0}, "q1": {"b": 2, "a": 1}}, ("q1", "q2"), [[0.5, 1.0], [0.0, 1.0]]),
        ({}, (), [[], []]),
        ({"q9": {"a": 1}}, (), [[], []]),
        ({"q2": {}}, ("q2",), [[0.0], [1.0]]),
    ],
)
def test_values_of_shared_queries_in_the_order_of_the_truth(run, queries, values) -> None:
    found = CrispTruth(TRUTH).values(run, MEASURES)
    assert (found[0], found[1].tolist()) == (queries, values)
    assert CrispTruth(TRUTH).values(run, ())[1].shape == (0, len(queries))


def test_nested() -> None:
    rows = [(1, "a", 0.5), (1, 2, 1), ("q", "a", 3)]
    assert nested(rows, "run") == {"1": {"a": 0.5, "2": 1}, "q": {"a": 3}}
    with pytest.raises(DataError, match="run: item 'a' occurs twice for query '1'"):
        nested([(1, "a", 0.5), ("1", "a", 1)], "run")
    assert by_text({1: {"a": 1}, "q2": {}}) == {"1": {"a": 1}}
