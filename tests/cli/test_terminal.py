"""Commands on a terminal, and what a terminal's settings change."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "fuzzytruth"]
CODE = re.compile(r"\x1b\[[\d;?]*[A-Za-z]")
BAR = """
import time
from fuzzytruth.cli.progress import Bar
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


def codes(text: str) -> set[str]:
    return set(CODE.findall(text))


def colours(text: str) -> set[str]:
    """Codes that set a colour, not bold or what moves the cursor."""
    numbers = {n for code in codes(text) if code.endswith("m") for n in code[2:-1].split(";")}
    return {n for n in numbers if n.isdecimal() and 30 <= int(n) <= 107}


@pytest.mark.parametrize(
    ("variables", "bold"),
    [({}, True), ({"NO_COLOR": "1"}, True), ({"TERM": "dumb"}, False)],
)
def test_tables_have_bold_at_most(folder: Path, variables: dict[str, str], bold: bool) -> None:
    command = [*COMMAND, "evaluate", "qrels.txt", "a.run", "b.run", "-m", "AP"]
    shown = on_a_terminal(command, errors=False, **variables)
    assert ("\x1b[1m" in shown) is bold
    assert colours(shown) == set()
    piped = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert codes(piped) == set()
    assert CODE.sub("", shown).replace("\r\n", "\n") == piped


@pytest.mark.parametrize(
    ("variables", "coloured", "drawn"),
    [({}, True, True), ({"NO_COLOR": "1"}, False, True), ({"TERM": "dumb"}, False, False)],
)
def test_bars(variables: dict[str, str], coloured: bool, drawn: bool) -> None:
    shown = on_a_terminal([sys.executable, "-c", BAR], **variables)
    assert bool(colours(shown)) is coloured
    assert ("scoring" in shown and "%" in shown) is drawn
    assert bool(re.search(r"\d:\d\d left", CODE.sub("", shown))) is drawn


def test_errors_are_one_line_without_codes(folder: Path) -> None:
    shown = on_a_terminal([*COMMAND, "evaluate", "nope.txt", "a.run"], status=1)
    assert shown == "error: nope.txt: no such file\r\n"
