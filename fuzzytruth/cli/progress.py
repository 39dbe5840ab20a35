"""A progress bar for tasks that take longer than a second."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock, Timer
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn, TaskID


class Bar:
    """Progress of a task of several stages, drawn on stderr if that is a terminal.

    Parameters
    ----------
    delay : float
        Seconds before anything is drawn; a task that ends sooner draws nothing.

    Examples
    --------
    >>> with Bar() as bar:
    ...     bar.stage("scoring")
    ...     bar.advance(0.5)
    ...     bar.advance(1.0)
    """

    def __init__(self, *, delay: float = 1.0) -> None:
        self._lock = Lock()
        self._timer = Timer(delay, self._draw)
        self._timer.daemon = True
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._label = ""
        self._finished: float | None = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            with suppress(RuntimeError):  # no thread can be started, and nothing is drawn
                self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        if self._timer.is_alive():
            self._timer.join()  # it may be drawing at this moment
        if self._bar is not None:
            self._bar.stop()

    @property
    def hidden(self) -> bool:
        """Whether nothing has been drawn yet."""
        return self._bar is None

    def stage(self, label: str) -> None:
        """Begin a stage; how much of it is finished is unknown until it advances."""
        with self._lock:
            self._label, self._finished = label, None
            if self._bar is not None and self._task is not None:
                self._bar.remove_task(self._task)
                self._task = self._bar.add_task(label, total=None)

    def advance(self, finished: float) -> None:
        """Progress callback, given the finished fraction of the stage."""
        with self._lock:
            self._finished = finished
            if self._bar is not None and self._task is not None:
                self._bar.update(self._task, total=1.0, completed=finished)

    def _draw(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

        with self._lock:
            self._bar = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TaskProgressColumn(),
                _time_left(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._bar.add_task(self._label, total=None)
            if self._finished is not None:
                self._bar.update(self._task, total=1.0, completed=self._finished)
            self._bar.start()


def _time_left() -> ProgressColumn:
    """Time that is left, or the time so far of a task whose progress is unknown."""
    from rich.progress import Task, TimeElapsedColumn, TimeRemainingColumn
    from rich.text import Text

    class TimeLeft(TimeRemainingColumn):
        def render(self, task: Task) -> Text:
            if task.total is None:
                return TimeElapsedColumn().render(task)
            return super().render(task).append(" left")

    return TimeLeft(compact=True)


@contextmanager
def working(label: str) -> Iterator[None]:
    """A bar for a task of one stage whose progress is unknown."""
    with Bar() as bar:
        bar.stage(label)
        yield
