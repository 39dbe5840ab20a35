"""Columns put together from pieces equal the pieces end to end, whatever room was reserved."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from fuzzytruth.io.ids import hash_ids
from fuzzytruth.io.trec import GrowingTable


@pytest.mark.parametrize("size", [None, 10, 1000, 10**6])
def test_pieces_end_to_end(size):
    rng = np.random.default_rng(0)
    items, queries, scores, tags = [], [], [], []
    table = GrowingTable(size)
    for n in (3, 50, 1, 200):
        item = [f"d{'é' * rng.integers(0, 9)}{j}" for j in range(n)]
        query = [f"q{j}" for j in rng.integers(0, 5 + n, n)]
        score = rng.normal(size=n)
        column = pa.array(item, pa.large_string())
        table.append(
            {
                "query": pa.array(query).dictionary_encode(),
                "item": column.slice(0),
                "score": score,
                "item_hash": hash_ids(column),
                "tag": pa.array(["t", f"t{n}"]),
            },
            n * 10,
        )
        items += item
        queries += query
        scores.append(score)
        tags += ["t", f"t{n}"]
    result = table.columns()
    assert table.n_rows == 254
    assert result["item"].to_pylist() == items
    assert result["query"].to_pylist() == queries
    np.testing.assert_array_equal(result["score"], np.concatenate(scores))
    np.testing.assert_array_equal(result["item_hash"], hash_ids(pa.array(items, pa.large_string())))
    assert result["tag"] == tuple(dict.fromkeys(tags))


def test_a_slice_of_strings_is_copied_from_its_own_start():
    table = GrowingTable(None)
    for start in (1, 2):
        table.append({"item": pa.array(["aa", "b", "cccc"], pa.large_string()).slice(start)}, 5)
    assert table.columns()["item"].to_pylist() == ["b", "cccc", "cccc"]
