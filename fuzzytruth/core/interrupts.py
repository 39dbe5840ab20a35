"""Interrupts while worker processes start."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Let processes that are started meanwhile never see SIGINT.

    A terminal sends an interrupt to all processes of a command. Workers would each print a
    traceback; it is for the process that started them to stop them. This thread sees interrupts at
    the end, or at once where another thread of the process takes them.
    """
    if not hasattr(signal, "pthread_sigmask"):  # as on Windows
        yield
        return
    from multiprocessing import resource_tracker

    # before Python 3.12, its start would let interrupts through again
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
