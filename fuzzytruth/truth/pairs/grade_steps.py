"""The distinct grades of each item as steps upwards, and drawing one grade for each item."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import U64, Array, Floats, Ints
from fuzzytruth.core.keyed import CERTAIN, thresholds, world_bits
from fuzzytruth.truth.pairs.votes import PairVotes


@dataclass(frozen=True, eq=False)
class GradeSteps:
    """The distinct grades each item may have, as steps upwards from the lowest.

    Parameters
    ----------
    base : (items,) float
        Lowest grade.
    level : (steps, items) float
        The grade reached by each step; infinite where an item has no more grades.
    """

    base: Floats
    level: Floats

    @cached_property
    def scale(self) -> Floats:
        """Distinct grades of all items, ascending."""
        reached = self.level[np.isfinite(self.level)]
        return np.unique(np.concatenate((self.base, reached)))

    @cached_property
    def codes(self) -> tuple[Array, Array]:
        """Place of the lowest grade in `scale`, and how many places each step goes upwards.

        (items,) and (steps, items), in the smallest type that holds one place more.
        """
        kind = np.min_scalar_type(len(self.scale))
        place = np.searchsorted(self.scale, np.concatenate((self.base[None, :], self.level)))
        rise = np.where(np.isfinite(self.level), np.diff(place, axis=0), 0)
        return place[0].astype(kind), rise.astype(kind)

    @property
    def largest_code(self) -> Array:
        """Place of the highest grade in `scale`: (items,)."""
        base, rise = self.codes
        out: Array = base + rise.sum(axis=0, dtype=base.dtype)
        return out


def grade_steps(votes: PairVotes) -> GradeSteps:
    """Sort the distinct grades of each item."""
    n_items = len(votes.offsets) - 1
    possible = votes.chance > 0
    pair, grade = votes.pair[possible], votes.grade[possible]
    order = np.lexsort((grade, pair))
    pair, grade = pair[order], grade[order]
    lowest = np.ones(len(pair), dtype=bool)
    lowest[1:] = pair[1:] != pair[:-1]
    rises = ~lowest
    rises[1:] &= grade[1:] > grade[:-1]
    # Which step upwards each new grade of an item is.
    number = np.cumsum(rises)
    nth = number - number[np.flatnonzero(lowest)][np.cumsum(lowest) - 1]
    level = np.full((int(nth.max(initial=0)), n_items), np.inf)
    at = np.flatnonzero(rises)
    level[nth[at] - 1, pair[at]] = grade[at]
    return GradeSteps(grade[lowest], level)


def draw_codes(
    steps: GradeSteps, tail: Floats, keys: U64, streams: U64, worlds: slice, order: Ints
) -> Array:
    """Draw one grade for each item in each world: (items, outer · worlds), as places in the scale.

    Parameters
    ----------
    steps : GradeSteps
    tail : (outer, steps, items) float
        Probability that an item's grade reaches each step.
    keys : (items,) uint64
    streams : (outer,) uint64
        Where the counters of each outer world start.
    worlds : slice
        Which worlds of each outer world, from an even number on.
    order : (items,) int
        The items in the order of the rows of the result.
    """
    n = worlds.stop - worlds.start
    tail = tail[:, :, order]
    base, rise = (part[..., order] for part in steps.codes)
    certain = base + (rise * (tail >= 1)).sum(axis=1, dtype=base.dtype)  # (outer, items)
    out = np.repeat(certain.T, n, axis=1)
    is_open = ((tail > 0) & (tail < 1)).any(axis=(0, 1))
    at = np.flatnonzero(is_open)
    if not len(at):
        return out
    unit = thresholds(tail[..., at])
    capped = bool((unit == CERTAIN).any())
    draws = _Draws(base[at], rise[:, at], unit.transpose(2, 1, 0), capped)
    for rows, bits in world_bits(keys[order[at]], streams, worlds):
        out[at[rows]] = draws.codes(rows, bits)
    return out


@dataclass(frozen=True, slots=True, eq=False)
class _Draws:
    """Turns random bits into places in the scale.

    Parameters
    ----------
    base : (items,) int
    rise : (steps, items) int
    unit : (items, steps, outer) uint32
        Chance to reach each step.
    capped : bool
        Whether some chance is 1.
    """

    base: Array
    rise: Array
    unit: NDArray[np.uint32]
    capped: bool

    def codes(self, rows: slice, bits: NDArray[np.uint32]) -> Array:
        """Places in the scale of some items: (items, outer · worlds)."""
        unit = self.unit[rows]
        if self.capped:  # the largest number is never drawn, so that chance 1 is certainty
            bits = np.minimum(bits, np.uint32(CERTAIN - 1))
        out = np.empty(bits.shape, dtype=self.base.dtype)
        out[:] = self.base[rows, None, None]
        for s in range(unit.shape[1]):
            reached = (bits < unit[:, s, :, None]).view(np.uint8)
            rise = self.rise[s, rows]
            if (rise == 1).all():
                out += reached
            else:
                out += reached * rise[:, None, None]
        return out.reshape(len(out), -1)
