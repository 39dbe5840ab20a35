"""Results of worker processes come in order; signals wait while these start."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from joblib import parallel_config, register_parallel_backend
from joblib.parallel import ThreadingBackend

from fuzzytruth.core.workers import in_parallel, in_processes, signals_held

POSIX = pytest.mark.skipif(
    not hasattr(signal, "pthread_sigmask"), reason="masks of signals are of POSIX"
)


def test_results_in_the_order_of_the_tasks() -> None:
    assert list(in_processes(divmod, ((j, 3) for j in range(7)), 2)) == [
        divmod(j, 3) for j in range(7)
    ]


def test_a_backend_that_gives_all_results_at_once() -> None:
    """As Ray's does."""

    class AtOnce(ThreadingBackend):
        supports_return_generator = False

    register_parallel_backend("at once", AtOnce)
    tasks, expected = [(j, 3) for j in range(7)], [divmod(j, 3) for j in range(7)]
    with parallel_config(backend="at once"):
        assert list(in_processes(divmod, tasks, 2)) == expected
        assert list(in_parallel(divmod, tasks, 2, prefer="threads")) == expected
        results = in_processes(divmod, tasks, 2)
        assert next(results) == (0, 0)
        results.close()
        # signals need not wait until all is done
        before = signal.getsignal(signal.SIGINT)
        assert [*in_processes(signal.getsignal, [(signal.SIGINT,)] * 3, 2)] == [before] * 3


def test_closing_early_ends_workers_quietly() -> None:
    results = in_processes(sleep, ((seconds,) for seconds in (0, 30, 30)), 2)
    assert next(results) == 0
    start = time.monotonic()
    results.close()
    assert time.monotonic() - start < 10


def sleep(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


@contextmanager
def recorded(number: int) -> Iterator[list[int]]:
    """Signals that came."""
    seen: list[int] = []
    before = signal.signal(number, lambda number, _: seen.append(number))
    try:
        yield seen
    finally:
        signal.signal(number, before)


@POSIX
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_handled_afterwards(number: int) -> None:
    with recorded(number) as seen:
        with signals_held():
            signal.raise_signal(number)
            assert seen == []
        assert seen == [number]
        signal.raise_signal(number)
        assert seen == [number] * 2
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_an_interrupt_comes_from_the_end() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
    reached = False
    try:
        with pytest.raises(KeyboardInterrupt), signals_held():  # noqa: PT012
            signal.raise_signal(signal.SIGINT)
            reached = True
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert reached


@POSIX
def test_processes_started_meanwhile_never_see_it() -> None:
    code = "import os, signal; os.kill(os.getpid(), signal.SIGINT); print('goes on')"
    with signals_held():
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert child.communicate(timeout=20) == (b"goes on\n", None)


@POSIX
def test_an_outer_hold_stays() -> None:
    with recorded(signal.SIGINT) as seen, signals_held():
        with signals_held():
            signal.raise_signal(signal.SIGINT)
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
        assert seen == []
