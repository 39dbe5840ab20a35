"""The scores of the samples in one log."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from fuzzytruth.errors import DataError, LeftOutWarning, first_few, warn
from fuzzytruth.io.left_out import counted_reasons


@dataclass(frozen=True, slots=True)
class SampleLog:
    """One row for each sample, run of it (epoch) and measure.

    Parameters
    ----------
    where : str
        The file or frame, for messages.
    model, task : list of str, (rows,)
    sample : list of str or int, (rows,)
        Ids, unique within a task.
    measure : list of str, (rows,)
    value : list of float, (rows,)
    place : list of str, (rows,)
        Where each value stands.
    left_out : Counter
        What has no number -> how often it occurs.
    """

    where: str
    model: list[str] = field(default_factory=list)
    task: list[str] = field(default_factory=list)
    sample: list[Any] = field(default_factory=list)
    measure: list[str] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    place: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def add(
        self, *, model: str, task: str, sample: Any, values: dict[str, float], place: str
    ) -> None:
        """Append the values of one sample, by measure."""
        for measure, value in values.items():
            self.model.append(model)
            self.task.append(task)
            self.sample.append(sample)
            self.measure.append(measure)
            self.value.append(value)
            self.place.append(place)

    def report(self) -> None:
        """Warn of what has no number; a `DataError` if nothing has one."""
        listed = counted_reasons(self.left_out)
        if not self.value:
            what = f" (left out: {first_few(listed)})" if listed else ""
            raise DataError(
                f"{self.where}: no sample of this log has a score that is a number{what}; give the "
                "log of an evaluation that was scored"
            )
        if listed:
            warn(f"{self.where}: of this log, {first_few(listed)} left out", LeftOutWarning)
