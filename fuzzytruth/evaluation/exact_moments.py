"""Exact means and variances of scores under a block's outer worlds, where a measure knows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Array, Bools, Floats
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.atoms import snapped
from fuzzytruth.measures import Measure
from fuzzytruth.measures.guards import checked_moments
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
        mixture = outcomes.probabilities(run)
        if isinstance(mixture, str):
            continue
        for m, measure in enumerate(measures):
            first, second = _moments(measure, mixture)
            if first is None:
                continue
            known[s, m] = ~np.isnan(first.reshape(-1, n_queries)).any(axis=0)
            if exclude:
                first, second = _given_some(measure, first, second, chance_of_none[:, m])
            mean[:, s, m] = snapped(first, measure.range)
            if second is not None:
                variance[:, s, m] = np.maximum(second, 0.0)
    return ExactMoments(mean, variance, known)


def _moments(measure: Measure, mixture: Mixture) -> tuple[Array | None, Array | None]:
    """Mean and variance over all components: (..., queries) both; None where not known."""
    first, second = checked_moments(measure, mixture.probabilities) or (None, None)
    if first is None or mixture.offsets is None:
        return first, second
    mean = mixture.mean(first)
    return mean, None if second is None else mixture.mean(second + first**2) - mean**2


def _given_some(
    measure: Measure, mean: Array, variance: Array | None, chance_of_none: Array
) -> tuple[Array, Array | None]:
    """Moments given that a query has relevant items; without any, the value is known."""
    empty = measure.empty
    given = divide(mean - empty * chance_of_none, 1 - chance_of_none, fill=np.nan)
    if variance is None:
        return given, None
    square = divide(variance + mean**2 - empty**2 * chance_of_none, 1 - chance_of_none, fill=np.nan)
    return given, square - given**2


def chances_of_none(outcomes: Outcomes, measures: tuple[Measure, ...], n_queries: int) -> Floats:
    """Probability that a query has no relevant item: (outer, measures, queries)."""
    out = np.zeros((len(outcomes), len(measures), n_queries))
    for m, measure in enumerate(measures):
        if measure.needs_relevant:
            out[:, m] = outcomes.chance_of_none(measure.threshold)
    return out
