"""Judged pairs and the votes on them."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import fuzzytruth as ft
from fuzzytruth.truth.pairs.pool import Pool, make_pool, pool_of, votes_of


def test_votes_lie_by_pair_and_subject() -> None:
    truth = ft.Judgments.from_columns(
        ["q2", "q1", "q2", "q2"],
        ["b", "a", "a", "b"],
        [3, 1, 2, 0],
        subject=["bob", "ann", "ann", "ann"],
        position=[1, 1, 2, 1],
    )
    pool = make_pool(truth)
    pairs = [
        (pool.queries[q], d) for q, d in zip(pool.query_of, pool.item.to_pylist(), strict=True)
    ]
    assert sorted(pairs) == [("q1", "a"), ("q2", "a"), ("q2", "b")]
    assert pool.subjects == ("bob", "ann")
    votes = {
        (*pairs[p], pool.subjects[s]): (g, c)
        for p, s, g, c in zip(
            pool.votes.pair, pool.votes.subject, pool.votes.grade, pool.votes.chance, strict=True
        )
    }
    assert votes == {
        ("q1", "a", "ann"): (1, 1),
        ("q2", "a", "ann"): (2, 1),
        ("q2", "b", "ann"): (0, 0.5),
        ("q2", "b", "bob"): (3, 0.5),
    }
    key = pool.votes.pair * 2 + pool.votes.subject
    assert (np.diff(key) > 0).all()
    assert pool.missing.sum() == 1  # bob did not judge a for q2
    assert pool.top_grade == 3


@pytest.mark.parametrize("subjects", [False, True])
def test_an_item_has_its_largest_grade_over_intents(subjects: bool) -> None:
    frame = pd.DataFrame(
        [
            ("q", "a", "x", 0, "ann"),
            ("q", "a", "y", 2, "ann"),
            ("q", "b", "x", 1, "ann"),
            ("q", "b", "y", 0, "ann"),
            ("q", "c", "y", 0, "ann"),
            *([("q", "a", "x", 1, "bob"), ("q", "a", "y", 0, "bob")] if subjects else []),
        ],
        columns=["query", "item", "intent", "grade", "subject"],
    )
    frame = frame if subjects else frame.drop(columns="subject")
    pool = make_pool(ft.Judgments.from_frame(frame))
    assert pool.item.to_pylist() == ["a", "b", "c"]
    assert pool.votes.grade.tolist() == ([2, 1, 1, 0] if subjects else [2, 1, 0])
    runs = {"s": {"q": {"c": 3.0, "b": 2.0, "a": 1.0}}}
    options = {"worlds": "subject", "missing": "nonrelevant"} if subjects else {}
    value = ft.evaluate(frame, runs, ["P@2"], **options).values[0, 0]
    assert value.tolist() == ([0.5, 0.0] if subjects else [0.5])


def test_intents_with_probabilities_are_refused() -> None:
    truth = ft.Judgments.from_frame(
        pd.DataFrame(
            {"query": ["q"] * 2, "item": ["a"] * 2, "intent": ["x", "y"], "probability": [0.5, 0.2]}
        )
    )
    with pytest.raises(ft.errors.DataError, match="intents and probabilities"):
        ft.evaluate(truth, {"s": {"q": {"a": 1.0}}}, "AP")


def pool_of_votes(query_of: list[int], pair: list[int], subject: list[int]) -> Pool:
    votes = votes_of(np.array(pair), np.array(subject), np.ones(len(pair)), n_pairs=len(query_of))
    item = pa.array(list("abcde")[: len(query_of)], pa.large_string())
    return pool_of(("q1", "q2"), np.array(query_of), item, votes, ("ann", "bob"))


@pytest.mark.parametrize(
    ("query_of", "pair", "subject", "message"),
    [
        ([0, 1, 0], [0, 1, 2], [0, 0, 0], "pair 2 belongs to an earlier query"),
        ([0, 1, 0, 1, 0], [0, 1, 2, 3, 4], [0] * 5, "pair 2 belongs to an earlier query"),
        ([0, 0, 1], [0, 2], [0, 0], r"1 pair has no vote, the first is number 1 \(item 'b'\)"),
        ([0, 1], [1, 0, 1], [1, 0, 1], r"subject 'bob' has two votes on pair 1 \(item 'b'\)"),
    ],
)
def test_a_pool_says_what_is_wrong_with_its_pairs(
    query_of: list[int], pair: list[int], subject: list[int], message: str
) -> None:
    with pytest.raises(ft.errors.DataError, match=message):
        pool_of_votes(query_of, pair, subject)
