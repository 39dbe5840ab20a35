"""Start and end of the command: processes, signals, streams, debugging, defects."""

import os
import pty
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

import fuzzytruth as ft
import fuzzytruth.cli
from fuzzytruth.cli.app import main
from fuzzytruth.cli.derive import MODULES

COMMAND = [sys.executable, "-m", "fuzzytruth"]
EVALUATE = ["evaluate", "qrels.txt", "a.run", "b.run", "-m", "AP"]
FULL = "No space left on device"
needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")


def test_version(run) -> None:
    assert run("--version") == (0, f"fuzzytruth {ft.__version__}\n", "")


def test_a_reader_that_leaves_and_closed_streams(folder: Path) -> None:
    call = [*COMMAND, *EVALUATE, "--format", "csv"]
    child = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    assert child.stderr.read() == b""
    child.stderr.close()
    assert child.wait() == 1
    if sys.platform != "win32":
        closed = f"{sys.executable} -m fuzzytruth evaluate qrels.txt none.run >&-"
        done = subprocess.run(closed, shell=True, capture_output=True)
        assert (done.returncode, done.stderr) == (1, b"error: none.run: no such file\n")


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


@needs_full
def test_a_full_screen_and_a_full_file(run, folder: Path) -> None:
    with Path("/dev/full").open("wb") as screen:
        call = [*COMMAND, *EVALUATE, "--format", "csv"]
        done = subprocess.run(call, stdout=screen, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (1, f"error: standard output: {FULL}\n")
    status, _, err = run("", *EVALUATE, "-o", "/dev/full")
    assert (status, err) == (1, f"error: /dev/full: cannot be written ({FULL})\n")


@needs_full
@pytest.mark.parametrize(
    ("line", "buffering"), [("evaluate qrels.txt a.run -m AP", 1), ("measures", -1), ("--help", 1)]
)
def test_a_full_screen_is_named(
    run, monkeypatch: pytest.MonkeyPatch, line: str, buffering: int
) -> None:
    """Whether a stream is full at its first line or when it is flushed."""
    with suppress(OSError), Path("/dev/full").open("w", buffering=buffering) as screen:
        monkeypatch.setattr(sys, "stdout", screen)
        assert run(line)[::2] == (1, f"error: standard output: {FULL}\n")


def test_an_interrupt_is_quiet(folder: Path) -> None:
    os.mkfifo(folder / "never.txt")
    call = [*COMMAND, "evaluate", "qrels.txt", "never.txt"]
    child = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 30
    while True:  # until somebody reads
        try:
            pipe = os.open(folder / "never.txt", os.O_WRONLY | os.O_NONBLOCK)
            break
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    time.sleep(0.1)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=20)
    os.close(pipe)
    assert (child.returncode, out) == (130, b"")
    assert b"Traceback" not in err


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


@pytest.mark.parametrize("module", ["fuzzytruth.cli.commands", "pandas"])
def test_an_interrupt_while_modules_are_imported_is_quiet(folder: Path, module: str) -> None:
    call = [sys.executable, "-c", INTERRUPTED_IMPORT, module, *EVALUATE, "--format", "csv"]
    done = subprocess.run(call, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import fuzzytruth.cli.commands", {"numpy", "pandas", "scipy", "pyarrow", "matplotlib"}),
        (  # while somebody waits with a finger on a key
            "import fuzzytruth.cli.options as c; c.complete_measures('n')",
            {"pandas", "scipy", "pyarrow", "rich", "matplotlib", "statsmodels"},
        ),
        (
            "from fuzzytruth.cli.commands import run; run(['measures'])",
            {"fuzzytruth.cli.evaluate", "pandas", "scipy"},
        ),
    ],
)
def test_what_is_not_needed_is_not_imported(code: str, absent: set[str]) -> None:
    call = [sys.executable, "-c", f"import sys; {code}; print(*sys.modules, file=sys.stderr)"]
    loaded = subprocess.run(call, capture_output=True, text=True, check=True).stderr.split()
    assert "fuzzytruth" in loaded
    assert not absent & {*loaded}


