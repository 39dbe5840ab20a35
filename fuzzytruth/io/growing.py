"""Columns assembled block by block in memory that is reserved once.

Each block is copied behind those before it and then freed, so that a large file needs little more
memory than its columns. Space for the whole file is reserved in proportion to the first block; the
operating system counts memory only once it is written to.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.io.arrow import as_arrow, as_numpy
from fuzzytruth.io.columns import Columns
from fuzzytruth.io.ids import buffers

_MARGIN = 1.05  # the lines of a file differ a little in length


class GrowingArray:
    """An array of numbers that grows at its end."""

    def __init__(self, dtype: Any, capacity: int) -> None:
        self._values: Array = np.empty(capacity, dtype=dtype)
        self._used = 0

    def append(self, values: Array) -> None:
        """Copy `values` to the end."""
        end = self._used + len(values)
        if end > len(self._values):
            larger = np.empty(max(end, 2 * len(self._values)), dtype=self._values.dtype)
            larger[: self._used] = self._values[: self._used]
            self._values = larger
        self._values[self._used : end] = values
        self._used = end

    @property
    def values(self) -> Array:
        """All values appended so far, not copied."""
        return self._values[: self._used]


class GrowingStrings:
    """A column of strings that grows at its end."""

    def __init__(self, rows: int, size: int) -> None:
        self._bytes = GrowingArray(np.uint8, size)
        self._ends = GrowingArray(np.int64, rows + 1)
        self._ends.append(np.zeros(1, dtype=np.int64))

    def append(self, strings: Any) -> None:
        """Copy an Arrow array of large strings to the end."""
        data, offsets = buffers(strings)
        before = len(self._bytes.values)
        self._bytes.append(data[offsets[0] : offsets[-1]])
        self._ends.append(offsets[1:] + (before - offsets[0]))

    def finish(self) -> Any:
        """All strings as one Arrow array."""
        import pyarrow as pa

        ends, data = self._ends.values, self._bytes.values
        return pa.LargeStringArray.from_buffers(
            len(ends) - 1, pa.py_buffer(ends), pa.py_buffer(data)
        )


class GrowingCodes:
    """A dictionary-encoded column of strings that grows at its end, with one dictionary."""

    def __init__(self, rows: int) -> None:
        self._codes = GrowingArray(np.int32, rows)
        self._code_of: dict[str, int] = {}
        self._dictionaries: list[Any] = []

    def append(self, coded: Any) -> None:
        """Copy an Arrow dictionary array to the end, with codes of the common dictionary."""
        code_of = self._code_of
        self._dictionaries.append(coded.dictionary)
        ids = coded.dictionary.to_pylist()
        new_code = np.array(
            [code_of.setdefault(text, len(code_of)) for text in ids], dtype=np.int32
        )
        self._codes.append(new_code[as_numpy(coded.indices, np.int32)])

    def finish(self) -> Any:
        """All strings as one Arrow dictionary array."""
        import pyarrow as pa

        # Distinct ids in order of appearance, as the codes number them (`pa.array` imports pandas).
        ids = pa.concat_arrays(self._dictionaries).unique()
        return pa.DictionaryArray.from_arrays(as_arrow(self._codes.values), ids)


class GrowingTable:
    """The columns of one file: numbers, ids, dictionary-encoded ids, and the distinct tags.

    Parameters
    ----------
    size : int or None
        Number of bytes of the file, if known.
    """

    def __init__(self, size: int | None) -> None:
        self._size = size
        self._columns: dict[str, GrowingArray | GrowingStrings | GrowingCodes] = {}
        self._tags: dict[str, None] = {}
        self.n_rows = 0

    def append(self, block: Columns, size: int) -> None:
        """Append the columns parsed from the next `size` bytes."""
        rows = len(block["item"])
        tags = block.pop("tag", None)
        if tags is not None:
            self._tags.update(dict.fromkeys(tags.to_pylist()))
        if not self._columns:
            expected_blocks = max(1.0, (self._size or size) / size * _MARGIN)
            self._columns = {
                name: _growing(column, expected_blocks) for name, column in block.items()
            }
        for name in tuple(block):
            self._columns[name].append(block.pop(name))
        self.n_rows += rows

    def columns(self) -> Columns:
        """The complete columns; `tag` is a tuple of the distinct tags."""
        out: Columns = {
            name: column.values if isinstance(column, GrowingArray) else column.finish()
            for name, column in self._columns.items()
        }
        return out | {"tag": tuple(self._tags)}


def _growing(column: Any, blocks: float) -> GrowingArray | GrowingStrings | GrowingCodes:
    """An empty column with space for `blocks` times the first block."""
    import pyarrow as pa

    rows = int(len(column) * blocks)
    if isinstance(column, np.ndarray):
        return GrowingArray(column.dtype, rows)
    if pa.types.is_dictionary(column.type):
        return GrowingCodes(rows)
    _, offsets = buffers(column)
    return GrowingStrings(rows, int((offsets[-1] - offsets[0]) * blocks))
