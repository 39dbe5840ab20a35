"""What README.md, the tour, the page of the command line and comparing.md show must run."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib import __version_info__, image
from support.example_files import write_example_files

HOME = Path(__file__).parent.parent
README = (HOME / "README.md").read_text(encoding="utf-8")
TOUR = (HOME / "docs" / "guide" / "python_tour.md").read_text(encoding="utf-8")
COMMAND_LINE = (HOME / "docs" / "guide" / "command_line.md").read_text(encoding="utf-8")
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


def test_python_blocks_print_what_is_shown(folder: Path) -> None:
    """All blocks of README as one program; the text below a block is what it prints."""
    parts = re.findall(r"^```python\n(.*?)^```(?:\s+```text\n(.*?)^```)?", README, re.S | re.M)
    assert len(parts) >= 3
    end = "-- end of a block --"
    done = run("-W", "ignore", "-c", "".join(f"{code}\nprint({end!r})\n" for code, _ in parts))
    assert done.returncode == 0, done.stderr
    printed = done.stdout.split(f"{end}\n")[:-1]
    expected = [shown for _, shown in parts]
    assert sum(map(bool, expected)) >= 2
    assert list(map(stripped, printed)) == list(map(stripped, expected))


def stripped(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines()]


def test_the_tour_runs(folder: Path) -> None:
    # In a process of its own, for it registers a measure.
    done = run("-c", blocks("python", TOUR))
    assert done.returncode == 0, done.stderr
    assert (folder / "scores.parquet").exists()


def test_the_first_screen() -> None:
    """One picture, the two commands and the example come before the first heading."""
    first = README.partition("\n## ")[0]
    assert "](docs/pictures/readme.png)" in first
    assert "make demo" in first
    assert "make test" in first
    assert len(blocks("python", first).splitlines()) == 6
    assert "significant" in first


def test_links_of_readme_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", README):
        assert (HOME / target).exists(), target


@pytest.mark.skipif(__version_info__ < (3, 11), reason="Matplotlib 3.10 draws letters otherwise")
def test_the_picture_is_drawn_by_its_script(tmp_path: Path) -> None:
    pictures = HOME / "docs" / "pictures"
    done = run(str(pictures / "readme.py"), str(tmp_path / "readme.png"))
    assert done.returncode == 0, done.stderr
    drawn, committed = (image.imread(path / "readme.png") for path in (tmp_path, pictures))
    assert drawn.shape == committed.shape
    assert np.mean(np.abs(drawn - committed)) < 0.01


def test_comparing_runs_and_says_what_it_shows() -> None:
    show = "\nprint(result.to_frame().loc[5, 'p_adjusted'])"
    done = run("-W", "ignore", "-c", blocks("python", COMPARING) + show)
    assert done.returncode == 0, done.stderr
    shown = " ".join(line.removeprefix("# ") for line in COMPARING.splitlines())
    first = next(line for line in done.stdout.splitlines() if "adjusted p = 0.0098)" in line)
    assert "is significantly better than" in first
    assert first in shown
    assert done.stdout.splitlines()[-1] == "0.0098"


SHOWN = blocks("console", README + COMMAND_LINE).splitlines()
COMMANDS = list(dict.fromkeys(line.removeprefix("$ ") for line in SHOWN if line))


def test_commands_were_found() -> None:
    assert len(COMMANDS) >= 20
    assert all(command.startswith("fuzzytruth ") for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_run(folder: Path, command: str) -> None:
    words = shlex.split(command)
    before = contents(folder)
    done = run("-m", *words)
    assert done.returncode == 0, done.stderr
    changed = [path for path, text in contents(folder).items() if before.get(path) != text]
    assert done.stdout.strip() or changed
    for flag in {"-o", "--figure"} & {*words}:
        assert folder / words[words.index(flag) + 1] in changed
