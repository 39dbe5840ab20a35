"""Checks of what measures return, since measures may be the user's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth.core.arithmetic import spread_over
from fuzzytruth.errors import MeasureError, shown
from fuzzytruth.truth.inputs import all_judged, among_hits, hits_judged, judged_only

if TYPE_CHECKING:
    from fuzzytruth._typing import Array, Bools
    from fuzzytruth.measures.measure import Measure
    from fuzzytruth.truth.batch import Batch
    from fuzzytruth.truth.inputs import ItemProbabilities

_SUM = 1e-9  # tolerance for probabilities that must add up to 1, and for signs


def checked(measure: Measure, values: Any, n_worlds: int, n_queries: int) -> Array:
    """Values of a kernel: (worlds, queries), without NaN.

    A kernel may also return one number for each query, the same in all worlds.
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


def scored_each(measures: Sequence[Measure], batch: Batch) -> Iterator[Array]:
    """Values of some measures for the same lists, one measure after the other; see `scored`."""
    plain: Batch | None = None
    for measure in measures:
        if measure.any_layout:
            yield scored(measure, batch)
        else:
            plain = plain or batch.end_to_end()
            yield scored(measure, plain)


def scored(measure: Measure, batch: Batch) -> Array:
    """Checked values of a measure for its view of the lists: (worlds, queries).

    Each has the same bits whatever other queries and worlds there are, if the measure's kernel
    computes each query by itself. The lists are laid out as the measure knows them.
    """
    if not measure.judged_only:
        return _by_ties(measure, batch, _values)
    return _by_ties(measure, batch, _of_judged)


def _by_ties(measure: Measure, lists: Batch, values: Callable[[Measure, Batch], Array]) -> Array:
    """Values of lists, those of lists without ties as where no other list has any."""
    out = values(measure, lists)
    if not lists.tied:
        return out
    is_open = lists.top(measure.depth).open
    if is_open.all():
        return out
    resolved = lists.without_ties()
    if not measure.any_layout:
        resolved = resolved.end_to_end()
    return np.where(is_open, out, values(measure, resolved))


def _of_judged(measure: Measure, batch: Batch) -> Array:
    """Values of lists of judged items, which are the same in all worlds, or else differ."""
    is_known = all_judged(batch)
    out = _by_ties(measure, among_hits(batch), _values)
    if not is_known.all():
        own = _by_ties(measure, hits_judged(batch), _values)
        out = np.where(is_known, out, own.reshape(is_known.shape))
    return out


@np.errstate(under="ignore")
def _values(measure: Measure, lists: Batch) -> Array:
    return checked(measure, measure.score(lists), lists.n_worlds, lists.n_queries)


def lists_of(measure: Measure, batch: Batch) -> Batch:
    """The lists as a measure sees them; each (world, query) may then be a query of its own."""
    return judged_only(batch) if measure.judged_only else batch


def seen_by(measure: Measure, probabilities: ItemProbabilities) -> ItemProbabilities | None:
    """The lists of one query as the measure sees them; None where their ranks are not known.

    These differ between worlds or, to a measure that is not exact for ties, between orders.
    """
    if not _is_known(measure, probabilities).all():
        return None
    return probabilities.judged_only() if measure.judged_only else probabilities


def _is_known(measure: Measure, probabilities: ItemProbabilities) -> Bools:
    """Whether the exact values of a measure hold for the ranks of each query: (queries,)."""
    if measure.judged_only:
        return probabilities.ranked & probabilities.are_judged
    if measure.exact_for_ties:
        return np.ones(probabilities.n_queries, dtype=bool)
    return probabilities.ranked


