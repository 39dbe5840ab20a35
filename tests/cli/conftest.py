"""A folder with small files, and the command run in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import LABELS, QRELS, TREE, VOTES, A, B

from fuzzytruth.cli.app import main


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {"qrels.txt": QRELS, "a.run": A, "b.run": B, "votes.csv": VOTES}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    """Run the command in this process: exit status, stdout, stderr."""

    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main(arguments)
        shown = capsys.readouterr()
        return stop.value.code or 0, shown.out, shown.err

    return call


@pytest.fixture
def categories(folder: Path) -> None:
    (folder / "tree.txt").write_text(TREE)
    (folder / "labels.csv").write_text(LABELS)
    (folder / "like.run").write_text("i1 Q0 i1 1 3.0 x\ni1 Q0 i2 2 2.0 x\ni2 Q0 i1 1 1.0 x\n")
