"""Judged pairs of a query and an item."""

import numpy as np

from fuzzytruth.io.columns import string_array
from fuzzytruth.io.ids import hash_ids
from fuzzytruth.truth.pairs import pool as judged_pairs
from fuzzytruth.truth.pairs.pool import JudgedPairs

ITEM = string_array(["a", "b", "a", "c", "b"])
PAIRS = JudgedPairs.of(("q1", "q2", "q3"), np.array([0, 0, 2, 2, 2]), ITEM, hash_ids(ITEM))


def test_pairs_lie_by_query() -> None:
    assert PAIRS.offsets.tolist() == [0, 2, 2, 5]
    assert PAIRS.query_of.tolist() == [0, 0, 2, 2, 2]
    assert PAIRS.item_hash.tolist() == hash_ids(ITEM).tolist()
    assert PAIRS.query_hash.tolist() == hash_ids(string_array(["q1", "q2", "q3"])).tolist()
    pairs, offsets = PAIRS.of_queries(slice(1, 3))
    assert (pairs, offsets.tolist()) == (slice(2, 5), [0, 0, 3])


def test_queries_have_codes() -> None:
    assert PAIRS.codes(("q3", "x", "q1")).tolist() == [2, 3, 0]
    assert PAIRS.codes(PAIRS.queries).tolist() == [0, 1, 2]


def test_rows_are_found_by_query_and_item() -> None:
    wanted = string_array(["b", "c", "c", "z", "a", "b"])
    codes = np.array([0, 0, 2, 2, 3, 2], dtype=np.int32)
    row, pair = PAIRS.find(wanted, hash_ids(wanted), codes)
    assert dict(zip(row.tolist(), pair.tolist(), strict=True)) == {0: 1, 2: 3, 5: 4}


def test_blocks_hold_whole_queries(monkeypatch) -> None:
    assert PAIRS.blocks == [slice(0, 3)]
    monkeypatch.setattr(judged_pairs, "_PAIRS", 2)
    again = JudgedPairs(PAIRS.queries, PAIRS.offsets, PAIRS.item, PAIRS.table)
    assert again.blocks == [slice(0, 1), slice(1, 3)]
