"""What measures give back is checked: those of users may have got it wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth.errors import MeasureError, shown

if TYPE_CHECKING:
    from fuzzytruth._typing import Array
    from fuzzytruth.measures.measure import Measure
    from fuzzytruth.truth.item_probabilities import ItemProbabilities

_SUM = 1e-9  # how far from 1 the probabilities of a law may add up


def checked(measure: Measure, values: Any, n_worlds: int, n_queries: int) -> Array:
    """A kernel's values, (worlds, queries).

    One number for each query, the same in all worlds, is right too.
    """
    out: Array = np.asarray(values, dtype=np.float64)
    shape = (n_worlds, n_queries)
    if out.shape not in (shape, (1, n_queries), (n_queries,)):
        raise MeasureError(
            f"{measure}: its kernel gave an array of shape {out.shape}; it must give one number "
            f"for each world and query, {shape}"
        )
    if np.isnan(out).any():
        raise MeasureError(f"{measure}: its kernel gave NaN for some queries; it must not")
    return np.broadcast_to(out, shape)


def checked_expectation(measure: Measure, probabilities: ItemProbabilities) -> Array | None:
    """Exact expected values, (..., queries), NaN where unknown; None where all are."""
    return _moment(measure, "expectation", measure.expectation(probabilities), probabilities)


def checked_variance(measure: Measure, probabilities: ItemProbabilities) -> Array | None:
    """Exact variances, (..., queries), NaN where unknown; None where all are."""
    out = _moment(measure, "variance", measure.variance(probabilities), probabilities)
    if out is None:
        return None
    if (out < -_SUM).any():
        raise MeasureError(f"{measure}: its variance is negative for some query: {out.min():g}")
    return np.maximum(out, 0.0)


def _moment(
    measure: Measure, method: str, found: Any, probabilities: ItemProbabilities
) -> Array | None:
    if found is None:
        return None
    out = _numbers(measure, method, found)
    lead = probabilities.hits.chance.shape[:-2]
    n_queries = probabilities.n_queries
    if out.shape not in ((*lead, n_queries), (1, n_queries), (n_queries,)):
        raise MeasureError(
            f"{measure}: its {method} gave an array of shape {out.shape}; it must give one number "
            f"for each query (and resample), {(*lead, n_queries)}"
        )
    if np.isinf(out).any():
        raise MeasureError(f"{measure}: its {method} is infinite for some query; NaN means unknown")
    return out


def checked_law(measure: Measure, probabilities: ItemProbabilities) -> tuple[Array, Array] | None:
    """Values and probabilities of one query's score; None if they are unknown."""
    found = measure.exact_distribution(probabilities)
    if found is None:
        return None
    values, chances = _pair(measure, "exact_distribution", found)
    wrong = values.ndim != 1 or values.shape != chances.shape or not len(values)
    if wrong or not np.isfinite(values).all():
        raise MeasureError(
            f"{measure}: its exact_distribution gave values of shape {values.shape} and "
            f"probabilities of shape {chances.shape}; it must give two lists of the same length, "
            "the values finite"
        )
    if (chances < -_SUM).any() or not abs(float(chances.sum()) - 1) <= _SUM:
        raise MeasureError(
            f"{measure}: its exact_distribution gave probabilities that add up to "
            f"{chances.sum():.12g}; they must be 0 or more, and add up to 1"
        )
    return values, np.maximum(chances, 0.0)


def checked_bounds(
    measure: Measure, found: Any, shape: tuple[int, int]
) -> tuple[Array, Array] | None:
    """Lowest and highest values, (subjects, queries) each; None if no rule is known."""
    if found is None:
        return None
    low, high = _pair(measure, "bounds", found)
    if low.shape != shape or high.shape != shape:
        raise MeasureError(
            f"{measure}: its bounds are arrays of shape {low.shape} and {high.shape}; they must "
            f"give one number for each subject and query, {shape}"
        )
    if (low > high + _SUM).any():
        raise MeasureError(f"{measure}: its lower bound is above its upper bound for some query")
    return low, high


def _pair(measure: Measure, method: str, found: Any) -> tuple[Array, Array]:
    if not isinstance(found, tuple) or len(found) != 2:
        raise MeasureError(f"{measure}: its {method} gave {shown(found)}; it must give two arrays")
    return _numbers(measure, method, found[0]), _numbers(measure, method, found[1])


def _numbers(measure: Measure, method: str, found: Any) -> Array:
    try:
        return np.asarray(found, dtype=np.float64)
    except (TypeError, ValueError):
        raise MeasureError(
            f"{measure}: its {method} gave {shown(found)}; it must give numbers"
        ) from None
