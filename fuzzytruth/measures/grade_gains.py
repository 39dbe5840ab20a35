"""Gains of grades that a user gives: ``gains={0: 0, 1: 1, 2: 3}``."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.errors import MeasureError, shown
from fuzzytruth.measures.measure import as_value, print_value

_RULE = "gains must be {grade: gain} with gains of 0 or more, such as {0: 0, 1: 1, 2: 3}"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class GradeGains(Mapping[float, float]):
    """Gain of each listed grade; other grades are their own gains, or 0 below 0.

    A mapping that is hashable, prints as ``{0:0,1:1,2:3}`` and is read from such a text.

    Parameters
    ----------
    pairs : tuple of (grade, gain)
        Grades ascending and distinct.

    Examples
    --------
    >>> gains = GradeGains.of({1: 1, 2: 3})
    >>> str(gains), gains(np.array([-1.0, 0.5, 2.0])).tolist()
    ('{1:1,2:3}', [0.0, 0.5, 3.0])
    """

    pairs: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, given: Any) -> Self:
        """From a mapping, or a text as `str` gives it.

        Raises
        ------
        MeasureError
            It is neither, it is empty, a grade is listed twice, or a number is not finite or, of a
            gain, below 0.
        """
        entries = _entries(given) if isinstance(given, str) else given
        if not isinstance(entries, Mapping) or not entries:
            raise MeasureError(f"gains={shown(given)}: {_RULE}")
        pairs = {_number(grade, given): _number(gain, given) for grade, gain in entries.items()}
        if len(pairs) < len(entries) or min(pairs.values()) < 0:
            raise MeasureError(f"gains={shown(given)}: {_RULE}")
        return cls(tuple(sorted(pairs.items())))

    def __getitem__(self, grade: float) -> float:
        return dict(self.pairs)[grade]

    def __iter__(self) -> Iterator[float]:
        return iter(dict(self.pairs))

    def __len__(self) -> int:
        return len(self.pairs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and dict(self) == dict(other)

    def __hash__(self) -> int:
        return hash(self.pairs)

    def __str__(self) -> str:
        listed = (f"{print_value(grade)}:{print_value(gain)}" for grade, gain in self.pairs)
        return f"{{{','.join(listed)}}}"

    __repr__ = __str__

    def __call__(self, grade: Array) -> Array:
        """Gain of each grade; 0 for a missing one (NaN)."""
        listed, gain = np.array(self.pairs, dtype=np.float64).T
        place = np.minimum(np.searchsorted(listed, grade), len(listed) - 1)
        out: Array = np.where(listed[place] == grade, gain[place], np.fmax(grade, 0.0))
        return out

    def peaks_at(self, top_grade: float, grades: Array) -> bool:
        """Whether 0 has no gain, and the top grade the largest of all `grades` and listed ones."""
        listed = np.array([grade for grade, _ in self.pairs if grade <= top_grade])
        gain = self(np.concatenate((listed, grades, [0.0, top_grade])))
        return bool(gain[-2] == 0 and gain[-1] == gain.max())

    @property
    def threshold(self) -> float | None:
        """The lowest grade with a gain; None: any above 0."""
        early = [grade for grade, gain in self.pairs if grade <= 0 < gain]
        if early:
            return min(early)
        positive = [(grade, gain) for grade, gain in self.pairs if grade > 0]
        with_gain = [grade for grade, gain in positive if gain > 0]
        first = min(with_gain, default=math.inf)
        without = [grade for grade, gain in positive if gain == 0 and grade < first]
        if not without:
            return None
        return first if with_gain else math.nextafter(max(without), math.inf)


def _entries(text: str) -> dict[str, str]:
    """Grades and gains of ``{0:0,1:1}``, as texts."""
    inside = text.strip().removeprefix("{").removesuffix("}")
    pairs = [part.partition(":") for part in inside.split(",") if part.strip()]
    entries = {grade.strip(): gain.strip() for grade, _, gain in pairs}
    if len(entries) < len(pairs) or not text.strip().startswith("{"):
        raise MeasureError(f"gains={shown(text)}: {_RULE}")
    return entries


def _number(value: Any, given: Any) -> float:
    number = as_value(value)
    if (
        isinstance(number, bool)
        or not isinstance(number, (int, float))
        or not math.isfinite(number)
    ):
        raise MeasureError(f"gains={shown(given)}: {_RULE}")
    return number
