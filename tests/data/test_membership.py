from __future__ import annotations

import itertools
from typing import Any

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
        ft.DataError, match=r"row 1: subject 'u' gives item 'j' .* 'cat'.*not asked"
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


def test_resampled_subjects() -> None:
    from scipy.stats import beta

    frame = figure_1().membership().resampled(n_resamples=20_000, rng=1).set_index("category")
    # All voted on the item, so that the bootstrap's variance is p (1 - p) / S, times S / (S - 1);
    # all 126 ways to draw five subjects are gone through.
    want = np.sqrt(0.6 * 0.4 / 4)
    assert frame.loc["people", "std_error"] == pytest.approx(want, abs=1e-12)
    assert frame.loc["all", "std_error"] == 0.0
    # As many independent votes as have this spread: four. Where all agree: five of five.
    lower, upper = frame.loc["people", ["lower", "upper"]]
    assert lower == pytest.approx(beta.ppf(0.025, 2.4, 2.6))
    assert upper == pytest.approx(beta.ppf(0.975, 3.4, 1.6))
    assert frame.loc["all", ["lower", "upper"]].tolist() == pytest.approx([0.025**0.2, 1.0])
    again = figure_1().membership().resampled(n_resamples=20_000, rng=1).set_index("category")
    pd.testing.assert_frame_equal(frame, again)


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.LostVotesWarning")
def test_resampled_with_missing_votes_against_a_loop() -> None:
    rng = np.random.default_rng(5)
    tax = ft.Taxonomy.from_children(FIGURE_1)
    rows = [
        (f"s{s}", f"i{i}", str(rng.choice(tax.nodes)))
        for i in range(4)
        for s in range(5)
        if rng.random() < 0.7
    ]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    m = ft.Assignments.from_frame(frame, taxonomy=tax).membership()
    found = m.resampled(n_resamples=4000, rng=0).set_index(["item", "category"])["std_error"]
    names = frame["subject"].unique()
    below = subtree(tax, "people")
    some = frame[frame["item"] == "i1"]
    hit, n = some["category"].isin(below), len(some)
    values = []
    for drawn in itertools.product(names, repeat=len(names)):
        weight = some["subject"].map({s: drawn.count(s) for s in names})
        total = weight.sum()
        values.append((weight * hit).sum() / total if total else hit.mean())
    want = np.std(values) * np.sqrt(n / (n - 1))
    assert 0 < hit.mean() < 1
    assert found["i1", "people"] == pytest.approx(want, abs=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"category": "peple"}, r"peple.*people"),
        ({"category": None}, "row 1, column 'category': the id is missing"),
        ({"weight": -1.0}, "row 1, column 'weight': value -1 must be above 0"),
        ({"weight": float("nan")}, "not a finite number"),
        ({"item": ""}, "the id is empty"),
    ],
)
def test_bad_votes(change: dict[str, Any], message: str) -> None:
    row = {"subject": "s", "item": "i", "category": "people", "weight": 1.0}
    frame = pd.DataFrame([row | change, row | {"subject": "t"}])
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.Assignments.from_frame(frame, taxonomy=ft.Taxonomy.from_children(FIGURE_1))


def test_votes_twice_and_weights_that_differ() -> None:
    tax = ft.Taxonomy.from_children(FIGURE_1)
    columns = ["subject", "item", "category", "weight"]
    twice = pd.DataFrame([("s", "i", "city", 1.0)] * 2, columns=columns)
    with pytest.raises(ft.DataError, match=r"row 2: .*'city' twice \(first: votes, row 1\)"):
        ft.Assignments.from_frame(twice, taxonomy=tax)
    differ = pd.DataFrame([("s", "i", "city", 1.0), ("s", "i", "crowd", 2.0)], columns=columns)
    with pytest.raises(ft.DataError, match=r"different weights \(2 and 1\)"):
        ft.Assignments.from_frame(differ, taxonomy=tax)
    with pytest.raises(ft.DataError, match="no votes"):
        ft.Assignments.from_frame(twice.iloc[:0], taxonomy=tax)
    m = ft.Assignments.from_frame(differ.iloc[:1], taxonomy=tax).membership()
    with pytest.raises(ft.DataError, match="nobody voted on item 'j'"):
        m.probability("j", "city")


def test_votes_come_back() -> None:
    frame = random_votes(np.random.default_rng(3), ft.Taxonomy.from_children(FIGURE_1))
    votes = ft.Assignments.from_frame(frame, taxonomy=ft.Taxonomy.from_children(FIGURE_1))
    columns = ["subject", "item", "category", "weight"]
    want = frame.sort_values(columns[:3]).reset_index(drop=True)
    got = votes.to_frame().sort_values(columns[:3]).reset_index(drop=True)
    pd.testing.assert_frame_equal(got, want, check_dtype=False)
    table = votes.membership().to_frame(tidy=True)
    assert (table["probability"] > 0).all()
    assert set(votes.categorisation("s0")) == {
        i for s, i in zip(frame.subject, frame.item, strict=True) if s == "s0"
    }


def test_intervals_of_few_subjects_cover() -> None:
    """Independent votes, p = .8: intervals of three to ten subjects hold it as promised."""
    rng = np.random.default_rng(0)
    tax = ft.Taxonomy.from_children({"all": ["a", "b"]})
    for n in (3, 5, 10):
        said = np.where(rng.random((400, n)) < 0.8, "a", "b")
        rows = [(f"s{s}", f"i{i}", said[i, s]) for i in range(400) for s in range(n)]
        frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
        m = ft.Assignments.from_frame(frame, taxonomy=tax).membership()
        found = m.resampled(n_resamples=500, rng=1).query("category == 'a'")
        covered = ((found["lower"] <= 0.8) & (found["upper"] >= 0.8)).sum() / 400
        assert covered > 0.93


def test_a_single_subject_tells_nothing_of_others() -> None:
    tax = ft.Taxonomy.from_children({"all": ["a", "b"]})
    rows = [("s", "i", "a"), ("t", "j", "a"), ("s", "j", "b")]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    m = ft.Assignments.from_frame(frame, taxonomy=tax).membership()
    with pytest.warns(ft.FuzzytruthWarning, match="2 of 15 probabilities have no vote left"):
        found = m.resampled(rng=0).set_index(["item", "category"])
    assert found.loc[("i", "a"), ["std_error", "lower", "upper"]].isna().all()
    # Draws of (s, s), (s, t), (t, t): p = 0, 1/2, 1 with chances 1/4, 1/2, 1/4; times 2.
    assert found.loc[("j", "a"), "std_error"] == pytest.approx(0.5)


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
