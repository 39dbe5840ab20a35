"""Pseudonyms: the same votes, called otherwise, in an order that tells nothing."""

import pytest
from scipy.stats import spearmanr
from support.results import judged_by_category, judgments

import fuzzytruth as ft
from fuzzytruth.data.pseudonyms import named_as


def test_votes_are_the_same_but_for_names() -> None:
    for votes in (judgments(), judged_by_category()):
        hidden, called = named_as(votes, "hide")
        frame = votes.to_frame()
        renamed = frame.assign(subject=frame["subject"].map(called))
        columns = list(frame.columns)
        assert sorted(map(tuple, hidden.to_frame()[columns].astype(str).values)) == sorted(
            map(tuple, renamed.astype(str).values)
        )
        n = len(called)
        assert sorted(called.values()) == [f"P{j + 1:02d}" for j in range(n)]


def test_names_stay_unless_they_are_to_be_hidden() -> None:
    votes = judgments()
    assert named_as(votes, "show") == (votes, {})
    crisp = ft.Judgments.from_dict({"q": {"a": 1}})
    assert named_as(crisp, "hide") == (crisp, {})
    with pytest.raises(ft.errors.OptionError, match="names='none': must be one of 'show', 'hide'"):
        named_as(votes, "none")  # type: ignore[arg-type]


def test_the_order_is_that_of_the_votes_and_not_of_the_names() -> None:
    people = [f"w{j:02d}" for j in range(60)]
    made = [
        ft.Judgments.from_columns(
            ["q"] * 60, ["a"] * 60, [(j + shift) % 2 for j in range(60)], subject=people
        )
        for shift in (0, 1)
    ]
    orders = [[int(named_as(v, "hide")[1][p][1:]) for p in people] for v in made]
    assert orders[0] != orders[1]  # who knows the names alone cannot tell
    assert orders[0] == [int(named_as(made[0], "hide")[1][p][1:]) for p in people]
    assert all(abs(spearmanr(order, range(60)).statistic) < 0.3 for order in orders)
