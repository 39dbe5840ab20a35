"""Scores under worlds, block by block: exact moments where a measure knows them, else drawn.

Blocks are some whole queries. What a query's worlds are depends on the seed and the ids alone, and
its values are summed up world by world in a fixed order, so that they have the same bits whatever
else is scored, in whichever order, and by however many workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, cast

import numpy as np

from fuzzytruth._typing import Array, Bools, Floats
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.atoms import snapped
from fuzzytruth.core.exact_sums import ExactSum, Moments
from fuzzytruth.evaluation.worlds.setting import Joinable, Sampling, Setting, run_blocks
from fuzzytruth.evaluation.worlds.uncertainty import JointSpread
from fuzzytruth.measures import Measure
from fuzzytruth.measures.guards import checked_moments, of_known, scored, scored_each
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.protocol import DrawnWorlds, Mixture, Outcomes

# Exact means and variances under a block's outer worlds.


@dataclass(frozen=True, slots=True, eq=False)
class ExactMoments(Joinable):
    """Exact moments of scores in each outer world, or, without that axis, in one.

    Parameters
    ----------
    mean : (outer, systems, measures, queries) float
        NaN where no world has a value, or where it is not known.
    variance : (outer, systems, measures, queries) float
        NaN where not known.
    known : (systems, measures, queries) bool
        Which means are known.
    chance_of_none : (outer, measures, queries) float
        Probability that a query has no relevant item; 0 for measures that need none.
    """

    mean: Floats
    variance: Floats
    known: Bools
    chance_of_none: Floats


def exact_moments(
    outcomes: Outcomes,
    runs: Sequence[int],
    measures: tuple[Measure, ...],
    n_queries: int,
    *,
    exclude: bool,
    means_only: bool = False,
) -> ExactMoments:
    """Exact moments of some runs' scores; with `means_only`, some variances may be NaN.

    `exclude`: worlds without relevant items have no value, where a measure needs some.
    """
    chance_of_none = chances_of_none(outcomes, measures, n_queries)
    shape = (len(outcomes), len(runs), len(measures), n_queries)
    mean, variance = np.full(shape, np.nan), np.full(shape, np.nan)
    known = np.zeros(shape[1:], dtype=bool)
    for s, run in enumerate(runs):
        of_depth: dict[int | None, Mixture | str] = {}
        for m, measure in enumerate(measures):
            if measure.depth not in of_depth:
                given = outcomes.probabilities(run, measure.depth)
                if means_only and not isinstance(given, str):
                    lists = replace(given.probabilities, means_only=True)
                    given = replace(given, probabilities=lists)
                of_depth[measure.depth] = given
            mixture = of_depth[measure.depth]
            if isinstance(mixture, str):
                continue
            first, second = _moments(measure, mixture)
            if first is None:
                continue
            known[s, m] = ~np.isnan(first.reshape(-1, n_queries)).any(axis=0)
            if exclude and measure.needs_relevant:
                some = outcomes.chance_of_some(measure.threshold)
                first, second = _defined_moments(measure, mixture) or _given_some(
                    measure.empty, first, second, chance_of_none[:, m], some
                )
            mean[:, s, m] = snapped(first, measure.range)
            if second is not None:
                variance[:, s, m] = np.maximum(second, 0.0)
    return ExactMoments(mean, variance, known, chance_of_none)


def _moments(measure: Measure, mixture: Mixture) -> tuple[Array | None, Array | None]:
    """Mean and variance over all components: (..., queries) both; None where not known."""
    first, second = _of_each(measure, mixture)
    if first is None or mixture.offsets is None:
        return first, second
    mean = mixture.mean(first)
    if second is None:
        return mean, None
    return mean, mixture.mean(second + (first - _of_components(mean, mixture.offsets)) ** 2)


def _of_each(measure: Measure, mixture: Mixture) -> tuple[Array | None, Array | None]:
    """Mean and variance of each component: (..., components) both; None where not known."""
    if mixture.certain is not None:
        values = certain_values(measure, mixture.certain)
        return values, np.zeros_like(values)
    return checked_moments(measure, mixture.probabilities) or (None, None)


def certain_values(measure: Measure, batch: Batch) -> Array:
    """Values of queries in a single world: (queries,)."""
    values: Array = scored(measure, batch)[0]
    return values


def _defined_moments(measure: Measure, mixture: Mixture) -> tuple[Array, Array] | None:
    """The same given that some item is relevant, where the measure knows it."""
    of_measure = cast(
        tuple[Array, Array] | None,  # a measure that knows one knows both
        of_known(measure, mixture.probabilities, measure.defined_moments),
    )
    if of_measure is None or mixture.offsets is None:
        return of_measure
    _, some = mixture.probabilities.none_and_some(measure.threshold)
    first, second = (np.where(some > 0, moment, 0.0) for moment in of_measure)
    mass = mixture.mean(some)
    mean = divide(mixture.mean(some * first), mass, fill=np.nan)
    centred = (first - _of_components(mean, mixture.offsets)) ** 2
    return mean, divide(mixture.mean(some * (second + centred)), mass, fill=np.nan)


def _of_components(values: Array, offsets: Array) -> Array:
    """Values of queries for each of their components: (..., components)."""
    return np.repeat(values, np.diff(offsets), axis=-1)


_ROUNDING = 8 * float(np.finfo(np.float64).eps)


def _given_some(
    empty: float, mean: Array, variance: Array | None, none: Array, some: Array
) -> tuple[Array, Array | None]:
    """Moments given that a query has relevant items; without any, the value is `empty`.

    Parameters
    ----------
    mean, variance : (outer, queries) float
        Over all worlds.
    none, some : (outer, queries) float
        Probabilities of no relevant item, and of some.
    """
    given = divide(mean - empty * none, some, fill=np.nan)
    if variance is None:
        return given, None
    between = none * (empty - given) ** 2
    within = divide(variance, some, fill=np.nan) - between
    return given, np.where(within <= _ROUNDING * between, 0.0, within)


def chances_of_none(outcomes: Outcomes, measures: tuple[Measure, ...], n_queries: int) -> Floats:
    """Probability that a query has no relevant item: (outer, measures, queries)."""
    out = np.zeros((len(outcomes), len(measures), n_queries))
    for m, measure in enumerate(measures):
        if measure.needs_relevant:
            out[:, m] = outcomes.chance_of_none(measure.threshold)
    return out


# Drawn worlds.


AddNoise = Callable[[Floats, Moments, slice], None]  # see `JointSpread.add_noise`

_WORLDS = 1024  # drawn worlds whose values are summed up together
_OUTER = 64  # outer worlds whose values are summed up together
_EXACT = 32  # outer worlds whose exact values are computed together
_PLACES = 1 << 23  # drawn grades in memory at once
_FEWEST = 256  # worlds, for which there may be up to
_MOST_PLACES = 1 << 26  # drawn grades
_VALUES = 1 << 23  # values in memory at once, of a world, system, measure and query each


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedScores(Joinable):
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
        `JointSpread`. None where worlds are no resamples of the same subjects.
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

    _summed: ClassVar[tuple[str, ...]] = ("total", "count", "noise", "within")


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
    run = run_outer if setting.several else _run_inner
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

    def sums(self) -> dict[str, Any]:
        """Fields of `SimulatedScores`: what was added up, and kept."""
        kept, kept_noise = None, None
        if self._kept is not None:
            kept, kept_noise = (np.concatenate(part) for part in zip(*self._kept, strict=True))
        return {
            "total": ExactSum.concatenate(self._totals),
            "count": np.concatenate(self._counts),
            "noise": ExactSum.concatenate(self._noise),
            "kept": kept,
            "kept_noise": kept_noise,
        }


def _shape(setting: Setting, queries: slice) -> tuple[int, int, int]:
    return len(setting.scored), len(setting.measures), queries.stop - queries.start


def _run_inner(setting: Setting, queries: slice) -> SimulatedScores:
    """All uncertainty is inside outer worlds: of the only one, or of each community in turn."""
    outcomes, shape = setting.aligned.outcomes(queries, setting.votes), _shape(setting, queries)
    gathered = _Gathered(shape, keep=setting.keep)
    for outer, number in enumerate(setting.n_drawn.tolist()):
        alone = outcomes[outer : outer + 1]
        for worlds in _parts(slice(0, number), _WORLDS):
            size = worlds.stop - worlds.start
            values = np.empty((size, *shape))
            for some in _parts(worlds, _at_once(outcomes)):
                odd = (some.stop - some.start) % 2  # of two worlds at least, sums have one order
                drawn = alone.draw(slice(some.start, some.stop + odd), setting.entropy)
                place = slice(some.start - worlds.start, some.stop - worlds.start)
                values[place] = score_drawn(setting, drawn, shape[-1])[: some.stop - some.start]
            gathered.add(values, np.ones(size))
    moments = gathered.moments
    chance_of_none = chances_of_none(outcomes, setting.measures, shape[-1])
    return SimulatedScores(
        mean=moments.mean,
        variance=moments.variance,
        error=error_of_mean(moments.variance, moments.weight),
        exact=np.zeros(shape, dtype=bool),
        chance_of_none=weighted(setting.votes.weight, chance_of_none),
        **gathered.sums(),
    )


def weighted(weight: Floats, values: Floats) -> Floats:
    """Sum of values (outer, ...), each outer world with its weight: (outer,) or like values."""
    each = weight.reshape(-1, *[1] * (values.ndim - 1)) if weight.ndim == 1 else weight
    return np.asarray((each * values).sum(axis=0))


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
        spread = np.zeros_like(values)
        if not known.all():
            add_noise = None if joint is None else partial(joint.add_noise, weight, known)
            drawn, noise_of = _inner_means(setting, some, shape[-1], add_noise)
            values, spread = np.where(known, values, drawn), np.where(known, 0.0, noise_of)
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
    return SimulatedScores(
        mean=mean,
        variance=variance,
        error=error,
        exact=all_known & ~np.bool_(votes.drawn),
        chance_of_none=chance_of_none.mean,
        within=None if joint is None else joint.total(noise.mean, votes.inflation_of(queries)),
        **gathered.sums(),
    )


def _exact_means(
    setting: Setting, outcomes: Outcomes, n_queries: int
) -> tuple[Floats, Bools, Floats]:
    """Exact expected values in outer worlds, which are known, and the chances of no relevant item.

    (outer, systems, measures, queries), the same without outer, and (outer, measures, queries).
    """
    each = [
        exact_moments(
            outcomes[outer],
            setting.scored,
            setting.measures,
            n_queries,
            exclude=setting.exclude,
            means_only=True,
        )
        for outer in _parts(slice(0, len(outcomes)), _EXACT)
    ]
    known = np.logical_and.reduce([exact.known for exact in each])
    means, chances = [exact.mean for exact in each], [exact.chance_of_none for exact in each]
    return np.concatenate(means), known, np.concatenate(chances)


def _inner_means(
    setting: Setting, outcomes: Outcomes, n_queries: int, add_noise: AddNoise | None
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
        if add_noise is not None:
            add_noise(values, inner, outer)
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
    kept = np.sqrt(np.clip(1 - divide(blur.mean, moments.variance), 0.0, 1.0))
    return moments.mean + (values - moments.mean) * kept
