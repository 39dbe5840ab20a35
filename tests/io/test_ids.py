"""Ids of any type become text, and codes and hashes stand for the same ids."""

from __future__ import annotations

import itertools
import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from fuzzytruth.io.columns import IdError, string_array
from fuzzytruth.io.ids import buffers, encode, find_items, hash_ids
from fuzzytruth.io.trec import encode_runs


@pytest.mark.parametrize(
    ("given", "want"),
    [
        ([7, "7", 7.0, b"7", 7.5], ["7", "7", "7", "7", "7.5"]),
        ([1.0, np.nan, 3.0], ["1", None, "3"]),
        ([None, pd.NA, pd.NaT, "a"], [None, None, None, "a"]),
        (np.array([1, 2], np.int8), ["1", "2"]),
        (np.array(["é", "a"]), ["é", "a"]),
        (pd.Series([1, None], dtype="Int64"), ["1", None]),
        (pd.Categorical(["b", "a", "b"]), ["b", "a", "b"]),
        (pd.Categorical([2, 1]), ["2", "1"]),
        (pa.chunked_array([["a"], ["b"]]), ["a", "b"]),
        (pa.array([1.0, 2.5]), ["1", "2.5"]),
        (pa.array(["x", "y"]).dictionary_encode(), ["x", "y"]),
        ((c for c in "ab"), ["a", "b"]),
        ([True, False], ["True", "False"]),
        ([], []),
    ],
)
def test_any_column_becomes_text(given: Any, want: list[str | None]) -> None:
    column = string_array(given)
    assert column.type == pa.large_string()
    assert column.to_pylist() == want


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


def test_arrays_of_a_few_texts_need_no_pandas() -> None:
    script = (
        "import sys; from fuzzytruth.io.columns import string_array; "
        "print(string_array(['a', '', 'é€😀']).to_pylist(), 'pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-X", "utf8", "-c", script], capture_output=True)
    assert done.stdout.decode().strip() == "['a', '', 'é€😀'] False"
    assert string_array(("a", "b")).equals(string_array(np.array(["a", "b"], dtype=object)))
    assert len(string_array([])) == 0


def test_places_of_ids() -> None:
    items = string_array(["i", "j", "k"])
    assert find_items(["k", "z", "i"], items).tolist() == [2, -1, 0]
    assert find_items(string_array(["j", "", "j"]), items).tolist() == [1, -1, 1]
    assert find_items([], items).tolist() == []


@pytest.mark.parametrize("cell", [["a"], {"a"}, {"a": 1}, np.array(["a", "b"])])
def test_several_ids_in_a_cell_are_refused(cell: Any) -> None:
    with pytest.raises(IdError, match=r"is a .*, and a row needs one id.*explode") as caught:
        string_array(["x", cell])
    assert caught.value.row == 1


@pytest.mark.parametrize("ids", [[], ["a"], ["a", "a", "b", "a", "é"], ["b", "a"] * 3])
def test_runs_of_ids_are_encoded_as_dictionary_encode_does(ids: list[str]) -> None:
    column = pa.array(ids, pa.large_string())
    found, expected = encode_runs(column), column.dictionary_encode()
    assert found.to_pylist() == ids
    assert found.indices.to_pylist() == expected.indices.to_pylist()
    assert found.dictionary.to_pylist() == expected.dictionary.to_pylist()
    part = pa.array(["x", *ids, "y"], pa.large_string()).slice(1, len(ids))
    assert encode_runs(part).to_pylist() == ids
