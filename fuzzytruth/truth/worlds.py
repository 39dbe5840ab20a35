"""An uncertain truth as a distribution over crisp ones ("worlds"), and how to draw them.

Two layers. An *outer* world says with which chance each item has each of its grades: one person's
votes, the votes of a resampled set of people, or simply everybody's. An *inner* world then draws
one grade for each item, all items independently. Kinds differ in the outer layer only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Array, Floats
from fuzzytruth.core.resampled_subjects import resamples
from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.truth.pool import Pool

Kind = Literal["crisp", "subject", "independent", "population"]


@dataclass(frozen=True, slots=True, eq=False)
class OuterWorlds:
    """Chances of the grades of all pool items, in one or more outer worlds.

    Parameters
    ----------
    pool : Pool
        Its `grade` holds the options of each item, one row a subject (or an option).
    weight : (worlds,) float
        Probability of each outer world; sums to 1.
    votes : (worlds, options) or (worlds, options, queries) float, or None
        How much each subject counts. None: as much as in `pool.chance`.
    drawn : bool
        Whether the outer worlds are a random sample of those there are.
    resampled : bool
        Whether each has as many subjects as there are, taken with replacement.
    """

    pool: Pool
    weight: Floats
    votes: Floats | None = None
    drawn: bool = False
    resampled: bool = False

    def __len__(self) -> int:
        return len(self.weight)

    def tail(self, ladder: Ladder, worlds: slice, items: slice) -> Array:
        """Probability that each item's grade reaches each step: (worlds, steps, items)."""
        grade = self.pool.grade[:, items]
        tails = [
            self.mean_of((grade >= level).astype(np.float64), worlds, items)
            for level in ladder.level
        ]
        n_worlds = len(self.weight[worlds]) if self.votes is not None else 1
        shape = (n_worlds, len(ladder.level), len(ladder.base))
        return np.stack(tails, axis=1) if tails else np.zeros(shape)

    def mean_of(self, value: Array, worlds: slice, items: slice) -> Array:
        """Expected `value` (options, items) of each item: (worlds, items)."""
        chance = self.pool.chance[:, items]
        full: Array = (chance * value).sum(axis=0)
        if self.votes is None:
            return full[None, :]
        votes = self.votes[worlds]
        present = (chance > 0).astype(np.float64)
        if votes.ndim == 2:
            total, mass = votes @ (present * value), votes @ present
        else:
            query = self.pool.query_of[items]
            each = votes[:, :, query]  # (worlds, options, items)
            total, mass = (each * (present * value)).sum(axis=1), (each * present).sum(axis=1)
        # An item that lost all its votes keeps the share it has in the full sample.
        out = np.broadcast_to(full, total.shape).copy()
        np.divide(total, mass, out=out, where=mass > 0)
        return out

    def inflation(self, queries: slice) -> Array:
        """What makes the variance over resamples unbiased, S / (S - 1): (queries,)."""
        if self.votes is None or not self.resampled:
            return np.ones(1)
        if self.votes.ndim == 2:
            size = self.votes[0].sum()
            return np.array([size / (size - 1)])
        sizes = self.votes[0, :, queries].sum(axis=0)
        return np.asarray(sizes / (sizes - 1))

    def lost(self) -> int:
        """How many (outer world, item) pairs have lost all votes."""
        if self.votes is None:
            return 0
        present = (self.pool.chance > 0).astype(np.float64)
        if self.votes.ndim == 2:
            return int((self.votes @ present == 0).sum())
        each = self.votes[:, :, self.pool.query_of]
        return int(((each * present).sum(axis=1) == 0).sum())


def outer_worlds(
    pool: Pool, kind: Kind, *, n_worlds: int, nested: bool, seed: np.random.SeedSequence
) -> OuterWorlds:
    """The outer worlds of a kind of truth; `n_worlds` is how many resamples are drawn at most."""
    if kind == "independent":
        return OuterWorlds(pool, np.ones(1))
    n_subjects = len(pool.subjects or ())
    if kind == "population" and n_subjects < 2:
        raise OptionError(
            "worlds='population': resampling subjects needs at least two of them, and these "
            f"judgments have {n_subjects or 'none'}"
        )
    if nested:
        return _nested_resamples(pool, n_worlds, seed)
    weight, votes, drawn = resamples(n_subjects, n_worlds, seed)
    return OuterWorlds(pool, weight, votes, drawn=drawn, resampled=True)


