"""A folder with small files, and the command run in it."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import LABELS, QRELS, TREE, VOTES, A, B

from fuzzytruth.cli.app import main

Ended = tuple[int, str, str]
Run = Callable[..., Ended]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {"qrels.txt": QRELS, "a.run": A, "b.run": B, "votes.csv": VOTES}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a line, and words as they are, in this process: exit status, stdout, stderr."""

    def call(line: str = "", *words: str) -> Ended:
        with pytest.raises(SystemExit) as stop:
            main((*shlex.split(line), *words))
        shown = capsys.readouterr()
        return int(stop.value.code or 0), shown.out, shown.err

    return call


@pytest.fixture
def printed(run: Run) -> Callable[..., str]:
    """What a line prints that succeeds; its warnings do not matter."""

    def call(line: str, *words: str) -> str:
        status, out, err = run(line, *words)
        assert status == 0, err
        return out

    return call


@pytest.fixture
def records(printed: Callable[..., str]) -> Callable[..., list[dict[str, Any]]]:
    """Rows of the table that a line prints as JSON."""
    return lambda line, *words: json.loads(printed(line, *words, "--format", "json"))


@pytest.fixture
def error(run: Run) -> Callable[..., tuple[int, str]]:
    """Exit status and message of a line that fails: one line on standard error, and no output."""

    def call(line: str, *words: str) -> tuple[int, str]:
        status, out, err = run(line, *words)
        errors = [one for one in err.splitlines() if one.startswith("error: ")]
        others = [one for one in err.splitlines() if not one.startswith(("warning: ", "note: "))]
        assert (out, errors, len(errors)) == ("", others, 1), err
        return status, errors[0].removeprefix("error: ")

    return call


@pytest.fixture
def categories(folder: Path) -> None:
    (folder / "tree.txt").write_text(TREE)
    (folder / "labels.csv").write_text(LABELS)
    (folder / "like.run").write_text("i1 Q0 i1 1 3.0 x\ni1 Q0 i2 2 2.0 x\ni2 Q0 i1 1 1.0 x\n")
