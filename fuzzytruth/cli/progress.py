"""A progress bar for what takes longer than a second."""

from __future__ import annotations

import sys
from threading import Lock, Timer
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class Bar:
    """Shows, on a terminal only, how far a task of several stages is.

    Parameters
    ----------
    delay : float
        Seconds before anything is drawn; a task that ends sooner draws nothing.

    Examples
    --------
    >>> with Bar() as bar:
    ...     bar.stage("reading", 2)
    ...     bar.step("a.run")
    ...     bar.step("b.run")
    """

    def __init__(self, *, delay: float = 1.0) -> None:
        self._lock = Lock()
        self._timer = Timer(delay, self._draw)
        self._timer.daemon = True
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._label, self._done = "", 0
        self._total: int | None = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
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

    def stage(self, label: str, total: int | None = None) -> None:
        """Begin a stage of `total` steps (None: nobody knows)."""
        self._label, self._total, self._done = label, total, 0
        self._update(label)

    def step(self, name: str) -> None:
        """One step of the stage is done, such as the file or system called `name`."""
        self._done += 1
        self._update(f"{self._label} {name}")

    def _update(self, text: str) -> None:
        with self._lock:
            if self._bar is not None and self._task is not None:
                self._bar.update(
                    self._task, description=text, total=self._total, completed=self._done
                )

    def _draw(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        with self._lock:
            self._bar = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                MofNCompleteColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._bar.add_task(self._label, total=self._total, completed=self._done)
            self._bar.start()
