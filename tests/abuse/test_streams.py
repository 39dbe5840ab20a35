"""Standard output and standard error that are closed."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of POSIX")
@pytest.mark.parametrize(
    ("command", "closed", "status", "said"),
    [
        ("measures", ">&-", 0, ""),
        ("measures", "2>&-", 0, "nDCG"),
        ("evaluate qrels.txt a.run", ">&-", 1, "error: qrels.txt: no such file"),
        ("evaluate qrels.txt a.run", "<&- >&- 2>&-", 1, ""),
    ],
)
def test_closed_streams(tmp_path: Path, command: str, closed: str, status: int, said: str) -> None:
    line = f"'{sys.executable}' -m fuzzytruth {command} {closed}"
    done = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True)
    shown = done.stdout + done.stderr
    assert done.returncode == status
    assert said in shown
    assert bool(shown) == bool(said)
