"""Files that the command reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import A


def test_runs_by_name_and_pattern(run, folder: Path) -> None:
    _, out, _ = run("evaluate", "qrels.txt", "*.run", "-m", "AP")
    assert [line.split()[0] for line in out.splitlines()[2:]] == ["a", "b"]
    _, out, _ = run("evaluate", "qrels.txt", "new=a.run", "b.run", "-m", "AP")
    assert {line.split()[0] for line in out.splitlines()[2:]} == {"new", "b"}
    (folder / "x=y.run").write_text(A)
    _, out, _ = run("evaluate", "qrels.txt", "x=y.run", "-m", "AP")
    assert out.splitlines()[-1].split()[0] == "a"


@pytest.mark.parametrize(
    "arguments",
    [
        ("a.run", "-o", "qrels.txt"),
        ("a.run", "-o", "./a.run"),
        ("new=a.run", "--save", "a.run"),
        ("*.run", "-o", "a.run"),
        ("a.run", "-o", "z.csv", "--save", "z.csv"),
        ("a.run", "-o", "."),
    ],
)
def test_nothing_that_is_read_is_written_over(run, folder: Path, arguments) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    status, _, err = run("evaluate", "qrels.txt", *arguments, "-m", "AP")
    assert status == (1 if "." in arguments else 2)  # a folder that cannot be written
    assert err.splitlines()[-1].startswith("error: ")
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before
