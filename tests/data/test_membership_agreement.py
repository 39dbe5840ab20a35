"""Agreement as a `Membership` gives it, and what it cannot say."""

from __future__ import annotations

import pandas as pd
import pytest

import fuzzytruth as ft

TREE = ft.Taxonomy.from_children({"all": ["pet", "cow"], "pet": ["dog", "cat"]})


def test_series_by_item_and_by_category() -> None:
    votes = ft.Assignments.from_columns(
        list("stu") * 2, ["i"] * 3 + ["j"] * 3, ["dog", "cat", "dog", *["cow"] * 3], taxonomy=TREE
    )
    m = votes.membership()
    assert m.entropy().round(3).to_dict() == {"i": 0.918, "j": 0.0}
    assert m.agreement().round(3).to_dict() == {"i": 0.333, "j": 1.0}
    assert m.category_agreement().round(3).to_dict() == {
        "all": 1.0,
        "pet": 1.0,
        "cow": 1.0,
        "dog": 0.5,
        "cat": 0.0,
    }
    assert (m.items, m.taxonomy) == (("i", "j"), TREE)


@pytest.mark.parametrize("name", ["entropy", "agreement", "category_agreement"])
def test_answers_to_different_questions_have_none(name: str) -> None:
    asked = pd.DataFrame({"subject": ["s", "t"], "item": "i", "category": ["dog", "cow"]})
    votes = ft.Assignments.from_frame(asked.iloc[:1], taxonomy=TREE, asked=asked)
    with pytest.raises(ft.DataError, match="asked about some categories only"):
        getattr(votes.membership(), name)()
