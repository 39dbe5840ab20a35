"""Reasons against kinds of worlds."""

import fuzzytruth as ft
from fuzzytruth.truth.vote_weights import votes_lack


def test_votes_that_differ() -> None:
    nobody = votes_lack(None, unjudged="", n_differ=2)
    assert "the votes on 2 items differ" in nobody["crisp"]
    assert "independent" not in nobody
    assert "differently" in votes_lack(("a",), unjudged="", uncertain=True)["crisp"]
    assert "subject" not in votes_lack(("a", "b"), unjudged="", uncertain=True, n_differ=2)


def test_unanimous_counts_are_a_crisp_truth() -> None:
    counts = [[3, 0], [0, 2]]
    votes = ft.Assignments.from_counts(counts, items=["a", "b"], categories=["cat", "dog"])
    runs = {"x": {"a": {"cat": 2.0, "dog": 1.0}, "b": {"cat": 2.0, "dog": 1.0}}}
    crisp = ft.evaluate(votes.by_item(), runs, ["P@1", "RR"], worlds="crisp")
    assert crisp.values.tolist() == [[[1, 0], [1, 0.5]]]
    mixed = ft.evaluate(votes.by_item(), runs, ["P@1", "RR"], worlds="independent", rng=0)
    assert mixed.values.tolist() == crisp.values.tolist()
