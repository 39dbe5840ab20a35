from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.small_collections import FIGURE_1, random_graph, random_votes
from support.worlds_of_items import ballots, subtree

import fuzzytruth as ft


def figure_1() -> ft.Assignments:
    frame = pd.DataFrame(
        {
            "subject": ["s1", "s2", "s3", "s4", "s5"],
            "item": "fig1",
            "category": ["people", "people", "crowd", "city", "city"],
        }
    )
    return ft.Assignments.from_frame(frame, taxonomy=ft.Taxonomy.from_children(FIGURE_1))


def test_figure_1() -> None:
    m = figure_1().membership()
    want = {"people": 0.6, "crowd": 0.2, "single": 0, "group": 0, "scenery": 0.4, "city": 0.4}
    want |= {"countryside": 0.0, "all": 1.0}
    assert m.to_frame().loc["fig1"].to_dict() == pytest.approx(want, abs=1e-15)
    assert {c: m.probability("fig1", c) for c in want} == pytest.approx(want, abs=1e-15)
    assert m.direct("fig1") == {"people": 0.4, "crowd": 0.2, "city": 0.4}
    assert m.size("people") == pytest.approx(0.6)
    assert m.sizes()["all"] == 1.0
    assert m.agreement()["fig1"] == pytest.approx(0.2)  # 2 of 10 pairs
    assert m.entropy()["fig1"] == pytest.approx(-(0.8 * np.log2(0.4) + 0.2 * np.log2(0.2)))
    assert figure_1().categorisation("s3") == {"fig1": "crowd"}


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_every_vote_walked(seed: int, tree: bool) -> None:
    rng = np.random.default_rng(seed)
    tax = random_graph(rng, tree=tree)
    frame = random_votes(rng, tax)
    votes = ft.Assignments.from_frame(frame, taxonomy=tax)
    m = votes.membership()
    below = {node: subtree(tax, node) for node in tax.nodes}
    for item, given_ in ballots(frame).items():
        total = sum(w for w, _ in given_)
        for node in tax.nodes:
            want = sum(w for w, labels in given_ if labels & below[node]) / total
            assert m.probability(item, node) == pytest.approx(want, abs=1e-12)
        assert m.probability(item, tax.root) == pytest.approx(1.0)
        assert sum(m.direct(item).values()) == pytest.approx(1.0)
    assert m.violations()[0] == 0
    for node in tax.nodes:
        assert m.size(node) == pytest.approx(m.of_items(node).sum())


def test_only_some_were_asked() -> None:
    tax = ft.Taxonomy.from_children({"animal": ["dog", "cat"], "dog": ["pug"]})
    asked = pd.DataFrame(
        [("s", "i", "pug"), ("s", "i", "cat"), ("t", "i", "cat"), ("u", "j", "dog")],
        columns=["subject", "item", "category"],
    )
    yes = asked.iloc[[0, 2]]
    votes = ft.Assignments.from_frame(yes, taxonomy=tax, asked=asked)
    assert len(votes) == 3
    m = votes.membership()
    assert m.probability("i", "dog") == 1.0  # only s was asked, by way of pug
    assert m.probability("i", "cat") == 0.5
    assert m.probability("i", "animal") == 1.0
    assert m.probability("j", "dog") == 0.0
    with pytest.raises(ft.DataError, match="nobody was asked whether item 'j' belongs to 'cat'"):
        m.probability("j", "cat")
    assert np.isnan(m.of_items("cat")).tolist() == [False, True]
    assert m.violations() == (0, 4)  # i: pug-dog, dog-animal, cat-animal; j: dog-animal
    with pytest.raises(ft.DataError, match="asked about some categories only"):
        m.direct("i")
    with pytest.raises(ft.DataError, match="asked about some categories only"):
        votes.by_example()
    with pytest.raises(
        ft.DataError, match=r"row 1 \(index 0\): subject 'u' gives item 'j' .* 'cat'.*not asked"
    ):
        ft.Assignments.from_frame(
            pd.DataFrame([("u", "j", "cat")], columns=asked.columns), taxonomy=tax, asked=asked
        )


def test_a_child_more_probable_than_its_parent() -> None:
    tax = ft.Taxonomy.from_children({"animal": ["dog", "cat"]})
    columns = ["subject", "item", "category"]
    asked = pd.DataFrame([("s", "i", "dog"), ("t", "i", "cat")], columns=columns)
    m = ft.Assignments.from_frame(asked.iloc[[0]], taxonomy=tax, asked=asked).membership()
    assert m.probability("i", "dog") == 1.0
    assert m.probability("i", "animal") == 0.5
    assert m.violations() == (1, 2)


def test_posterior_is_beta() -> None:
    from scipy.stats import beta

    m = figure_1().membership()
    frame = m.posterior(prior=4.0, level=0.9).set_index("category")
    # people: 4 of 8 categories lie in its subtree, so 2 of the 4 prior votes
    assert frame.loc["people", "mean"] == pytest.approx(5 / 9)
    assert frame.loc["people", "lower"] == pytest.approx(beta.ppf(0.05, 5, 4))
    assert frame.loc["all", ["mean", "lower", "upper"]].tolist() == [1.0, 1.0, 1.0]
    pair = m.posterior(prior=(0.5, 0.5)).set_index("category")
    assert pair.loc["city", "upper"] == pytest.approx(beta.ppf(0.975, 2.5, 3.5))


def test_small_violations_and_weights() -> None:
    tax = ft.Taxonomy.from_children({"animal": ["dog", "cat"]})
    columns = ["subject", "item", "category"]
    asked = pd.DataFrame(
        [(f"s{s}", "i", "dog") for s in range(20)] + [("t", "i", "cat")], columns=columns
    )
    m = ft.Assignments.from_frame(asked.iloc[:19], taxonomy=tax, asked=asked).membership()
    assert m.violations() == (1, 2)  # dog 19 of 20, animal 19 of 21
    frame = pd.DataFrame(
        [("s", "i", "dog", 1.0), ("t", "i", "dog", 5.0), ("u", "i", "cat", 9.0)],
        columns=[*columns, "weight"],
    )
    assert ft.Assignments.from_frame(frame, taxonomy=tax).membership().agreement()[
        "i"
    ] == pytest.approx(1 / 3)
