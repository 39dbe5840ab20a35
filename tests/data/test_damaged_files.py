"""Damaged files of every format: an error of one line, or something that was read."""

from __future__ import annotations

import gzip
import io
import json
import random
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import fuzzytruth as ft
from fuzzytruth.io.column_request import ColumnRequest
from fuzzytruth.io.delimited import _Field, _parse_by_record, _parse_header, _parse_with_arrow
from fuzzytruth.io.trec import parse_block
from fuzzytruth.io.trec_lines import QRELS, RUN, LineError, LineFormat, parse_lines

TREC_RUN = b"".join(
    b"q%d Q0 d%d %d %d.5 t\n" % (q, d, d, 3 - d) for q in range(3) for d in range(3)
)
TREC_QRELS = b"".join(b"q%d 0 d%d %d\n" % (q, d, d) for q in range(3) for d in range(3))
ROWS = pd.DataFrame(
    {"query": list("aabb"), "item": ["x", "y", "x", "\u00e9"], "grade": [1.0, 0.0, 2.0, 1.0]}
)
RUNS = ROWS.rename(columns={"grade": "score"}).assign(system=list("stst"))
VOTES = pd.DataFrame({"subject": list("stst"), "item": list("iijj"), "category": list("abab")})
EDGES = pd.DataFrame({"parent": list("rra"), "child": list("abc")})
SCORES = pd.DataFrame(
    {"system": list("stst"), "query": list("aabb"), "value": [0.1, 0.2, 0.3, 0.4]}
)
TEXT_TREE = b"r\n  a\n    c\n  b\n"
CLASSES = b"PSB 1\n3 3\n\nr 0 1\nm7\n\na r 2\nm1\nm2\n\nb r 0\n"
TREE = ft.Taxonomy.from_children({"r": ["a", "b"]})


def read_votes(path: Path) -> ft.Assignments:
    return ft.read_assignments(path, taxonomy=TREE)


def json_of(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def records(frame: pd.DataFrame) -> bytes:
    return json_of(frame.to_dict(orient="records"))


def lines(frame: pd.DataFrame) -> bytes:
    return b"\n".join(map(json_of, frame.to_dict(orient="records")))


def table(frame: pd.DataFrame, separator: str = ",", quoting: int = 0) -> bytes:
    return frame.to_csv(index=False, sep=separator, quoting=quoting).encode()  # type: ignore[call-overload]


def parquet(frame: pd.DataFrame) -> bytes:
    file = io.BytesIO()
    frame.to_parquet(file, index=False, compression=None)
    return file.getvalue()


Reader = Callable[[Path], Any]
FILES: dict[str, tuple[bytes, Reader]] = {
    "a.run": (TREC_RUN, ft.read_runs),
    "a.txt": (TREC_QRELS, ft.read_judgments),
    "judgments.csv": (table(ROWS), ft.read_judgments),
    "runs.csv": (table(RUNS, ";", 1), ft.read_runs),
    "judgments.tsv": (table(ROWS, "\t"), ft.read_judgments),
    "judgments.json": (records(ROWS), ft.read_judgments),
    "nested.json": (json_of({"s": {"q": {"a": 1, "b": 0.5}}}), ft.read_runs),
    "runs.jsonl": (lines(RUNS), ft.read_runs),
    "judgments.parquet": (parquet(ROWS), ft.read_judgments),
    "runs.parquet": (parquet(RUNS), ft.read_runs),
    "votes.csv": (table(VOTES), read_votes),
    "votes.jsonl": (lines(VOTES), read_votes),
    "votes.parquet": (parquet(VOTES), read_votes),
    "tree.txt": (TEXT_TREE, ft.read_taxonomy),
    "tree.csv": (table(EDGES), ft.read_taxonomy),
    "children.json": (json_of({"r": ["a", "b"]}), ft.read_taxonomy),
    "deep.json": (json_of({"r": {"a": {"c": {}}, "b": None}}), ft.read_taxonomy),
    "pairs.json": (json_of([["r", "a"], ["r", "b"]]), ft.read_taxonomy),
    "a.cla": (CLASSES, ft.read_cla),
    "scores.csv": (table(SCORES), ft.Scores.load),
    "scores.parquet": (parquet(SCORES), ft.Scores.load),
}
INSERTED = [
    *(bytes([c]) for c in b" \t\n\r\v\f\0\x1a\x1c\x85\xff\"'\\,;|{}[]:-+.0129"),
    *(text.encode() for text in ("\x85", "\xa0", "\u2028", "\ufeff", "\u00e9")),
    *(b"\r\n", b"\n\n", b"  ", b"NaN", b"inf", b"1e999", b"1_0", b"null", b"true", b"\\ud800"),
    *(b"\\u0000", b"\\ufeff", b"9" * 25, b"9" * 5000, b'""', b"0x1p3", b"{}", b"[]"),
]
REPLACED = [
    *((b" ", b"\t"), (b" ", b"  "), (b"\n", b"\r\n"), (b"\n", b"\r"), (b",", b";"), (b",", b"\t")),
    *((b'"', b"'"), (b"\n", b"\n\xef\xbb\xbf"), (b"1", b"01"), (b"a", b"\xe9"), (b"\t", b" ")),
]


def damaged(data: bytes, rng: random.Random) -> bytes:
    """The bytes, some of them flipped, inserted, deleted or cut off, or lines repeated."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at = rng.randrange(len(out) + 1)
        match rng.randrange(8):
            case 0 | 1:
                out[at:at] = rng.choice(INSERTED)
            case 2:
                out[at : at + rng.choice((1, 1, 2, 5))] = rng.choice(INSERTED)
            case 3:
                del out[at : at + rng.choice((1, 1, 2, 8))]
            case 4:
                out[at - 1 : at] = bytes([out[at - 1] ^ 1 << rng.randrange(8)]) if out else b""
            case 5:
                del out[at:]
            case 6:
                some = bytes(out).split(b"\n")
                some.insert(rng.randrange(len(some) + 1), rng.choice(some))
                out = bytearray(b"\n".join(some))
            case _:
                out = out.replace(*rng.choice(REPLACED))
        if not out:
            break
    return bytes(out)


def outcome(read: Reader, path: Path) -> str:
    """'read', or the message of the error; warnings of the library are allowed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.FuzzytruthWarning)
        try:
            content = read(path)
        except ft.FuzzytruthError as error:
            return str(error)
        repr(content)
        return "read"


