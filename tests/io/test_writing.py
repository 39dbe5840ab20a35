"""Files appear whole or not at all, and hold what they were given."""

import csv
import errno
import io
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd
import pytest

from fuzzytruth.errors import DataError, FuzzytruthError
from fuzzytruth.io import writing
from fuzzytruth.io.writing import (
    csv_text,
    own_prefix,
    remove_all,
    removed,
    temporary_folder,
    write_frame,
    write_whole,
)

FRAME = pd.DataFrame({"item": ["007", 'a"b', "c\rd", "é"], "value": [0.1 + 0.2, -0.0, 1e300, 3.0]})


@pytest.mark.parametrize(
    ("error", "raised", "message"),
    [
        (RuntimeError("x"), RuntimeError, "^x$"),
        (OSError(errno.ENOSPC, "full"), DataError, r"a\.txt: cannot be written \(full\)"),
    ],
)
def test_nothing_is_left_of_a_failure(
    tmp_path: Path, error: Exception, raised: type[Exception], message: str
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")

    def fail(file: object) -> None:
        raise error

    with pytest.raises(raised, match=message):
        write_whole(path, fail)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    for path, message in (
        (tmp_path, "is a directory; give the name of a file"),
        (tmp_path / "no" / "a.txt", "cannot be written"),
        (tmp_path / "a", "cannot be written"),
        (tmp_path / ("é" * 150), "is longer than the name of a file can be$"),
    ):
        with pytest.raises(FuzzytruthError, match=message):
            write_whole(path, lambda file: file.write(b"x"))
    longest = tmp_path / ("é" * 125 + ".csv")
    write_whole(longest, lambda file: file.write(b"one"))
    assert longest.read_bytes() == b"one"


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


def test_csv_as_text_keeps_every_character() -> None:
    names = ["a\rb", "c\nd", 'e"f', "g,h", "i\r\nj", " k ", "\x1b[31m", "=1+1"]
    frame = pd.DataFrame({"name": names, "flag": True, "value": [0.1 + 0.2, *range(7)]})
    text = csv_text(frame)
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["name"] for row in rows] == names
    pd.testing.assert_frame_equal(pd.read_csv(io.StringIO(text, newline="")), frame)
    assert csv_text(frame[2:4]).startswith("name,flag,value\n")


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, SystemExit])
def test_a_folder_goes_with_what_it_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(error), temporary_folder() as folder:  # noqa: PT012
        (folder / "a").write_text("x")
        assert folder.parent == tmp_path
        raise error
    assert list(tmp_path.iterdir()) == []


def test_all_are_removed_at_once(tmp_path: Path) -> None:
    paths = [tmp_path / "a", tmp_path / "b"]
    paths[0].write_text("x")
    paths[1].mkdir()
    (paths[1] / "c").write_text("y")
    with removed(paths[0]), removed(paths[1]):
        remove_all()
        assert list(tmp_path.iterdir()) == []
    paths[0].write_text("new")
    remove_all()
    assert paths[0].exists()


def ended() -> int:
    """The id of a process that no longer runs."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


@pytest.mark.skipif(os.name != "posix", reason="elsewhere, nothing is removed")
def test_only_what_an_ended_process_of_this_host_left_is_removed(tmp_path: Path) -> None:
    own = own_prefix(tmp_path, ".fuzzytruth.")
    assert platform.node().split(".")[0] in own
    host = own.removesuffix(f"{os.getpid()}.")
    other = host.replace(".fuzzytruth.", ".fuzzytruth.other-")
    kept = [
        f"{own}ab_1",  # of this process
        f"{host}{os.getppid()}.ab_1",
        f"{other}{ended()}.ab_1",
        f"{host}{ended()}",
        f"{host}{ended()}.ab.csv",
        f"{host}1{'0' * 30}.ab_1",
        f"x{host}{ended()}.ab_1",
        ".fuzzytruth.ab_1",
    ]
    for name in (*kept, f"{host}{ended()}.ab_1", f"{host}{ended()}.cd_2"):
        (tmp_path / name).write_text("x")
    assert own_prefix(tmp_path, "fuzzytruth-") == own.replace(".fuzzytruth.", "fuzzytruth-")
    assert len([*tmp_path.iterdir()]) == len(kept) + 2
    assert own_prefix(tmp_path, ".fuzzytruth.") == own
    assert {path.name for path in tmp_path.iterdir()} == {*kept}
    assert own_prefix(tmp_path / "none", ".fuzzytruth.") == own


@pytest.mark.skipif(os.name != "posix", reason="elsewhere, nothing is removed")
def test_folders_of_ended_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    host = own_prefix(tmp_path, "fuzzytruth-").removesuffix(f"{os.getpid()}.")
    left = tmp_path / f"{host}{ended()}.ab_1"
    left.mkdir()
    (left / "part").write_text("x")
    with temporary_folder() as folder:
        assert [*tmp_path.iterdir()] == [folder]


def test_no_process_is_asked_where_that_would_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def end(*_: int) -> None:
        raise AssertionError

    with monkeypatch.context() as patched:
        patched.setattr(os, "name", "nt")
        patched.setattr(os, "kill", end)
        assert not writing._has_ended(1)
