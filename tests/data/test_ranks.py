"""Ranks under each rule for ties, against sorting each list."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.data.ranking import Ranking, rank_order, ranks_of
from fuzzytruth.io.columns import string_array
from fuzzytruth.io.ids import hash_ids


def random_ranking(seed: int, order: str) -> Ranking:
    """Lists with few distinct scores, in order, in order of queries only, or in any order."""
    rng = np.random.default_rng(seed)
    rows = [
        (q, f"d{d}", float(rng.integers(0, 3)) + 1e-9 * float(rng.integers(0, 2)))
        for q in range(5)
        for d in rng.permutation(15)[: rng.integers(1, 12)].tolist()
    ]
    if order == "sorted":
        rows.sort(key=lambda row: (row[0], -row[2]))
    if order == "scattered":
        rows = [rows[j] for j in rng.permutation(len(rows))]
    query, item, score = zip(*rows, strict=True)
    items = string_array(list(item))
    queries = tuple(f"q{q}" for q in range(5))
    return Ranking(queries, np.array(query, np.int32), items, np.array(score), hash_ids(items))


def lists_of(ranking: Ranking) -> list[list[int]]:
    """Rows of each query, in order of rows."""
    return [np.flatnonzero(ranking.query == code).tolist() for code in range(5)]


@pytest.mark.parametrize("order", ["sorted", "grouped", "scattered"])
@pytest.mark.parametrize("seed", range(10))
def test_trec_eval_orders_ties_by_id_descending(seed: int, order: str) -> None:
    ranking = random_ranking(seed, order)
    want = np.zeros(len(ranking), dtype=int)
    items, score = ranking.item.to_pylist(), ranking.score.astype(np.float32)
    for rows in lists_of(ranking):
        best_last = sorted(rows, key=lambda row: (score[row], items[row].encode()))
        for rank, row in enumerate(reversed(best_last), start=1):
            want[row] = rank
    chosen = np.random.default_rng(seed).permutation(len(ranking))[:20]
    first, last, _ = ranks_of(ranking, ranking.query, chosen, "trec")
    assert first.tolist() == last.tolist() == want[chosen].tolist()
    rows, rank = rank_order(ranking)
    assert sorted(rows.tolist()) == list(range(len(ranking)))
    assert rank.tolist() == want[rows].tolist()
    keys = list(zip(ranking.query[rows].tolist(), rank.tolist(), strict=True))
    assert keys == sorted(keys)


@pytest.mark.parametrize("order", ["sorted", "grouped", "scattered"])
@pytest.mark.parametrize("seed", range(10))
def test_ties_in_the_order_given_and_kept(seed: int, order: str) -> None:
    ranking = random_ranking(seed, order)
    all_rows = np.arange(len(ranking))
    score = ranking.score
    first, last, _ = ranks_of(ranking, ranking.query, all_rows, "order")
    assert first.tolist() == last.tolist()
    low, high, _ = ranks_of(ranking, ranking.query, all_rows, "expected")
    for rows in lists_of(ranking):
        in_order = sorted(rows, key=lambda row: -score[row])
        for rank, row in enumerate(in_order, start=1):
            assert first[row] == rank
            assert low[row] == 1 + sum(score[other] > score[row] for other in rows)
            assert high[row] == sum(score[other] >= score[row] for other in rows)


def test_scores_beyond_single_precision_tie() -> None:
    items = string_array(["a", "b"])
    ranking = Ranking(
        ("q",), np.zeros(2, np.int32), items, np.array([1e300, 1e200]), hash_ids(items)
    )
    first, _, _ = ranks_of(ranking, ranking.query, np.arange(2), "trec")
    assert first.tolist() == [2, 1]
    first, _, _ = ranks_of(ranking, ranking.query, np.arange(2), "order")
    assert first.tolist() == [1, 2]


def test_no_rows() -> None:
    ranking = random_ranking(0, "sorted")
    for ties in ("trec", "order", "expected"):
        first, last, _ = ranks_of(ranking, ranking.query, np.arange(0), ties)  # type: ignore[arg-type]
        assert len(first) == len(last) == 0
