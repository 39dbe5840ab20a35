"""Rankings: duplicates, order by rank, and blocks of whole queries, against plain loops."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.data.ranking import Ranking, make_ranking, present_queries
from fuzzytruth.errors import DataError
from fuzzytruth.io.columns import locate_by_row, string_array
from fuzzytruth.io.ids import hash_ids


def ranking_of(rows, **options):
    """A ranking of rows (code of the query, item, score)."""
    query, item, score = zip(*rows, strict=True)
    items = string_array(list(item))
    queries = ("q0", "q1", "q2", "q3", "q4")
    codes, scores = np.array(query, np.int32), np.array(score, float)
    given = Ranking(queries, codes, items, scores, hash_ids(items))
    return make_ranking(given, locate=locate_by_row("runs"), **options)


def rows_of(ranking):
    return list(
        zip(ranking.query.tolist(), ranking.item.to_pylist(), ranking.score.tolist(), strict=True)
    )


def random_rows(seed, *, grouped):
    rng = np.random.default_rng(seed)
    rows = [
        (q, f"d{d}", float(rng.integers(0, 4)))
        for q in rng.permutation(5).tolist()
        for d in rng.permutation(8)[: rng.integers(1, 8)].tolist()
    ]
    return rows if grouped else [rows[j] for j in rng.permutation(len(rows))]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("grouped", [True, False])
def test_rows_without_duplicates_stay_as_they_are(seed, grouped):
    rows = random_rows(seed, grouped=grouped)
    ranking = ranking_of(rows)
    assert rows_of(ranking) == rows
    np.testing.assert_array_equal(ranking.item_hash, hash_ids(ranking.item))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("grouped", [True, False])
def test_ranks_order_lists(seed, grouped):
    rows = random_rows(seed, grouped=grouped)
    rank = np.random.default_rng(seed).permutation(len(rows)).astype(float)
    ranking = ranking_of(rows, rank=rank)
    for code in range(5):
        items = [(rank[j], item) for j, (q, item, _) in enumerate(rows) if q == code]
        want = [(code, item, -1.0 - place) for place, (_, item) in enumerate(sorted(items))]
        assert [row for row in rows_of(ranking) if row[0] == code] == want


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("grouped", [True, False])
def test_the_better_placed_of_duplicates_is_kept(seed, grouped):
    rows = random_rows(seed, grouped=grouped)
    rng = np.random.default_rng(seed)
    again = [(q, item, float(rng.normal())) for q, item, _ in rows[:3]]
    ranking = ranking_of(rows + again, duplicates="first")
    best: dict[tuple[int, str], float] = {}
    for q, item, score in rows + again:
        best[q, item] = max(score, best.get((q, item), -np.inf))
    assert {(q, item): score for q, item, score in rows_of(ranking)} == best
    assert len(ranking) == len(rows)
    q, item, _ = rows[0]
    message = rf"runs, row {len(rows) + 1}, .* '{item}' .* 'q{q}' \(first: runs, row 1\)"
    with pytest.raises(DataError, match=message):
        ranking_of([*rows, again[0]])


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("size", [1, 4, 1000])
def test_blocks_hold_whole_queries(seed, size):
    ranking = ranking_of(random_rows(seed, grouped=True))
    blocks = list(ranking.blocks(size))
    assert [row for block in blocks for row in rows_of(block)] == rows_of(ranking)
    queries = [set(block.query.tolist()) for block in blocks]
    assert sum(map(len, queries)) == len(set.union(*queries)) == 5
    for block in blocks:
        assert isinstance(block, Ranking)
        assert np.shares_memory(block.score, ranking.score)
        np.testing.assert_array_equal(block.item_hash, hash_ids(block.item))
    if size == 1:
        assert len(blocks) == 5
    if size == 1000:
        assert len(blocks) == 1


def test_scattered_queries_are_one_block():
    ranking = ranking_of([(0, "a", 1), (1, "a", 1), (0, "b", 1)])
    assert [rows_of(block) for block in ranking.blocks(1)] == [rows_of(ranking)]


def test_rows_are_taken_in_the_order_given():
    ranking = ranking_of([(0, "a", 1), (0, "b", 2), (1, "a", 3)])
    assert rows_of(ranking.take(np.array([2, 0]))) == [(1, "a", 3.0), (0, "a", 1.0)]


def test_only_queries_that_occur_are_kept():
    codes, queries = present_queries(np.array([2, 0, 2], np.int32), ("x", "y", "z"))
    assert (codes.tolist(), queries) == ([1, 0, 1], ("x", "z"))
    assert codes.dtype == np.int32
    same = np.array([1, 0], np.int32)
    assert present_queries(same, ("x", "y"))[0] is same
