"""The categories that votes on an item make relevant, as judged pairs."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.answers_by_category import grade_of
from support.small_collections import DAG, make_votes
from support.worlds_of_items import ballots

import fuzzytruth as ft
from fuzzytruth.truth import align
from fuzzytruth.truth.item import category_pool
from fuzzytruth.truth.vote_weights import as_given


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


def test_changed_minds_that_grade_alike_are_certain() -> None:
    """Given below both of its labels, or above by another vote, a category has the same grade."""
    tax = ft.Taxonomy.from_children({"all": ["p", "q"], "p": ["c"]})
    frame = pd.DataFrame(
        [("s", "i", "c", 1), ("s", "i", "c", 2), ("s", "i", "p", 2), ("s", "j", "q", 1)],
        columns=["subject", "item", "category", "repeat"],
    )
    votes = ft.Assignments.from_frame(frame, taxonomy=tax)
    assert len(votes.sets) == 3
    assert category_pool(votes.by_item()).uncertain.tolist() == [True, False]
    assert category_pool(votes.by_item(relevance="subtree")).uncertain.tolist() == [False, False]


def test_votes_of_pairs_are_made_for_subjects_alone() -> None:
    votes = ft.Assignments.from_columns(["s", "t"], ["a", "a"], ["cat", "dog"])
    runs = ft.Runs.from_dict({"x": {"a": {"cat": 1.0}}})
    aligned = align(votes.by_item(), runs, ties="trec")
    for worlds in ("independent", "population"):
        assert aligned.facts.lacks.get(worlds) is None
        for block in aligned.blocks(worlds):
            aligned.outcomes(block, as_given()).probabilities(0)
    assert "pool" not in aligned.votes.__dict__
    aligned.subject_truths(slice(0, 1), "error")
    assert len(aligned.votes.__dict__["pool"].votes) == 4  # two votes on each of two pairs
