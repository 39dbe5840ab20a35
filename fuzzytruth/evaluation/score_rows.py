"""Scores as labelled rows with one column a measure, as a printed table shows them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core.atoms import NEAR
from fuzzytruth.core.samples import nan_mean
from fuzzytruth.evaluation.score_distributions import mean_intervals

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores


@dataclass(frozen=True, slots=True, eq=False)
class ScoreRows:
    """One row a system (and query, and subject), one column a measure.

    Parameters
    ----------
    names : tuple of str
        What the labels name: system[, query][, subject].
    labels : tuple of tuple of str
        One for each row, as long as `names`.
    measures : tuple of str
    values : (rows, measures) float
    best : (rows, measures) bool
        Whether no other system has a better value (for the same query and subject).
    lower, upper : (rows, measures) float or None
        Ends of intervals over worlds, or of the range that judging the unjudged items could give.
    ends : tuple of str
        Column names of these two: low, high over worlds; lower, upper for unjudged items.
    """

    names: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    measures: tuple[str, ...]
    values: Floats
    best: Bools
    lower: Floats | None = None
    upper: Floats | None = None
    ends: tuple[str, str] = ("low", "high")

    def select(self, name: str, label: str) -> Self:
        """The rows with this label, without its column."""
        column = self.names.index(name)
        rows = [j for j, row in enumerate(self.labels) if row[column] == label]
        return replace(
            self,
            names=self.names[:column] + self.names[column + 1 :],
            labels=tuple(self.labels[j][:column] + self.labels[j][column + 1 :] for j in rows),
            values=self.values[rows],
            best=self.best[rows],
            lower=None if self.lower is None else self.lower[rows],
            upper=None if self.upper is None else self.upper[rows],
        )


def score_rows(scores: Scores, *, per_query: bool = False, per_subject: bool = True) -> ScoreRows:
    """Means over queries, or the values of every query.

    Parameters
    ----------
    scores : Scores
    per_query : bool
        Whether queries have rows of their own.
    per_subject : bool
        Whether subjects, where there are any, have rows of their own. Otherwise a query's value is
        the mean over the subjects who judged it.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> runs = {"x": {"q": ["a", "b"]}, "y": {"q": ["b", "a"]}}
    >>> rows = score_rows(ft.evaluate({"q": {"a": 1}}, runs, ["RR"]))
    >>> rows.labels, rows.values.tolist(), rows.best.tolist()
    ((('x',), ('y',)), [[1.0], [0.5]], [[True], [False]])
    """
    if scores.uncertainty is not None and scores.subjects is None and not per_query:
        return _rows_over_worlds(scores)
    units = _units(scores, per_query, per_subject and scores.subjects is not None)
    values = units.of(scores.values)  # (systems, units, measures)
    labels = tuple(
        (system, *unit) for system in scores.systems for unit in zip(*units.labels, strict=True)
    )
    if not units.labels:
        labels = tuple((system,) for system in scores.systems)
    flat = (-1, len(scores.measures))
    rows = ScoreRows(
        names=("system", *units.names),
        labels=labels,
        measures=scores.measures,
        values=values.reshape(flat),
        best=best_systems(values, scores.higher_is_better).reshape(flat),
    )
    if scores.lower is None or scores.upper is None:
        return rows
    lower, upper = (units.of(ends).reshape(flat) for ends in (scores.lower, scores.upper))
    return replace(rows, lower=lower, upper=upper, ends=("lower", "upper"))


@dataclass(frozen=True, slots=True, eq=False)
class _Units:
    """The rows of one system: queries, subjects, both or neither.

    Parameters
    ----------
    names : tuple of str
    labels : tuple of tuple of str
        One for each of `names`.
    reduce : callable
        (..., cells) → (..., units)
    """

    names: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    reduce: Callable[[Floats], Floats]

    def of(self, values: Floats) -> Floats:
        """Values of the units: (systems, measures, cells) → (systems, units, measures)."""
        return np.swapaxes(self.reduce(values), 1, 2)


def _units(scores: Scores, per_query: bool, per_subject: bool) -> _Units:
    cells, queries = scores.cells, scores.queries
    names = scores.subjects or ()
    if per_query and per_subject:
        both = zip(cells.query.tolist(), cells.subject_codes.tolist(), strict=True)
        labels = tuple(zip(*((queries[q], names[s]) for q, s in both), strict=True))
        return _Units(("query", "subject"), labels, lambda values: values)
    if per_query:
        judged = np.flatnonzero(cells.sizes > 0)
        labels = (tuple(queries[q] for q in judged),)
        return _Units(("query",), labels, lambda v: cells.mean_by_query(v)[..., judged])
    if per_subject:
        return _Units(("subject",), (names,), cells.mean_by_subject)
    return _Units((), (), lambda v: nan_mean(cells.mean_by_query(v), -1)[..., None])


def _rows_over_worlds(scores: Scores) -> ScoreRows:
    """Means over queries, with 95 % intervals over worlds."""
    values, lower, upper = mean_intervals(scores, 0.95)  # (systems, measures) each
    labels = tuple((system,) for system in scores.systems)
    best = best_systems(values, scores.higher_is_better)
    return ScoreRows(("system",), labels, scores.measures, values, best, lower, upper)


def best_systems(values: Floats, higher_is_better: tuple[bool, ...]) -> Bools:
    """Whether a system (first axis) has the best value up to rounding; measures last."""
    signed = values * np.where(higher_is_better, 1.0, -1.0)
    top = np.where(np.isnan(signed), -np.inf, signed).max(axis=0)
    best: Bools = signed >= top - NEAR * np.maximum(1.0, np.abs(top))
    return best
