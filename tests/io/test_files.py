"""Opening files: contents whole or in blocks, places of rows, and one error for each failure."""

from __future__ import annotations

import gzip
import os
import threading
from pathlib import Path

import numpy as np
import pytest

from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.io import files
from fuzzytruth.io.files import Source, locate_by_number

TEXT = b"one\n\n  two \r\nthree"


def put(path: Path, data: bytes) -> Source:
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return Source.of(path)


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "A.TXT.GZ"])
def test_contents(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(TEXT) if name.lower().endswith("gz") else TEXT)
    source = Source.of(path)
    assert source.read() == source.text() == TEXT
    assert list(source.blocks()) == [b"one\n\n  two \r\n", b"three"]
    assert source.size == (len(TEXT) if name == "a.txt" else None)


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
@pytest.mark.parametrize("seed", range(5))
def test_blocks_are_whole_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    text = b"".join(b"x" * rng.integers(0, 9) + b"\n" for _ in range(20)) + b"y" * seed
    monkeypatch.setattr(files, "_BLOCK_BYTES", size)
    source = put(tmp_path / "a.txt", text)
    blocks = list(source.blocks())
    assert b"".join(blocks) == text
    assert all(block.endswith(b"\n") for block in blocks[:-1])
    for j in range(len(blocks)):
        assert source.lines_within(sum(map(len, blocks[:j]))) == sum(
            block.count(b"\n") for block in blocks[:j]
        )


def test_a_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    source = put(tmp_path / "a.txt", b"\xef\xbb\xbfone\n")
    assert source.text() == b"one\n"
    assert list(source.blocks()) == [b"one\n"]


def test_rows_are_located_by_line_without_blank_ones(tmp_path: Path) -> None:
    source = put(tmp_path / "a.txt", TEXT)
    lines = [source.locate(row).removeprefix(f"{source.path}, ") for row in range(4)]
    assert lines == ["line 1", "line 3", "line 4", "after line 4"]
    assert locate_by_number(Path("a.json"), "record")(0) == "a.json, record 1"


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.txt", b" \n", "the file is empty"),
        ("a.txt", b"a\0b", "is not a text file"),
        ("a.gz", b"plain", "is not a valid gzip file"),
        ("a.gz", gzip.compress(TEXT, mtime=0)[:12], "the compressed data end too early"),
    ],
)
def test_bad_contents(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(DataError, match=message) as caught:
        Source.of(path).text()
    assert str(caught.value).startswith(str(path))


def test_bad_paths(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        Source.of(tmp_path / "none").read()
    with pytest.raises(DataError, match=r"is a directory; give a file$"):
        Source.of(tmp_path)
    for path in ("", "-", 3):
        with pytest.raises(OptionError, match=r"^path="):
            Source.of(path)  # type: ignore[arg-type]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(TEXT,))
    writer.start()
    source = Source.of(path)
    writer.join()
    assert source.read() == source.read() == TEXT
    assert source.size is None
    assert source.locate(1) == f"{path}, line 3"


def test_a_missing_file_names_those_like_it(tmp_path: Path) -> None:
    for name in ("votes.csv", "systems.txt"):
        (tmp_path / name).write_text("x")
    (tmp_path / "vote.csv").mkdir()  # a folder is no file to read
    with pytest.raises(DataError, match=r"vots\.csv: no such file \(nearest: 'votes\.csv'\)$"):
        Source.of(tmp_path / "vots.csv").read()
    with pytest.raises(DataError, match=r"no such file$"):
        Source.of(tmp_path / "qrels.txt").read()
    with pytest.raises(DataError, match=r"no such file; there is no folder .*none$"):
        Source.of(tmp_path / "none" / "votes.csv").read()
