"""The distinct grades of each item as steps upwards, and drawing one grade for each item."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Array, Floats
from fuzzytruth.truth.pairs.votes import PairVotes


@dataclass(frozen=True, slots=True, eq=False)
class GradeSteps:
    """The distinct grades each item may have, as steps upwards from the lowest.

    Parameters
    ----------
    base : (items,) float
        Lowest grade.
    step : (steps, items) float
        How much higher the next grade is; 0 where an item has no more grades.
    level : (steps, items) float
        The grade reached by each step; infinite where there is none.
    """

    base: Floats
    step: Floats
    level: Floats

    @property
    def grades(self) -> Floats:
        """Distinct grades of all items, descending."""
        reached = self.level[np.isfinite(self.level)]
        return np.unique(np.concatenate((self.base, reached)))[::-1]


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
    n_steps = int(nth.max(initial=0))
    step, level = np.zeros((n_steps, n_items)), np.full((n_steps, n_items), np.inf)
    at = np.flatnonzero(rises)
    level[nth[at] - 1, pair[at]] = grade[at]
    step[nth[at] - 1, pair[at]] = grade[at] - grade[at - 1]
    return GradeSteps(grade[lowest], step, level)


def draw_grades(
    steps: GradeSteps, tail: Floats, n_worlds: int, seed: np.random.SeedSequence
) -> Floats:
    """Draw one grade for each item in each world: (worlds, items).

    Parameters
    ----------
    steps : GradeSteps
    tail : (worlds or 1, steps, items) float
        Probability that an item's grade reaches each step.
    n_worlds : int
    seed : SeedSequence
    """
    is_open = ((tail > 0) & (tail < 1)).any(axis=(0, 1))
    gain = np.empty((n_worlds, len(steps.base)))
    gain[:] = _certain(steps, tail)
    at = np.flatnonzero(is_open)
    if not len(at):
        return gain
    uniform = _uniform(n_worlds, len(at), seed)
    additive = _is_additive(steps, at)
    # Chances in units of 2⁻³². The largest number is never drawn, so that chance 1 is certainty.
    np.minimum(uniform, np.uint32(_MOST - 1), out=uniform)
    unit = np.minimum(np.rint(tail[..., at] * 2.0**32), _MOST).astype(np.uint32)
    drawn = np.empty((n_worlds, len(at)))
    drawn[:] = steps.base[at]
    for s, (step, level) in enumerate(zip(steps.step[:, at], steps.level[:, at], strict=True)):
        reached = uniform < unit[:, s]
        if additive:
            drawn += step * reached
        else:
            np.copyto(drawn, level, where=reached)
    gain[:, at] = drawn
    return gain


def _certain(steps: GradeSteps, tail: Floats) -> Floats:
    """The grade of each item if only what is certain is reached: (worlds or 1, items)."""
    out = np.repeat(steps.base[None, :], len(tail), axis=0)
    for s, level in enumerate(steps.level):
        np.copyto(out, level, where=tail[:, s] >= 1)
    return out


def _is_additive(steps: GradeSteps, at: Array) -> bool:
    """Whether steps add up to the grades exactly: not so for 0.2 + (0.9 - 0.2), which is not 0.9.

    Adding steps is twice as fast as choosing grades.
    """
    reached = steps.base[at] + np.cumsum(steps.step[:, at], axis=0)
    return bool(((reached == steps.level[:, at]) | ~np.isfinite(steps.level[:, at])).all())


_MOST = 2**32 - 1


def _uniform(rows: int, columns: int, seed: np.random.SeedSequence) -> NDArray[np.uint32]:
    """Uniform 32-bit numbers; SFC64 gives them fastest, two from each 64 bits."""
    count = rows * columns
    words = np.random.SFC64(seed).random_raw((count + 1) // 2)
    return words.view(np.uint32)[:count].reshape(rows, columns)
