"""Scores under drawn worlds, block by block.

Blocks are some whole queries. What a query's worlds are depends on the seed and the ids alone, and
its values are summed up world by world in a fixed order, so that they have the same bits whatever
else is scored, in whichever order, and by however many workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from operator import add
from typing import Any

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.atoms import snapped
from fuzzytruth.core.exact_sums import ExactSum, Moments
from fuzzytruth.evaluation.worlds.exact_moments import chances_of_none, exact_moments
from fuzzytruth.evaluation.worlds.parts import side_by_side
from fuzzytruth.evaluation.worlds.setting import Sampling, Setting, run_blocks
from fuzzytruth.evaluation.worlds.uncertainty import InnerNoise, JointSpread
from fuzzytruth.measures.guards import scored_each
from fuzzytruth.truth import AlignedTruth
from fuzzytruth.truth.protocol import DrawnWorlds, Outcomes

Join = Callable[[Any], Any]

_WORLDS = 1024  # drawn worlds whose values are summed up together
_OUTER = 64  # outer worlds whose values are summed up together
_EXACT = 32  # outer worlds whose exact values are computed together
_PLACES = 1 << 23  # drawn grades in memory at once
_FEWEST = 256  # worlds, for which there may be up to
_MOST_PLACES = 1 << 26  # drawn grades
_VALUES = 1 << 23  # values in memory at once, of a world, system, measure and query each


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
    total : (worlds, systems, measures), exact
        Sum of the values over the queries that have one.
    count : (worlds, systems, measures) float
        How many do.
    noise : (worlds, systems, measures), exact
        Variance of `total` that comes from the inner worlds drawn to estimate it.
    chance_of_none : (measures, queries) float
        Probability that a query has no relevant item (0 for measures that need none).
    kept, kept_noise : (worlds, systems, measures, queries) float or None
        Each value, and its variance as an estimate.
    within : (measures, systems, systems), exact, or None
        Variances over resamples of values and of their differences, summed over the queries; see
        `evaluation.joint_spread`. None where worlds are no resamples of the same subjects.
    """

    mean: Floats
    variance: Floats
    error: Floats
    exact: Bools
    total: ExactSum
    count: Floats
    noise: ExactSum
    chance_of_none: Floats
    kept: Floats | None
    kept_noise: Floats | None
    within: ExactSum | None = None

    @classmethod
    def of_blocks(cls, blocks: Sequence[SimulatedScores], join: Join) -> SimulatedScores:
        """Those of all queries; `join` puts values of the queries of each block side by side."""
        kept, kept_noise = (
            None if any(part is None for part in parts) else join(parts)
            for parts in ([b.kept for b in blocks], [b.kept_noise for b in blocks])
        )
        within = [block.within for block in blocks if block.within is not None]
        return cls(
            join([b.mean for b in blocks]),
            join([b.variance for b in blocks]),
            join([b.error for b in blocks]),
            join([b.exact for b in blocks]),
            reduce(add, (b.total for b in blocks)),
            reduce(add, (b.count for b in blocks)),
            reduce(add, (b.noise for b in blocks)),
            join([b.chance_of_none for b in blocks]),
            kept,
            kept_noise,
            reduce(add, within) if within else None,
        )

    @classmethod
    def together(cls, blocks: Sequence[SimulatedScores]) -> SimulatedScores:
        """Those of blocks of queries, one after the other."""
        return cls.of_blocks(blocks, partial(np.concatenate, axis=-1))

    @classmethod
    def of_parts(cls, aligned: AlignedTruth, parts: Sequence[SimulatedScores]) -> SimulatedScores:
        """Those of a truth in parts."""
        return cls.of_blocks(parts, partial(side_by_side, aligned))


