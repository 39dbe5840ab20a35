"""The progress bar: nothing unless there is a terminal and a second has passed."""

import sys
import time

import pytest

from fuzzytruth.cli.output import Bar


def test_nothing_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with Bar(delay=0) as bar:
        bar.stage("reading")
        time.sleep(0.05)
        bar.advance(1.0)
    assert capsys.readouterr().err == ""


def pretend_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")


def wait_until_drawn(bar: Bar) -> None:
    deadline = time.monotonic() + 10
    while bar.hidden and time.monotonic() < deadline:
        time.sleep(0.01)


def test_drawn_on_a_terminal_after_a_while(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_terminal(monkeypatch)
    with Bar(delay=60.0) as bar:
        bar.stage("scoring")
        bar.advance(0.5)
    assert capsys.readouterr().err == ""
    with Bar(delay=0.0) as bar:
        bar.stage("reading")
        wait_until_drawn(bar)
        bar.advance(1.0)
        assert bar._bar is not None
        assert bar._bar.finished
        bar.stage("scoring")
        (task,) = bar._bar.tasks
        assert (task.description, task.total, task.completed) == ("scoring", None, 0)
        bar.advance(0.5)
    shown = capsys.readouterr()
    assert "scoring" in shown.err
    assert "50%" in shown.err
    assert shown.out == ""
