"""Tasks in threads, in processes and on a cluster: in order, with errors in their place."""

import builtins
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from joblib import parallel_config, register_parallel_backend
from joblib.parallel import ThreadingBackend

import fuzzytruth as ft
from fuzzytruth.core.workers import Workers, in_order, in_parallel, in_processes, signals_held
from fuzzytruth.errors import MissingPackageError

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
POSIX = pytest.mark.skipif(
    not hasattr(signal, "pthread_sigmask"), reason="masks of signals are of POSIX"
)


def test_results_of_threads_are_in_the_order_of_the_tasks() -> None:
    def late(number: int) -> int:
        time.sleep(0.002 * (3 - number % 4))
        return -number

    taken: list[int] = []

    def tasks() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    assert [*in_order(late, range(30))] == [-number for number in range(30)]
    assert [*in_order(late, [])] == []
    assert next(in_order(abs, tasks())) == 0
    assert len(taken) < 10  # few are taken ahead


def test_where_the_number_of_cores_is_unknown_one_thread_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    here = {threading.get_ident()}
    assert {*in_order(lambda _: threading.get_ident(), range(3))} == here


@pytest.mark.parametrize("n_started", [0, 1, 2, 4])
def test_where_threads_cannot_start(monkeypatch: pytest.MonkeyPatch, n_started: int) -> None:
    start, left = threading.Thread.start, [None] * n_started

    def start_some(thread: threading.Thread) -> None:
        if not left:
            raise RuntimeError("can't start new thread")
        left.pop()
        start(thread)

    def inverse(number: int) -> float:
        time.sleep(0.001)
        return 1 / number

    monkeypatch.setattr(threading.Thread, "start", start_some)
    results = in_order(inverse, [*range(1, 30), 0, 5], n_threads=4)
    assert [next(results) for _ in range(29)] == [1 / number for number in range(1, 30)]
    with pytest.raises(ZeroDivisionError):  # in its place
        next(results)
    left[:] = []
    assert [*in_order(abs, range(9), n_threads=1)] == [*range(9)]
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert [*in_order(abs, range(9))] == [*range(9)]


def test_results_of_processes_in_the_order_of_the_tasks() -> None:
    tasks = ((j, 3) for j in range(7))
    assert list(in_processes(divmod, tasks, 2)) == [divmod(j, 3) for j in range(7)]
    results = in_processes(sleep, ((seconds,) for seconds in (0, 30, 30)), 2)
    assert next(results) == 0
    start = time.monotonic()
    results.close()  # early, which ends workers quietly
    assert time.monotonic() - start < 10


def sleep(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


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
def test_a_signal_is_handled_after_the_outermost_hold() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        with recorded(number) as seen:
            with signals_held():
                with signals_held():
                    signal.raise_signal(number)
                assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
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


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with distributed.Client(processes=False, n_workers=1, dashboard_address=":0") as client:
        yield client


@pytest.mark.parametrize("cluster", [False, True])
def test_tasks_of_a_cluster_or_of_threads(client, cluster: bool) -> None:
    workers = Workers(client) if cluster else Workers()
    held = workers.held([workers.task(pow, number, 2) for number in range(5)], "numbers")
    more = [workers.task(sum, [one, workers.given(1)]) for one in held]
    assert workers.results(more, "squares") == [1, 2, 5, 10, 17]

    def fail(error: Exception) -> None:
        raise error

    with pytest.raises(ft.errors.OptionError, match=r"^mine$"):
        workers.results([workers.task(fail, ft.errors.OptionError("mine"))], "runs")
    message = r"^runs: one of its partitions cannot be read or worked on \(ValueError: two lines\)$"
    with pytest.raises(ft.errors.DataError, match=message):
        workers.results([workers.task(fail, ValueError("two\nlines"))], "runs")
    tasks = [workers.task(divmod, 1, number) for number in (1, 0)]
    for work in (workers.held, workers.results) if not cluster else ():
        threads = dask.config.set(scheduler="threads")  # whatever client there is
        with (
            threads,
            pytest.raises(ft.errors.DataError, match=r"^part 1: it cannot be read .*ZeroDiv"),
        ):
            work(tasks, "parts", lambda number: f"part {number}")


def test_equal_tasks_are_not_taken_for_one() -> None:
    workers = Workers()
    one, other = workers.results([workers.task(object) for _ in range(2)], "runs")
    assert one is not other


def test_graphs_are_made_for_these_workers(client) -> None:
    with distributed.Client(
        processes=False, n_workers=1, dashboard_address=":0", set_as_default=False
    ) as other:
        with client.as_current(), Workers(other).chosen():
            assert distributed.Client.current() is other
        with client.as_current(), Workers().chosen():
            assert distributed.Client.current() is client


def test_without_dask_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    before = builtins.__import__

    def without(name: str, *given: Any, **named: Any) -> Any:
        if name.startswith("dask"):
            raise ImportError(name)
        return before(name, *given, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingPackageError, match=r'pip install "fuzzytruth\[dask\]"'):
        Workers().task(len, [])
