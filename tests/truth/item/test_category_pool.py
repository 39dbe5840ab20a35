"""The categories that votes on an item make relevant, as judged pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.answers_by_category import grade_of
from support.small_collections import DAG, make_votes
from support.worlds_of_items import ballots

import fuzzytruth as ft
from fuzzytruth.truth.item.category_pool import category_pool


@pytest.mark.parametrize("relevance", ["exact", "subtree", "lin"])
@pytest.mark.parametrize("seed", range(3))
def test_pairs_and_grades(relevance: Any, seed: int) -> None:
    tax = ft.Taxonomy.from_children(DAG)
    frame = make_votes(seed, tax, weights=True, several=True)
    votes = ft.Assignments.from_frame(frame, taxonomy=tax)
    made = category_pool(votes.by_item(relevance=relevance))
    pool, grade = made.pool, grade_of(tax, relevance)
    assert pool.queries == tuple(votes.items.to_pylist())
    assert pool.subjects == tuple(votes.subjects.to_pylist())
    given = ballots(frame)
    for q, item in enumerate(pool.queries):
        pairs = slice(int(pool.offsets[q]), int(pool.offsets[q + 1]))
        names = pool.item[pairs].to_pylist()
        sets = {vote for _, vote in given[item]}
        assert set(names) == {c for c in tax.nodes if any(grade(c, vote) > 0 for vote in sets)}
        table = made.slot_grades(slice(q, q + 1))
        taken = made.ballots.slots.option[q] >= 0
        want = sorted([grade(c, vote) for c in names] for vote in sets)
        np.testing.assert_allclose(sorted(table[taken].tolist()), want, atol=1e-12)
        assert not table[~taken].any()
        rows = pool.votes.of_pairs(pairs)
        each = [[grade(c, vote) for _, vote in given[item]] for c in names]
        np.testing.assert_allclose(rows.grade, np.ravel(each), atol=1e-12)
        shares = np.array([weight for weight, _ in given[item]])
        np.testing.assert_allclose(rows.chance, np.tile(shares / shares.sum(), len(names)))
