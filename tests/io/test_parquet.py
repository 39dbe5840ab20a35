"""Parquet files."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fuzzytruth.errors import DataError
from fuzzytruth.io.files import Source
from fuzzytruth.io.numbers import check_numbers
from fuzzytruth.io.table_files import check_codes, is_parquet, parquet_file, read_parquet
from fuzzytruth.io.tables import ColumnRequest

REQUEST = ColumnRequest(("query", "item"), ("score",), "score")


def put(path: Path, **columns: object) -> Source:
    pq.write_table(pa.table(columns), path)
    return Source.of(path)


def test_requested_columns_only(tmp_path: Path) -> None:
    source = put(tmp_path / "a.parquet", qid=[1, 2], note=["x", "y"], doc=["a", "b"], sim=[1, None])
    columns, locate = read_parquet(source, REQUEST)
    assert list(columns) == ["query", "item", "score"]
    assert columns["query"].to_pylist() == [1, 2]
    assert columns["score"].to_pylist() == [1, None]
    assert locate(1) == f"{tmp_path / 'a.parquet'}, row 2"


def test_words_are_refused_as_numbers(tmp_path: Path) -> None:
    columns, _ = read_parquet(put(tmp_path / "a.pq", query=["q"], item=["a"], score=["x"]), REQUEST)
    with pytest.raises(DataError, match="row 1, column 'score': value 'x' is not a number"):
        check_numbers(columns["score"], "score", "a")


def test_codes_outside_the_dictionary_are_damage(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    codes = pa.DictionaryArray.from_arrays(pa.array([0, 7]), pa.array(["q", "r"]), safe=False)
    source = put(path, query=["q", "r"], item=["a", "b"], score=[1.0, 2.0])
    message = r"a\.parquet: is a damaged Parquet file \(Index 7 out of"
    with pytest.raises(DataError, match=message), parquet_file(source):
        check_codes(pa.chunked_array([codes]))


def test_messages_of_arrow_take_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    put(path, query=["q"], item=["a"], score=[1.0])
    damaged = bytearray(path.read_bytes())
    damaged[-20:-8] = b"\xff" * 12
    path.write_bytes(damaged)
    with pytest.raises(DataError, match="is a damaged Parquet file") as caught:
        read_parquet(Source.of(path), REQUEST)
    assert "\n" not in str(caught.value)


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


def test_what_starts_as_parquet_does(tmp_path: Path) -> None:
    assert is_parquet(put(tmp_path / "a", query=["q"]))
    (tmp_path / "b").write_bytes(b"PAR")
    assert not is_parquet(Source.of(tmp_path / "b"))
    (tmp_path / "c.gz").write_bytes(gzip.compress((tmp_path / "a").read_bytes()))
    assert is_parquet(Source.of(tmp_path / "c.gz"))
    with parquet_file(Source.of(tmp_path / "c.gz")) as file:
        assert file.read().column_names == ["query"]


def test_missing_column(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"a\.parquet: no column for 'item'"):
        read_parquet(put(tmp_path / "a.parquet", query=["q"]), REQUEST)
