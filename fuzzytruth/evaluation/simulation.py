"""Scores under many worlds, block by block: exact where a measure knows how, drawn elsewhere.

Blocks are fixed: some whole queries by some worlds, each with a random generator of its own. What
is found depends on the seed alone, not on how many workers share the blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Array, Bools
from fuzzytruth.core.atoms import snapped
from fuzzytruth.core.moments import Moments
from fuzzytruth.measures import Measure, checked
from fuzzytruth.measures.guards import checked_moments
from fuzzytruth.truth.protocol import Chances, Drawn, Meeting, Mixture, QueryBlock

_WORLDS = 64  # drawn worlds in a block
_OUTER = 4  # outer worlds in a block: their chances stay in cache
#: worlds drawn in each outer world, to estimate its expected value
INNER = 16


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """All that blocks share.

    Parameters
    ----------
    meeting : Meeting
        The truth and the systems.
    measures : tuple of Measure
    n_inner : int
        Worlds drawn in each outer world.
    entropy : tuple of int
        What the random generators start from.
    exclude : bool
        Whether worlds without relevant items have no value, where a measure needs some.
    keep : bool
        Whether to keep the value of each query in each world.
    systems : tuple of int, optional
        Which systems to score, where not all.
    """

    meeting: Meeting
    measures: tuple[Measure, ...]
    n_inner: int
    entropy: tuple[int, ...]
    exclude: bool = False
    keep: bool = False
    systems: tuple[int, ...] | None = None

    @property
    def scored(self) -> Sequence[int]:
        """The systems that are scored."""
        return range(self.meeting.n_systems) if self.systems is None else self.systems

    @property
    def n_worlds(self) -> int:
        """Number of worlds whose values vary: the outer ones if there are several."""
        n_outer = len(self.meeting.weight)
        return n_outer if n_outer > 1 else self.n_inner

    def seed(self, *block: int) -> np.random.SeedSequence:
        """The seed of one block."""
        return np.random.SeedSequence(self.entropy, spawn_key=block)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What one block of queries gave.

    Parameters
    ----------
    mean, variance : (systems, measures, queries) float
        Over worlds; NaN where no world has a value.
    error : (systems, measures, queries) float
        Variance of `mean` as a Monte Carlo estimate; 0 where it is exact.
    exact : (systems, measures, queries) bool
    total, count : (worlds, systems, measures) float
        Sum of the values over the queries that have one, and how many do.
    noise : (worlds, systems, measures) float
        Variance of `total` that comes from the inner worlds drawn to estimate it.
    chance_of_none : (measures, queries) float
        Probability that a query has no relevant item (0 for measures that need none).
    kept, kept_noise : (worlds, systems, measures, queries) float or None
        Each value, and its variance as an estimate.
    """

    mean: Array
    variance: Array
    error: Array
    exact: Bools
    total: Array
    count: Array
    noise: Array
    chance_of_none: Array
    kept: Array | None
    kept_noise: Array | None


def simulate(
    setting: Setting, *, n_jobs: int = 1, done: Callable[[float], None] | None = None
) -> Found:
    """Scores of all queries under all worlds; `done` is told the share that is finished."""
    blocks = list(enumerate(setting.meeting.blocks()))
    parts = []
    for part in _each_block(setting, blocks, n_jobs):
        parts.append(part)
        if done is not None:
            done(len(parts) / len(blocks))
    return Found(
        np.concatenate([p.mean for p in parts], axis=-1),
        np.concatenate([p.variance for p in parts], axis=-1),
        np.concatenate([p.error for p in parts], axis=-1),
        np.concatenate([p.exact for p in parts], axis=-1),
        sum(p.total for p in parts[1:]) + parts[0].total,
        sum(p.count for p in parts[1:]) + parts[0].count,
        sum(p.noise for p in parts[1:]) + parts[0].noise,
        np.concatenate([p.chance_of_none for p in parts], axis=-1),
        _side_by_side([p.kept for p in parts]),
        _side_by_side([p.kept_noise for p in parts]),
    )


def _each_block(setting: Setting, blocks: list[tuple[int, slice]], n_jobs: int) -> Iterator[Found]:
    """What each block gave, in their order."""
    if n_jobs == 1:
        yield from (run_block(setting, number, queries) for number, queries in blocks)
        return
    from joblib import Parallel, delayed

    run = delayed(run_block)
    calls = (run(setting, number, queries) for number, queries in blocks)
    yield from Parallel(n_jobs=n_jobs, return_as="generator")(calls)


def _side_by_side(parts: list[Array | None]) -> Array | None:
    """Blocks of queries, if they were kept."""
    kept = [part for part in parts if part is not None]
    return np.concatenate(kept, axis=-1) if kept else None


def run_block(setting: Setting, number: int, queries: slice) -> Found:
    """Scores of some queries under all worlds."""
    block = setting.meeting.block(number, queries)
    run = _run_inner if len(setting.meeting.weight) == 1 else _run_outer
    return run(setting, block, queries)


