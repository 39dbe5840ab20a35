"""The command `fuzzytruth`: where it starts and ends.

Exit status: 0; 1 if the data or files are wrong (one line on stderr says what); 2 if the command
itself is wrong (an unknown option, a value that an option does not take, an unknown measure); 3 if
a gate was not passed, or not yet; 130 if it was interrupted, 143 if it was terminated (SIGTERM):
temporary files are removed in both cases. This module imports next to nothing, so that an interrupt
is quiet from the start.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Sequence
from types import FrameType

INTERRUPTED = 130
TERMINATED = 143


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments after the command's name; by default those of the shell, and then the process is
        taken to end here.
    """
    alone = arguments is None
    try:
        if alone:
            gc.set_threshold(100_000)  # there is little to collect while modules are imported
            signal.signal(signal.SIGINT, _stop)
            signal.signal(signal.SIGTERM, _stop)
        from fuzzytruth.cli.commands import run

        status = run(arguments)
    except KeyboardInterrupt:
        status = INTERRUPTED
    except SystemExit as stop:  # of a pipe that nobody reads, or SIGTERM
        status = int(stop.code or 0)
    if alone:
        status = _finish(status)
    sys.exit(status)


def _stop(number: int, frame: FrameType | None) -> None:
    """Stop: at once while modules are imported, which there is no way to interrupt cleanly."""
    threading.excepthook = lambda _: None  # threads of libraries fail when their workers are gone
    status = TERMINATED if number == signal.SIGTERM else INTERRUPTED
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            temporary = sys.modules.get("fuzzytruth.io.writing")
            if temporary is not None:
                temporary.remove_all()
            os._exit(status)
        frame = frame.f_back
    if status == TERMINATED:
        raise SystemExit(status)
    raise KeyboardInterrupt


def _finish(status: int) -> int:
    """Write out what is still to be written, so that nothing is left to fail at the end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            status = status or 1
            _discard(stream.fileno())
    return status


def _discard(descriptor: int) -> None:
    """Let a file that takes nothing more take everything."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
