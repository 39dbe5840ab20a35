"""Atoms of discrete distributions as they are drawn: without tails, in bins, with quantiles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.atoms import cumulative_sum, first_reaching

MAX_THICK = 60  # atoms drawn as thick lines, and bins of a histogram
MAX_THIN = 200  # evenly spaced atoms drawn as thin lines
_TAIL = 1e-6  # probability at either end that is not drawn
_MAX_STEPS = 1e6  # steps between the first and the last atom for them to count as evenly spaced


def without_tails(values: Floats, probabilities: Floats) -> tuple[Floats, Floats]:
    """The atoms and their probabilities, without tails too improbable to be seen."""
    below = cumulative_sum(probabilities)  # P(X ≤ x)
    above = np.append(cumulative_sum(probabilities[::-1])[-2::-1], 0.0)  # P(X > x)
    first = int(np.argmax(below > _TAIL))
    last = int(np.argmax(above <= _TAIL))
    kept = slice(first, max(first, last) + 1)
    return values[kept], probabilities[kept]


def central_interval(values: Floats, probabilities: Floats, level: float) -> tuple[float, float]:
    """The quantiles of ascending atoms that cut off (1 - level) / 2 on either side."""
    tail = round((1 - level) / 2, 15)
    reached = cumulative_sum(probabilities)
    lower, upper = values[first_reaching(reached, np.array([tail, 1 - tail]))].tolist()
    return lower, upper


def spacing(values: Floats) -> float | None:
    """The step of which all gaps between ascending atoms are multiples; None if there is none."""
    gaps = np.diff(values)
    step = float(gaps.min(initial=np.inf))
    if not len(gaps) or gaps.sum() > _MAX_STEPS * step:
        return None
    multiples = gaps / step
    even = np.abs(multiples - np.rint(multiples)).max() < 1e-6
    return step if even else None


def bin_edges(values: Floats, step: float | None) -> Floats:
    """Edges of about 60 bins.

    If the atoms are evenly spaced, each bin covers the same number of steps: bins with different
    numbers of atoms would give a jagged outline.
    """
    if step is None:
        return np.linspace(values[0], values[-1], MAX_THICK + 1)
    n_steps = round(float(values[-1] - values[0]) / step) + 1
    width = -(-n_steps // MAX_THICK)
    return np.asarray(values[0] + step * (np.arange(0, n_steps + width, width) - 0.5))


@dataclass(frozen=True, slots=True)
class Atoms:
    """A distribution: ascending values, and their probabilities."""

    name: str
    values: Floats
    probabilities: Floats

    def visible(self) -> Atoms:
        """The same without its tails."""
        return Atoms(self.name, *without_tails(self.values, self.probabilities))
