"""Opening files: paths, formats, contents whole or in blocks, places, and errors."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.io import files
from fuzzytruth.io.files import (
    Source,
    format_of,
    format_to_write,
    locate_by_number,
    parse_json,
    taxonomy_format_of,
)

TEXT = b"one\n\n  two \r\nthree"


def put(path: Path, data: bytes) -> Source:
    path.write_bytes(gzip.compress(data) if path.suffix.lower() == ".gz" else data)
    return Source.of(path)


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
def test_blocks_are_whole_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    rng = np.random.default_rng(size)
    text = b"".join(b"x" * rng.integers(0, 9) + b"\n" for _ in range(20)) + b"y" * size
    monkeypatch.setattr(files, "_BLOCK_BYTES", size)
    source = put(tmp_path / "a.txt", text)
    blocks = list(source.blocks())
    assert b"".join(blocks) == text
    assert all(block.endswith(b"\n") for block in blocks[:-1])
    for j in range(len(blocks)):
        before = b"".join(blocks[:j])
        assert source.lines_within(len(before)) == before.count(b"\n")


def test_a_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    source = put(tmp_path / "a.txt", b"\xef\xbb\xbfone\n")
    assert source.text() == b"one\n"
    assert list(source.blocks()) == [b"one\n"]


def test_rows_are_located_by_line_without_blank_ones(tmp_path: Path) -> None:
    source = put(tmp_path / "a.txt", TEXT)
    lines = [source.locate(row).removeprefix(f"{source.path}, ") for row in range(4)]
    assert lines == ["line 1", "line 3", "line 4", "after line 4"]
    assert locate_by_number(Path("a.json"), "record")(0) == "a.json, record 1"


def test_a_missing_file_names_those_like_it(tmp_path: Path) -> None:
    for name in ("votes.csv", "systems.txt"):
        (tmp_path / name).write_text("x")
    (tmp_path / "vote.csv").mkdir()  # a folder is no file to read
    for name, message in (
        ("vots.csv", r"vots\.csv: no such file \(nearest: 'votes\.csv'\)$"),
        ("qrels.txt", r"no such file$"),
        ("none/votes.csv", r"no such file; there is no folder .*none$"),
        ("vote.csv", r"is a directory; give a file$"),
    ):
        with pytest.raises(DataError, match=message):
            Source.of(tmp_path / name).read()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (3, "^path=3: must be the path of a file$"),
        (None, "^path=None: must be"),
        (b"a", "must be the path of a file$"),
        ("", "^path='': must be the path of a file, and not empty$"),
        ("x" * 300, "is longer than the name of a file can be$"),
        ("a\0b", "holds characters that no name of a file can have$"),
        ("\ud800", "holds characters that no name of a file can have$"),
        ("-", "names no file here; write /dev/stdin or /dev/stdout$"),
    ],
)
def test_what_is_no_path(given: object, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Source.of(given)  # type: ignore[arg-type]


TABLES = {".csv": "csv", ".tsv": "tsv", ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl"}
TABLES |= {".parquet": "parquet", ".pq": "parquet"}


def to_write_a_table(path: Path) -> str:
    return format_to_write(path, trec=False)


@pytest.mark.parametrize(
    ("names", "find", "message"),
    [
        ("a.run.bz2", format_of, r"^a\.run\.bz2: only \.gz compression is supported, not \.bz2$"),
        ("a.zip", format_of, r"not \.zip$"),
        ("a.XLSX", format_of, r"the ending .\.xlsx. names .* \(save the sheet as CSV\); name the"),
        ("a.xml.gz", format_of, r"the ending '\.xml' names no format"),
        ("a a.owl a.gz", taxonomy_format_of, r"names no format of taxonomies; name the file \.csv"),
        ("a.xyz a.xyz.gz a.cvs a.md", format_to_write, r"no format to write; .* \.csv.*\.txt"),
        ("a a.txt a.run", to_write_a_table, r"no format to write; name the file \.csv.*\.pq$"),
    ],
)
def test_unsupported_formats(names: str, find: object, message: str) -> None:
    for name in names.split():
        with pytest.raises(DataError, match=message):
            find(Path(name))  # type: ignore[operator]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'{"a":\n 1,}', "^w, line 2, character [34]: is not JSON"),  # 3 from Python 3.13
        (b'{"a": 1, "b": {"c": 1, "c": 2}}', "^w: key 'c' occurs twice in one object$"),
        (b'"\xff"', "^w, line 1: byte 0xff is not UTF-8"),
        (b"[" * 100_000, "^w: is not JSON"),
    ],
)
def test_json_is_parsed_strictly(text: bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        parse_json(text, "w")
