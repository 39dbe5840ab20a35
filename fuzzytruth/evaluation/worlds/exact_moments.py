"""Exact means and variances of scores under a block's outer worlds, where a measure knows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from fuzzytruth._typing import Array, Bools, Floats
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.atoms import snapped
from fuzzytruth.measures import Measure
from fuzzytruth.measures.guards import checked_moments, of_ranked, scored
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.protocol import Mixture, Outcomes


@dataclass(frozen=True, slots=True, eq=False)
class ExactMoments:
    """Exact moments of a block's scores.

    Parameters
    ----------
    mean : (outer, systems, measures, queries) float
        NaN where no world has a value, or where it is not known.
    variance : (outer, systems, measures, queries) float
        NaN where not known.
    known : (systems, measures, queries) bool
        Which means are known.
    """

    mean: Floats
    variance: Floats
    known: Bools


def exact_moments(
    outcomes: Outcomes,
    runs: Sequence[int],
    measures: tuple[Measure, ...],
    chance_of_none: Floats,
    *,
    exclude: bool,
) -> ExactMoments:
    """Exact means and variances of some runs' scores.

    Parameters
    ----------
    chance_of_none : (outer, measures, queries) float
        Probability that a query has no relevant item; 0 for measures that need none.
    exclude : bool
        Whether worlds without relevant items have no value, where a measure needs some.
    """
    n_queries = chance_of_none.shape[-1]
    shape = (len(outcomes), len(runs), len(measures), n_queries)
    mean, variance = np.full(shape, np.nan), np.full(shape, np.nan)
    known = np.zeros(shape[1:], dtype=bool)
    for s, run in enumerate(runs):
        of_depth: dict[int | None, Mixture | str] = {}
        for m, measure in enumerate(measures):
            if measure.depth not in of_depth:
                of_depth[measure.depth] = outcomes.probabilities(run, measure.depth)
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
    return ExactMoments(mean, variance, known)


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
        if mixture.ranked is not None:
            values = np.where(mixture.ranked, values, np.nan)
        return values, np.zeros_like(values)
    return checked_moments(measure, mixture.probabilities, mixture.ranked) or (None, None)


def certain_values(measure: Measure, batch: Batch) -> Array:
    """Values of queries in a single world: (queries,)."""
    values: Array = scored(measure, batch)[0]
    return values


def _defined_moments(measure: Measure, mixture: Mixture) -> tuple[Array, Array] | None:
    """The same given that some item is relevant, where the measure knows it."""
    of_measure = cast(
        tuple[Array, Array] | None,  # a measure that knows one knows both
        of_ranked(measure, mixture.probabilities, mixture.ranked, measure.defined_moments),
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
