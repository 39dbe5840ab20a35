"""The scores of the samples in one log."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from fuzzytruth.errors import DataError, LeftOutWarning, first_few, shown, warn
from fuzzytruth.io.files import counted_reasons


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
    examples : list of str
        A value that is no number, and its place.
    """

    where: str
    model: list[str] = field(default_factory=list)
    task: list[str] = field(default_factory=list)
    sample: list[Any] = field(default_factory=list)
    measure: list[str] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    place: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def leave_out(self, what: str, value: Any = None, place: str = "") -> None:
        """Count a value that is no number; the first is named with its place."""
        self.left_out[what] += 1
        if value is not None and not self.examples:
            self.examples.append(f"{shown(value)} ({place})")

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

    def named(self, system: str) -> SampleLog:
        """The same log, all of whose rows are of this system instead of their models."""
        return replace(self, model=[system] * len(self.model))

    def report(self) -> None:
        """Warn of what has no number; a `DataError` if nothing has one."""
        listed = counted_reasons(self.left_out)
        example = f", such as {self.examples[0]}" if self.examples else ""
        if not self.value:
            what = f" (left out: {first_few(listed)}{example})" if listed else ""
            raise DataError(
                f"{self.where}: no sample of this log has a score that is a number{what}; give the "
                "log of an evaluation that was scored"
            )
        if listed:
            warn(
                f"{self.where}: of this log, {first_few(listed)} left out{example}", LeftOutWarning
            )
