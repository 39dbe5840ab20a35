"""Hierarchical precision and recall against drawing every vote of every item, in fractions."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.small_collections import FIGURE_1, random_graph, random_votes

import fuzzytruth as ft

TREE = ft.Taxonomy.from_children(FIGURE_1)


def stands_for(tax, categories) -> set[str]:
    """The categories and all above, the root left out."""
    out, left = set(), list(categories)
    while left:
        name = left.pop()
        if name not in out and name != tax.root:
            out.add(name)
            left.extend(tax.parents(name))
    return out


def brute(tax, votes, answered):
    """(micro, macro) precision and recall of {item: categories}."""
    ballots = defaultdict(lambda: defaultdict(set))
    weight = {}
    for row in votes.itertuples():
        ballots[row.item][row.subject].add(row.category)
        weight[row.item, row.subject] = Fraction(row.weight)
    sums, shares = np.array([Fraction(0)] * 3), np.array([Fraction(0)] * 2)
    for item, categories in answered.items():
        answer = stands_for(tax, categories)
        whole = sum(weight[item, s] for s in ballots[item])
        for subject, named in ballots[item].items():
            vote, chance = stands_for(tax, named), weight[item, subject] / whole
            common = len(answer & vote)
            sums += chance * np.array([common, len(answer), len(vote)])
            shares[0] += chance * Fraction(common, len(answer)) if answer else 0
            shares[1] += chance * Fraction(common, len(vote)) if vote else 0
    micro = [sums[0] / below if below else Fraction(0) for below in sums[1:]]
    return micro, (shares / len(answered)).tolist()


def f1(precision, recall) -> float:
    return float(2 * precision * recall / (precision + recall)) if precision + recall else 0.0


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_every_vote_of_every_item(seed, tree) -> None:
    rng = np.random.default_rng(seed)
    tax = random_graph(rng, tree=tree)
    votes = random_votes(rng, tax)
    # One weight a ballot: that of its last row.
    votes["weight"] = votes.groupby(["item", "subject"])["weight"].transform("last")
    items = votes["item"].unique()
    answers = {
        system: {
            item: rng.choice(tax.nodes, size=min(len(tax), 2), replace=False).tolist()
            for item in rng.permutation(items)[: rng.integers(1, len(items) + 1)].tolist()
        }
        for system in ("one", "two")
    }
    frame = pd.DataFrame(
        [(s, i, c) for s, own in answers.items() for i, named in own.items() for c in named],
        columns=["system", "item", "category"],
    )
    truth = ft.Assignments.from_frame(votes, taxonomy=tax)
    tables = [
        ft.hierarchical_scores(truth, frame, average=average).set_index("system")
        for average in ("micro", "macro")
    ]
    for system, own in answers.items():
        for table, (precision, recall) in zip(tables, brute(tax, votes, own), strict=True):
            expected = [len(own), float(precision), float(recall), f1(precision, recall)]
            np.testing.assert_allclose(table.loc[system].tolist(), expected, atol=1e-12)


def votes_of(*rows) -> ft.Assignments:
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    return ft.Assignments.from_frame(frame, taxonomy=TREE)


def scored(truth, *rows, average="micro"):
    answers = pd.DataFrame(rows, columns=["item", "category"])
    return ft.hierarchical_scores(truth, answers, average=average).iloc[0, 2:].tolist()


def test_by_hand() -> None:
    truth = votes_of(("s", "i", "city"), ("s", "j", "crowd"))
    assert scored(truth, ("i", "city")) == [1, 1, 1]
    assert scored(truth, ("i", "countryside")) == [0.5, 0.5, 0.5]  # scenery of two
    assert scored(truth, ("i", "scenery")) == pytest.approx([1, 0.5, 2 / 3])
    assert scored(truth, ("i", "crowd")) == [0, 0, 0]
    both = (("i", "scenery"), ("j", "city"))
    assert scored(truth, *both) == pytest.approx([1 / 3, 1 / 4, 2 / 7])
    assert scored(truth, *both, average="macro") == pytest.approx([0.5, 0.25, 1 / 3])


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_the_root_says_nothing(average) -> None:
    truth = votes_of(("s", "i", "all"), ("s", "j", "city"))
    assert scored(truth, ("i", "city"), average=average) == [0, 0, 0]
    assert scored(truth, ("j", "all"), average=average) == [0, 0, 0]


def test_another_average_is_an_error() -> None:
    with pytest.raises(ft.OptionError, match="average='mean': must be one of 'micro', 'macro'"):
        scored(votes_of(("s", "i", "city")), ("i", "city"), average="mean")


def test_votes_without_names() -> None:
    rows = [("s", "a", "cat"), ("t", "a", "dog"), ("u", "a", "cat"), ("s", "b", "dog")]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    tax = ft.Taxonomy.from_children({"all": ["pet"], "pet": ["cat", "dog"]})
    answers = pd.DataFrame({"item": ["a", "b"], "category": ["cat", "pet"]})
    want = ft.hierarchical_scores(ft.Assignments.from_frame(frame, taxonomy=tax), answers)
    counts = frame.groupby(["item", "category"]).size().rename("count").reset_index()
    counted = ft.Assignments.from_counts(counts, taxonomy=tax)
    shares = counts.assign(probability=[2 / 3, 1 / 3, 1.0])[["item", "category", "probability"]]
    soft = ft.Membership.from_probabilities(shares, taxonomy=tax)
    for truth in (counted, counted.membership(), soft):
        pd.testing.assert_frame_equal(ft.hierarchical_scores(truth, answers), want)
        named = ft.class_scores(ft.Assignments.from_frame(frame, taxonomy=tax), answers)
        unnamed = ft.class_scores(truth, answers)
        pd.testing.assert_frame_equal(unnamed.to_frame(), named.to_frame())
