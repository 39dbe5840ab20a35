"""Work in several processes, which end quietly when the one that started them is stopped."""

from __future__ import annotations

import signal
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

Result = TypeVar("Result")


def in_processes(
    function: Callable[..., Result], tasks: Iterable[tuple[Any, ...]], n_jobs: int
) -> Generator[Result, None, None]:
    """Results in the order of the tasks, which are the function's arguments.

    Workers are joblib's. Those that are not done when the iterator is closed are ended.
    """
    results = None
    try:
        with signals_held():
            results = in_parallel(function, tasks, n_jobs)
        for result in results:  # noqa: UP028 (closed below, quietly)
            yield result
    finally:
        if results is not None:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", ".*cancelled|.*but not used")
                results.close()


def in_parallel(
    function: Callable[..., Result],
    tasks: Iterable[tuple[Any, ...]],
    n_jobs: int,
    *,
    prefer: str | None = None,
) -> Generator[Result, None, None]:
    """Results of joblib's workers in the order of the tasks, begun now if they come one by one.

    `prefer` is joblib's; a backend that its user has chosen comes first.
    """
    from joblib import Parallel, delayed

    calls = (delayed(function)(*task) for task in tasks)
    options: dict[str, Any] = {"n_jobs": n_jobs, "prefer": prefer}
    try:
        workers = Parallel(**options, return_as="generator")
    except ValueError:  # Ray's backend, for one, only gives all results at once
        return _at_once(Parallel(**options), calls)
    results: Generator[Result, None, None] = workers(calls)
    return results


def _at_once(workers: Any, calls: Iterable[Any]) -> Generator[Any, None, None]:
    """All results, when the first is asked for."""
    yield from workers(calls)


@contextmanager
def signals_held() -> Iterator[None]:
    """Handle SIGINT and SIGTERM at the end; processes started meanwhile never see SIGINT.

    Workers that are half started when their parent ends print tracebacks; so do those that are
    interrupted, as a terminal interrupts all processes of a command. It is for the process that
    started them to stop them.
    """
    held: list[int] = []

    def hold(number: int, _: FrameType | None) -> None:
        held.append(number)

    with _handled(hold), _interrupts_blocked():
        yield
    for number in held:
        signal.raise_signal(number)


@contextmanager
def _handled(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Replace the handlers of Python, which only the main thread may do, and which it runs."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        known = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        before = {number: old for number, old in known.items() if callable(old)}
    try:
        for number in before:
            signal.signal(number, handler)
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block SIGINT in this thread and in the processes that it starts."""
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
