"""Shares of votes in subtrees, their agreement, and bootstrap errors against walking the votes."""

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta
from support.small_collections import FIGURE_1, random_graph, random_votes
from support.worlds_of_items import ballots, subtree

import fuzzytruth as ft
from fuzzytruth.data import vote_shares

COLUMNS = ["subject", "item", "category"]
TREE = ft.Taxonomy.from_children({"all": ["pet", "cow"], "pet": ["dog", "cat"]})


@pytest.mark.parametrize("seed", range(8))
def test_weights_equal_walking_the_votes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tax = random_graph(rng, tree=seed % 2 == 0)
    frame = random_votes(rng, tax)
    votes = ft.Assignments.from_frame(frame, taxonomy=tax)
    ancestors = vote_shares.ancestor_matrix(tax)
    below = [subtree(tax, node) for node in tax.nodes]
    inside = [[float(a in b) for b in below] for a in tax.nodes]
    np.testing.assert_array_equal(ancestors.toarray(), inside)
    columns = (votes.item, votes.label_set, votes.weight, votes.sets)
    weights = vote_shares.subtree_weights(*columns, ancestors, len(votes.items))
    cast = [ballots(frame)[item] for item in votes.items.to_pylist()]
    want = [[sum(w for w, labels in own if labels & b) for b in below] for own in cast]
    np.testing.assert_allclose(weights.toarray(), want, rtol=1e-15)
    share, mass = vote_shares.shares_of_votes(votes)
    total = np.array([sum(w for w, _ in own) for own in cast])
    assert mass is None
    np.testing.assert_allclose(share.toarray(), want / total[:, None], rtol=1e-15)
    row, column = rng.integers(0, len(votes.items), 9), rng.integers(0, len(tax), 9)
    found = vote_shares.entries_at(weights, row, column)
    np.testing.assert_array_equal(found, weights.toarray()[row, column])
    assert vote_shares.entries_at(weights, row[:0], column[:0]).shape == (0,)


@pytest.mark.parametrize("seed", range(4))
def test_agreement_draws_one_repetition_of_each_subject(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = [
        (f"s{s}", f"i{i}", str(rng.choice(TREE.nodes[1:])), f"r{r}")
        for i in range(4)
        for s in range(4)
        if rng.random() < 0.8 or not s
        for r in range(int(rng.integers(1, 3)))
    ]
    frame = pd.DataFrame(rows, columns=[*COLUMNS, "repeat"])
    membership = ft.Assignments.from_frame(frame, taxonomy=TREE).membership()
    got = membership.agreement()
    for item, own in frame.groupby("item"):
        answers = [list(part["category"]) for _, part in own.groupby("subject")]
        pairs = [
            np.mean([a == b for a in first for b in second])
            for first, second in itertools.combinations(answers, 2)
        ]
        np.testing.assert_allclose(got[item], np.mean(pairs) if pairs else np.nan, atol=1e-12)
    got = membership.category_agreement()
    for category in TREE:
        inside = subtree(TREE, category)
        same = total = 0.0
        for _, of_item in frame.groupby("item"):
            share = [part["category"].isin(inside).mean() for _, part in of_item.groupby("subject")]
            for one, other in itertools.permutations(share, 2):
                same += one * other
                total += one
        np.testing.assert_allclose(got[category], same / total if total else np.nan, atol=1e-12)
    assert got["all"] == 1


def test_prior_votes_are_spread_over_categories() -> None:
    tax = ft.Taxonomy.from_children({"all": ["a", "b"], "a": ["c"]})
    above, below = vote_shares.prior_votes(tax, 2.0)
    assert dict(zip(tax.nodes, above, strict=True)) == {"all": 2, "a": 1, "b": 0.5, "c": 0.5}
    np.testing.assert_allclose(above + below, 2)
    assert vote_shares.prior_votes(tax, (1.0, 3.0))[1].tolist() == [3] * 4
    for prior in (0, -1.0, (0.0, 1.0)):
        with pytest.raises(ft.errors.OptionError, match=r"^prior=.*above 0$"):
            vote_shares.prior_votes(tax, prior)


def resampled(rows: list[tuple[Any, ...]], tax: ft.Taxonomy | None = None) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=[*COLUMNS, "repeat"][: len(rows[0])])
    votes = ft.Assignments.from_frame(frame, taxonomy=tax)
    return votes.membership().resampled(rng=0).set_index(["item", "category"])


