"""Files appear whole or not at all, and hold what they were given."""

from __future__ import annotations

import csv
import errno
import gzip
import io
import json
import os
import stat
from pathlib import Path

import pandas as pd
import pytest

from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.io.writing import csv_text, write_frame, write_judgments, write_runs, write_whole

FRAME = pd.DataFrame({"item": ["007", 'a"b', "c\rd", "é"], "value": [0.1 + 0.2, -0.0, 1e300, 3.0]})


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
def test_contents_and_permissions(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    mask = os.umask(0o027)
    try:
        write_whole(path, lambda file: file.write(b"one"))
    finally:
        os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o604)
    write_whole(path, lambda file: file.write(b"two"))
    data = path.read_bytes()
    assert (gzip.decompress(data) if name.endswith("gz") else data) == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert list(tmp_path.iterdir()) == [path]


def test_compressed_files_are_reproducible(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        write_whole(tmp_path / name, lambda file: file.write(b"x" * 100))
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_links_are_followed(tmp_path: Path) -> None:
    path, link = tmp_path / "a.txt", tmp_path / "link.txt"
    path.write_text("old")
    link.symlink_to(path)
    write_whole(link, lambda file: file.write(b"new"))
    assert link.is_symlink()
    assert path.read_text() == "new"


def test_nothing_is_left_of_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")

    def fail(file: object) -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_whole(path, fail)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is a directory; give the name of a file"):
        write_whole(tmp_path, lambda file: None)
    with pytest.raises(DataError, match="cannot be written"):
        write_whole(tmp_path / "no" / "a.txt", lambda file: None)


def test_a_device_is_written_to_directly() -> None:
    write_whole(Path("/dev/null"), lambda file: file.write(b"x"))
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl", "parquet"])
def test_frames_keep_every_digit_and_character(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    write_frame(FRAME, path)
    match ending:
        case "json":
            back = pd.DataFrame(json.loads(path.read_text()))
        case "jsonl":
            back = pd.DataFrame([json.loads(line) for line in path.read_text().split("\n") if line])
        case "parquet":
            back = pd.read_parquet(path)
        case _:
            with path.open(newline="") as file:
                rows = list(csv.DictReader(file, delimiter="\t" if ending == "tsv" else ","))
            back = pd.DataFrame(rows).astype({"value": float})
    assert back["item"].tolist() == FRAME["item"].tolist()
    assert back["value"].tolist() == FRAME["value"].tolist()


def test_trec_lines(tmp_path: Path) -> None:
    judgments = pd.DataFrame({"query": ["q"], "item": ["a"], "grade": [2.0]})
    write_judgments(judgments, tmp_path / "q.txt")
    assert (tmp_path / "q.txt").read_text() == "q 0 a 2\n"
    write_judgments(judgments.assign(subject="s", grade=0.5), tmp_path / "q.txt")
    assert (tmp_path / "q.txt").read_text() == "q s a 0.5\n"
    runs = judgments.drop(columns="grade").assign(system="s", rank=1, score=2.0)
    write_runs(runs, tmp_path / "a.run")
    assert (tmp_path / "a.run").read_text() == "q Q0 a 1 2.0 s\n"
    assert list(judgments) == ["query", "item", "grade"]


@pytest.mark.parametrize("column", ["intent", "position"])
def test_trec_judgments_have_no_place_for_other_columns(tmp_path: Path, column: str) -> None:
    frame = pd.DataFrame({"query": ["q"], "item": ["a"], "grade": [1.0], column: ["1"]})
    with pytest.raises(DataError, match=f"a TREC file has no place for {column}s; write .csv"):
        write_judgments(frame, tmp_path / "q.txt")
    write_judgments(frame, tmp_path / "q.csv")
    assert column in (tmp_path / "q.csv").read_text()


def test_other_refusals(tmp_path: Path) -> None:
    frame = pd.DataFrame({"query": ["q"], "item": ["a"], "grade": [1.0], "probability": [0.5]})
    with pytest.raises(DataError, match=r"no place for probabilities; .*aggregate\('mean'\)"):
        write_judgments(frame, tmp_path / "q.txt")
    spaced = frame.drop(columns="probability").assign(item="my doc")
    with pytest.raises(DataError, match="item 'my doc' has white space in it"):
        write_judgments(spaced, tmp_path / "q.txt")
    with pytest.raises(DataError, match=r"subject 'Ann B\.' has white space in it"):
        write_judgments(spaced.assign(item="a", subject="Ann B."), tmp_path / "q.txt")
    runs = pd.DataFrame({"system": ["s", "t"], "query": "q", "item": "a", "rank": 1, "score": 1.0})
    with pytest.raises(DataError, match="a TREC run file holds one system, not 2"):
        write_runs(runs, tmp_path / "a.run")
    assert not list(tmp_path.iterdir())


def test_csv_as_text_keeps_every_character() -> None:
    names = ["a\rb", "c\nd", 'e"f', "g,h", "i\r\nj", " k ", "\x1b[31m", "=1+1"]
    frame = pd.DataFrame({"name": names, "flag": True, "value": [0.1 + 0.2, *range(7)]})
    text = csv_text(frame)
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["name"] for row in rows] == names
    pd.testing.assert_frame_equal(pd.read_csv(io.StringIO(text, newline="")), frame)
    assert csv_text(frame[2:4]).startswith("name,flag,value\n")


def test_a_full_disk_is_named_and_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("old")

    def full(file: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(DataError, match=r"a\.csv: cannot be written \(No space left on device\)"):
        write_whole(path, full)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
def test_a_full_device_is_named() -> None:
    with pytest.raises(DataError, match=r"/dev/full: cannot be written \(No space left"):
        write_whole(Path("/dev/full"), lambda file: file.write(b"x" * 100_000))


def test_names_as_long_as_the_system_takes(tmp_path: Path) -> None:
    path = tmp_path / ("é" * 125 + ".csv")
    write_whole(path, lambda file: file.write(b"one"))
    assert path.read_bytes() == b"one"
    with pytest.raises(OptionError, match=r"is longer than the name of a file can be$"):
        write_whole(tmp_path / ("é" * 150), lambda file: None)


def test_a_circle_of_links_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(DataError, match="cannot be written"):
        write_whole(tmp_path / "a", lambda file: file.write(b"x"))