@np.errstate(under="ignore")
def of_known(
    measure: Measure,
    probabilities: ItemProbabilities,
    moments: Callable[[ItemProbabilities], tuple[Array, Array | None] | None],
) -> tuple[Array, Array | None] | None:
    """Moments of queries whose ranks the measure knows; NaN for others, None without any.

    Parameters
    ----------
    moments : callable
        From lists as the measure sees them.
    """
    known = _is_known(measure, probabilities)
    if not known.any():
        return None
    lists = probabilities if known.all() else probabilities.of_queries(np.flatnonzero(known))
    found = moments(lists.judged_only() if measure.judged_only else lists)
    if found is None or known.all():
        return found
    mean, variance = (None if x is None else spread_over(x, known) for x in found)
    assert mean is not None
    return mean, variance


def checked_moments(
    measure: Measure, probabilities: ItemProbabilities
) -> tuple[Array, Array | None] | None:
    """Exact means and variances, (..., queries), NaN where unknown; None where all are."""
    return of_known(measure, probabilities, partial(_moments_of, measure))


@np.errstate(under="ignore")
def _moments_of(
    measure: Measure, probabilities: ItemProbabilities
) -> tuple[Array, Array | None] | None:
    """What a measure's `moments` gives, checked."""
    returned = measure.moments(probabilities)
    if returned is None:
        return None
    if not isinstance(returned, tuple) or len(returned) != 2:
        raise MeasureError(
            f"{measure}: its moments gave {shown(returned)}; it must give a mean and a variance, "
            "which may be None"
        )
    mean = _moment(measure, "mean", returned[0], probabilities)
    if returned[1] is None:
        return mean, None
    variance = _moment(measure, "variance", returned[1], probabilities)
    if (variance < -_SUM).any():
        raise MeasureError(
            f"{measure}: its variance is negative for some query: {variance.min():g}"
        )
    return mean, np.maximum(variance, 0.0)


def _moment(measure: Measure, moment: str, given: Any, probabilities: ItemProbabilities) -> Array:
    out = _numbers(measure, moment, given)
    lead = probabilities.hits.probability.shape[:-2]
    n_queries = probabilities.n_queries
    if out.shape not in ((*lead, n_queries), (1, n_queries), (n_queries,)):
        raise MeasureError(
            f"{measure}: its {moment} is an array of shape {out.shape}; it must give one number "
            f"for each query (and resample), {(*lead, n_queries)}"
        )
    if np.isinf(out).any():
        raise MeasureError(f"{measure}: its {moment} is infinite for some query; NaN means unknown")
    return out


@np.errstate(under="ignore")
def checked_distribution(
    measure: Measure, probabilities: ItemProbabilities
) -> tuple[Array, Array] | None:
    """Exact distribution of one query's value, (atoms,) both; None if it is unknown."""
    lists = seen_by(measure, probabilities)
    returned = None if lists is None else measure.exact_distribution(lists)
    if returned is None:
        return None
    values, chances = _pair(measure, "exact_distribution", returned)
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
    measure: Measure, bounds: Any, shape: tuple[int, int]
) -> tuple[Array, Array] | None:
    """Lowest and highest values, (1, cells) both; None if no rule is known.

    Measures may give them as (cells,), too.
    """
    if bounds is None:
        return None
    low, high = _pair(measure, "bounds", bounds)
    if not {low.shape, high.shape} <= {shape, shape[1:]}:
        raise MeasureError(
            f"{measure}: its bounds are arrays of shape {low.shape} and {high.shape}; they must "
            f"give one number for each list, {shape}"
        )
    if (low > high + _SUM).any():
        raise MeasureError(f"{measure}: its lower bound is above its upper bound for some query")
    return low.reshape(shape), high.reshape(shape)


def _pair(measure: Measure, method: str, given: Any) -> tuple[Array, Array]:
    if not isinstance(given, tuple) or len(given) != 2:
        raise MeasureError(f"{measure}: its {method} gave {shown(given)}; it must give two arrays")
    return _numbers(measure, method, given[0]), _numbers(measure, method, given[1])


def _numbers(measure: Measure, method: str, given: Any) -> Array:
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise MeasureError(
            f"{measure}: its {method} gave {shown(given)}; it must give numbers"
        ) from None
