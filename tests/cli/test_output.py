"""Files that the command writes."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stdout, suppress
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.read_tables import name_of, numbers, printed_tables

import fuzzytruth as ft
from fuzzytruth.cli.app import main
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


def shown_in(encoding: str, *arguments: str) -> str:
    """What the command shows on a screen of this encoding, in this process."""
    screen = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    with redirect_stdout(screen), pytest.raises(SystemExit) as stop:
        main(arguments)
    assert not stop.value.code
    screen.flush()
    return screen.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]


NAME = "Żółw–é\U0001f600"
EVALUATE_NAME = ("evaluate", "qrels.txt", f"{NAME}=a.run", "-m", "AP")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_what_an_encoding_lacks_is_escaped(folder: Path, encoding: str) -> None:
    for arguments in (("measures",), ("displacement", "--help")):
        assert shown_in(encoding, *arguments)
    shown = shown_in(encoding, *EVALUATE_NAME).splitlines()
    assert "\\ud83d\\ude00" in shown[2]
    (row,) = printed_tables("\n".join(shown))[0]
    assert name_of(row["system"]) == NAME.replace("–", "-")
    assert numbers(row["AP"])[0] == 0.792
    assert len(shown[2]) == len(shown[1])
    assert shown_in(encoding, *EVALUATE_NAME, "-o", "o.csv") == ""
    assert NAME in (folder / "o.csv").read_text(encoding="utf-8")
    out = shown_in(encoding, *EVALUATE_NAME, "--format", "json")
    assert json.loads(out)[0]["system"] == NAME


def test_the_demo_in_ascii() -> None:
    assert "best: " in shown_in("ascii", "demo")


def test_the_encoding_of_the_environment_counts(folder: Path) -> None:
    """Once in a process of its own, whose streams Python makes: the same bytes."""
    done = child(*EVALUATE_NAME, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode("ascii") == shown_in("ascii", *EVALUATE_NAME)


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


needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
FULL = "No space left on device"


@needs_full
@pytest.mark.parametrize("buffering", [1, -1])
@pytest.mark.parametrize(
    "more", [("evaluate", "qrels.txt", "a.run", "-m", "AP"), ("measures",), ("--help",)]
)
def test_a_full_screen_is_named(
    run, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...], buffering: int
) -> None:
    """Whether a stream is full at its first line or when it is flushed."""
    with suppress(OSError), Path("/dev/full").open("w", buffering=buffering) as screen:
        monkeypatch.setattr(sys, "stdout", screen)
        assert run(*more)[::2] == (1, f"error: standard output: {FULL}\n")


@needs_full
def test_a_full_screen_of_a_process_and_a_full_file(run, folder: Path) -> None:
    evaluate = ("evaluate", "qrels.txt", "a.run", "-m", "AP")
    call = [sys.executable, "-m", "fuzzytruth", *evaluate, "--format", "csv"]
    with Path("/dev/full").open("wb") as screen:
        done = subprocess.run(call, stdout=screen, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (1, f"error: standard output: {FULL}\n")
    status, _, err = run(*evaluate, "-o", "/dev/full")
    assert (status, err) == (1, f"error: /dev/full: cannot be written ({FULL})\n")


@pytest.mark.parametrize(("file", "status"), [("a.run", 0), ("none.run", 1)])
@pytest.mark.parametrize("closed", [("stdout",), ("stderr",), ("stdout", "stderr")])
def test_streams_that_python_lacks(
    folder: Path, monkeypatch: pytest.MonkeyPatch, closed: tuple[str, ...], file: str, status: int
) -> None:
    """Of a closed descriptor, Python makes no stream."""
    for name in closed:
        monkeypatch.setattr(sys, name, None)
    with pytest.raises(SystemExit) as stop:
        main(["evaluate", "qrels.txt", file])
    assert (stop.value.code or 0) == status


@pytest.mark.skipif(sys.platform == "win32", reason="closes a file descriptor in the shell")
def test_closed_streams(folder: Path) -> None:
    call = f"{sys.executable} -m fuzzytruth evaluate qrels.txt none.run >&- 2>&-"
    assert subprocess.run(call, shell=True).returncode == 1
    done = subprocess.run(call.removesuffix(" 2>&-"), shell=True, capture_output=True)
    assert (done.returncode, done.stderr) == (1, b"error: none.run: no such file\n")
