"""Files that the command writes."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.read_tables import name_of, numbers, printed_tables

import fuzzytruth as ft
from fuzzytruth.cli.output import legible


def test_output_by_ending_and_saved_scores(run, folder: Path) -> None:
    common = ("evaluate", "qrels.txt", "a.run", "-m", "AP")
    starts = {"o.csv": "system,", "o.json": "[", "o.tex": "\\begin", "o.txt": "system "}
    starts |= {"o.md": "| system | AP |"}
    for name, start in starts.items():
        status, out, _ = run(*common, "-o", name)
        assert (status, out) == (0, "")
        assert (folder / name).read_text().startswith(start)
    run(*common, "-o", "o.csv.gz", "--format", "csv")
    assert gzip.decompress((folder / "o.csv.gz").read_bytes()).startswith(b"system,")
    run(*common, "--save", "s.parquet")
    saved = ft.Scores.load("s.parquet").values
    assert np.array_equal(saved, ft.evaluate("qrels.txt", "a.run", "AP").values)


def test_a_failed_output_leaves_what_was_there(
    run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "o.csv").write_text("old")
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "disk full")))
    status, _, err = run("evaluate", "qrels.txt", "a.run", "-o", "o.csv")
    assert (status, err) == (1, "error: o.csv: cannot be written (disk full)\n")
    assert (folder / "o.csv").read_text() == "old"
    assert not [p for p in folder.iterdir() if p.name.startswith(".")]


def child(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    call = [sys.executable, "-m", "fuzzytruth", *arguments]
    return subprocess.run(call, capture_output=True, env={**os.environ, **environment})


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_what_an_encoding_lacks_is_escaped(folder: Path, encoding: str) -> None:
    name = "Żółw–é\U0001f600"
    command = ("evaluate", "qrels.txt", f"{name}=a.run", "-m", "AP")
    for arguments in (command, ("measures",), ("demo",), ("displacement", "--help")):
        done = child(*arguments, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
        assert done.returncode == 0, done.stderr
        text = done.stdout.decode(encoding)
        assert text
    shown = child(*command, PYTHONIOENCODING=encoding).stdout.decode(encoding).splitlines()
    assert "\\ud83d\\ude00" in shown[2]
    (row,) = printed_tables("\n".join(shown))[0]
    assert name_of(row["system"]) == name.replace("–", "-")
    assert numbers(row["AP"])[0] == 0.792
    assert len(shown[2]) == len(shown[1])
    status = child(*command, "-o", "o.csv", PYTHONIOENCODING=encoding).returncode
    assert status == 0
    assert name in (folder / "o.csv").read_text(encoding="utf-8")
    out = child(*command, "--format", "json", PYTHONIOENCODING=encoding).stdout
    assert json.loads(out.decode(encoding))[0]["system"] == name


def test_lines_for_people_are_legible_in_any_encoding() -> None:
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert legible("a → b – é\x1b", file) == r"a -> b - \u00e9\x1b"
    assert legible("a → b – é\x1b", io.StringIO()) == r"a → b – é\x1b"


@pytest.fixture
def odd_name(folder: Path) -> str:
    """A system whose name has control characters."""
    name = "x\x1b[31m\r\ny"
    rows = pd.DataFrame({"query": "q1", "item": ["d1", "d3"], "system": name, "score": [2.0, 1]})
    rows.to_json("odd.json", orient="records")
    return name


@pytest.mark.parametrize("output_format", ["table", "latex"])
def test_control_characters_are_shown_escaped(run, odd_name: str, output_format: str) -> None:
    for command in ("evaluate", "compare"):
        status, out, err = run(command, "qrels.txt", "odd.json", "a.run", "--format", output_format)
        assert status == 0
        assert not {"\x1b", "\r"} & {*out, *err}
        escape = "\\" if output_format == "table" else r"\textbackslash{}"
        assert f"x{escape}x1b[31m{escape}r{escape}ny" in out
        assert r"x\x1b[31m\r\ny (1: q2)" in err


def test_files_for_programs_keep_control_characters(run, odd_name: str, folder: Path) -> None:
    for ending in ("csv", "json"):
        path = folder / f"scores.{ending}"
        options = ("-m", "AP,P@1", "--per-query", "-o", path.name)
        assert run("evaluate", "qrels.txt", "odd.json", "a.run", *options)[0] == 0
        assert set(ft.Scores.load(path).systems) == {odd_name, "a"}
        frame = pd.read_csv(path) if ending == "csv" else pd.read_json(path)
        assert set(frame["system"]) == {odd_name, "a"}
        status, out, _ = run("compare", path.name, "--format", ending)
        assert status == 0
        text = io.StringIO(out, newline="")
        frame = pd.read_csv(text) if ending == "csv" else pd.read_json(text)
        assert frame["system_a"].tolist() == [odd_name] * 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
def test_a_full_screen_or_file_is_named(folder: Path) -> None:
    evaluate = ("evaluate", "qrels.txt", "a.run", "-m", "AP")
    full = "No space left on device"
    with Path("/dev/full").open("wb") as screen:
        for arguments in (evaluate, (*evaluate, "--format", "csv"), ("measures",), ("--help",)):
            call = [sys.executable, "-m", "fuzzytruth", *arguments]
            done = subprocess.run(call, stdout=screen, stderr=subprocess.PIPE, text=True)
            assert (done.returncode, done.stderr) == (1, f"error: standard output: {full}\n")
    done = child(*evaluate, "-o", "/dev/full")
    assert done.returncode == 1
    assert done.stderr.decode() == f"error: /dev/full: cannot be written ({full})\n"


@pytest.mark.skipif(sys.platform == "win32", reason="closes a file descriptor in the shell")
def test_closed_streams(folder: Path) -> None:
    call = f"{sys.executable} -m fuzzytruth evaluate qrels.txt"
    for closed in (">&-", "2>&-", ">&- 2>&-"):
        for file, status in (("a.run", 0), ("none.run", 1)):
            done = subprocess.run(f"{call} {file} {closed}", shell=True, capture_output=True)
            assert done.returncode == status
            assert b"Traceback" not in done.stderr
