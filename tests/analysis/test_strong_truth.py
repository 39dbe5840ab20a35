"""The majority category of each item, as one crisp truth."""

from __future__ import annotations

import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.analysis.santini_result import strong_truth
from fuzzytruth.errors import UnjudgedItemWarning

TREE = ft.Taxonomy.from_children({"all": ["pet", "cow"], "pet": ["dog", "cat"]})


def test_one_vote_an_item() -> None:
    votes = ft.Assignments.from_columns(
        list("stuv") * 2,
        ["i"] * 4 + ["j"] * 4,
        ["cat", "dog", "dog", "cat", "cow", "cow", "pet", "cow"],
        taxonomy=TREE,
    )
    strong = strong_truth(votes)
    assert strong.items.values.tolist() == [["i", "dog", 0.5, 2], ["j", "cow", 0.75, 1]]
    assert strong.n_tied == 1
    assert strong.votes.categorisation("majority") == {"i": "dog", "j": "cow"}
    assert strong.votes.categorisation("majority") == votes.plurality()
    assert strong.votes.taxonomy is TREE


def test_items_without_a_category_are_left_out() -> None:
    asked = pd.DataFrame({"subject": "s", "item": ["i", "j"], "category": "dog"})
    votes = ft.Assignments.from_frame(asked.iloc[:1], taxonomy=TREE, asked=asked)
    with pytest.warns(UnjudgedItemWarning, match="left out: 1 item to which nobody gave"):
        assert strong_truth(votes).items["item"].tolist() == ["i"]