@pytest.mark.parametrize("name", FILES)
def test_an_error_or_a_result(name: str, tmp_path: Path) -> None:
    data, read = FILES[name]
    rng = random.Random(name)
    path = tmp_path / name
    path.write_bytes(data)
    assert outcome(read, path) == "read"
    n_read = 0
    for _ in range(150):
        path.write_bytes(damaged(data, rng))
        message = outcome(read, path)
        n_read += message == "read"
        assert "\n" not in message
        message.encode()
    assert 0 < n_read < 150


@pytest.mark.parametrize("name", ["a.run", "judgments.csv", "tree.txt", "runs.jsonl"])
def test_damaged_after_packing(name: str, tmp_path: Path) -> None:
    data, read = FILES[name]
    rng = random.Random(name)
    path = tmp_path / (name + ".gz")
    packed = gzip.compress(data, mtime=0)
    for _ in range(150):
        path.write_bytes(damaged(packed, rng))
        message = outcome(read, path)
        assert "\n" not in message


def test_damaged_scores_of_worlds(tmp_path: Path) -> None:
    votes = ROWS.assign(subject=["s", "t", "s", "t"])
    run = RUNS.assign(system="s")
    ft.evaluate(votes, run, ["P@2"], rng=0, keep_worlds=True, n_worlds=5).save(
        tmp_path / "s.parquet"
    )
    data = (tmp_path / "s.parquet").read_bytes()
    rng = random.Random(0)
    seen = {"read": 0, "refused": 0}
    for _ in range(300):
        (tmp_path / "s.parquet").write_bytes(damaged(data, rng))
        message = outcome(ft.Scores.load, tmp_path / "s.parquet")
        seen["read" if message == "read" else "refused"] += 1
        assert "\n" not in message
    assert min(seen.values()) > 0


def plain(columns: dict[str, Any]) -> dict[str, list[Any]]:
    """Columns as lists, numbers by their bits."""
    out: dict[str, list[Any]] = {}
    for name, column in columns.items():
        if isinstance(column, np.ndarray):
            out[name] = column.view(np.int64).tolist()
        elif name == "tag":
            coded = column if not isinstance(column, pa.DictionaryArray) else column.dictionary
            out[name] = coded.to_pylist()
        else:
            out[name] = column.to_pylist()
    out.pop("item_hash", None)
    return out


@pytest.mark.parametrize(
    ("line_format", "names", "text"),
    [
        (RUN, ("query", "item", "score", "tag"), TREC_RUN),
        (RUN, ("query", "item", "score", "tag", "rank"), TREC_RUN),
        (QRELS, QRELS.fields, TREC_QRELS),
    ],
)
def test_the_fast_parser_of_trec_reads_what_the_exact_one_does(
    line_format: LineFormat, names: tuple[str, ...], text: bytes
) -> None:
    rng = random.Random(",".join(names))
    n_read = 0
    for _ in range(600):
        block = damaged(text, rng).replace(b"\0", b"0")
        if not block.strip():
            continue
        try:
            exact = plain(parse_lines(block, line_format, names))
        except LineError:
            with pytest.raises(LineError):
                parse_block(line_format, names, block)
            continue
        assert plain(parse_block(line_format, names, block)) == exact
        n_read += 1
    assert n_read > 100


@pytest.mark.parametrize(
    "text",
    [
        table(ROWS.assign(x="")),
        table(ROWS, ";", 1),
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
        sheet = _parse_header(Path("a.csv"), text[:head] + body, request)
        fast = _parse_with_arrow(sheet, fields)
        if fast is None:
            continue
        exact = _parse_by_record(sheet, fields)
        assert fast["query"].to_pylist() == exact["query"]
        assert fast["item"].to_pylist() == exact["item"]
        np.testing.assert_array_equal(fast["grade"], exact["grade"])
        n_read += 1
    assert n_read > 100
