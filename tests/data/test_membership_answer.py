"""What is printed of memberships."""

from __future__ import annotations

import pandas as pd

import fuzzytruth as ft
from fuzzytruth.data.membership import of_which

TREE = ft.Taxonomy.from_children({"all": ["people", "scenery"], "people": ["one", "crowd"]})
VOTES = ft.Assignments.from_columns(
    [*"stststst"],
    [*"aabbccdd"],
    ["one", "one", "one", "crowd", "scenery", "crowd", "one", "people"],
    taxonomy=TREE,
)


def test_disputed_items_come_first() -> None:
    lines = VOTES.membership()._answer().text(80).split("\n")
    assert lines[0] == "p(category | item) of 4 items and 5 categories: 8 votes by 2 subjects"
    assert [line.split("  ")[0].strip() for line in lines[5:9]] == ["b", "c", "d", "a"]
    assert "people 1.00, one 0.50, crowd 0.50" in lines[5]
    assert lines[5].endswith("1.00")
    assert lines[8].endswith("0.00")
    sizes = VOTES.membership().sizes()
    for line in lines[12:16]:
        name, size = line.split()
        assert float(size) == sizes[name]


def test_probabilities_and_asked_categories() -> None:
    soft = ft.Membership.from_probabilities([[0.7, 0.3]], categories=["cat", "dog"])
    assert "probabilities as given" in str(soft)
    columns = {"subject": ["s", "t"], "item": ["a", "a"], "category": ["one", "one"]}
    asked = ft.Assignments.from_columns(
        ["s"], ["a"], ["one"], taxonomy=TREE, asked=columns
    ).membership()
    text = str(asked)
    assert "The first 1 of 1 item" in text
    assert "one 0.50" in text
    assert "(bits)" not in text


def test_what_p_of_an_item_is_made_of() -> None:
    named = ft.Assignments.from_columns([*"stus"], [*"iiij"], [*"aaba"]).membership()
    assert [of_which(named.votes, row) for row in (0, 1)] == [
        "shares of 3 votes",
        "shares of 1 vote",
    ]
    frame = pd.DataFrame({"item": [*"iij"], "category": [*"aba"], "count": [1200, 1, 1]})
    counts = ft.Assignments.from_counts(frame).membership()
    assert [of_which(counts.votes, row) for row in (0, 1)] == [
        "shares of 1,201 votes",
        "shares of 1 vote",
    ]
    frame = pd.DataFrame({"item": [*"ii"], "category": [*"ab"], "probability": [0.25, 0.75]})
    given = ft.Membership.from_probabilities(frame)
    assert of_which(given.votes, 0) == "probabilities as given"
    assert given._plot_title("i") == "p(category | item i), probabilities as given"
