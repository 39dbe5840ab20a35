"""Interrupts while worker processes start."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold SIGINT back; processes that are started meanwhile never see it.

    A terminal sends an interrupt to all processes of a command. Workers would each print a
    traceback; it is for the process that started them to stop them.

    Examples
    --------
    >>> import os, signal
    >>> stopped = False
    >>> with interrupts_held():
    ...     os.kill(os.getpid(), signal.SIGINT)
    ...     stopped = True
    Traceback (most recent call last):
    KeyboardInterrupt
    >>> stopped
    True
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
