"""Ids as Arrow strings: their text, hashes and codes, and the way between Arrow and NumPy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import U64, Array, Bools, Ints
from fuzzytruth.core.checksums import duplicate_key_rows, hash_strings
from fuzzytruth.errors import shown

if TYPE_CHECKING:
    import pyarrow as pa


def as_numpy(array: Any, dtype: Any) -> Array:
    """The values of an Arrow array of type `dtype` without nulls, not copied."""
    if not len(array):
        return np.empty(0, dtype=dtype)
    values = np.frombuffer(array.buffers()[1], dtype=dtype)
    return values[array.offset : array.offset + len(array)]


def as_arrow(values: Array) -> Any:
    """An Arrow array of numbers, not copied."""
    import pyarrow as pa

    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values)])


def plain_values(column: Any) -> list[Any]:
    """Values of an Arrow array, text as bytes if some of it is not UTF-8."""
    import pyarrow as pa

    try:
        values: list[Any] = column.to_pylist()
    except UnicodeDecodeError:
        values = column.cast(pa.large_binary()).to_pylist()
    return values


def numbers_or_values(column: Any) -> Any:
    """Doubles, NaN where missing; a list of the values as they are if they are not numbers."""
    import pyarrow as pa

    try:
        numbers = column.cast(pa.float64(), safe=False)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return plain_values(column)
    return np.asarray(numbers)


def take(array: pa.LargeStringArray, rows: NDArray[np.integer]) -> pa.LargeStringArray:
    """The strings at `rows`."""
    return array.take(as_arrow(np.ascontiguousarray(rows, dtype=np.int64)))


BOM = "\ufeff"
_SEARCHED = 1 << 22  # bytes searched at a time, so that temporary arrays stay small
_FEW = 10_000  # ids of which an array is made without pandas


class IdError(ValueError):
    """An id cannot be used; `row` is its row, from 0, and the message says what is wrong."""

    def __init__(self, row: int, text: str) -> None:
        super().__init__(text)
        self.row = row


def string_array(values: Iterable[Any]) -> pa.LargeStringArray:
    """A one-dimensional column of ids of any type as Arrow strings; missing ids become null.

    Raises
    ------
    IdError
        An id is not UTF-8, or holds a zero byte or a byte-order mark.
    """
    import pyarrow as pa

    column: Any = values
    of_python = isinstance(values, (list, tuple)) or getattr(values, "dtype", "") == "object"
    if not isinstance(column, (pa.Array, pa.ChunkedArray)):
        column = _from_python(column)
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if not _casts_to_text(column.type):
        column = _one_by_one(column.to_pylist())
    if pa.types.is_dictionary(column.type):
        texts = column.dictionary.cast(pa.large_string())  # polars' text cannot be decoded
        column = pa.DictionaryArray.from_arrays(column.indices, texts).dictionary_decode()
    ids = column.cast(pa.large_string())
    try:
        if not of_python:  # Arrow looks at the text of Python alone
            ids.validate(full=True)
    except pa.ArrowInvalid:
        ids = _one_by_one(plain_values(ids))
    row = first_forbidden(ids)
    if row is not None:
        raise IdError(row, refusal(ids[row].as_py()))
    return ids


def _from_python(values: Any) -> Any:
    import pyarrow as pa

    if not hasattr(values, "dtype"):
        values = values if isinstance(values, (list, tuple)) else list(values)
        if len(values) <= _FEW and all(type(value) is str for value in values):
            with suppress(UnicodeEncodeError):
                return _from_texts(values)
    try:
        array = pa.array(values, from_pandas=True)
    except (pa.ArrowException, OverflowError, TypeError, ValueError):
        array = None  # of several types, beyond 64 bits, or no text
    if array is not None and _casts_to_text(array.type):
        return array
    listed = np.asarray(values, object).tolist() if hasattr(values, "dtype") else values
    return _one_by_one(listed)


def _from_texts(values: Sequence[str]) -> pa.LargeStringArray:
    """Some texts as an Arrow array; `pa.array` would import pandas, which takes longer."""
    import pyarrow as pa

    encoded = [value.encode() for value in values]
    offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum([len(text) for text in encoded], out=offsets[1:])
    buffers = pa.py_buffer(offsets), pa.py_buffer(b"".join(encoded))
    return pa.LargeStringArray.from_buffers(len(encoded), *buffers)


def _one_by_one(values: Iterable[Any]) -> Any:
    """Ids of any types as an Arrow array, with the row of one that is no text."""
    import pyarrow as pa

    texts = []
    for row, value in enumerate(values):
        try:
            texts.append(id_text(value))
        except ValueError as error:
            raise IdError(row, str(error)) from None
    return pa.array(texts, pa.large_string())


def id_text(value: Any) -> str | None:
    """One id as text, None if it is missing; a `ValueError` says why it cannot be used."""
    several = isinstance(value, np.ndarray) and value.ndim > 0
    if several or isinstance(value, (list, set, frozenset, dict)):
        kind = type(value).__name__
        raise ValueError(
            f"value {shown(value)} is a {kind}, and a row needs one id; make a row of each, as "
            "DataFrame.explode does"
        )
    try:
        text = _text(value)
        (text or "").encode()
    except ValueError as error:  # not UTF-8, or a number of too many digits
        reason = getattr(error, "reason", error)
        raise ValueError(f"value {shown(value)} is not UTF-8 text ({reason}); convert it") from None
    if text and ("\0" in text or BOM in text):
        raise ValueError(refusal(text))
    return text


def first_forbidden(array: pa.LargeStringArray) -> int | None:
    """The first row whose id holds a zero byte or a byte-order mark."""
    data, offsets = buffers(array)
    for start in range(int(offsets[0]), int(offsets[-1]), _SEARCHED):
        block = data[start : min(start + _SEARCHED + 2, int(offsets[-1]))]
        for found in (b"\0", BOM.encode()):
            if not (block == found[0]).any():
                continue
            place = block.tobytes().find(found)
            if place >= 0:
                return int(np.searchsorted(offsets, start + place, side="right")) - 1
    return None


def refusal(text: str) -> str:
    """Why an id that holds a zero byte or a byte-order mark is refused."""
    mark = "a byte-order mark (U+FEFF), as files have at their start"
    what = mark if BOM in text else "a zero byte"
    return f"value {shown(text)} holds {what}; remove it"


def _casts_to_text(kind: Any) -> bool:
    """Whether Arrow's cast to text is right: for text, whole numbers and categories of those."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    text = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return bool(pa.types.is_integer(kind) or any(is_kind(kind) for is_kind in text))


def _text(value: Any) -> str | None:
    """One id as text: 3.0 is '3', as whole numbers with a missing one among them become floats."""
    equals_itself = value == value  # False for NaN, and no truth value for pandas' NA
    if value is None or not isinstance(equals_itself, (bool, np.bool_)) or not equals_itself:
        return None
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, (float, np.floating)) and value.is_integer():
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
    import pyarrow as pa
    import pyarrow.compute as pc

    ids = wanted if hasattr(wanted, "type") else pa.array(wanted, pa.large_string())
    place: Any = pc.index_in(ids, value_set=items)
    return np.asarray(place.fill_null(-1).to_numpy(zero_copy_only=False), dtype=np.int64)


def same_ids(one: pa.LargeStringArray, other: pa.LargeStringArray) -> Bools:
    """Which rows of two columns without missing ids have the same id."""
    import pyarrow.compute as pc

    equal: Any = pc.equal(one, other)
    return as_numpy(equal.cast("uint8"), np.bool_)


def order_by_id(ids: pa.LargeStringArray) -> Ints:
    """Rows in ascending order of their ids, by bytes."""
    import pyarrow.compute as pc

    return as_numpy(pc.array_sort_indices(ids), np.int64)  # type: ignore[attr-defined, unused-ignore]
