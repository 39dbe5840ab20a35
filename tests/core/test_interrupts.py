"""Interrupts are held back, and then they come."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from fuzzytruth.core.interrupts import interrupts_held

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "pthread_sigmask"), reason="masks of signals are of POSIX"
)


def test_an_interrupt_comes_afterwards() -> None:
    reached = False
    with pytest.raises(KeyboardInterrupt), interrupts_held():  # noqa: PT012
        signal.raise_signal(signal.SIGINT)
        reached = True
    assert reached
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_processes_started_meanwhile_never_see_it() -> None:
    code = "import os, signal; os.kill(os.getpid(), signal.SIGINT); print('goes on')"
    with interrupts_held():
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert child.communicate(timeout=20) == (b"goes on\n", None)


def test_an_outer_hold_stays() -> None:
    with interrupts_held():
        with interrupts_held():
            pass
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
