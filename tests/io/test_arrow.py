"""Between NumPy and Arrow."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from fuzzytruth.io.arrow import as_arrow, as_numpy, take


@pytest.mark.parametrize("kind", ["int64", "uint64", "float64"])
def test_there_and_back(kind):
    values = np.array([3, 1, 2], dtype=kind)
    assert as_numpy(as_arrow(values), kind).tolist() == [3, 1, 2]
    assert as_numpy(as_arrow(values).slice(1), kind).tolist() == [1, 2]
    assert as_numpy(as_arrow(values[:0]), kind).tolist() == []


@pytest.mark.parametrize("rows", [[2, 0, 0], [], np.arange(6)[::2] // 2, np.array([1], np.int32)])
def test_take(rows):
    ids = pa.array(["a", "b", "c"], pa.large_string())
    rows = np.asarray(rows, dtype=None if len(rows) else np.int64)
    assert take(ids, rows).to_pylist() == [["a", "b", "c"][j] for j in rows]
