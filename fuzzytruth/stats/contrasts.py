"""Contrasts: single systems, or differences of two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.clusters import pair_differences

_NUMBERS = 2**22  # values of a batch of contrasts


@dataclass(frozen=True, slots=True, eq=False)
class Contrasts:
    """Systems, or pairs of systems.

    Parameters
    ----------
    first : (rows,) int
        Indices of systems.
    second : (rows,) int or None
        Indices of the systems that are subtracted from them; None: single systems.
    """

    first: Ints
    second: Ints | None = None

    def __len__(self) -> int:
        return len(self.first)

    @property
    def are_pairs(self) -> bool:
        """Whether these are differences, and not single systems."""
        return self.second is not None

    def of(self, values: Floats, *, scale: Floats) -> Floats:
        """Values of the contrasts: (systems, ...) → (rows, ...).

        `scale` (systems,) is each system's largest |value|; a difference below 1e-12 of a pair's
        is 0.
        """
        if self.second is None:
            return values[self.first]
        return pair_differences(values, self.first, self.second, scale=scale)

    def largest(self, scale: Floats) -> Floats:
        """The larger of both systems of each row: (systems,) → (rows,)."""
        if self.second is None:
            return scale[self.first]
        return np.maximum(scale[self.first], scale[self.second])

    def part(self, start: int, size: int) -> Contrasts:
        """The `size` contrasts from `start` on."""
        rows = slice(start, start + size)
        return Contrasts(self.first[rows], None if self.second is None else self.second[rows])

    def batches(self, numbers: int) -> list[Contrasts]:
        """Batches of bounded memory, with `numbers` values per contrast; at least one batch."""
        size = max(1, _NUMBERS // max(numbers, 1))
        return [self.part(start, size) for start in range(0, max(len(self), 1), size)]


def each_system(n_systems: int) -> Contrasts:
    """Every single system."""
    return Contrasts(np.arange(n_systems))


def all_pairs(n_systems: int) -> Contrasts:
    """Every pair of systems, in their order."""
    return Contrasts(*np.triu_indices(n_systems, 1))


def against(baselines: Sequence[int], n_systems: int) -> Contrasts:
    """Every system that is no baseline minus each baseline, baseline after baseline."""
    others = np.setdiff1d(np.arange(n_systems), baselines)
    return Contrasts(np.tile(others, len(baselines)), np.repeat(baselines, len(others)))


def missing_patterns(present: Bools) -> Iterator[tuple[Bools, Ints]]:
    """Distinct rows of a table (rows, n), each with the indices of the rows equal to it.

    Rows with values in the same places can be processed as one array; those without any are left
    out.
    """
    if not len(present):
        return
    if (present == present[:1]).all():
        if present[0].any():
            yield present[0], np.arange(len(present))
        return
    packed = np.packbits(present, axis=1)
    _, first, pattern = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    for number, example in enumerate(first):
        if present[example].any():
            yield present[example], np.flatnonzero(pattern.ravel() == number)