def simulate(setting: Setting, sampling: Sampling) -> SimulatedScores:
    """Scores of all queries under all worlds."""
    series = len(setting.scored) * len(setting.measures)
    # A block may have many queries; a kernel keeps up to 16 numbers of each in a world.
    most = max(1, _VALUES // (_WORLDS * max(series, 16)))
    tasks = [(setting, part) for block in setting.blocks for part in _parts(block, most)]
    blocks = list(run_blocks(run_block, tasks, sampling.n_jobs, sampling.progress))
    return SimulatedScores.together(blocks)


def run_block(setting: Setting, queries: slice) -> SimulatedScores:
    """Scores of one block of queries under all worlds."""
    run = _run_inner if len(setting.votes) == 1 else run_outer
    return run(setting, queries)


def score_drawn(setting: Setting, worlds: DrawnWorlds, n_queries: int) -> Floats:
    """Values in drawn worlds: (worlds, systems, measures, queries)."""
    out = np.empty((len(worlds), len(setting.scored), len(setting.measures), n_queries))
    for s, run in enumerate(setting.scored):
        batch = worlds.batch(run)
        for m, values in enumerate(scored_each(setting.measures, batch)):
            out[:, s, m] = values
            measure = setting.measures[m]
            if setting.exclude and measure.needs_relevant:
                out[:, s, m][batch.n_relevant(measure.threshold) == 0] = np.nan
    return out


class _Gathered:
    """Values added block of worlds by block of worlds."""

    def __init__(self, shape: tuple[int, int, int], *, keep: bool) -> None:
        self.moments = Moments(shape)
        self._totals: list[ExactSum] = []
        self._counts: list[Floats] = []
        self._noise: list[ExactSum] = []
        self._kept: list[tuple[Floats, Floats]] | None = [] if keep else None

    def add(self, values: Floats, weight: Floats, noise: Floats | None = None) -> None:
        """Add (worlds, systems, measures, queries), each world with its weight.

        `noise` is the variance of each value, where it is an estimate itself.
        """
        self.moments.add(values, weight)
        valid = ~np.isnan(values)
        whole = bool(valid.all())
        self._totals.append(ExactSum.of(values if whole else np.where(valid, values, 0.0)))
        self._counts.append(valid.sum(axis=-1).astype(np.float64))
        nothing = ExactSum.zero(values.shape[:-1])
        given = nothing if noise is None else ExactSum.of(np.where(valid, noise, 0.0))
        self._noise.append(given)
        if self._kept is not None:
            self._kept.append((values, np.zeros_like(values) if noise is None else noise))

    def scores(
        self,
        mean: Floats,
        variance: Floats,
        error: Floats,
        exact: Bools,
        chance_of_none: Floats,
        within: ExactSum | None = None,
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
            ExactSum.concatenate(self._totals),
            np.concatenate(self._counts),
            ExactSum.concatenate(self._noise),
            chance_of_none,
            kept,
            kept_noise,
            within,
        )


def _shape(setting: Setting, queries: slice) -> tuple[int, int, int]:
    return len(setting.scored), len(setting.measures), queries.stop - queries.start


def _run_inner(setting: Setting, queries: slice) -> SimulatedScores:
    """All uncertainty is inside the only outer world."""
    outcomes, shape = setting.aligned.outcomes(queries, setting.votes), _shape(setting, queries)
    gathered = _Gathered(shape, keep=setting.keep)
    for worlds in _parts(slice(0, setting.n_inner), _WORLDS):
        size = worlds.stop - worlds.start
        values = np.empty((size, *shape))
        for some in _parts(worlds, _at_once(outcomes)):
            odd = (some.stop - some.start) % 2  # of two worlds at least, sums have one order
            drawn = outcomes.draw(slice(some.start, some.stop + odd), setting.entropy)
            place = slice(some.start - worlds.start, some.stop - worlds.start)
            values[place] = score_drawn(setting, drawn, shape[-1])[: some.stop - some.start]
        gathered.add(values, np.ones(size))
    drawn_moments = gathered.moments
    error = error_of_mean(drawn_moments.variance, drawn_moments.weight)
    return gathered.scores(
        drawn_moments.mean,
        drawn_moments.variance,
        error,
        np.zeros(shape, dtype=bool),
        chances_of_none(outcomes, setting.measures, shape[-1])[0],
    )


def _parts(whole: slice, size: int) -> Iterator[slice]:
    """Parts of a range of worlds or queries."""
    for start in range(whole.start, whole.stop, size):
        yield slice(start, min(start + size, whole.stop))


def _at_once(outcomes: Outcomes) -> int:
    """How many worlds of some outcomes to draw at once: an even number.

    More memory is taken for very many items, since short rows of worlds are slow.
    """
    n_items = max(1, outcomes.n_items)
    places = max(_PLACES // n_items, min(_FEWEST, _MOST_PLACES // n_items))
    return min(_WORLDS, max(16, places // 16 * 16))


def run_outer(setting: Setting, queries: slice) -> SimulatedScores:
    """Outer worlds vary; the value of each is an expectation over its inner worlds."""
    outcomes, shape = setting.aligned.outcomes(queries, setting.votes), _shape(setting, queries)
    gathered = _Gathered(shape, keep=setting.keep)
    noise, squared = Moments(shape), Moments(shape)  # with weights w and w²
    chance_of_none = Moments(shape[1:])
    votes = setting.votes
    joint = JointSpread(shape) if setting.same_subjects else None
    all_known = np.ones(shape, dtype=bool)
    for outer in _parts(slice(0, len(votes)), _OUTER):
        some, weight = outcomes[outer], votes.weight[outer]
        values, known, chance = _exact_means(setting, some, shape[-1])
        all_known &= known
        shared = None if joint is None else InnerNoise(joint, weight, known)
        values, spread = _expectations(setting, some, values, known, shared)
        gathered.add(values, weight, spread)
        spread = np.where(np.isinf(spread), 0.0, spread)  # of one world, nothing is known
        if joint is not None:
            joint.add(values, weight)
        noise.add(spread, weight)
        squared.add(spread, weight**2)
        chance_of_none.add(chance, weight)
    moments = gathered.moments
    # What inner draws add to the variance is not the subjects'.
    variance = np.maximum(moments.variance - noise.mean, 0.0) * votes.inflation_of(queries)
    if votes.drawn:  # resamples without a value say nothing
        error = error_of_mean(moments.variance, np.rint(moments.weight * len(votes)))
    else:
        error = divide(squared.mean * squared.weight, moments.weight**2, fill=np.nan)
    mean = np.empty(shape)
    for m, measure in enumerate(setting.measures):
        mean[:, m] = snapped(moments.mean[:, m], measure.range)
    within = None if joint is None else joint.total(noise.mean, votes.inflation_of(queries))
    exact = all_known & ~np.bool_(votes.drawn)
    return gathered.scores(mean, variance, error, exact, chance_of_none.mean, within)


def _exact_means(
    setting: Setting, outcomes: Outcomes, n_queries: int
) -> tuple[Floats, Bools, Floats]:
    """Exact expected values in outer worlds, which are known, and the chances of no relevant item.

    (outer, systems, measures, queries), the same without outer, and (outer, measures, queries).
    """
    means, chances, known = [], [], None
    for outer in _parts(slice(0, len(outcomes)), _EXACT):
        some = outcomes[outer]
        chance = chances_of_none(some, setting.measures, n_queries)
        exact = exact_moments(
            some, setting.scored, setting.measures, chance, exclude=setting.exclude
        )
        means.append(exact.mean)
        chances.append(chance)
        known = exact.known if known is None else known & exact.known
    assert known is not None
    return np.concatenate(means), known, np.concatenate(chances)


def _expectations(
    setting: Setting, outcomes: Outcomes, exact: Floats, known: Bools, shared: InnerNoise | None
) -> tuple[Floats, Floats]:
    """Expected values in outer worlds, and the variance of each as an estimate."""
    if known.all():
        return exact, np.zeros_like(exact)
    drawn, spread = _inner_means(setting, outcomes, exact.shape[-1], shared)
    return np.where(known, exact, drawn), np.where(known, 0.0, spread)


def _inner_means(
    setting: Setting, outcomes: Outcomes, n_queries: int, shared: InnerNoise | None
) -> tuple[Floats, Floats]:
    """Mean of the inner worlds of each outer one, and the variance of that mean as an estimate."""
    n_inner = setting.n_inner
    means, variances, numbers = [], [], []
    for outer in _parts(slice(0, len(outcomes)), max(1, _at_once(outcomes) // n_inner)):
        some = outcomes[outer]
        worlds = some.draw(slice(0, n_inner), setting.entropy)
        values = score_drawn(setting, worlds, n_queries)
        values = values.reshape(len(some), n_inner, *values.shape[1:]).swapaxes(0, 1)
        inner = Moments(values.shape[1:])
        inner.add(values, np.ones(n_inner))
        means.append(inner.mean)
        variances.append(error_of_mean(inner.variance, inner.weight))
        numbers.append(inner.weight)
        if shared is not None:
            shared.add(values, inner, outer)
    spread = np.concatenate(variances)
    if setting.kind == "population" and np.isinf(spread).any():
        spread = _as_in_others(spread, np.concatenate(numbers))
    return np.concatenate(means), spread


def _as_in_others(spread: Floats, number: Floats) -> Floats:
    """Variances of means of some draws; that of a single one is as in other outer worlds."""
    known = np.isfinite(spread)
    of_one = np.where(known, spread * number, 0.0).sum(axis=0)
    of_one = divide(of_one, known.sum(axis=0), fill=np.inf)
    return np.where(np.isinf(spread), of_one, spread)


def error_of_mean(variance: Floats, n: Floats) -> Floats:
    """Variance of the mean of n draws; infinite for a single one, of which nothing is known."""
    return np.where(n > 0, divide(variance, n - 1, fill=np.inf), np.nan)


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