def _nested_resamples(pool: Pool, n_worlds: int, seed: np.random.SeedSequence) -> OuterWorlds:
    """Subjects resampled within each query, for a name is not the same person in another one."""
    present = np.logical_or.reduceat(~np.isnan(pool.grade), pool.offsets[:-1], axis=1)
    size = present.sum(axis=0)  # (queries,) subjects who judged
    if (size < 2).any():
        query = pool.queries[int(np.argmax(size < 2))]
        raise DataError(
            f"worlds='population': query {query!r} has a single subject, and the judgments are "
            "nested; resampling needs at least two subjects a query"
        )
    rng = np.random.default_rng(seed)
    # One draw for each of a query's subjects, among its subjects.
    order = np.argsort(~present, axis=0, kind="stable")  # subjects who judged come first
    votes = np.zeros((n_worlds, len(present), len(size)))
    world, column = np.arange(n_worlds)[:, None], np.arange(len(size))
    for nth in range(int(size.max())):
        place = (rng.random((n_worlds, len(size))) * size).astype(np.int64)
        votes[world, order[place, column], column] += nth < size
    return OuterWorlds(pool, np.full(n_worlds, 1 / n_worlds), votes, drawn=True, resampled=True)


@dataclass(frozen=True, slots=True, eq=False)
class Ladder:
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

    base: Array
    step: Array
    level: Array


def make_ladder(pool: Pool, items: slice) -> Ladder:
    """Sort the distinct grades of each item."""
    grade = np.sort(np.where(pool.chance[:, items] > 0, pool.grade[:, items], np.nan), axis=0)
    step = np.diff(grade, axis=0)
    new = step > 0  # neither repeats nor the NaN at the end
    n_steps = int(new.sum(axis=0).max(initial=0))
    order = np.argsort(~new, axis=0, kind="stable")[:n_steps]
    real = np.take_along_axis(new, order, axis=0)
    return Ladder(
        grade[0],
        np.where(real, np.take_along_axis(step, order, axis=0), 0.0),
        np.where(real, np.take_along_axis(grade[1:], order, axis=0), np.inf),
    )


def draw(ladder: Ladder, tail: Array, n_worlds: int, seed: np.random.SeedSequence) -> Floats:
    """Draw one grade for each item in each world: (worlds, items).

    Parameters
    ----------
    tail : (worlds or 1, steps, items) float
        Probability that an item's grade reaches each step.
    """
    is_open = ((tail > 0) & (tail < 1)).any(axis=(0, 1))
    gain = np.empty((n_worlds, len(ladder.base)))
    gain[:] = _certain(ladder, tail)
    at = np.flatnonzero(is_open)
    if not len(at):
        return gain
    uniform = _uniform(n_worlds, len(at), seed)
    adds_up = _adds_up(ladder, at)
    # Chances in units of 2⁻³². The largest number is never drawn, so that chance 1 is certainty.
    np.minimum(uniform, np.uint32(_MOST - 1), out=uniform)
    unit = np.minimum(np.rint(tail[..., at] * 2.0**32), _MOST).astype(np.uint32)
    drawn = np.empty((n_worlds, len(at)))
    drawn[:] = ladder.base[at]
    for s, (step, level) in enumerate(zip(ladder.step[:, at], ladder.level[:, at], strict=True)):
        reached = uniform < unit[:, s]
        if adds_up:
            drawn += step * reached
        else:
            np.copyto(drawn, level, where=reached)
    gain[:, at] = drawn
    return gain


def _certain(ladder: Ladder, tail: Array) -> Array:
    """The grade of each item if only what is certain is reached: (worlds or 1, items)."""
    out = np.repeat(ladder.base[None, :], len(tail), axis=0)
    for s, level in enumerate(ladder.level):
        np.copyto(out, level, where=tail[:, s] >= 1)
    return out


def _adds_up(ladder: Ladder, at: NDArray[np.intp]) -> bool:
    """Whether steps lead to the grades exactly: not so for 0.2 + (0.9 - 0.2), which is not 0.9.

    Adding steps is twice as fast as choosing grades.
    """
    reached = ladder.base[at] + np.cumsum(ladder.step[:, at], axis=0)
    return bool(((reached == ladder.level[:, at]) | ~np.isfinite(ladder.level[:, at])).all())


_MOST = 2**32 - 1


def _uniform(rows: int, columns: int, seed: np.random.SeedSequence) -> NDArray[np.uint32]:
    """Uniform 32-bit numbers; SFC64 gives them fastest, two from each 64 bits."""
    count = rows * columns
    words = np.random.SFC64(seed).random_raw((count + 1) // 2)
    return words.view(np.uint32)[:count].reshape(rows, columns)
