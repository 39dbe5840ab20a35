"""Standard output and standard error that are closed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

MISSING = "evaluate qrels.txt a.run"
NO_FILE = "error: qrels.txt: no such file\n"


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of POSIX")
@pytest.mark.parametrize(
    ("command", "closed", "status", "said"),
    [
        ("measures", ">&-", 0, ""),
        ("measures", "2>&-", 0, "measures"),
        (MISSING, ">&-", 1, NO_FILE),
        (MISSING, "2>&-", 1, ""),
        (MISSING, "<&- >&- 2>&-", 1, ""),
    ],
)
def test_closed_streams(tmp_path: Path, command: str, closed: str, status: int, said: str) -> None:
    line = f"'{sys.executable}' -m fuzzytruth {command} {closed}"
    done = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == status
    if said == "measures":
        assert "nDCG" in done.stdout
    else:
        assert done.stdout + done.stderr == said
