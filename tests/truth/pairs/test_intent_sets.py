"""Votes by intent as sets, and the largest grade of each."""

import numpy as np
import pandas as pd
import pytest
from support.intents_by_hand import sets_of, votes_by_intent

import fuzzytruth as ft
from fuzzytruth.truth.pairs.aligned import filled
from fuzzytruth.truth.pairs.intent_sets import merged_intents
from fuzzytruth.truth.pairs.pool import make_pool


def described(truth: ft.Judgments) -> dict[tuple[str, str, str], dict[str, float]]:
    """Grade by intent of each (query, item, subject), as the sets have it."""
    merged, sets, kind = merged_intents(truth)
    names = {q: sorted(set(part["intent"])) for q, part in truth.to_frame().groupby("query")}
    name = [intent for q in truth.queries for intent in names[q]]
    frame = merged.to_frame()
    out = {key: {} for key in zip(frame["query"], frame["item"], frame["subject"], strict=True)}
    rows = list(out)
    for owner, intent, grade in zip(*sets.entries(kind), strict=True):
        out[rows[owner]][name[intent]] = grade
    return out


@pytest.mark.parametrize("seed", range(3))
def test_each_vote_keeps_its_grades_by_intent(seed: int) -> None:
    votes, _ = votes_by_intent(seed, n_items=6)
    want = {
        (q, item, voter[0]): grades
        for q, part in votes.groupby("query")
        for item, voters in sets_of(part).items()
        for voter, grades in voters.items()
    }
    assert described(ft.Judgments.from_frame(votes)) == want


def test_sets_ascend_with_their_largest_grades_and_are_distinct() -> None:
    votes, _ = votes_by_intent(1, n_items=30, top=1)
    truth = ft.Judgments.from_frame(votes)
    merged, sets, kind = merged_intents(truth)
    assert (np.diff(sets.largest) >= 0).all()
    np.testing.assert_array_equal(merged.grade, sets.largest[kind])
    contents = [
        tuple(zip(*(part.tolist() for part in sets.entries(np.array([k]))[1:]), strict=True))
        for k in range(len(sets.largest))
    ]
    assert len(set(contents)) == len(contents) < len(merged)
    assert contents[sets.empty] == ()
    assert sets.largest[sets.empty] == 0


def test_queries_keep_their_order_and_positions_are_of_the_best_row() -> None:
    truth = ft.Judgments.from_columns(
        ["q1", "q2", "q1"], ["a", "b", "a"], [0, 1, 2], intent=["x", "x", "y"], position=[3, 2, 1]
    )
    merged, sets, kind = merged_intents(truth)
    assert merged.queries == ("q1", "q2")
    assert (merged.grade.tolist(), merged.position.tolist()) == ([2, 1], [1, 2])
    assert sets.intents.tolist() == [0, 2, 3]
    assert len(set(kind.tolist())) == 2


def test_missing_judgments_become_empty_sets() -> None:
    frame = pd.DataFrame(
        [("q", "a", "ann", "x", 1), ("q", "b", "ann", "x", 1), ("q", "a", "bob", "y", 1)],
        columns=["query", "item", "subject", "intent", "grade"],
    )
    pool = filled(make_pool(ft.Judgments.from_frame(frame)))
    added = (pool.votes.pair == 1) & (pool.votes.subject == 1)
    assert pool.votes.grade[added].tolist() == [0]
    assert pool.votes.kind[added].tolist() == [pool.sets.empty]


def test_repeats_that_differ_in_intents_are_uncertain() -> None:
    frame = pd.DataFrame(
        [("q", "a", "ann", 1, "x", 1), ("q", "a", "ann", 2, "y", 1)],
        columns=["query", "item", "subject", "repeat", "intent", "grade"],
    )
    assert make_pool(ft.Judgments.from_frame(frame)).uncertain.tolist() == [True]
    same = frame.assign(intent="x")
    assert make_pool(ft.Judgments.from_frame(same)).uncertain.tolist() == [False]
