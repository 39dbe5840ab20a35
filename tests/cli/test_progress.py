"""The progress bar: nothing unless there is a terminal and a second has passed."""

from __future__ import annotations

import sys
import time

import pytest

from fuzzytruth.cli.progress import Bar


def test_nothing_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with Bar(delay=0) as bar:
        bar.stage("reading", 1)
        time.sleep(0.05)
        bar.step("a.run")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("delay", "drawn"), [(0.0, True), (60.0, False)])
def test_drawn_on_a_terminal_after_a_while(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, delay: float, drawn: bool
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with Bar(delay=delay) as bar:
        bar.stage("scoring", 2)
        deadline = time.monotonic() + 10
        while drawn and bar.hidden and time.monotonic() < deadline:
            time.sleep(0.01)
        bar.step("bm25")
    shown = capsys.readouterr()
    assert ("scoring" in shown.err) is drawn
    assert shown.out == ""
