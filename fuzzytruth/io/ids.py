"""Columns of ids as Arrow string arrays, their form throughout the library."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import U64, Ints
from fuzzytruth.core.hashing import hash_strings
from fuzzytruth.io.arrow import as_numpy

if TYPE_CHECKING:
    import pyarrow as pa


def string_array(values: Iterable[Any]) -> pa.LargeStringArray:
    """A one-dimensional column of ids of any type as Arrow strings; missing ids become null."""
    import pyarrow as pa

    column: Any = values
    if not isinstance(column, (pa.Array, pa.ChunkedArray)):
        column = _from_python(column)
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if not _casts_to_text(column.type):
        column = pa.array([_text(v) for v in column.to_pylist()], pa.large_string())
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    return column.cast(pa.large_string())


def _from_python(values: Any) -> pa.Array[Any]:
    import pyarrow as pa

    if not hasattr(values, "dtype"):
        values = values if isinstance(values, (list, tuple)) else list(values)
    try:
        array = pa.array(values, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # ids of several types
        array = None
    if array is None or not _casts_to_text(array.type):
        return pa.array([_text(v) for v in np.asarray(values, object).tolist()], pa.large_string())
    return array


def _casts_to_text(kind: Any) -> bool:
    """Whether Arrow's cast to text is right: for text, whole numbers and categories of those."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(
        pa.types.is_integer(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind)
    )


def _text(value: Any) -> str | None:
    """One id as text: 3.0 is '3', as whole numbers with a missing one among them become floats."""
    equals_itself = value == value  # False for NaN, and no truth value for pandas' NA
    if value is None or not isinstance(equals_itself, (bool, np.bool_)) or not equals_itself:
        return None
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else str(value)


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


def encode(array: pa.LargeStringArray) -> tuple[NDArray[np.int32], pa.LargeStringArray]:
    """Codes of the ids, (rows,), and the distinct ids in order of first appearance."""
    encoded: Any = array.dictionary_encode()
    return as_numpy(encoded.indices, np.int32), encoded.dictionary