def score_all(setting: Setting, block: QueryBlock, worlds: Drawn) -> Array:
    """Values in drawn worlds: (worlds, systems, measures, queries)."""
    out = np.empty((len(worlds), len(setting.scored), len(setting.measures), block.n_queries))
    for s, system in enumerate(setting.scored):
        batch = worlds.batch(system)
        for m, measure in enumerate(setting.measures):
            out[:, s, m] = checked(measure, measure.score(batch), len(worlds), block.n_queries)
            if setting.exclude and measure.needs_relevant:
                out[:, s, m][batch.n_relevant(measure.threshold) == 0] = np.nan
    return out


class _Gathered:
    """Values added block of worlds by block of worlds."""

    def __init__(self, setting: Setting, block: QueryBlock) -> None:
        shape = (len(setting.scored), len(setting.measures), block.n_queries)
        self.moments = Moments(shape)
        self._totals: list[Array] = []
        self._counts: list[Array] = []
        self._noise: list[Array] = []
        self._kept: list[tuple[Array, Array]] | None = [] if setting.keep else None

    def add(self, values: Array, weight: Array, noise: Array | None = None) -> None:
        """Add (worlds, systems, measures, queries), each world with its weight.

        `noise` is the variance of each value, where it is an estimate itself.
        """
        noise = np.zeros_like(values) if noise is None else noise
        self.moments.add(values, weight)
        there = ~np.isnan(values)
        self._totals.append(np.where(there, values, 0.0).sum(axis=-1))
        self._counts.append(there.sum(axis=-1).astype(np.float64))
        self._noise.append(np.where(there, noise, 0.0).sum(axis=-1))
        if self._kept is not None:
            self._kept.append((values, noise))

    def found(self, mean: Array, variance: Array, error: Array, exact: Bools, none: Array) -> Found:
        """All that was gathered, with the statistics worked out from it."""
        kept, kept_noise = None, None
        if self._kept is not None:
            kept, kept_noise = (np.concatenate(part) for part in zip(*self._kept, strict=True))
        return Found(
            mean,
            variance,
            error,
            exact,
            np.concatenate(self._totals),
            np.concatenate(self._counts),
            np.concatenate(self._noise),
            none,
            kept,
            kept_noise,
        )


def _run_inner(setting: Setting, block: QueryBlock, queries: slice) -> Found:
    """All uncertainty is inside the only outer world: draw it, or know it."""
    chances = block.chances(slice(0, 1))
    gathered = _Gathered(setting, block)
    for part, size in _parts(setting.n_inner):
        worlds = chances.draw(size, setting.seed(1, block.stream, part))
        gathered.add(score_all(setting, block, worlds), np.ones(size))
    mean, variance, known = _exact(setting, block, chances)
    drawn = gathered.moments
    error = np.where(known, 0.0, error_of_mean(drawn.variance, drawn.weight))
    return gathered.found(
        np.where(known, mean[0], drawn.mean),
        np.where(np.isnan(variance[0]), drawn.variance, variance[0]),
        error,
        known,
        _chance_of_none(setting, block, chances)[0],
    )


def _run_outer(setting: Setting, block: QueryBlock, queries: slice) -> Found:
    """Outer worlds vary; the value of each is an expectation over its inner worlds."""
    gathered = _Gathered(setting, block)
    meeting = setting.meeting
    shape = (len(setting.scored), len(setting.measures), block.n_queries)
    noise, squared = Moments(shape), Moments(shape)  # with weights w and w²
    none = Moments((len(setting.measures), block.n_queries))
    weight = meeting.weight
    exact = np.ones(shape, dtype=bool)
    for part, start in enumerate(range(0, len(weight), _OUTER)):
        worlds = slice(start, start + _OUTER)
        chances = block.chances(worlds)
        values, _, known = _exact(setting, block, chances)
        exact &= known
        spread = np.zeros_like(values)
        if not known.all():
            number = (1, block.stream, part)
            drawn, drawn_spread = _inner_means(setting, block, chances, number)
            values = np.where(known, values, drawn)
            spread = np.where(known, 0.0, drawn_spread)
        gathered.add(values, weight[worlds], spread)
        noise.add(spread, weight[worlds])
        squared.add(spread, weight[worlds] ** 2)
        none.add(_chance_of_none(setting, block, chances), weight[worlds])
    moments = gathered.moments
    # What inner draws add to the variance is not the subjects'.
    variance = np.maximum(moments.variance - noise.mean, 0.0) * meeting.inflation(queries)
    if meeting.drawn:
        error = error_of_mean(moments.variance, np.full(shape, float(len(weight))))
    else:
        error = squared.mean * squared.weight
    mean = np.empty(shape)
    for m, measure in enumerate(setting.measures):
        mean[:, m] = snapped(moments.mean[:, m], measure.range)
    return gathered.found(mean, variance, error, exact & ~np.bool_(meeting.drawn), none.mean)


