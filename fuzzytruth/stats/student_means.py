"""Estimated means whose errors follow Student's t, and numbers of units as good as another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core import student
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.stats.laws import StudentLaw

_HALVINGS = 60  # of the interval in which equivalent numbers of units are sought
_LEAST_UNITS, _MOST_UNITS = 1.05, 1e9


@dataclass(frozen=True, slots=True, eq=False)
class Means:
    """Estimates of means, all arrays (rows,).

    Parameters
    ----------
    value, std_error, df : (rows,) float
    units : (rows,) float
        Units, or clusters of them, that the standard error comes from.
    known : (rows,) bool
        Where no spread means no error.
    """

    value: Floats
    std_error: Floats
    df: Floats
    units: Floats
    known: Bools

    @property
    def law(self) -> StudentLaw:
        """How the estimates err."""
        return StudentLaw(self.std_error, self.units - 1, self.known, self.df)

    def interval(self, level: float) -> tuple[Floats, Floats]:
        """Ends of two-sided intervals."""
        return self.law.interval(self.value, level, "two-sided")

    def where(self, chosen: Bools, other: Means) -> Means:
        """These in the chosen rows, the other ones elsewhere."""
        return Means(
            np.where(chosen, self.value, other.value),
            np.where(chosen, self.std_error, other.std_error),
            np.where(chosen, self.df, other.df),
            np.where(chosen, self.units, other.units),
            np.where(chosen, self.known, other.known),
        )


def equivalent_units(
    half: Floats, measured: Means, level: float, *, n_all: Floats, finite: bool = False
) -> Floats:
    """How many measured units alone would give intervals of these half-widths: (rows,).

    Their spread is that of the measured units, and t has units - 1 degrees of freedom. At most
    `n_all` (rows,); NaN where no spread is known.
    """
    units = measured.units
    rest = 1 / np.maximum(n_all, 1) if finite else np.zeros_like(units)
    deviation = divide(measured.std_error, np.sqrt(divide(1, units) - rest), fill=np.nan)
    known = deviation > 0
    deviation = np.where(known, deviation, 1.0)
    low, high = np.full(len(half), _LEAST_UNITS), np.full(len(half), _MOST_UNITS)
    for _ in range(_HALVINGS):
        middle = np.sqrt(low * high)
        spread = np.sqrt(np.maximum(1 / middle - rest, 0.0))
        too_wide = student.quantile(level, middle - 1) * deviation * spread > half
        low, high = np.where(too_wide, middle, low), np.where(too_wide, high, middle)
    return np.where(known, np.minimum(high, n_all), np.nan)
