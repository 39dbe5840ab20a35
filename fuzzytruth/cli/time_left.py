"""How long a task will take, or has taken."""

from __future__ import annotations

from rich.progress import Task, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text


class TimeLeft(TimeRemainingColumn):
    """Time that is left, or the time so far of a task whose progress is unknown."""

    def render(self, task: Task) -> Text:  # noqa: D102
        if task.total is None:
            return TimeElapsedColumn().render(task)
        return super().render(task).append(" left")