def _inner_means(
    setting: Setting, block: QueryBlock, chances: Chances, number: tuple[int, ...]
) -> tuple[Array, Array]:
    """Mean of the inner worlds of each outer one, and the variance of that mean as an estimate."""
    n_inner = setting.n_inner
    means, variances = [], []
    step = max(1, _WORLDS // n_inner)
    for part, start in enumerate(range(0, len(chances), step)):
        some = chances[start : start + step]
        worlds = some.draw(n_inner, setting.seed(*number, part))
        values = score_all(setting, block, worlds)
        values = values.reshape(len(some), n_inner, *values.shape[1:]).swapaxes(0, 1)
        inner = Moments(values.shape[1:])
        inner.add(values, np.ones(n_inner))
        means.append(inner.mean)
        variances.append(error_of_mean(inner.variance, inner.weight))
    return np.concatenate(means), np.concatenate(variances)


def error_of_mean(variance: Array, n: Array) -> Array:
    """Variance of the mean of n draws; infinite for a single one, of which nothing is known."""
    out = np.full(np.broadcast_shapes(variance.shape, n.shape), np.inf)
    np.divide(variance, n - 1, out=out, where=n > 1)
    return np.where(n > 0, out, np.nan)


def _exact(setting: Setting, block: QueryBlock, chances: Chances) -> tuple[Array, Array, Bools]:
    """Exact means and variances (outer, systems, measures, queries), and which means are known.

    A known mean is NaN where no world has a value, an unknown variance is NaN.
    """
    shape = (len(chances), len(setting.scored), len(setting.measures), block.n_queries)
    mean, variance = np.full(shape, np.nan), np.full(shape, np.nan)
    known = np.zeros(shape[1:], dtype=bool)
    none = _chance_of_none(setting, block, chances)
    for s, system in enumerate(setting.scored):
        mixture = chances.mixture(system)
        if mixture is None:
            continue
        for m, measure in enumerate(setting.measures):
            first, second = _moments(measure, mixture)
            if first is None:
                continue
            known[s, m] = ~np.isnan(first.reshape(-1, block.n_queries)).any(axis=0)
            if setting.exclude:
                first, second = _given_some(measure, first, second, none[:, m])
            mean[:, s, m] = snapped(first, measure.range)
            if second is not None:
                variance[:, s, m] = np.maximum(second, 0.0)
    return mean, variance, known


def _moments(measure: Measure, mixture: Mixture) -> tuple[Array | None, Array | None]:
    """Mean and variance over all components: (..., queries) both; None where not known."""
    first, second = checked_moments(measure, mixture.probabilities) or (None, None)
    if first is None or mixture.offsets is None:
        return first, second
    mean = mixture.mean(first)
    return mean, None if second is None else mixture.mean(second + first**2) - mean**2


def _given_some(
    measure: Measure, mean: Array, variance: Array | None, none: Array
) -> tuple[Array, Array | None]:
    """Moments given that a query has relevant items; without any, the value is known."""
    empty = measure.empty
    some = 1 - none
    there = some > 0
    given = np.full(np.broadcast_shapes(mean.shape, none.shape), np.nan)
    np.divide(mean - empty * none, some, out=given, where=there)
    if variance is None:
        return given, None
    square = np.full(given.shape, np.nan)
    np.divide(variance + mean**2 - empty**2 * none, some, out=square, where=there)
    return given, square - given**2


def _chance_of_none(setting: Setting, block: QueryBlock, chances: Chances) -> Array:
    """Probability that a query has no relevant item: (outer, measures, queries)."""
    out = np.zeros((len(chances), len(setting.measures), block.n_queries))
    for m, measure in enumerate(setting.measures):
        if measure.needs_relevant:
            out[:, m] = chances.chance_of_none(measure.threshold)
    return out


def _parts(n_worlds: int) -> Iterator[tuple[int, int]]:
    """Number and size of each block of worlds."""
    for part, start in enumerate(range(0, n_worlds, _WORLDS)):
        yield part, min(_WORLDS, n_worlds - start)


def without_noise(values: Array, noise: Array, weight: Array) -> Array:
    """Values of outer worlds, drawn together so that the noise of estimating them is not spread.

    Parameters
    ----------
    values, noise : (worlds, ...) float
        Estimates of what each outer world gives, and the variance of each as an estimate.
    weight : (worlds,) float
        Probability of each outer world.
    """
    if len(weight) != len(values) or not noise.any():
        return values
    moments, blur = Moments(values.shape[1:]), Moments(values.shape[1:])
    moments.add(values, weight)
    blur.add(np.where(np.isnan(values), np.nan, noise), weight)
    share = np.zeros(moments.variance.shape)
    np.divide(blur.mean, moments.variance, out=share, where=moments.variance > 0)
    kept = np.sqrt(np.clip(1 - share, 0.0, 1.0))
    out: Array = moments.mean + (values - moments.mean) * kept
    return out
