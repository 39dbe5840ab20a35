"""Votes by item: options that are refused, and grades of categories against plain loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.answers_by_category import grade_of
from support.small_collections import DAG, TREE, make_votes

import fuzzytruth as ft
from fuzzytruth.data.by_example import category_grades

TAX = ft.Taxonomy.from_children(TREE)
FRAME = make_votes(0, TAX, several=True)
VOTES = ft.Assignments.from_frame(FRAME, taxonomy=TAX)


@pytest.mark.parametrize("relevance", ["exact", "subtree", "path", "wu-palmer", "lin"])
@pytest.mark.parametrize("shape", [TREE, DAG])
@pytest.mark.parametrize("digits", [None, 1])
def test_grades_by_definition(relevance: Any, shape: Any, digits: int | None) -> None:
    tax = ft.Taxonomy.from_children(shape)
    votes = ft.Assignments.from_frame(make_votes(4, tax, several=True), taxonomy=tax)
    truth = votes.by_item(relevance=relevance, digits=digits)
    sets = [{s} if isinstance(s, str) else set(s) for s in votes.set_names()]
    grade = grade_of(tax, relevance, digits)
    want = [[grade(category, frozenset(s)) for category in tax.nodes] for s in sets]
    got = category_grades(truth)
    np.testing.assert_allclose(got.toarray(), want, atol=1e-12)
    assert (got.data > 0).all()


def test_checksum_knows_the_options_and_not_the_order() -> None:
    shuffled = ft.Assignments.from_frame(FRAME.sample(frac=1, random_state=0), taxonomy=TAX)
    assert shuffled.by_item().checksum == VOTES.by_item().checksum
    others = [VOTES.by_item(relevance="subtree"), VOTES.by_item(digits=2), VOTES.by_example()]
    assert len({VOTES.by_item().checksum, *(other.checksum for other in others)}) == 4


def test_repr_and_subjects() -> None:
    assert repr(VOTES.by_item(relevance="lin")) == f"ByItem(lin, {VOTES!r})"
    assert VOTES.by_item().subjects == ("s0", "s1", "s2")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"relevance": "tree"}, "^relevance='tree': must be one of 'exact', 'subtree', 'path'"),
        ({"digits": 1.5}, "^digits=1.5: must be a whole number$"),
        ({"digits": True}, "^digits=True: must be a whole number$"),
        ({"digits": -1}, "^digits=-1: must be 0 or more$"),
    ],
)
def test_options_that_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ft.OptionError, match=message):
        VOTES.by_item(**options)


def test_asked_tables_are_refused_with_a_remedy_that_works() -> None:
    frame = pd.DataFrame({"subject": ["s", "t"], "item": ["i", "i"], "category": ["city", "sea"]})
    votes = ft.Assignments.from_frame(frame.iloc[:1], taxonomy=TAX, asked=frame)
    with pytest.raises(ft.DataError, match=r"^by_item: subjects were asked .*\(votes.to_frame\(\)"):
        votes.by_item()
    named = ft.Assignments.from_frame(votes.to_frame(), taxonomy=votes.taxonomy)
    assert len(named.by_item().votes) == 1
