"""Work on several threads, with results in the order of the tasks."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

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
