"""CSV and TSV files: Arrow and the parse by record agree, and errors name line and column."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fuzz.mutators import damaged

from fuzzytruth.errors import DataError
from fuzzytruth.io import table_files
from fuzzytruth.io.files import Source
from fuzzytruth.io.table_files import (
    _Field,
    _parse_by_record,
    _parse_header,
    _parse_with_arrow,
    decode,
    read_delimited,
)
from fuzzytruth.io.tables import ColumnRequest

REQUEST = ColumnRequest(("query", "item"), ("score",), "score")


def read(path: Path, text: str | bytes) -> tuple[dict[str, Any], Any]:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    columns, locate = read_delimited(Source.of(path), REQUEST)
    texts = ("query", "item")
    lists = {k: pa_list(v) if k in texts else list(v) for k, v in columns.items()}
    return lists, locate


def pa_list(column: Any) -> list[str]:
    return column if isinstance(column, list) else column.to_pylist()


@pytest.mark.parametrize("by_record", [False, True])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_record: bool, separator: str, end: str
) -> None:
    if by_record:
        monkeypatch.setattr(table_files, "_parse_with_arrow", lambda *_: None)
    ids = ["007", "NA", " a ", 'b"c', "d,e;f\tg", "h\ni", "é", "null", "1e5"]
    rng = np.random.default_rng(0)
    rows = [(str(rng.choice(ids)), str(rng.choice(ids)), float(rng.normal())) for _ in range(50)]
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=separator, lineterminator=end)
    writer.writerows([("note", "DocNo", "qid", "sim")])
    writer.writerows([("x", item, query, repr(score)) for query, item, score in rows])
    path = tmp_path / ("a.tsv" if separator == "\t" else "a.csv")
    columns, locate = read(path, buffer.getvalue())
    assert list(zip(columns["query"], columns["item"], columns["score"], strict=True)) == rows
    line = 2 + sum((item + query).count("\n") for query, item, _ in rows[:30]) + 30
    assert locate(30) == f"{path}, line {line}"


def test_byte_order_mark_and_blank_lines(tmp_path: Path) -> None:
    text = "\ufeff\r\nquery,item,score\r\n\r\nq,a,1\r\n\r\nq,b,2"
    columns, locate = read(tmp_path / "a.csv", text)
    assert columns == {"query": ["q", "q"], "item": ["a", "b"], "score": [1.0, 2.0]}
    assert [locate(row).rpartition(" ")[2] for row in range(2)] == ["4", "6"]


def test_a_very_long_id_and_its_place(tmp_path: Path) -> None:
    long = "x" * 500_000
    columns, locate = read(tmp_path / "a.csv", f"query,item\nq,{long}\nq,b\n")
    assert columns["item"] == [long, "b"]
    assert locate(1).endswith("line 3")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"q1,d1\n", "header: 'q1,d1' names no known column; .* such as 'query,item', separated"),
        (b"query,item\n\n", "there are no rows after the header"),
        (b"query,item\n\t \n", "there are no rows after the header"),
        (b"query\titem\tscore\n\t\n", "line 2: 2 fields in "),
        (b"query,score\nq,1\n", "header: no column for 'item'"),
        (
            b"query,item\nq,a\nq;b\n",
            "line 3: 1 field in 'q;b', but .* 2 columns, separated by",
        ),
        (b"query,item\nq;b\n", "this line seems to be separated by semicolons$"),
        (b"query,item\nq,a,b\n", "line 2: 3 fields in 'q,a,b'"),
        (b"query,item,sim\nq,a,x\n", "line 2, column 'sim': value 'x' is not a number"),
        (
            b"query,item,sim\nq,a,1\n\nq,a,inf\n",
            "line 4, column 'sim': value 'inf' is not a f",
        ),
        (b"query,item\nq,\xff\n", "line 2, column 'item': byte 0xff is not UTF-8; convert"),
    ],
)
def test_errors(tmp_path: Path, text: bytes, message: str) -> None:
    with pytest.raises(DataError, match=message) as caught:
        read(tmp_path / "a.csv", text)
    assert str(caught.value).startswith(str(tmp_path / "a.csv"))


def test_decoding_names_the_line() -> None:
    assert decode(Path("a"), "é".encode()) == "é"
    with pytest.raises(DataError, match=r"^a, line 3: byte 0xe9"):
        decode(Path("a"), b"x\r\ny\r\n\xe9")


@pytest.mark.parametrize(
    "text",
    [
        "query,item,grade,x\na,x,1.0,\na,y,0.0,\nb,x,2.0,\nb,\u00e9,1.0,\n".encode(),
        b'"query";"item";"grade"\n"a";"x";"1.0"\n"a";"y";"0.0"\n"b";"x";"2.0"\n',
        b'query,item,grade\r\nq1,"d""1",1\r\n"q\n2",d2,2\r\n',
    ],
)
def test_the_fast_parser_of_tables_reads_what_the_exact_one_does(text: bytes) -> None:
    rng = random.Random(len(text))
    head = text.index(b"\n") + 1
    request = ColumnRequest(("query", "item"), (), "grade")
    fields = [_Field("query", 0, False), _Field("item", 1, False), _Field("grade", 2, True)]
    n_read = 0
    for _ in range(600):
        body = damaged(text[head:], rng).replace(b"\0", b"0")
        if not body.strip():
            continue
        sheet = _parse_header(Source(Path("a.csv")), text[:head] + body, request)
        fast = _parse_with_arrow(sheet, fields)
        if fast is None:
            continue
        exact = _parse_by_record(sheet, fields)
        assert fast["query"].to_pylist() == exact["query"]
        assert fast["item"].to_pylist() == exact["item"]
        np.testing.assert_array_equal(fast["grade"], exact["grade"])
        n_read += 1
    assert n_read > 100
