"""Ids as Arrow strings: their rows, hashes and codes; and the way between Arrow and NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._lazy import pa, pc
from fuzzytruth._typing import U64, Array, Bools, Ints
from fuzzytruth.core.checksums import duplicate_key_rows, hash_strings


def as_numpy(array: Any, dtype: Any) -> Array:
    """The values of an Arrow array of type `dtype` without nulls, not copied."""
    if not len(array):
        return np.empty(0, dtype=dtype)
    values = np.frombuffer(array.buffers()[1], dtype=dtype)
    return values[array.offset : array.offset + len(array)]


def as_arrow(values: Array) -> Any:
    """An Arrow array of numbers, not copied."""
    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values)])


def take(array: pa.LargeStringArray, rows: NDArray[np.integer]) -> pa.LargeStringArray:
    """The strings at `rows`."""
    return array.take(as_arrow(np.ascontiguousarray(rows, dtype=np.int64)))


def buffers(array: pa.LargeStringArray) -> tuple[NDArray[np.uint8], Ints]:
    """All strings as bytes end to end, and where each starts: (bytes,), (strings + 1,)."""
    _, raw_offsets, raw_data = array.buffers()
    if raw_offsets is None or len(array) == 0:
        return np.empty(0, dtype=np.uint8), np.zeros(len(array) + 1, dtype=np.int64)
    offsets = np.frombuffer(raw_offsets, dtype=np.int64)[array.offset :][: len(array) + 1]
    data = np.frombuffer(raw_data, dtype=np.uint8) if raw_data else np.empty(0, dtype=np.uint8)
    return data, offsets


def hash_ids(array: pa.LargeStringArray) -> U64:
    """The 64-bit hash of each id."""
    return hash_strings(*buffers(array))


def hashes_apart(ids: pa.LargeStringArray, rows: Ints | None = None) -> U64:
    """A 64-bit hash of each id by which random numbers are drawn: different ids, different draws.

    That of `hash_ids`; ids that share it (which they do if made for it) have BLAKE2b's instead.

    Parameters
    ----------
    ids : Arrow array of strings
    rows : int array, optional
        Ids that share their hash with another; by default, all that do, of distinct ids.
    """
    hashes = hash_ids(ids)
    if rows is None:
        rows = duplicate_key_rows(hashes)
    from hashlib import blake2b  # loads OpenSSL

    for row in rows.tolist():
        digest = blake2b(ids[row].as_py().encode(), digest_size=8).digest()
        hashes[row] = int.from_bytes(digest, "little")
    return hashes


def encode(array: pa.LargeStringArray) -> tuple[NDArray[np.int32], pa.LargeStringArray]:
    """Codes of the ids, (rows,), and the distinct ids in order of first appearance."""
    encoded: Any = array.dictionary_encode()
    return as_numpy(encoded.indices, np.int32), encoded.dictionary


def find_items(wanted: pa.LargeStringArray | Sequence[str], items: pa.LargeStringArray) -> Ints:
    """The place of each id among the items, -1 where it is none of them."""
    ids = wanted if hasattr(wanted, "type") else pa.array(wanted, pa.large_string())
    place: Any = pc.index_in(ids, value_set=items)
    return np.asarray(place.fill_null(-1).to_numpy(zero_copy_only=False), dtype=np.int64)


def same_ids(one: pa.LargeStringArray, other: pa.LargeStringArray) -> Bools:
    """Which rows of two columns without missing ids have the same id."""
    equal: Any = pc.equal(one, other)
    return as_numpy(equal.cast("uint8"), np.bool_)


def order_by_id(ids: pa.LargeStringArray) -> Ints:
    """Rows in ascending order of their ids, by bytes."""
    return as_numpy(pc.array_sort_indices(ids), np.int64)  # type: ignore[attr-defined, unused-ignore]
