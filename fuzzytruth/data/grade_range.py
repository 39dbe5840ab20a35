"""The range of some grades, and how many lie where a mistake is likely."""

from __future__ import annotations

from dataclasses import dataclass

from fuzzytruth._typing import Floats


@dataclass(frozen=True, slots=True)
class GradeRange:
    """The range of some grades.

    Parameters
    ----------
    count : int
        How many grades there are.
    low, high : float
        The smallest and the largest.
    between : int
        How many are above 0 and below 1.
    """

    count: int
    low: float
    high: float
    between: int

    @classmethod
    def of(cls, grade: Floats) -> GradeRange:
        """That of one grade or more."""
        between = int(((grade > 0) & (grade < 1)).sum())
        return cls(len(grade), float(grade.min()), float(grade.max()), between)

    def __or__(self, other: GradeRange) -> GradeRange:
        """That of both."""
        return GradeRange(
            self.count + other.count,
            min(self.low, other.low),
            max(self.high, other.high),
            self.between + other.between,
        )