def test_modules_of_the_command_line_import_what_lies_below() -> None:
    """`fuzzytruth.cli` imports nothing, `app` only `commands`, and commands not each other."""
    imported = {
        path.stem: set(re.findall(r"fuzzytruth\.cli\.(\w+)", path.read_text(encoding="utf-8")))
        for path in Path(fuzzytruth.cli.__file__).parent.glob("*.py")
    }
    assert imported["__init__"] == set()
    assert {stem for stem, names in imported.items() if "commands" in names} == {"app"}
    assert not any("app" in names for names in imported.values())
    assert not any(imported[module] & {*MODULES.values()} for module in MODULES.values())


@pytest.mark.parametrize("how", ["option", "variable"])
def test_debug_shows_where_an_error_came_from(
    run, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    _, _, line = run("evaluate nope.txt a.run")
    if how == "variable":
        monkeypatch.setenv("FUZZYTRUTH_DEBUG", "1")
    before = "--debug " if how == "option" else ""
    status, out, err = run(f"{before}evaluate nope.txt a.run")
    assert (status, out) == (1, "")
    assert err.startswith("Traceback (most recent call last):\n")
    assert err.endswith(f"DataError: nope.txt: no such file\n{line}")
    assert run(f"{before}measures")[2] == ""


@pytest.mark.parametrize(
    ("defect", "message"),
    [
        (ValueError("one\ntwo"), "unexpected ValueError: one two; .*--debug"),
        (MemoryError(), r"not enough memory \(of the system\)$"),
    ],
)
def test_a_defect_is_one_line(
    error, monkeypatch: pytest.MonkeyPatch, defect: Exception, message: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise defect

    monkeypatch.setattr("fuzzytruth.cli.inputs.score", fail)
    status, found = error("evaluate qrels.txt a.run")
    assert status == 1
    assert re.match(message, found)


CODE = re.compile(r"\x1b\[[\d;?]*[A-Za-z]")
BAR = """
import time
from fuzzytruth.cli.output import Bar
with Bar(delay=0.0) as bar:
    bar.stage("scoring")
    for part in range(8):
        bar.advance(part / 10)
        time.sleep(0.06)
"""


def on_a_terminal(
    command: list[str], *, status: int = 0, errors: bool = True, **variables: str
) -> str:
    """What a command shows on a terminal of 80 columns, when it ends with this status.

    Without `errors`, standard error is no terminal, so that no bar is drawn, however slow it is.
    """
    ours, theirs = pty.openpty()
    os.set_inheritable(theirs, True)
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "CI")}
    environment = {**kept, "TERM": "xterm-256color", "COLUMNS": "80", **variables}
    stderr = theirs if errors else subprocess.DEVNULL
    child = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=stderr, env=environment, close_fds=True
    )
    os.close(theirs)
    parts = []
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # of Linux, at the end
            break
        if not part:
            break
        parts.append(part)
    os.close(ours)
    assert child.wait() == status
    return b"".join(parts).decode()


def has_colours(text: str) -> bool:
    """Whether codes set a colour, and not bold or what moves the cursor."""
    numbers = {n for code in CODE.findall(text) if code[-1] == "m" for n in code[2:-1].split(";")}
    return any(n.isdecimal() and 30 <= int(n) <= 107 for n in numbers)


@pytest.mark.parametrize(
    ("variables", "coloured", "drawn"),
    [({}, True, True), ({"NO_COLOR": "1"}, False, True), ({"TERM": "dumb"}, False, False)],
)
def test_bars(variables: dict[str, str], coloured: bool, drawn: bool) -> None:
    shown = on_a_terminal([sys.executable, "-c", BAR], **variables)
    assert has_colours(shown) is coloured
    assert ("scoring" in shown and "%" in shown) is drawn
    assert bool(re.search(r"\d:\d\d left", CODE.sub("", shown))) is drawn
