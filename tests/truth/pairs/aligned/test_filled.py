"""Missing judgments as votes of grade 0."""

import numpy as np
import pandas as pd

import fuzzytruth as ft
from fuzzytruth.truth.pairs.aligned import filled
from fuzzytruth.truth.pairs.pool import make_pool

FRAME = pd.DataFrame(
    [("q", "a", "s", 1, 2), ("q", "a", "s", 2, 0), ("q", "b", "t", 1, 1), ("r", "a", "t", 1, 1)],
    columns=["query", "item", "subject", "repeat", "grade"],
)


def test_a_vote_for_each_item_of_a_judged_query() -> None:
    pool = filled(make_pool(ft.Judgments.from_frame(FRAME)))
    votes = pool.votes
    assert votes.pair.tolist() == [0, 0, 0, 1, 1, 2]
    assert votes.subject.tolist() == [0, 0, 1, 0, 1, 1]
    assert votes.grade.tolist() == [2, 0, 0, 0, 1, 1]
    np.testing.assert_array_equal(votes.chance, [0.25, 0.25, 0.5, 0.5, 0.5, 1])
    assert pool.missing.tolist() == [0, 0, 0]
    assert pool.uncertain.tolist() == [True, False, False]
