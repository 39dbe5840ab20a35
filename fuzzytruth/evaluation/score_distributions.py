"""Distributions of scores over worlds: of one query, of the mean, of a difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.atoms import NEAR
from fuzzytruth.core.samples import mean_where_there
from fuzzytruth.data.distribution.distribution import Distribution
from fuzzytruth.errors import MeasureError, OptionError
from fuzzytruth.evaluation.single_queries import exact_difference, exact_values, query_values

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores
    from fuzzytruth.evaluation.uncertainty import Uncertainty

#: system, measure, query (None: the mean over queries)
Cell = tuple[int, int, int | None]


def of_query(scores: Scores, cell: Cell) -> Distribution:
    """Distribution of the score of one query."""
    system, measure, query = cell
    assert query is not None
    found = scores.uncertainty
    if found is not None and found.setting is not None:
        exact = exact_values(found.setting, system, measure, query)
        if exact is not None:
            return Distribution.from_atoms(*exact)
    return _of_worlds(scores, cell)


def of_mean(scores: Scores, cell: Cell) -> Distribution:
    """Distribution of the mean over queries."""
    return _of_worlds(scores, cell)


def _of_worlds(scores: Scores, cell: Cell) -> Distribution:
    system, measure, query = cell
    values, weight = _values(scores, (system,), measure, query)
    return _distribution(scores, cell, values[:, 0], weight)


def of_difference(scores: Scores, cell: Cell, other: Cell) -> Distribution:
    """Distribution of a difference of two systems, in the same worlds."""
    found = scores.uncertainty
    if found is not None and found.setting is not None and cell[2] is not None:
        exact = exact_difference(found.setting, (cell[0], other[0]), cell[1], cell[2])
        if exact is not None:
            return Distribution.from_atoms(*exact)
    both, weight = _values(scores, (cell[0], other[0]), cell[1], cell[2])
    values, others = both.T
    gap = values - others
    # Equal scores are equal, whatever rounding makes of their difference.
    gap[np.abs(gap) <= NEAR * np.maximum(np.abs(values), np.abs(others))] = 0.0
    drawn = [c for c in (cell, other) if not _is_exact(scores, c)]
    return _distribution(scores, drawn[0] if drawn else cell, gap, weight)


def _values(
    scores: Scores, systems: tuple[int, ...], measure: int, query: int | None
) -> tuple[Floats, Floats]:
    """Floats in all worlds (or of all subjects), (worlds, systems), and each world's weight."""
    found = scores.uncertainty
    if found is None or scores.subjects is not None:
        values = scores.values[systems, measure].swapaxes(0, 1)  # (subjects, systems, queries)
        if query is None:
            if scores.subjects is not None and scores.design == "nested":
                raise OptionError(
                    "the subjects are nested in queries: a name is another person in another "
                    "query, and has no mean over queries"
                )
            values = mean_where_there(values, axis=-1)
        else:
            values = values[..., query]
        return values, np.full(len(values), 1 / len(values))
    if query is None:
        return found.world_means[:, systems, measure], found.weight
    if found.kept is not None:
        return found.kept[:, systems, measure, query], found.weight
    if found.setting is None:
        raise OptionError(
            "these scores were loaded from a file, which holds no worlds of single queries; "
            "evaluate again, or save what evaluate(..., keep='worlds') gives"
        )
    return query_values(found.setting, systems, measure, query), found.weight


def _is_exact(scores: Scores, cell: Cell) -> bool:
    """Whether the value of each world is exact (worlds may be drawn all the same)."""
    system, measure, query = cell
    found = scores.uncertainty
    if found is None:
        return True
    if found.subject_error is not None:
        at = found.subject_error[system, measure]
        return not np.nan_to_num(at if query is None else at[:, query]).any()
    exact = found.exact[system, measure]
    return bool(exact.all() if query is None else exact[query])


def _distribution(scores: Scores, cell: Cell, values: Floats, weight: Floats) -> Distribution:
    """Of the worlds that have a value; where worlds are drawn, it is a sample."""
    there = ~np.isnan(values)
    if not there.any():
        raise OptionError("this score is undefined in every world, so that it has no distribution")
    values, weight = values[there], weight[there]
    weight = weight / weight.sum()
    found = scores.uncertainty
    if found is not None and found.drawn and scores.subjects is None:
        return Distribution.from_samples(values)
    if found is None or _is_exact(scores, cell):
        return Distribution.from_atoms(values, weight)
    return Distribution(values, weight, found.n_worlds, _error(found, cell))


def _error(found: Uncertainty, cell: Cell) -> float:
    """Monte Carlo standard error of a mean over all outer worlds, each estimated by itself."""
    system, measure, query = cell
    error = found.mc_error[system, measure]
    if query is not None:
        return float(error[query])
    there = ~np.isnan(error)
    return float(np.sqrt((error[there] ** 2).sum()) / max(1, there.sum()))


def mean_intervals(scores: Scores, level: float) -> tuple[Floats, Floats, Floats]:
    """Means over queries and the ends of their intervals over worlds: (systems, measures) each.

    Quantiles of the worlds. For resampled subjects, who are few, quantiles are too narrow: there
    it is the mean ± t(S - 1) · √(S / (S - 1)) standard deviations, within the measure's range. NaN
    where a measure is undefined in every world.
    """
    value = mean_where_there(mean_where_there(scores.values, axis=2), axis=-1)
    low, high = np.full(value.shape, np.nan), np.full(value.shape, np.nan)
    found = scores.uncertainty
    resampled = found if found is not None and found.worlds == "population" else None
    for s, m in np.argwhere(~np.isnan(value)).tolist():
        distribution = of_mean(scores, (s, m, None))
        if resampled is None:
            low[s, m], high[s, m] = distribution.interval(level)
        else:
            ends = _t_interval(value[s, m], distribution.std(), resampled.inflation, level)
            low[s, m], high[s, m] = np.clip(ends, *_range(scores.measures[m], value[s, m]))
    return value, low, high


def _t_interval(mean: float, std: float, inflation: float, level: float) -> tuple[float, float]:
    """Mean ± t(S - 1) · √(S / (S - 1)) standard deviations over resamples of S subjects."""
    from scipy.stats import t

    subjects = inflation / (inflation - 1)
    half = float(t.ppf((1 + level) / 2, subjects - 1) * np.sqrt(inflation) * std)
    return mean - half, mean + half


def _range(measure: str, value: float) -> tuple[float, float]:
    """Smallest and largest value of a measure, as far as it is known and true of this value."""
    from fuzzytruth.measures import parse_measure

    try:
        low, high = parse_measure(measure).range
    except MeasureError:  # registered where these scores were saved, and not here
        return -np.inf, np.inf
    return min(low, value), max(high, value)
