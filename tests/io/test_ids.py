"""Codes and hashes stand for the same ids."""

import itertools
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from fuzzytruth.core.checksums import row_keys
from fuzzytruth.io.columns import string_array
from fuzzytruth.io.ids import as_arrow, as_numpy, buffers, encode, find_items, hash_ids, take


@pytest.mark.parametrize("start", [0, 2, 5])
def test_buffers_of_a_slice(start: int) -> None:
    column = string_array(["aa", "", "b", "é", "cccc"]).slice(start)
    data, offsets = buffers(column)
    strings = [bytes(data[a:b]).decode() for a, b in itertools.pairwise(offsets)]
    assert strings == column.to_pylist()
    assert len(offsets) == len(column) + 1


def test_codes_in_order_of_appearance() -> None:
    codes, distinct = encode(string_array(["b", "a", "b", "c"]))
    assert codes.tolist() == [0, 1, 0, 2]
    assert codes.dtype == np.int32
    assert distinct.to_pylist() == ["b", "a", "c"]


def test_hashes_depend_on_the_id_alone() -> None:
    column = string_array([f"d{j}" for j in range(100)] * 2)
    hashes = hash_ids(column)
    np.testing.assert_array_equal(hashes[:100], hashes[100:])
    np.testing.assert_array_equal(hash_ids(column.slice(7, 5)), hashes[7:12])
    assert len(np.unique(hashes)) == 100
    keys = row_keys(*(hash_ids(string_array(x)) for x in (["ab", "a", "ab"], ["c", "bc", "c"])))
    assert keys[0] == keys[2] != keys[1]


def test_places_of_ids() -> None:
    items = string_array(["i", "j", "k"])
    assert find_items(["k", "z", "i"], items).tolist() == [2, -1, 0]
    assert find_items(string_array(["j", "", "j"]), items).tolist() == [1, -1, 1]
    assert find_items([], items).tolist() == []


@pytest.mark.parametrize("kind", ["int64", "uint64", "float64"])
def test_there_and_back(kind: str) -> None:
    values = np.array([3, 1, 2], dtype=kind)
    assert as_numpy(as_arrow(values), kind).tolist() == [3, 1, 2]
    assert as_numpy(as_arrow(values).slice(1), kind).tolist() == [1, 2]
    assert as_numpy(as_arrow(values[:0]), kind).tolist() == []


@pytest.mark.parametrize("rows", [[2, 0, 0], [], np.arange(6)[::2] // 2, np.array([1], np.int32)])
def test_take(rows: Any) -> None:
    column = pa.array(["a", "b", "c"], pa.large_string())
    rows = np.asarray(rows, dtype=None if len(rows) else np.int64)
    assert take(column, rows).to_pylist() == [["a", "b", "c"][j] for j in rows]
