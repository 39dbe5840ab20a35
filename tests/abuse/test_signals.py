"""Interrupted, terminated or killed at any moment: quiet, and a file is either old or new."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.command_line import QRELS, VOTES, A

import fuzzytruth as ft

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

#: half a file is written; then the process waits, perhaps within an import
HALF_WRITTEN = """
import sys, time
import fuzzytruth.io.writing
from fuzzytruth.cli.app import main

class Waiting:
    def find_spec(self, name, path=None, target=None):
        if name == "never":
            print("waits", flush=True)
            time.sleep(30)

def fill(path, raw, fill):
    raw.write(b"half")
    raw.flush()
    exec(how)

how, sys.argv = sys.argv[1], ["fuzzytruth", *sys.argv[2:]]
sys.meta_path.insert(0, Waiting())
fuzzytruth.io.writing._fill = fill
main()
"""
WAITS = "print('waits', flush=True); time.sleep(30)"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"qrels.txt": QRELS, "a.run": A, "votes.csv": VOTES, "o.csv": "old"}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def started(folder: Path, *call: str) -> subprocess.Popen[bytes]:
    """A process in a group of its own, as a terminal starts it."""
    return subprocess.Popen(
        [sys.executable, *call],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


@pytest.mark.parametrize(
    ("number", "status", "how"),
    [
        (signal.SIGINT, 130, WAITS),
        (signal.SIGTERM, 143, "import never"),
        (signal.SIGKILL, -9, WAITS),
    ],
)
def test_stopped_while_writing(folder: Path, number: int, status: int, how: str) -> None:
    command = ("evaluate", "qrels.txt", "a.run", "-m", "AP", "-o", "o.csv")
    child = started(folder, "-c", HALF_WRITTEN, how, *command)
    assert child.stdout is not None
    assert child.stdout.readline() == b"waits\n"
    truth = ft.read_judgments(folder / "qrels.txt")
    truth.write(folder / "p.csv")
    assert half_written(folder) == [b"half"]  # it still runs
    child.send_signal(number)
    out, err = child.communicate(timeout=20)
    assert (child.returncode, out, err) == (status, b"", b"")
    assert (folder / "o.csv").read_text() == "old"
    assert half_written(folder) == ([b"half"] if number == signal.SIGKILL else [])
    truth.write(folder / "p.csv")
    assert not half_written(folder)


def half_written(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in folder.glob(".fuzzytruth.*")]


def workers_of(process: int) -> list[str]:
    """Commands of the processes that a process started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            status = (folder / "status").read_text()
            if f"PPid:\t{process}\n" in status:
                found.append((folder / "cmdline").read_bytes().decode())
        except OSError:  # it has ended
            continue
    return found


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="looks for workers in /proc")
@pytest.mark.parametrize(
    ("number", "status", "delay"), [(signal.SIGINT, 130, 0.2), (signal.SIGTERM, 143, 0)]
)
def test_stopped_while_workers_start(folder: Path, number: int, status: int, delay: float) -> None:
    """A terminal sends the signal to the workers, too, which import libraries at that time."""
    options = ("--worlds", "independent", "--n-worlds", "300000", "--n-jobs", "2")
    command = ("evaluate", "votes.csv", "q1.run", "-m", "bpref", *options)
    (folder / "q1.run").write_text("q1 Q0 d2 1 2.0 a\nq1 Q0 d1 2 1.0 a\n")
    child = started(folder, "-m", "fuzzytruth", *command)
    deadline = time.monotonic() + 30
    while not any("LokyProcess" in line for line in workers_of(child.pid)):
        assert child.poll() is None, child.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.005)
    time.sleep(delay)
    os.killpg(child.pid, number)
    assert child.communicate(timeout=20) == (b"", b"")
    assert child.returncode == status