def test_errors_where_all_voted() -> None:
    """The bootstrap's variance is p (1 - p) / S, times S / (S - 1); all draws are gone through."""
    given = ["people", "people", "crowd", "city", "city"]
    rows = [(f"s{s}", "fig1", name) for s, name in enumerate(given)]
    frame = resampled(rows, ft.Taxonomy.from_children(FIGURE_1)).droplevel("item")
    of_two = frame.loc[["people", "city"], "std_error"].tolist()
    assert of_two == pytest.approx([np.sqrt(0.6 * 0.4 / 4)] * 2, abs=1e-12)
    assert frame.loc["all", "std_error"] == 0.0
    # As many independent votes as have this spread: four. Where all agree: five of five.
    lower, upper = frame.loc["people", ["lower", "upper"]]
    assert lower == pytest.approx(beta.ppf(0.025, 2.4, 2.6))
    assert upper == pytest.approx(beta.ppf(0.975, 3.4, 1.6))
    assert frame.loc["all", ["lower", "upper"]].tolist() == pytest.approx([0.025**0.2, 1.0])


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.LostVotesWarning")
def test_errors_with_missing_votes_against_a_loop() -> None:
    rng = np.random.default_rng(5)
    tax = ft.Taxonomy.from_children(FIGURE_1)
    rows = [
        (f"s{s}", f"i{i}", str(rng.choice(tax.nodes)))
        for i in range(4)
        for s in range(5)
        if rng.random() < 0.7
    ]
    result = resampled(rows, tax)["std_error"]
    frame = pd.DataFrame(rows, columns=COLUMNS)
    names = frame["subject"].unique()
    some = frame[frame["item"] == "i1"]
    hit, n = some["category"].isin(subtree(tax, "people")), len(some)
    place = [list(names).index(s) for s in some["subject"]]
    drawn = np.stack([*np.ndindex(*[len(names)] * len(names))])
    weight = np.stack([(drawn == p).sum(axis=1) for p in place], axis=1)
    total = weight.sum(axis=1)
    values = np.where(
        total, (weight * hit.to_numpy()).sum(axis=1) / np.maximum(total, 1), hit.mean()
    )
    assert 0 < hit.mean() < 1
    want = np.std(values) * np.sqrt(n / (n - 1))
    assert result["i1", "people"] == pytest.approx(want, abs=1e-12)


@pytest.mark.parametrize("n", [3, 10])
def test_intervals_of_few_subjects_cover(n: int) -> None:
    """Independent votes, p = .8: intervals hold it as promised."""
    said = np.where(np.random.default_rng(0).random((400, n)) < 0.8, "a", "b")
    rows = [(f"s{s}", f"i{i}", said[i, s]) for i in range(400) for s in range(n)]
    result = resampled(rows, ft.Taxonomy.flat(["a", "b"])).query("category == 'a'")
    covered = ((result["lower"] <= 0.8) & (result["upper"] >= 0.8)).sum() / 400
    assert covered > 0.93


def test_repetitions_go_with_their_subject() -> None:
    rows = [("s", "i", "a", 1), ("s", "i", "b", 2), ("t", "i", "a", 1), ("u", "i", "b", 1)]
    own = np.array([1 / 2, 1, 0])  # p of a by subject
    means = [own[list(drawn)].mean() for drawn in np.ndindex(3, 3, 3)]
    got = resampled(rows)["std_error"]
    assert got["i", "a"] == pytest.approx(np.std(means) * np.sqrt(3 / 2))
    assert got["i", "all"] == 0
