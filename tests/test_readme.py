"""What README.md and docs/guide/comparing.md show must run."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from support.example_files import write_example_files

HOME = Path(__file__).parent.parent
README = (HOME / "README.md").read_text(encoding="utf-8")
COMPARING = (HOME / "docs" / "guide" / "comparing.md").read_text(encoding="utf-8")


def blocks(language: str, text: str = README) -> str:
    return "\n".join(re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the examples name."""
    write_example_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_python_blocks_run(folder: Path) -> None:
    # In a process of its own, for they register a measure.
    done = run("-c", blocks("python"))
    assert done.returncode == 0, done.stderr
    assert (folder / "scores.parquet").exists()


def test_comparing_runs_and_says_what_it_shows() -> None:
    show = "\nprint(result.to_frame().loc[5, 'p_adjusted'])"
    done = run("-W", "ignore", "-c", blocks("python", COMPARING) + show)
    assert done.returncode == 0, done.stderr
    shown = " ".join(line.removeprefix("# ") for line in COMPARING.splitlines())
    first = next(line for line in done.stdout.splitlines() if "adjusted p = 0.0098)" in line)
    assert "is significantly better than" in first
    assert first in shown
    assert done.stdout.splitlines()[-1] == "0.0098"


COMMANDS = [line.removeprefix("$ ") for line in blocks("console").splitlines()]


def test_commands_were_found() -> None:
    assert len(COMMANDS) >= 8
    assert all(command.startswith("fuzzytruth ") for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_run(folder: Path, command: str) -> None:
    words = shlex.split(command)
    before = contents(folder)
    done = run("-m", *words)
    assert done.returncode == 0, done.stderr
    changed = [path for path, text in contents(folder).items() if before.get(path) != text]
    assert done.stdout.strip() or changed
    if "-o" in words:
        assert folder / words[words.index("-o") + 1] in changed
