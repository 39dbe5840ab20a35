"""Reasons against kinds of worlds."""

from typing import Any

import pytest

import fuzzytruth as ft
from fuzzytruth.truth import align
from fuzzytruth.truth.vote_weights import too_few_subjects, votes_lack


@pytest.mark.parametrize(
    ("worlds", "subjects", "reason"),
    [
        ("independent", None, None),
        ("independent", ("a",), None),
        ("subject", ("a",), None),
        ("crisp", ("a",), None),
        ("crisp", None, None),
        ("population", ("a", "b"), None),
        ("crisp", ("a", "b"), "these votes have 2 subjects; use worlds='subject'"),
        ("population", ("a",), too_few_subjects("votes", 1)),
        ("subject", None, "counts or probabilities without names"),
        ("population", None, "counts or probabilities without names"),
    ],
)
def test_reasons(worlds, subjects, reason):
    given = votes_lack(subjects, unjudged="").get(worlds)
    assert given is None if reason is None else reason in given


def test_votes_that_differ() -> None:
    nobody = votes_lack(None, unjudged="", n_differ=2)
    assert "the votes on 2 items differ" in nobody["crisp"]
    assert "independent" not in nobody
    assert "differently" in votes_lack(("a",), unjudged="", uncertain=True)["crisp"]
    assert "subject" not in votes_lack(("a", "b"), unjudged="", uncertain=True, n_differ=2)


def aligned_both_ways(counts: list[list[int]]) -> tuple[Any, Any]:
    """Counts of votes on two items, aligned as items and as queries by example."""
    votes = ft.Assignments.from_counts(counts, items=["a", "b"], categories=["cat", "dog"])
    labels = ft.Runs.from_dict({"x": {"a": {"cat": 1.0}, "b": {"cat": 1.0}}})
    items = ft.Runs.from_dict({"x": {"a": {"b": 1.0}, "b": {"a": 1.0}}})
    return (
        align(votes.by_item(), labels, ties="trec"),
        align(votes.by_example(), items, ties="trec"),
    )


@pytest.mark.parametrize("counts", [[[3, 0], [0, 2]], [[3, 1], [0, 2]]])
def test_both_truths_of_votes_refuse_the_same(counts: list[list[int]]) -> None:
    by_item, by_example = aligned_both_ways(counts)
    for worlds in ("crisp", "subject", "independent", "population"):
        assert by_item.facts.lacks.get(worlds) == by_example.facts.lacks.get(worlds)
    assert ("crisp" not in by_item.facts.lacks) == (counts[0][1] == 0)
    assert by_item.facts.default == by_example.facts.default


def test_unanimous_counts_are_a_crisp_truth() -> None:
    counts = [[3, 0], [0, 2]]
    votes = ft.Assignments.from_counts(counts, items=["a", "b"], categories=["cat", "dog"])
    runs = {"x": {"a": {"cat": 2.0, "dog": 1.0}, "b": {"cat": 2.0, "dog": 1.0}}}
    crisp = ft.evaluate(votes.by_item(), runs, ["P@1", "RR"], worlds="crisp")
    assert crisp.values.tolist() == [[[1, 0], [1, 0.5]]]
    mixed = ft.evaluate(votes.by_item(), runs, ["P@1", "RR"], worlds="independent", rng=0)
    assert mixed.values.tolist() == crisp.values.tolist()
