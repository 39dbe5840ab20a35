"""Exit status, one-line errors, help and version of the command."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer

import fuzzytruth as ft
import fuzzytruth.cli.commands
from fuzzytruth.cli.derive import MODULES


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("evaluate", "nope.txt", "a.run"), ["nope.txt"]),
        (("evaluate", "qrels.txt", "nope.run"), ["nope.run"]),
        (("evaluate", "qrels.txt", "no*.run"), ["no*.run", "no file"]),
        (("evaluate", "qrels.txt", "a.run", "a.run"), ["'a'"]),
        (("evaluate", "qrels.txt", "a=b.run", "a.run"), ["'a'"]),
        (("evaluate", "qrels.txt", "a.run", "-o", "no/where.csv"), ["where.csv", "written"]),
        (("evaluate", "bad.txt", "a.run"), ["bad.txt", "2", "x"]),
        (("convert", "bad.bin", "out.csv"), ["bad.bin"]),
        (("convert", "qrels.txt", "no/where.csv"), ["where.csv"]),
    ],
)
def test_data_errors_are_one_line_and_status_1(
    run, folder: Path, arguments: tuple[str, ...], words: list[str]
) -> None:
    (folder / "bad.txt").write_text("q1 0 d1 1\nq1 0 d2 x\n")
    (folder / "bad.bin").write_bytes(bytes(range(256)))
    check_error(run(*arguments), 1, words)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("evaluate", "qrels.txt", "a.run", "-m", "ndgc"), ["ndgc", "nDCG"]),
        (("evaluate", "qrels.txt", "a.run", "-m", "P@0"), ["P@0", "from 1"]),
        (("evaluate", "qrels.txt", "a.run", "-m", ""), ["no measure given"]),
        (("evaluate", "qrels.txt", "a=a.run", "a=b.run"), ["twice"]),
        (("evaluate", "qrels.txt", "=a.run"), ["NAME=FILE"]),
        (("evaluate", "qrels.txt", "a.run", "--worlds", "subject"), ["--worlds subject"]),
        (("evaluate", "votes.csv", "a.run", "--n-worlds", "0"), ["--n-worlds 0: must be"]),
        (("evaluate", "votes.csv", "a.run", "--n-jobs", "0"), ["--n-jobs 0: must be"]),
        (("evaluate", "votes.csv", "a.run", "--seed", "-1"), ["--seed -1: must be"]),
        (("compare", "qrels.txt", "a.run", "b.run", "--level", "2"), ["--level 2.0: must lie"]),
        (("compare", "qrels.txt", "a.run", "b.run", "--over", "quer"), ["--over quer: must be"]),
        (("compare", "qrels.txt", "a.run", "b.run", "--over", ""), ["--over '': must be"]),
        (("compare", "qrels.txt", "a.run", "b.run", "--rope", "-1"), ["--rope -1.0: must not"]),
        (
            ("compare", "qrels.txt", "a.run", "b.run", "--correction", "holm", "--null=complete"),
            [
                "--null complete",
                "leave out --correction and --across-measures, and use --over query",
            ],
        ),
        (("displacement", "lists.csv", "a.run", "-N0"), ["--collection-size 0: the size"]),
        (("convert", "qrels.txt", "{system}.run"), ["{system}"]),
        (("convert", "both.json", "out.csv"), ["--kind"]),
    ],
)
def test_wrong_options_are_one_line_and_status_2(
    run, folder: Path, arguments: tuple[str, ...], words: list[str]
) -> None:
    (folder / "both.json").write_text('{"q1": {"d1": 1}}')
    check_error(run(*arguments), 2, words)


def check_error(ended: tuple[int, str, str], expected: int, words: list[str]) -> None:
    """One line on stderr, in the words of the command line."""
    status, out, err = ended
    assert (status, out) == (expected, ""), err
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert all(word in err for word in words), err


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", "qrels.txt", "a.run", "--nonsense"),
        ("evaluate", "qrels.txt"),
        ("evaluate", "qrels.txt", "a.run", "--ties", "maybe"),
        ("evaluate", "qrels.txt", "a.run", "--format", "xml"),
        ("nonsense",),
    ],
)
def test_usage_errors_are_status_2(run, arguments: tuple[str, ...]) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert "Traceback" not in err
    assert err.startswith("error: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "verb",
    [
        (),
        *((name,) for name in ("evaluate", "compare", "membership", "displacement")),
        *((name,) for name in ("convert", "measures", "demo")),
        *((name,) for name in ("agreement", "annotate-next", "judges", "plan")),
    ],
)
def test_help_shows_an_example(run, verb: tuple[str, ...]) -> None:
    status, out, _ = run(*verb, "--help")
    assert status == 0
    assert "Example" in out
    assert "  fuzzytruth " in out


def test_version(run) -> None:
    assert run("--version") == (0, f"fuzzytruth {ft.__version__}\n", "")


def test_as_a_module_and_with_a_reader_that_leaves(folder: Path) -> None:
    call = [sys.executable, "-m", "fuzzytruth", "evaluate", "qrels.txt", "a.run", "--format", "csv"]
    child = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.close()
    assert child.stderr is not None
    assert child.stderr.read() == b""
    child.stderr.close()
    assert child.wait() == 1


def open_when_read(path: Path) -> int:
    """Open a named pipe for writing as soon as somebody reads it."""
    deadline = time.monotonic() + 30
    while True:
        try:
            return os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def test_interrupt_is_quiet(folder: Path) -> None:
    os.mkfifo(folder / "never.txt")
    call = [sys.executable, "-m", "fuzzytruth", "evaluate", "qrels.txt", "never.txt"]
    child = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    pipe = open_when_read(folder / "never.txt")
    time.sleep(0.1)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=20)
    os.close(pipe)
    assert (child.returncode, out) == (130, b"")
    assert b"Traceback" not in err


def test_help_imports_no_heavy_library() -> None:
    code = "import sys, fuzzytruth.cli.commands; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert not loaded & {"numpy", "pandas", "scipy", "pyarrow", "rich", "matplotlib"}


def test_modules_do_not_import_the_package_that_imports_them() -> None:
    """`fuzzytruth.cli` itself imports nothing, and `app` nothing but `commands`."""
    folder = Path(fuzzytruth.cli.__file__).parent
    imported = {
        path.stem: set(re.findall(r"fuzzytruth\.cli\.(\w+)", path.read_text(encoding="utf-8")))
        for path in folder.glob("*.py")
    }
    assert imported["__init__"] == set()
    assert {stem for stem, names in imported.items() if "commands" in names} == {"app"}
    assert not any("app" in names for names in imported.values())


def test_commands_do_not_import_each_other() -> None:
    modules = {*MODULES.values()}
    folder = Path(fuzzytruth.cli.__file__).parent
    for name in modules:
        text = (folder / f"{name}.py").read_text(encoding="utf-8")
        assert not modules & set(re.findall(r"fuzzytruth\.cli\.(\w+)", text)), name


def test_a_command_is_imported_when_it_is_called(folder: Path) -> None:
    code = (
        "import sys\nfrom fuzzytruth.cli.commands import run\nrun(['measures'])\n"
        "sys.exit(' '.join(m for m in sys.modules if m.startswith('fuzzytruth.cli.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "fuzzytruth.cli.measures" in done.stderr.split()
    assert "fuzzytruth.cli.compare" not in done.stderr.split()


INTERRUPTED_IMPORT = """
import os, signal, sys
wanted, sys.argv = sys.argv[1], ["fuzzytruth", *sys.argv[2:]]
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == wanted:
            os.kill(os.getpid(), signal.SIGINT)
