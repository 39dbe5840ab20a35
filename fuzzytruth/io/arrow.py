"""NumPy arrays from Arrow arrays and back, through their buffers.

`pyarrow.array`, `Array.to_numpy` and `Array.take` of NumPy rows import pandas, which takes longer
than reading a small run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Array

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
