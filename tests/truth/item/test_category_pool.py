"""The categories that votes on an item make relevant, as judged pairs."""

from typing import Any

import pandas as pd
import pytest
from support.small_collections import DAG, make_votes

import fuzzytruth as ft
from fuzzytruth.truth.item import category_pool


@pytest.mark.parametrize(("relevance", "digits"), [("exact", None), ("wu-palmer", 0)])
@pytest.mark.parametrize("seed", range(3))
def test_ballots_give_the_cells_and_grades_of_the_pool(
    relevance: Any, digits: int | None, seed: int
) -> None:
    tax = ft.Taxonomy.from_children(DAG)
    frames = [make_votes(s, tax, several=True).assign(repeat=str(s)) for s in (seed, seed + 9)]
    frame = pd.concat(frames).drop(columns="weight", errors="ignore")
    votes = ft.Assignments.from_frame(frame, taxonomy=tax)
    made = category_pool(votes.by_item(relevance=relevance, digits=digits))
    pool = made.pool
    assert made.cells.query.tolist() == pool.cells.query.tolist()
    assert made.cells.subject_codes.tolist() == pool.cells.subject_codes.tolist()
    assert made.uncertain.any()
    assert made.uncertain.tolist() == pool.uncertain.tolist()
    assert made.top_grade == pool.top_grade == 1
