"""The most frequent category of each item, against counting."""

from __future__ import annotations

import pandas as pd
import pytest
from support.small_collections import DAG, make_votes

import fuzzytruth as ft
from fuzzytruth.data.assignments import most_voted
from fuzzytruth.errors import UnjudgedItemWarning

TAX = ft.Taxonomy.from_children({"all": ["dog", "cat", "cow"]})


@pytest.mark.parametrize("seed", range(6))
def test_plurality_is_the_largest_weight(seed: int) -> None:
    tax = ft.Taxonomy.from_children(DAG)
    frame = make_votes(seed, tax, weights=True, several=True)
    total = frame.groupby(["item", "category"])["weight"].sum()
    want = {}
    for item, weights in total.groupby("item"):
        of = weights.droplevel("item")
        best = of.index[of == of.max()]
        want[item] = min(best, key=tax.nodes.index)
    votes = ft.Assignments.from_frame(frame.sample(frac=1, random_state=seed), taxonomy=tax)
    assert votes.plurality() == want


def test_ties_go_to_the_first_of_the_taxonomy() -> None:
    for subjects in ("st", "ts"):
        votes = ft.Assignments.from_columns(
            list(subjects), ["i", "i"], ["cat", "dog"], taxonomy=TAX
        )
        assert votes.plurality() == {"i": "dog"}


def test_items_that_nobody_gave_a_category() -> None:
    asked = pd.DataFrame({"subject": "s", "item": ["i", "j"], "category": "dog"})
    votes = ft.Assignments.from_frame(asked.iloc[:1], taxonomy=TAX, asked=asked)
    with pytest.warns(UnjudgedItemWarning, match=r"^plurality: left out: 1 item to which nobody"):
        assert votes.plurality() == {"i": "dog"}


def test_groups_and_strata() -> None:
    votes = ft.Assignments.from_columns(
        ["s"] * 5, list("abcde"), ["cat", "cat", "dog", "dog", "dog"], taxonomy=TAX
    )
    labels = pd.DataFrame({"item": list("abcde"), "category": ["cat", "dog", "dog", "cat", "cat"]})
    scores = ft.evaluate(votes.by_item(), labels, "P@1")
    groups = votes.plurality()
    macro = (1 / 2 + 1 / 3) / 2
    assert scores.mean(groups=groups)["P@1"].item() == pytest.approx(macro, abs=1e-12)
    assert scores.summary(strata=groups)["mean"].item() == pytest.approx(macro, abs=1e-12)


def test_shares_and_ties_of_the_winner() -> None:
    votes = ft.Assignments.from_columns(
        list("stuv") * 2,
        ["i"] * 4 + ["j"] * 4,
        ["cat", "dog", "dog", "cat", "cow", "cow", "dog", "cow"],
        taxonomy=TAX,
    )
    best = most_voted(votes)
    names = [TAX.nodes[code] for code in best.category]
    assert (names, best.share.tolist(), best.tied.tolist()) == (["dog", "cow"], [0.5, 0.75], [2, 1])
