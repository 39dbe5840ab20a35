"""Scores under many worlds, block by block: exact where a measure knows how, drawn elsewhere.

Blocks are fixed: some whole queries by some worlds, each with a random generator of its own. The
results depend on the seed alone, not on how many workers share the blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.atoms import snapped
from fuzzytruth.core.moments import Moments
from fuzzytruth.evaluation.exact_moments import chances_of_none, exact_moments
from fuzzytruth.measures import Measure
from fuzzytruth.measures.guards import checked
from fuzzytruth.truth import AlignedTruth, Worlds
from fuzzytruth.truth.protocol import DrawnWorlds, Outcomes
from fuzzytruth.truth.vote_weights import VoteWeights

_WORLDS = 64  # drawn worlds in a block
_OUTER = 4  # outer worlds in a block: their probabilities stay in cache


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """What all blocks of a simulation share.

    Parameters
    ----------
    aligned : AlignedTruth
    kind : str
        The kind of worlds.
    votes : VoteWeights
        The outer worlds.
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

    aligned: AlignedTruth
    kind: Worlds
    votes: VoteWeights
    measures: tuple[Measure, ...]
    n_inner: int
    entropy: tuple[int, ...]
    exclude: bool = False
    keep: bool = False
    systems: tuple[int, ...] | None = None

    @property
    def scored(self) -> Sequence[int]:
        """The systems that are scored."""
        return range(len(self.aligned.systems)) if self.systems is None else self.systems

    @property
    def n_worlds(self) -> int:
        """Number of worlds whose values vary: the outer ones if there are several."""
        return len(self.votes) if len(self.votes) > 1 else self.n_inner

    @property
    def blocks(self) -> Sequence[slice]:
        """Blocks of whole queries: those of drawn worlds, whatever the kind of the outer ones."""
        return self.aligned.blocks("independent")


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedScores:
    """Simulated scores of some queries.

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

    mean: Floats
    variance: Floats
    error: Floats
    exact: Bools
    total: Floats
    count: Floats
    noise: Floats
    chance_of_none: Floats
    kept: Floats | None
    kept_noise: Floats | None


def simulate(
    setting: Setting, *, n_jobs: int = 1, progress: Callable[[float], object] | None = None
) -> SimulatedScores:
    """Scores of all queries under all worlds; `progress` is given the finished fraction."""
    blocks = setting.blocks
    parts = list(run_blocks(run_block, [(setting, b) for b in blocks], n_jobs, progress))
    return SimulatedScores(
        np.concatenate([p.mean for p in parts], axis=-1),
        np.concatenate([p.variance for p in parts], axis=-1),
        np.concatenate([p.error for p in parts], axis=-1),
        np.concatenate([p.exact for p in parts], axis=-1),
        sum(p.total for p in parts[1:]) + parts[0].total,
        sum(p.count for p in parts[1:]) + parts[0].count,
        sum(p.noise for p in parts[1:]) + parts[0].noise,
        np.concatenate([p.chance_of_none for p in parts], axis=-1),
        _joined([p.kept for p in parts]),
        _joined([p.kept_noise for p in parts]),
    )


def run_blocks(
    run: Callable[[Setting, slice], SimulatedScores],
    tasks: Sequence[tuple[Setting, slice]],
    n_jobs: int,
    progress: Callable[[float], object] | None,
) -> Iterator[SimulatedScores]:
    """The scores of each block, in order, computed by `n_jobs` workers."""
    if n_jobs == 1:
        results: Iterator[SimulatedScores] = (run(*task) for task in tasks)
    else:
        from joblib import Parallel, delayed

        results = Parallel(n_jobs=n_jobs, return_as="generator")(
            delayed(run)(*task) for task in tasks
        )
    for number, result in enumerate(results, start=1):
        yield result
        if progress is not None:
            progress(number / len(tasks))


def _joined(parts: list[Floats | None]) -> Floats | None:
    """Blocks of queries side by side, if they were kept."""
    kept = [part for part in parts if part is not None]
    return np.concatenate(kept, axis=-1) if kept else None


def run_block(setting: Setting, queries: slice) -> SimulatedScores:
    """Scores of one block of queries under all worlds."""
    run = _run_inner if len(setting.votes) == 1 else run_outer
    return run(setting, queries)


def score_drawn(setting: Setting, worlds: DrawnWorlds, n_queries: int) -> Floats:
    """Values in drawn worlds: (worlds, systems, measures, queries)."""
    out = np.empty((len(worlds), len(setting.scored), len(setting.measures), n_queries))
    for s, run in enumerate(setting.scored):
        batch = worlds.batch(run)
        for m, measure in enumerate(setting.measures):
            out[:, s, m] = checked(measure, measure.score(batch), len(worlds), n_queries)
            if setting.exclude and measure.needs_relevant:
                out[:, s, m][batch.n_relevant(measure.threshold) == 0] = np.nan
    return out


class _Gathered:
    """Values added block of worlds by block of worlds."""

    def __init__(self, shape: tuple[int, int, int], *, keep: bool) -> None:
        self.moments = Moments(shape)
        self._totals: list[Floats] = []
        self._counts: list[Floats] = []
        self._noise: list[Floats] = []
        self._kept: list[tuple[Floats, Floats]] | None = [] if keep else None

    def add(self, values: Floats, weight: Floats, noise: Floats | None = None) -> None:
        """Add (worlds, systems, measures, queries), each world with its weight.

        `noise` is the variance of each value, where it is an estimate itself.
        """
        noise = np.zeros_like(values) if noise is None else noise
        self.moments.add(values, weight)
        valid = ~np.isnan(values)
        self._totals.append(np.where(valid, values, 0.0).sum(axis=-1))
        self._counts.append(valid.sum(axis=-1).astype(np.float64))
        self._noise.append(np.where(valid, noise, 0.0).sum(axis=-1))
        if self._kept is not None:
            self._kept.append((values, noise))

    def scores(
        self, mean: Floats, variance: Floats, error: Floats, exact: Bools, chance_of_none: Floats
    ) -> SimulatedScores:
        """All that was gathered, with the statistics worked out from it."""
        kept, kept_noise = None, None
        if self._kept is not None:
            kept, kept_noise = (np.concatenate(part) for part in zip(*self._kept, strict=True))
        return SimulatedScores(
            mean,
            variance,
            error,
            exact,
            np.concatenate(self._totals),
            np.concatenate(self._counts),
            np.concatenate(self._noise),
            chance_of_none,
            kept,
            kept_noise,
        )


def _shape(setting: Setting, queries: slice) -> tuple[int, int, int]:
    return len(setting.scored), len(setting.measures), queries.stop - queries.start


def _run_inner(setting: Setting, queries: slice) -> SimulatedScores:
    """All uncertainty is inside the only outer world: draw it, or know it."""
    outcomes, shape = setting.aligned.outcomes(queries, setting.votes), _shape(setting, queries)
    gathered = _Gathered(shape, keep=setting.keep)
    for part, size in _parts(setting.n_inner):
        worlds = outcomes.draw(size, setting.entropy, (part,))
        gathered.add(score_drawn(setting, worlds, shape[-1]), np.ones(size))
    chance_of_none = chances_of_none(outcomes, setting.measures, shape[-1])
    exact = exact_moments(
        outcomes, setting.scored, setting.measures, chance_of_none, exclude=setting.exclude
    )
    drawn = gathered.moments
    error = np.where(exact.known, 0.0, error_of_mean(drawn.variance, drawn.weight))
    return gathered.scores(
        np.where(exact.known, exact.mean[0], drawn.mean),
        np.where(np.isnan(exact.variance[0]), drawn.variance, exact.variance[0]),
        error,
        exact.known,
        chance_of_none[0],
    )


def run_outer(setting: Setting, queries: slice) -> SimulatedScores:
    """Outer worlds vary; the value of each is an expectation over its inner worlds."""
    outcomes, shape = setting.aligned.outcomes(queries, setting.votes), _shape(setting, queries)
    gathered = _Gathered(shape, keep=setting.keep)
    noise, squared = Moments(shape), Moments(shape)  # with weights w and w²
    chance_of_none = Moments(shape[1:])
    votes = setting.votes
    all_known = np.ones(shape, dtype=bool)
    for part, start in enumerate(range(0, len(votes), _OUTER)):
        some = outcomes[start : start + _OUTER]
        weight = votes.weight[start : start + _OUTER]
        chance = chances_of_none(some, setting.measures, shape[-1])
        exact = exact_moments(
            some, setting.scored, setting.measures, chance, exclude=setting.exclude
        )
        all_known &= exact.known
        values, spread = exact.mean, np.zeros_like(exact.mean)
        if not exact.known.all():
            drawn, drawn_spread = _inner_means(setting, some, shape[-1], part)
            values = np.where(exact.known, values, drawn)
            spread = np.where(exact.known, 0.0, drawn_spread)
        gathered.add(values, weight, spread)
        noise.add(spread, weight)
        squared.add(spread, weight**2)
        chance_of_none.add(chance, weight)
    moments = gathered.moments
    # What inner draws add to the variance is not the subjects'.
    variance = np.maximum(moments.variance - noise.mean, 0.0) * votes.inflation_of(queries)
    if votes.drawn:
        error = error_of_mean(moments.variance, np.full(shape, float(len(votes))))
    else:
        error = squared.mean * squared.weight
    mean = np.empty(shape)
    for m, measure in enumerate(setting.measures):
        mean[:, m] = snapped(moments.mean[:, m], measure.range)
    return gathered.scores(
        mean, variance, error, all_known & ~np.bool_(votes.drawn), chance_of_none.mean
    )


def _inner_means(
    setting: Setting, outcomes: Outcomes, n_queries: int, number: int
) -> tuple[Floats, Floats]:
    """Mean of the inner worlds of each outer one, and the variance of that mean as an estimate."""
    n_inner = setting.n_inner
    means, variances = [], []
    step = max(1, _WORLDS // n_inner)
    for part, start in enumerate(range(0, len(outcomes), step)):
        some = outcomes[start : start + step]
        worlds = some.draw(n_inner, setting.entropy, (number, part))
        values = score_drawn(setting, worlds, n_queries)
        values = values.reshape(len(some), n_inner, *values.shape[1:]).swapaxes(0, 1)
        inner = Moments(values.shape[1:])
        inner.add(values, np.ones(n_inner))
        means.append(inner.mean)
        variances.append(error_of_mean(inner.variance, inner.weight))
    return np.concatenate(means), np.concatenate(variances)


def error_of_mean(variance: Floats, n: Floats) -> Floats:
    """Variance of the mean of n draws; infinite for a single one, of which nothing is known."""
    return np.where(n > 0, divide(variance, n - 1, fill=np.inf), np.nan)


def _parts(n_worlds: int) -> Iterator[tuple[int, int]]:
    """Number and size of each block of worlds."""
    for part, start in enumerate(range(0, n_worlds, _WORLDS)):
        yield part, min(_WORLDS, n_worlds - start)


def without_noise(values: Floats, noise: Floats, weight: Floats) -> Floats:
    """Values of outer worlds, drawn together so that the noise of estimating them is not spread.

    Parameters
    ----------
    values, noise : (worlds, ...) float
        Estimates of the value in each outer world, and the variance of each as an estimate.
    weight : (worlds,) float
        Probability of each outer world.
    """
    if len(weight) != len(values) or not noise.any():
        return values
    moments, blur = Moments(values.shape[1:]), Moments(values.shape[1:])
    moments.add(values, weight)
    blur.add(np.where(np.isnan(values), np.nan, noise), weight)
    share = divide(blur.mean, moments.variance)
    kept = np.sqrt(np.clip(1 - share, 0.0, 1.0))
    out: Floats = moments.mean + (values - moments.mean) * kept
    return out
