"""Codes and hashes stand for the same ids."""

import numpy as np

from fuzzytruth.core.checksums import row_keys
from fuzzytruth.io.columns import string_array
from fuzzytruth.io.ids import encode, hash_ids


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
