"""Columns put together piece by piece, in memory that is taken once.

A piece is copied behind those before it and its own memory is free again, so that a large file
needs little more than what is kept of it. Room for the whole file is reserved from the share of it
that the first piece was; memory counts only when it is written to.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.io.arrow import as_numpy
from fuzzytruth.io.columns import Columns
from fuzzytruth.io.ids import buffers

_SPARE = 1.05  # lines of one file differ a little in length


class GrowingArray:
    """Numbers laid end to end."""

    def __init__(self, dtype: Any, room: int) -> None:
        self._values: Array = np.empty(room, dtype=dtype)
        self._used = 0

    def append(self, values: Array) -> None:
        """Copy `values` behind those before."""
        end = self._used + len(values)
        if end > len(self._values):
            larger = np.empty(max(end, 2 * len(self._values)), dtype=self._values.dtype)
            larger[: self._used] = self._values[: self._used]
            self._values = larger
        self._values[self._used : end] = values
        self._used = end

    @property
    def values(self) -> Array:
        """All that was appended; not a copy."""
        return self._values[: self._used]


class GrowingStrings:
    """Strings laid end to end."""

    def __init__(self, rows: int, size: int) -> None:
        self._bytes = GrowingArray(np.uint8, size)
        self._ends = GrowingArray(np.int64, rows + 1)
        self._ends.append(np.zeros(1, dtype=np.int64))

    def append(self, strings: Any) -> None:
        """Copy an Arrow array of large strings behind those before."""
        data, offsets = buffers(strings)
        before = len(self._bytes.values)
        self._bytes.append(data[offsets[0] : offsets[-1]])
        self._ends.append(offsets[1:] + (before - offsets[0]))

    def finish(self) -> Any:
        """One Arrow array."""
        import pyarrow as pa

        ends, data = self._ends.values, self._bytes.values
        return pa.LargeStringArray.from_buffers(
            len(ends) - 1, pa.py_buffer(ends), pa.py_buffer(data)
        )


class GrowingCodes:
    """Codes of dictionary-coded strings, under one dictionary for all pieces."""

    def __init__(self, rows: int) -> None:
        self._codes = GrowingArray(np.int32, rows)
        self._code_of: dict[str, int] = {}
        self._dictionaries: list[Any] = []

    def append(self, coded: Any) -> None:
        """Copy the codes of an Arrow dictionary array, translated."""
        code_of = self._code_of
        self._dictionaries.append(coded.dictionary)
        ids = coded.dictionary.to_pylist()
        new = np.array([code_of.setdefault(text, len(code_of)) for text in ids], dtype=np.int32)
        self._codes.append(new[as_numpy(coded.indices, np.int32)])

    def finish(self) -> Any:
        """One Arrow dictionary array."""
        import pyarrow as pa

        codes = self._codes.values
        indices = pa.Array.from_buffers(pa.int32(), len(codes), [None, pa.py_buffer(codes)])
        # Distinct ids in order of appearance, as they were numbered (`pa.array` imports pandas).
        ids = pa.concat_arrays(self._dictionaries).unique().cast(pa.large_string())
        return pa.DictionaryArray.from_arrays(indices, ids)


class GrowingTable:
    """Columns of one file: numbers, coded ids, ids, and a few distinct tags.

    Parameters
    ----------
    size : int or None
        Bytes of the file, if known.
    """

    def __init__(self, size: int | None) -> None:
        self._size = size
        self._columns: dict[str, GrowingArray | GrowingStrings | GrowingCodes] = {}
        self._tags: dict[str, None] = {}
        self.n_rows = 0

    def append(self, part: Columns, size: int) -> None:
        """Add the columns of the next `size` bytes."""
        rows = len(part["item"])
        tags = part.pop("tag", None)
        if tags is not None:
            self._tags.update(dict.fromkeys(tags.to_pylist()))
        if not self._columns:
            share = max(1.0, (self._size or size) / size * _SPARE)
            self._columns = {name: _growing(column, share) for name, column in part.items()}
        for name in tuple(part):
            self._columns[name].append(part.pop(name))
        self.n_rows += rows

    def columns(self) -> Columns:
        """The whole columns; `tag` is a tuple of the distinct tags."""
        out: Columns = {
            name: column.values if isinstance(column, GrowingArray) else column.finish()
            for name, column in self._columns.items()
        }
        return out | {"tag": tuple(self._tags)}


def _growing(column: Any, share: float) -> GrowingArray | GrowingStrings | GrowingCodes:
    """Room for `share` times as much as there is in the first piece."""
    import pyarrow as pa

    rows = int(len(column) * share)
    if isinstance(column, np.ndarray):
        return GrowingArray(column.dtype, rows)
    if pa.types.is_dictionary(column.type):
        return GrowingCodes(rows)
    _, offsets = buffers(column)
    return GrowingStrings(rows, int((offsets[-1] - offsets[0]) * share))
