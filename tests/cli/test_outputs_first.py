"""Outputs that cannot be written are refused before anything is read or computed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import typer

from fuzzytruth.cli.commands import app

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
#: arguments of each command that writes files; no such files exist
TYPED = {
    "evaluate": "none.txt none.run",
    "membership": "none.csv --item x",
    "displacement": "none.csv none.run --unseen optimist --unseen pessimist -N 9",
    "image-text": "none.npy",
    "compare": "none.csv none.run",
    "gate": "none.csv none.run --margin .1",
    "agreement": "none.csv --by pair",
    "analyse": "none.csv none.run",
    "report": "none.csv none.run",
    "judges": "none.csv none2.csv",
    "annotate-next": "none.csv none.run -m AP",
    "plan": "none.csv none.run",
}
ENDINGS = {"--output": "csv", "--figure": "png", "--save": "parquet"}
CASES = [
    (name, flag)
    for name, command in COMMANDS.items()
    for flag in ENDINGS
    if any(flag in option.opts for option in command.params)
]


def named(command: str, flag: str, stem: str) -> str:
    ending = "html" if command == "report" else ENDINGS[flag]
    return f"{stem}.{'json' if command == 'gate' else ending}"


def call(command: str, flag: str, name: str) -> tuple[str, ...]:
    words = TYPED[command].split()
    if command == "membership" and flag == "--output":
        words = words[:1]
    return (command, *words, flag, name)


def test_every_command_that_writes_is_tried() -> None:
    assert {name for name, _ in CASES} == set(TYPED)
    assert len(CASES) >= 20


@pytest.mark.parametrize(("command", "flag"), CASES)
def test_a_folder_that_does_not_exist(run, command: str, flag: str) -> None:
    name = named(command, flag, "nodir/x")
    status, out, err = run(*call(command, flag, name))
    assert (status, out) == (1, "")
    assert err == (
        f"error: {name}: cannot be written (there is no folder nodir); make the folder first, or "
        "name another\n"
    )


@pytest.mark.parametrize(("command", "flag"), CASES)
def test_a_directory(run, folder: Path, command: str, flag: str) -> None:
    name = named(command, flag, "x")
    (folder / name).mkdir()
    status, out, err = run(*call(command, flag, name))
    assert (status, out) == (1, "")
    assert err == f"error: {name}: is a directory; give the name of a file\n"


@pytest.mark.parametrize(("command", "flag"), CASES)
def test_an_unknown_ending(run, command: str, flag: str) -> None:
    if command == "gate":
        pytest.skip("the verdict is text in a file of any name")
    status, out, err = run(*call(command, flag, "x.docx"))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "x.docx" in err
    assert "name the file" in err


def test_a_folder_without_permission(run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "locked").mkdir()
    asked = os.access
    monkeypatch.setattr(
        os, "access", lambda path, mode: Path(path).name != "locked" and asked(path, mode)
    )
    status, out, err = run("compare", "none.csv", "none.run", "--figure", "locked/x.png")
    assert (status, out) == (1, "")
    assert err == "error: locked/x.png: cannot be written (no permission); name another folder\n"


def test_conversions(run, folder: Path) -> None:
    for target in ("nodir/out.csv", "nodir/{system}.run"):
        status, _, err = run("convert", "none.csv", target)
        assert (status, "no folder nodir" in err) == (1, True)
    (folder / "a").mkdir()
    assert run("convert", "a.run", "{system}/out.run")[0] == 0


def test_files_that_can_be_written(run, folder: Path) -> None:
    (folder / "old.csv").write_text("old")
    (folder / "link.csv").symlink_to("old.csv")
    for name in ("old.csv", "link.csv", "/dev/null"):
        more = ("--format", "csv") if name == "/dev/null" else ()
        assert run("evaluate", "qrels.txt", "a.run", "-o", name, *more)[0] == 0
    assert (folder / "link.csv").is_symlink()
    assert (folder / "old.csv").read_text().startswith("system,")
