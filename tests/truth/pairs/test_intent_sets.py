"""Votes by intent as sets, and the largest grade of each."""

import numpy as np
import pandas as pd
from support.intents_by_hand import votes_by_intent

import fuzzytruth as ft
from fuzzytruth.truth.pairs.aligned import filled
from fuzzytruth.truth.pairs.intent_sets import merged_intents
from fuzzytruth.truth.pairs.pool import make_pool


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


def test_missing_judgments_become_empty_sets() -> None:
    frame = pd.DataFrame(
        [("q", "a", "ann", "x", 1), ("q", "b", "ann", "x", 1), ("q", "a", "bob", "y", 1)],
        columns=["query", "item", "subject", "intent", "grade"],
    )
    pool = filled(make_pool(ft.Judgments.from_frame(frame)))
    added = (pool.votes.pair == 1) & (pool.votes.subject == 1)
    assert pool.votes.grade[added].tolist() == [0]
    assert pool.votes.kind[added].tolist() == [pool.sets.empty]