from fuzzytruth.cli.app import main
sys.meta_path.insert(0, Interrupt())
main()
"""


@pytest.mark.parametrize("module", ["fuzzytruth.cli.commands", "typer", "numpy", "pandas"])
def test_an_interrupt_while_modules_are_imported_is_quiet(folder: Path, module: str) -> None:
    command = ["evaluate", "qrels.txt", "a.run", "--format", "csv"]
    call = [sys.executable, "-c", INTERRUPTED_IMPORT, module, *command]
    done = subprocess.run(call, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_numbers_that_nothing_can_hold(run) -> None:
    evaluate = ("evaluate", "votes.csv", "a.run", "-m", "bpref", "--n-jobs")
    status, out, err = run(*evaluate, "9" * 20)
    assert (status, out) == (2, "")
    assert err.splitlines()[-1] == f"error: --n-jobs {'9' * 20}: must be 100,000 or less"


def test_names_that_nothing_can_hold(run) -> None:
    status, out, err = run("evaluate", "qrels.txt", "\udcff=a.run", "--format", "csv")
    message = r"error: paths, system: value '\udcff' is not UTF-8 text (surrogates not allowed)"
    assert (status, out, err.splitlines()[-1]) == (1, "", f"{message}; convert it")


@pytest.mark.parametrize("how", ["option", "variable"])
def test_debug_shows_where_an_error_came_from(
    run, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    _, _, line = run("evaluate", "nope.txt", "a.run")
    if how == "variable":
        monkeypatch.setenv("FUZZYTRUTH_DEBUG", "1")
    before = ("--debug",) if how == "option" else ()
    status, out, err = run(*before, "evaluate", "nope.txt", "a.run")
    assert (status, out) == (1, "")
    assert err.startswith("Traceback (most recent call last):\n")
    assert err.endswith(f"DataError: nope.txt: no such file\n{line}")
    assert run(*before, "measures")[2] == ""


def test_a_defect_is_one_line_that_asks_for_a_report(run, monkeypatch: pytest.MonkeyPatch) -> None:
    def defect(*_: object, **__: object) -> None:
        raise ValueError("one\ntwo")

    monkeypatch.setattr("fuzzytruth.cli.inputs.score", defect)
    status, out, err = run("evaluate", "qrels.txt", "a.run")
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert err.startswith("error: unexpected ValueError: one two; ")
    assert "--debug" in err


def test_summaries_of_commands_are_whole(run) -> None:
    _, out, _ = run("--help")
    words = " ".join(out.split())
    assert "..." not in words.partition("Commands:")[2]
    for command in typer.main.get_command(fuzzytruth.cli.commands.app).commands.values():  # type: ignore[attr-defined]
        assert f"{command.name} {command.help.partition(chr(10))[0]}" in words


@pytest.mark.parametrize(
    "verb",
    [(), *((name,) for name in typer.main.get_command(fuzzytruth.cli.commands.app).commands)],  # type: ignore[attr-defined]
)
def test_help_fits_80_columns(run, verb: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = run(*verb, "--help")
    assert max(map(len, out.splitlines())) <= 80


def test_no_memory(run, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("fuzzytruth.cli.inputs.score", full)
    ended = run("evaluate", "qrels.txt", "a.run")
    assert ended == (1, "", "error: not enough memory (of the system)\n")
