"""Distributions of scores over worlds: of one query, of the mean, of a difference."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.atoms import NEAR
from fuzzytruth.data.distribution.distribution import Distribution
from fuzzytruth.errors import OptionError
from fuzzytruth.evaluation.score_arrays import ScoreArrays
from fuzzytruth.evaluation.single_queries import (
    NO_WORLDS,
    exact_difference,
    exact_values,
    query_values,
)

#: system, measure, query (None: the mean over queries)
Cell = tuple[int, int, int | None]


def of_query(scores: ScoreArrays, cell: Cell) -> Distribution:
    """Distribution of the score of one query."""
    system, measure, query = cell
    assert query is not None
    spread = scores.uncertainty
    if spread is not None and spread.sources is not None:
        exact = exact_values(spread.sources, system, measure, query)
        if exact is not None:
            return Distribution.from_atoms(*exact)
    return _of_worlds(scores, cell)


def of_mean(scores: ScoreArrays, cell: Cell) -> Distribution:
    """Distribution of the mean over queries."""
    return _of_worlds(scores, cell)


def _of_worlds(scores: ScoreArrays, cell: Cell) -> Distribution:
    system, measure, query = cell
    values, weight = _values(scores, (system,), measure, query)
    return _distribution(scores, cell, values[:, 0], weight)


def of_difference(scores: ScoreArrays, cell: Cell, other: Cell) -> Distribution:
    """Distribution of a difference of two systems, in the same worlds."""
    spread = scores.uncertainty
    if spread is not None and spread.sources is not None and cell[2] is not None:
        exact = exact_difference(spread.sources, (cell[0], other[0]), cell[1], cell[2])
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
    scores: ScoreArrays, systems: tuple[int, ...], measure: int, query: int | None
) -> tuple[Floats, Floats]:
    """Values in all worlds (or of all subjects), (worlds, systems), and each world's weight."""
    spread = scores.uncertainty
    if spread is None or scores.subjects is not None:
        values = _by_subject(scores, systems, measure, query)
        return values, np.full(len(values), 1 / len(values))
    if query is None:
        return spread.joint_means()[:, systems, measure], spread.weight
    if spread.kept is not None:
        return spread.kept[:, systems, measure, query], spread.weight
    if spread.sources is None:
        raise OptionError(NO_WORLDS)
    return query_values(spread.sources, systems, measure, query), spread.weight


def _by_subject(
    scores: ScoreArrays, systems: tuple[int, ...], measure: int, query: int | None
) -> Floats:
    """Values of each subject: (subjects, systems); NaN where a subject has none."""
    values, cells = scores.values[systems, measure], scores.cells
    if query is not None:
        some = slice(*cells.offsets[query : query + 2])
        out = np.full((cells.n_subjects, len(systems)), np.nan)
        out[cells.subject_codes[some]] = values[:, some].T
        return out
    if scores.subjects is not None and scores.design == "nested":
        raise OptionError(
            "the subjects are nested in queries: a name is another person in another query, and "
            "has no mean over queries"
        )
    return cells.mean_by_subject(values).T


def _is_exact(scores: ScoreArrays, cell: Cell) -> bool:
    """Whether the value of each world is exact (worlds may be drawn all the same)."""
    system, measure, query = cell
    spread = scores.uncertainty
    if spread is None:
        return True
    cells = slice(None) if query is None else slice(*scores.cells.offsets[query : query + 2])
    if scores.subjects is not None:
        return not np.nan_to_num(spread.mc_error[system, measure, cells]).any()
    return bool(spread.exact[system, measure, cells].all())


def _distribution(scores: ScoreArrays, cell: Cell, values: Floats, weight: Floats) -> Distribution:
    """Of the worlds that have a value; where worlds are drawn, it is a sample."""
    defined = ~np.isnan(values)
    if not defined.any():
        raise OptionError(
            "this score is undefined in every world drawn, so that it has no distribution"
        )
    values, weight = values[defined], weight[defined]
    weight = weight / weight.sum()
    spread = scores.uncertainty
    if spread is not None and spread.drawn and scores.subjects is None:
        return Distribution.from_samples(values)
    if spread is None or _is_exact(scores, cell):
        return Distribution.from_atoms(values, weight)
    return Distribution(values, weight, spread.n_worlds, _error(scores, spread.mc_error, cell))


def _error(scores: ScoreArrays, mc_error: Floats, cell: Cell) -> float:
    """Monte Carlo standard error of a mean of values, each estimated by itself."""
    system, measure, query = cell
    squares = mc_error[system, measure] ** 2
    n = scores.cells.sum_by_query((~np.isnan(squares)).astype(np.float64))
    of_query = scores.cells.sum_by_query(np.nan_to_num(squares)) / np.maximum(n, 1) ** 2
    if query is not None:
        return float(np.sqrt(of_query[query]))
    return float(np.sqrt(of_query[n > 0].sum()) / max(1, (n > 0).sum()))
