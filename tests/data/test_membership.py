"""Probabilities of membership, against walking every vote."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta
from support.small_collections import FIGURE_1, random_graph, random_votes
from support.texts import is_stored
from support.worlds_of_items import ballots, subtree

import fuzzytruth as ft
from fuzzytruth.data.membership import of_which

COLUMNS = ["subject", "item", "category"]
PETS = ft.Taxonomy.from_children({"animal": ["dog", "cat"], "dog": ["pug"]})


def figure_1() -> ft.Membership:
    given = ["people", "people", "crowd", "city", "city"]
    tax = ft.Taxonomy.from_children(FIGURE_1)
    subjects = ["s1", "s2", "s3", "s4", "s5"]
    return ft.Assignments.from_columns(subjects, ["fig1"] * 5, given, taxonomy=tax).membership()


def asked_of(yes: list[int], *rows: tuple[str, str, str]) -> ft.Assignments:
    """Rows of questions, and which of them were answered by yes."""
    asked = pd.DataFrame(list(rows), columns=COLUMNS)
    return ft.Assignments.from_frame(asked.iloc[yes], taxonomy=PETS, asked=asked)


def test_figure_1() -> None:
    m = figure_1()
    want = {"people": 0.6, "crowd": 0.2, "single": 0, "group": 0, "scenery": 0.4, "city": 0.4}
    want |= {"countryside": 0.0, "all": 1.0}
    assert m.to_frame().loc["fig1"].to_dict() == pytest.approx(want, abs=1e-15)
    assert {c: m.probability("fig1", c) for c in want} == pytest.approx(want, abs=1e-15)
    assert m.direct("fig1") == {"people": 0.4, "crowd": 0.2, "city": 0.4}
    assert m.size("people") == pytest.approx(0.6)
    assert m.sizes()["all"] == 1.0
    assert m.agreement()["fig1"] == pytest.approx(0.2)  # 2 of 10 pairs
    assert m.entropy()["fig1"] == pytest.approx(-(0.8 * np.log2(0.4) + 0.2 * np.log2(0.2)))
    tidy = m.to_frame(tidy=True).set_index("category")["probability"].to_dict()
    assert tidy == pytest.approx({name: p for name, p in want.items() if p})
    assert (m.items, m.taxonomy) == (("fig1",), m.votes.taxonomy)


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_every_vote_walked(seed: int, tree: bool) -> None:
    rng = np.random.default_rng(seed)
    tax = random_graph(rng, tree=tree)
    frame = random_votes(rng, tax)
    m = ft.Assignments.from_frame(frame, taxonomy=tax).membership()
    below = {node: subtree(tax, node) for node in tax.nodes}
    for item, given_ in ballots(frame).items():
        total = sum(w for w, _ in given_)
        for node in tax.nodes:
            want = sum(w for w, labels in given_ if labels & below[node]) / total
            assert m.probability(item, node) == pytest.approx(want, abs=1e-12)
            assert m.of_item(item)[node] == pytest.approx(want, abs=1e-12)
        assert sum(m.direct(item).values()) == pytest.approx(1.0)
    assert m.violations()[0] == 0
    for node in tax.nodes:
        assert m.size(node) == pytest.approx(m.of_items(node).sum())


def test_only_some_were_asked() -> None:
    rows = [("s", "i", "pug"), ("s", "i", "cat"), ("t", "i", "cat"), ("u", "j", "dog")]
    votes = asked_of([0, 2], *rows)
    m = votes.membership()
    assert len(votes) == 3
    assert m.probability("i", "dog") == 1.0  # only s was asked, by way of pug
    assert m.probability("i", "cat") == 0.5
    assert m.probability("i", "animal") == 1.0
    assert m.probability("j", "dog") == 0.0
    with pytest.raises(
        ft.errors.DataError, match="nobody was asked whether item 'j' belongs to 'cat'"
    ):
        m.probability("j", "cat")
    assert np.isnan(m.of_items("cat")).tolist() == [False, True]
    assert m.violations() == (0, 4)  # i: pug-dog, dog-animal, cat-animal; j: dog-animal
    unanswered = (m.entropy, m.agreement, m.category_agreement, lambda: m.direct("i"))
    for ask in (*unanswered, votes.by_example):
        with pytest.raises(ft.errors.DataError, match="asked about some categories only"):
            ask()
    other = pd.DataFrame([("u", "j", "cat")], columns=COLUMNS)
    message = r"row 1 \(index 0\): subject 'u' gives item 'j' .* 'cat'.*not asked"
    asked = pd.DataFrame(rows, columns=COLUMNS)
    with pytest.raises(ft.errors.DataError, match=message):
        ft.Assignments.from_frame(other, taxonomy=PETS, asked=asked)


def test_posterior_is_beta() -> None:
    m = figure_1()
    frame = m.posterior(prior=4.0, level=0.9).set_index("category")
    # people: 4 of 8 categories lie in its subtree, so 2 of the 4 prior votes
    assert frame.loc["people", "mean"] == pytest.approx(5 / 9)
    assert frame.loc["people", "lower"] == pytest.approx(beta.ppf(0.05, 5, 4))
    assert frame.loc["all", ["mean", "lower", "upper"]].tolist() == [1.0, 1.0, 1.0]
    pair = m.posterior(prior=(0.5, 0.5)).set_index("category")
    assert pair.loc["city", "upper"] == pytest.approx(beta.ppf(0.975, 2.5, 3.5))
    counted = ft.Assignments.from_counts([[7, 3]]).membership().posterior(prior=(1.0, 1.0))
    assert counted["mean"].tolist() == pytest.approx([11 / 12, 8 / 12, 4 / 12])
    assert counted["lower"].tolist()[1] == pytest.approx(beta.ppf(0.025, 8, 4))


def test_what_p_of_an_item_is_made_of() -> None:
    named = ft.Assignments.from_columns([*"stus"], [*"iiij"], [*"aaba"]).membership()
    assert [of_which(named.votes, row) for row in (0, 1)] == [
        "shares of 3 votes",
        "shares of 1 vote",
    ]
    frame = pd.DataFrame({"item": [*"iij"], "category": [*"aba"], "count": [1200, 1, 1]})
    counts = ft.Assignments.from_counts(frame).membership()
    assert of_which(counts.votes, 0) == "shares of 1,201 votes"
    given = ft.Membership.from_probabilities([[0.25, 0.75]], items=["i"])
    assert given._plot_title("i") == "p(category | item i), probabilities as given"


def test_printed() -> None:
    tree = ft.Taxonomy.from_children({"all": ["people", "scenery"], "people": ["one", "crowd"]})
    given = ["one", "one", "one", "crowd", "scenery", "crowd", "one", "people"]
    votes = ft.Assignments.from_columns([*"stststst"], [*"aabbccdd"], given, taxonomy=tree)
    assert is_stored("membership", votes.membership()._answer().text(80))
    soft = ft.Membership.from_probabilities([[0.7, 0.3]], categories=["cat", "dog"])
    assert "probabilities as given" in str(soft)
    asked = str(asked_of([0], ("s", "a", "pug"), ("t", "a", "pug")).membership())
    assert "The first 1 of 1 item" in asked
    assert "pug 0.50" in asked
    assert "(bits)" not in asked


def test_text_of_an_item() -> None:
    graph = ft.Taxonomy.from_parents(
        {"animal": "all", "food": "all", "pet": "animal", "fish": ["pet", "food"], "cat": "pet"}
    )
    rows = [("s", "i", "fish"), ("t", "i", "animal"), ("s", "j", "all"), ("t", "k", "cat")]
    columns = zip(*rows, strict=True)
    m = ft.Assignments.from_columns(*columns, taxonomy=graph).membership()
    assert m.to_text("i", number=".1f").splitlines() == [
        "all               1.0",
        "├── animal        1.0",
        "│   └── pet       0.5",
        "│       └── fish  0.5",
        "└── food          0.5",
        "    └── fish      0.5  (above)",
    ]
    assert m.to_text("j") == "all  1"
    assert [line.split()[-1] for line in m.to_text("k").splitlines()] == ["1"] * 4
    assert len(m.to_text("k", full=True).splitlines()) == 7
    with pytest.raises(ft.errors.DataError, match="nobody voted on item 'x'"):
        m.to_text("x")


def test_text_where_some_categories_were_asked() -> None:
    asked = pd.DataFrame(
        [("s", "i", "cat"), ("s", "i", "dog"), ("t", "i", "cat"), ("t", "j", "dog")],
        columns=["subject", "item", "category"],
    )
    tree = ft.Taxonomy.from_children({"all": ["cat", "dog", "cow"]})
    votes = ft.Assignments.from_frame(asked.iloc[:1], taxonomy=tree, asked=asked)
    m = votes.membership()
    assert m.to_text("i").split() == ["all", "0.5", "└──", "cat", "0.5"]
    assert m.to_text("j") == "all  0"
    assert [line.split()[-1] for line in m.to_text("i", full=True).splitlines()] == [
        *("0.5", "0.5", "0", "cow")
    ]
