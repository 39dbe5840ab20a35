"""Work on pieces of data: by the workers of a Dask cluster, in processes, or on threads."""

from __future__ import annotations

import os
import signal
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from types import FrameType
from typing import Any, TypeVar
from uuid import uuid4

from fuzzytruth.errors import DataError, FuzzytruthError, MissingPackageError


@dataclass(frozen=True, slots=True, eq=False)
class Workers:
    """Those who work on tasks, which are Dask's delayed values.

    Parameters
    ----------
    client : dask.distributed.Client, optional
        By default Dask's own choice: the current client, or else threads of this process.
    """

    client: Any = None

    def task(self, function: Callable[..., Any], *given: Any) -> Any:
        """A function of tasks (and lists of tasks) that has not been called yet."""
        return dask().delayed(function, pure=False)(*given)

    def given(self, value: Any) -> Any:
        """A value as a task, which is sent to the workers as it is."""
        name = f"{type(value).__name__.lower()}-{uuid4()}"  # nothing is hashed
        return dask().delayed(value, name=name, traverse=False)

    @contextmanager
    def chosen(self) -> Iterator[None]:
        """While graphs are made for these workers: Dask looks at its current client."""
        with nullcontext() if self.client is None else self.client.as_current():
            yield

    def held(
        self, tasks: Sequence[Any], what: str, name: Callable[[int], str] | None = None
    ) -> tuple[Any, ...]:
        """The same tasks, begun now; their results stay with the workers.

        Parameters and errors are those of `results`; with a client, errors come later.
        """
        with self._errors(tasks, what, name), warnings.catch_warnings():
            # Judgments are sent with the tasks, by intent.
            warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
            if self.client is not None:
                return tuple(self.client.persist(list(tasks)))
            return tuple(dask().persist(*tasks))

    def results(
        self, tasks: Sequence[Any], what: str, name: Callable[[int], str] | None = None
    ) -> list[Any]:
        """The results of tasks, brought here in order.

        Parameters
        ----------
        tasks : sequence
        what : str
            What they are about, for messages.
        name : callable, optional
            From the number of a task to what it alone is about.

        Raises
        ------
        DataError
            A task failed. Errors of this package stay as they are.
        """
        with self._errors(tasks, what, name):
            if self.client is None:
                return list(dask().compute(*tasks))
            return list(self.client.gather(self.client.compute(list(tasks))))

    @contextmanager
    def _errors(
        self, tasks: Sequence[Any], what: str, name: Callable[[int], str] | None
    ) -> Iterator[None]:
        """Whatever a reader, a worker or the network raises, as a `DataError`."""
        try:
            yield
        except FuzzytruthError:
            raise
        except Exception as error:
            where, part = what, "one of its partitions"
            if name is not None and not _is_of_cluster(error):
                failed = self._first_failure(tasks)
                if failed is not None:
                    where, part = name(failed), "it"
            raise DataError(f"{where}: {_cause(error, part)}") from error

    def _first_failure(self, tasks: Sequence[Any]) -> int | None:
        """The number of the first task that fails by itself; they are done once more."""
        for number, task in enumerate(tasks):
            try:
                task.compute() if self.client is None else self.client.compute(task).result()
            except Exception:  # as in `_errors`
                return number
        return None


def _is_of_cluster(error: Exception) -> bool:
    """Whether the cluster failed: trying again would not tell more, or end workers once more."""
    return type(error).__name__ in ("ClosedClientError", "KilledWorker")


def _cause(error: Exception, part: str) -> str:
    """Why a task failed, in one line."""
    text = " ".join(str(error).split())
    if type(error).__name__ == "ClosedClientError":
        return "the client of the cluster is closed; make a new one, and evaluate again"
    if type(error).__name__ == "KilledWorker":
        return (
            "workers died again and again while they worked on one of its partitions; give them "
            f"more memory, or make partitions smaller ({text})"
        )
    return f"{part} cannot be read or worked on ({type(error).__name__}: {text})"


def dask() -> Any:
    """The package, where it is installed."""
    try:
        import dask.dataframe
    except ImportError:
        raise MissingPackageError('dask is not installed; pip install "fuzzytruth[dask]"') from None
    return dask


# Work in several processes, which end quietly when the one that started them is stopped.


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


# Work on several threads, with results in the order of the tasks.


Task = TypeVar("Task")

_MOST = 4  # threads


def in_order(
    function: Callable[[Task], Result], tasks: Iterable[Task], n_threads: int | None = None
) -> Iterator[Result]:
    """Results in the order of the tasks, of which only a few are taken ahead.

    By default there are as many threads as cores, up to four. This thread alone does the work of a
    single one, and of those that cannot be started.
    """
    workers = n_threads or min(_MOST, os.cpu_count() or 1)
    if workers == 1:
        yield from map(function, tasks)
        return
    pending: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        for task in tasks:
            try:
                pending.append(pool.submit(function, task))
            except RuntimeError:  # the system starts no more threads
                while pending:
                    yield pending.popleft().result()
                yield function(task)
            if len(pending) > workers + 1:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
