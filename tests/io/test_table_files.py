"""CSV, JSON and Parquet files give the same columns, and errors name line, record or key."""

import gzip
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fuzz.mutators import damaged

import fuzzytruth as ft
from fuzzytruth.errors import DataError
from fuzzytruth.io.columns import check_ids
from fuzzytruth.io.files import Source
from fuzzytruth.io.numbers import check_numbers
from fuzzytruth.io.table_files import (
    _Field,
    _parse_by_record,
    _parse_header,
    _parse_with_arrow,
    check_codes,
    column_names,
    parquet_file,
    read_delimited,
    read_json,
    read_parquet,
    table_of,
)
from fuzzytruth.io.tables import ColumnRequest

REQUEST = ColumnRequest(("query", "item"), ("score", "system"), "score")
FRAME = pd.DataFrame({"query": ["q", "q"], "item": ["007", "é"], "score": [0.1, -2.0]})


def put(path: Path, content: str | bytes | dict[str, Any]) -> Source:
    if isinstance(content, dict):
        pq.write_table(pa.table(content), path)
    else:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return Source.of(path)


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl", "parquet"])
def test_formats_agree(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    records = FRAME.to_dict(orient="records")
    match ending:
        case "json":
            path.write_text(json.dumps(records))
        case "jsonl":
            path.write_text("\n".join(map(json.dumps, records)))
        case "parquet":
            FRAME.to_parquet(path)
        case _:
            FRAME.to_csv(path, index=False, sep="\t" if ending == "tsv" else ",")
    columns, locate = table_of(Source.of(path), REQUEST)
    assert check_ids(columns["query"], "query", locate).to_pylist() == ["q", "q"]
    assert check_ids(columns["item"], "item", locate).to_pylist() == ["007", "é"]
    assert check_numbers(columns["score"], "score", locate).tolist() == [0.1, -2.0]
    assert locate(0).startswith(f"{path}, ")


BAD_CSV = [
    (b"q1,d1\n", "header: 'q1,d1' names no known column; .* such as 'query,item', separated"),
    (b"query,item\n\t \n", "there are no rows after the header"),
    (b"query\titem\tscore\n\t\n", "line 2: 2 fields in "),
    (b"query,score\nq,1\n", "header: no column for 'item'"),
    (b"query,item\nq,a\nq;b\n", "line 3: 1 field in 'q;b', but .* 2 columns, separated by"),
    (b"query,item\nq;b\n", "this line seems to be separated by semicolons$"),
    (b"query,item\nq,a,b\n", "line 2: 3 fields in 'q,a,b'"),
    (b"query,item,sim\nq,a,x\n", "line 2, column 'sim': value 'x' is not a number"),
    (b"query,item,sim\nq,a,1\n\nq,a,inf\n", "line 4, column 'sim': value 'inf' is not a f"),
    (b"query,item\nq,\xff\n", "line 2, column 'item': byte 0xff is not UTF-8; convert"),
]
BAD_JSON = [
    ("3", "3 does not belong there; give a list of records with query, item, score, or"),
    ("[]", "there are no records in it"),
    ("{}", "there are no rows in it"),
    ("[1]", "record 1: 1 is not a record; give an object with query, item, score"),
    ('[{"query": 1}]', "no column for 'item'"),
    ('[{"query": 1, "item": 2}, {"query": 1}]', "record 2, column 'item': value is missing"),
    ('[{"query": 1, "item": true}]', "column 'item': value True is not text or a number"),
    ('{"q": {"a": "x"}}', "query 'q', item 'a': 'x' does not belong there"),
    ('{"q": {"a": true}}', "True does not belong there"),
]
BAD_PARQUET = [
    (b"hello", "is not a Parquet file; name it by its format"),
    (b"PAR1hello", "is a damaged Parquet file"),
    (b"", "the file is empty"),
    ({"query": ["q"]}, r"no column for 'item'"),
]


@pytest.mark.parametrize(
    ("read", "content", "message"),
    [
        *((read_delimited, *case) for case in BAD_CSV),
        *((read_json, *case) for case in BAD_JSON),
        *((read_parquet, *case) for case in BAD_PARQUET),
    ],
)
def test_errors(tmp_path: Path, read: Any, content: Any, message: str) -> None:
    with pytest.raises(DataError, match=message) as caught:
        read(put(tmp_path / "a.csv", content), REQUEST)
    assert str(caught.value).startswith(f"{tmp_path / 'a.csv'}")
    assert "\n" not in str(caught.value)


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
    for _ in range(300):
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
    assert n_read > 50


@pytest.mark.parametrize(
    ("name", "text", "names"),
    [
        ("a.csv", '\ufeffquery,"item, or so"\nq,d\n', ("query", "item, or so")),
        ("a.csv", "\n\nquery;item\nq;d\n", ("query", "item")),
        ("a.tsv", "query\titem,doc\nq\td\n", ("query", "item,doc")),
        ("a.json", ' [ {"query": 1, "item": [2]}, {"x": 1}]', ("query", "item")),
        ("a.json", '{"q": {"d": 1}}', ()),
        ("a.json", "[1", ()),
        ("a.jsonl", '\n{"query": "q"}\nnonsense', ("query",)),
        ("a.run", "q Q0 d 1 1 x\n", ()),
        ("a.parquet", {"item": ["a"], "category": ["b"]}, ("item", "category")),
    ],
)
def test_names_of_columns(tmp_path: Path, name: str, text: Any, names: tuple[str, ...]) -> None:
    assert column_names(put(tmp_path / name, text)) == names
    zipped = gzip.compress((tmp_path / name).read_bytes())
    assert column_names(put(tmp_path / f"{name}.gz", zipped)) == names


def test_nested_objects(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    text = '{"q1": {"b": 2, "a": 1.5}, "q2": {}, "q3": {"a": -1}}'
    columns, locate = read_json(put(path, text), REQUEST)
    rows = list(zip(columns["query"], columns["item"], columns["score"], strict=True))
    assert rows == [("q1", "b", 2), ("q1", "a", 1.5), ("q3", "a", -1)]
    assert locate(2) == f"{path}, query 'q3', item 'a'"
    source = put(path, '{"x": {"q1": {"b": 2}}, "y": {"q1": {"b": 3}}}')
    columns, locate = read_json(source, REQUEST)
    assert (columns["system"], columns["score"]) == (("x", "y"), (2, 3))
    assert locate(1).endswith("system 'y', query 'q1', item 'b'")
    with pytest.raises(DataError, match=r"query 'x', item 'q1': \{'b': 2\} does not belong there"):
        read_json(source, ColumnRequest(("query", "item"), (), "score"))
    message = r"a\.json: nested objects do not say what their levels are; .* with "
    put(path, '{"a": {"q1": 1.0}}')
    with pytest.raises(DataError, match=message + "system, query, value$"):
        ft.Scores.load(path)
    with pytest.raises(DataError, match=message + "item, category, subject$"):
        ft.read_assignments(path)


def test_damaged_parquet(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    source = put(path, {"query": ["q", "r"], "item": ["a", "b"], "score": [1.0, 2.0]})
    codes = pa.DictionaryArray.from_arrays(pa.array([0, 7]), pa.array(["q", "r"]), safe=False)
    message = r"a\.parquet: is a damaged Parquet file \(Index 7 out of"
    with pytest.raises(DataError, match=message), parquet_file(source):
        check_codes(pa.chunked_array([codes]))
    data = path.read_bytes()
    with pytest.raises(DataError, match="is a damaged Parquet file") as caught:
        read_parquet(put(path, data[:-20] + b"\xff" * 12 + data[-8:]), REQUEST)
    assert "\n" not in str(caught.value)
