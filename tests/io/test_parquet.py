"""Parquet files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fuzzytruth.errors import DataError
from fuzzytruth.io.columns import ColumnRequest
from fuzzytruth.io.files import Source
from fuzzytruth.io.parquet import read_parquet

REQUEST = ColumnRequest(("query", "item"), ("score",), "score")


def put(path: Path, **columns: object) -> Source:
    pq.write_table(pa.table(columns), path)
    return Source.of(path)


def test_requested_columns_only(tmp_path: Path) -> None:
    source = put(tmp_path / "a.parquet", qid=[1, 2], note=["x", "y"], doc=["a", "b"], sim=[1, None])
    columns, locate = read_parquet(source, REQUEST)
    assert list(columns) == ["query", "item", "score"]
    assert columns["query"].to_pylist() == [1, 2]
    assert columns["score"].dtype == np.float64
    np.testing.assert_array_equal(columns["score"], [1, np.nan])
    assert locate(1) == f"{tmp_path / 'a.parquet'}, row 2"


def test_words_stay_words_to_be_refused_later(tmp_path: Path) -> None:
    columns, _ = read_parquet(put(tmp_path / "a.pq", query=["q"], item=["a"], score=["x"]), REQUEST)
    assert columns["score"] == ["x"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"hello", "is not a Parquet file; name it by its format"),
        (b"PAR1hello", "is a damaged Parquet file"),
        (b"", "the file is empty"),
    ],
)
def test_errors(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(data)
    with pytest.raises(DataError, match=message):
        read_parquet(Source.of(path), REQUEST)


def test_missing_column(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"a\.parquet: no column for 'item'"):
        read_parquet(put(tmp_path / "a.parquet", query=["q"]), REQUEST)
