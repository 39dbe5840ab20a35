"""Between NumPy and Arrow."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from fuzzytruth.io.columns import numbers_or_values, plain_values
from fuzzytruth.io.ids import as_arrow, as_numpy, take


@pytest.mark.parametrize("kind", ["int64", "uint64", "float64"])
def test_there_and_back(kind):
    values = np.array([3, 1, 2], dtype=kind)
    assert as_numpy(as_arrow(values), kind).tolist() == [3, 1, 2]
    assert as_numpy(as_arrow(values).slice(1), kind).tolist() == [1, 2]
    assert as_numpy(as_arrow(values[:0]), kind).tolist() == []


def not_utf8(kind):
    """Two strings, of which the second is no text although Arrow says so."""
    return pa.Array.from_buffers(kind, 2, pa.array([b"a", b"\xff"], pa.binary()).buffers())


def test_values_of_text_that_is_none():
    assert plain_values(not_utf8(pa.string())) == [b"a", b"\xff"]
    assert plain_values(pa.array(["a", None])) == ["a", None]


@pytest.mark.parametrize(
    ("column", "want"),
    [
        (pa.array([1, None], pa.int8()), [1.0, np.nan]),
        (pa.chunked_array([["1.5"], ["-2"]]), [1.5, -2.0]),
        (pa.array([True, False]), [1.0, 0.0]),
        (pa.array([2, 1]).dictionary_encode(), [2.0, 1.0]),
        (pa.array(["x", None]), ["x", None]),
        (pa.array([[1]]), [[1]]),
        (not_utf8(pa.string()), [b"a", b"\xff"]),
    ],
)
def test_numbers_or_values(column, want):
    out = numbers_or_values(column)
    if isinstance(out, list):
        assert out == want
    else:
        assert out.dtype == np.float64
        np.testing.assert_array_equal(out, want)


@pytest.mark.parametrize("rows", [[2, 0, 0], [], np.arange(6)[::2] // 2, np.array([1], np.int32)])
def test_take(rows):
    ids = pa.array(["a", "b", "c"], pa.large_string())
    rows = np.asarray(rows, dtype=None if len(rows) else np.int64)
    assert take(ids, rows).to_pylist() == [["a", "b", "c"][j] for j in rows]
