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
    assert out.splitlines()[-1].split()[0] == "x=y"


@pytest.mark.parametrize("command", ["evaluate", "compare", "displacement"])
def test_names_by_tag(run, folder: Path, command: str) -> None:
    """Without --name tag, the names of files."""
    (folder / "lists.csv").write_text(
        "query,item,subject,grade\nq1,d1,ann,1\nq1,d2,bob,1\nq2,d1,ann,1\n"
    )
    for name, tag in (("new", "a"), ("old", "b")):
        (folder / f"{name}.run").write_text(A.replace(" a\n", f" tag-{tag}\n"))
    truth = "lists.csv" if command == "displacement" else "qrels.txt"
    for option, names in ((), ("new", "old")), (("--name", "tag"), ("tag-a", "tag-b")):
        status, out, _ = run(command, truth, "new.run", "old.run", *option, "--format", "csv")
        assert status == 0
        assert all(name in out for name in names)
    status, _, err = run(command, truth, "x=new.run", "y=old.run", "--name", "tag")
    assert status == 1
    assert "--name tag: every run is named by NAME=FILE" in err


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
    assert status == 1
    assert err.splitlines()[-1].startswith("error: ")
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before
