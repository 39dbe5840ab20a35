"""Queries that only the truth or only a run has."""

import fuzzytruth as ft
from fuzzytruth.truth.protocol import coverage_of


def test_each_run_against_the_truth() -> None:
    runs = ft.Runs.from_dict(
        {
            "same": {"q1": {"a": 1}, "q2": {"a": 1}},
            "fewer": {"q2": {"a": 1}},
            "more": {"q3": {"a": 1}, "q1": {"a": 1}, "q2": {"a": 1}},
            "other": {"x": {"a": 1}},
        }
    )
    coverage = coverage_of(("q1", "q2"), runs)
    assert coverage.judged == ("q1", "q2")
    assert coverage.missing == {"fewer": ["q1"], "other": ["q1", "q2"]}
    assert coverage.unjudged == {"more": ["q3"], "other": ["x"]}
    assert coverage.disjoint == {"other": ("x",)}
    assert coverage.unknown_items == coverage.unjudged_lists == {}
