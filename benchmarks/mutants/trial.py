"""One trial: tests in a forked process, so that libraries are imported once for all trials."""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

#: seconds of processor time for the files of one stage
CPU_SECONDS = 60
#: seconds of the clock for one second of processor time
_WALL = 15
_BYTES = 8 * 10**9


def preload() -> None:
    """Import what every trial needs, but nothing of the project."""
    import hypothesis  # noqa: F401
    import joblib  # noqa: F401
    import matplotlib.pyplot  # noqa: F401
    import pandas  # noqa: F401
    import pyarrow.parquet  # noqa: F401
    import pytest  # noqa: F401
    import scipy.optimize
    import scipy.sparse
    import scipy.special
    import scipy.stats  # noqa: F401


def run_tests(folder: Path, files: list[str], seconds: int = CPU_SECONDS) -> str:
    """The name of the first test that fails; "" if none does, "timeout" if there is no end.

    Parameters
    ----------
    folder : Path
        Copy of the project.
    files : list of str
        From there.
    seconds : int, default 60
        Of processor time.
    """
    if not files:  # pytest would run all tests
        return ""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            _in_child(folder, files, seconds, writer)
        finally:
            os._exit(1)  # whatever happens, this is not the process that goes on
    os.close(writer)
    ended = _wait(child, seconds)
    with os.fdopen(reader, encoding="utf-8") as pipe:
        text = pipe.read() if ended else ""
    return str(json.loads(text)) if text else "timeout"


def _wait(child: int, seconds: int) -> bool:
    """Whether the process ended by itself; what it started is stopped."""
    deadline = time.monotonic() + _WALL * seconds
    ended = 0
    while not ended and time.monotonic() < deadline:
        ended, _ = os.waitpid(child, os.WNOHANG)
        time.sleep(0.01)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if not ended:
        os.waitpid(child, 0)
    return bool(ended)


def _in_child(folder: Path, files: list[str], seconds: int, writer: int) -> None:
    """Run the tests, write the result into the pipe, and end."""
    import pytest

    os.setpgid(0, 0)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_AS, (_BYTES, _BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    os.environ["PYTHONPATH"] = str(folder)
    sys.dont_write_bytecode = True
    first = _FirstFailure()
    imported = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # plugins, by `preload`
    options = ["-x", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=no", *imported]
    status = pytest.main([*options, *files], plugins=[first])
    failed = first.name or ("" if status in (0, 5) else f"pytest ended with {int(status)}")
    os.write(writer, json.dumps(failed).encode())
    os._exit(0)


class _FirstFailure:
    """The first test that failed, or file that could not be imported."""

    def __init__(self) -> None:
        self.name = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and not self.name:
            self.name = report.nodeid

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed and not self.name:
            self.name = report.nodeid
