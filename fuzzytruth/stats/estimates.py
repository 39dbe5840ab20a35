"""Estimates with standard errors, for each choice of what is random.

Estimand: the mean over queries of each query's mean over its subjects (or of its expected value
over worlds), in the population from which the queries, the subjects or the worlds named in `over`
were drawn; what is not named is fixed, as it is in the data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core import student
from fuzzytruth.core.crossed import Components, components, layout
from fuzzytruth.core.samples import mean_where_there, samples
from fuzzytruth.stats import worlds
from fuzzytruth.stats.axes import Over
from fuzzytruth.stats.rows import Rows, by_holes, cells, per_query, per_subject

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores

Found = worlds.Found


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """One estimate a row; all (rows,).

    Parameters
    ----------
    value, std_error, df : float
        `std_error` is NaN where the data cannot tell it.
    n_queries, n_subjects : int
        That have values; `n_subjects` is 0 where there are no subjects.
    method : str
        How the standard error was found.
    draws : (rows, draws) float or None
        Equally probable values whose quantiles are the interval; None for a t interval.
    """

    value: Floats
    std_error: Floats
    df: Floats
    n_queries: Ints
    n_subjects: Ints
    method: str
    draws: Floats | None = None

    def interval(self, level: float) -> tuple[Floats, Floats]:
        """Ends of the interval."""
        if self.draws is not None:
            return worlds.quantile_interval(self.draws, level)
        multiple = student.quantile(level, self.df)
        return student.ends(self.value, self.std_error, multiple)

    def p_value(self) -> Floats:
        """Of the estimand being 0; for worlds, twice the smaller share on either side of 0."""
        if self.draws is not None:
            return worlds.two_sided_share(self.draws)
        return student.p_value(self.value, self.std_error, self.df)


def estimate(scores: Scores, measure: int, rows: Rows, over: Over) -> Estimates:
    """Estimates of all rows."""
    nested = scores.design == "nested"
    ways: dict[Over, Callable[[Scores, int, Rows], Found]] = {
        ("query",): _over_queries,
        ("subject",): _over_nested_subjects if nested else _over_subjects,
        ("query", "subject"): _over_queries if nested else _over_both,
        ("world",): worlds.over_worlds,
        ("query", "world"): worlds.over_queries_and_worlds,
    }
    value, std_error, df, method, draws = ways[over](scores, measure, rows)
    n_queries, n_subjects = _sizes(scores, measure, rows)
    unknown = (df <= 0) & (std_error != 0)
    return Estimates(
        value, np.where(unknown, np.nan, std_error), df, n_queries, n_subjects, method, draws
    )


def _sizes(scores: Scores, measure: int, rows: Rows) -> tuple[Any, Any]:
    """Numbers of queries and of subjects with values."""
    n_queries = (~np.isnan(per_query(scores, measure, rows))).sum(axis=1)
    if scores.subjects is None:
        return n_queries, np.zeros(len(rows), dtype=np.int64)
    if scores.design == "nested":  # each query has persons of its own
        return n_queries, (~np.isnan(cells(scores, measure, rows))).sum(axis=(1, 2))
    return n_queries, (~np.isnan(per_subject(scores, measure, rows))).sum(axis=1)


def _over_queries(scores: Scores, measure: int, rows: Rows) -> Found:
    """Student's t of per-query values; nested subjects are drawn with their query."""
    found = samples(per_query(scores, measure, rows).T)
    df = np.maximum(found.n - 1.0, 0.0)
    method = "t over queries"
    if scores.design == "nested" and scores.subjects is not None:
        method += ", subjects clustered by query"
    return found.mean, found.std_error, df, method, None


def _over_subjects(scores: Scores, measure: int, rows: Rows) -> Found:
    """Student's t of per-subject means; with holes, from variance components."""
    there = ~np.isnan(scores.values[:, measure])
    subjects, queries = np.asarray(there.any(axis=(0, 2))), np.asarray(there.any(axis=(0, 1)))
    judged = subjects[:, None] & queries
    if (there == judged).all():
        found = samples(per_subject(scores, measure, rows).T)
        df = np.maximum(found.n - 1.0, 0.0)
        return found.mean, found.std_error, df, "t over subjects", None

    def subjects_only(found: Components) -> tuple[Floats, Floats]:
        return found.subject_variance, found.subject_df

    return (*_by_layout(scores, measure, rows, subjects_only), "components, subjects random", None)


def _over_both(scores: Scores, measure: int, rows: Rows) -> Found:
    """Crossed variance components of queries and subjects."""

    def both(found: Components) -> tuple[Floats, Floats]:
        return found.variance, found.df

    method = "components, queries × subjects"
    return (*_by_layout(scores, measure, rows, both), method, None)


def _by_layout(
    scores: Scores,
    measure: int,
    rows: Rows,
    which: Callable[[Components], tuple[Floats, Floats]],
) -> tuple[Floats, Floats, Floats]:
    """Means, standard errors and degrees of freedom; rows with the same holes go together."""
    out = np.full((3, len(rows)), np.nan)
    start = 0
    for lot in rows.parts(scores.values[0, 0].size):
        table = cells(scores, measure, lot)
        for there, mine in by_holes(~np.isnan(table)):
            used = there.any(axis=1), there.any(axis=0)
            found = components(table[mine][:, used[0]][:, :, used[1]], layout(there[np.ix_(*used)]))
            variance, df = which(found)
            # Without degrees of freedom a variance of 0 is not known, unless nothing varies at all.
            same = np.nanmax(table[mine], axis=(1, 2)) == np.nanmin(table[mine], axis=(1, 2))
            std_error = np.where((df <= 0) & ~same, np.nan, np.sqrt(variance))
            out[:, start + mine] = found.mean, std_error, df
        start += len(lot)
    return out[0], out[1], np.nan_to_num(out[2])


def _over_nested_subjects(scores: Scores, measure: int, rows: Rows) -> Found:
    """Queries fixed, each with subjects of its own: the mean of strata."""
    table = cells(scores, measure, rows)  # (rows, queries, subjects)
    within = samples(table.swapaxes(-1, -2))
    n = within.n  # (rows, queries)
    there = n > 0
    queries = there.sum(axis=-1)
    each = np.where(there, within.std_error**2, 0.0)  # NaN where a query has one subject
    variance = each.sum(axis=-1) / np.maximum(queries, 1) ** 2
    bottom = np.where(n > 1, each**2 / np.maximum(n - 1, 1), 0.0).sum(axis=-1)
    df = (n - 1.0).clip(min=0).sum(axis=-1)
    np.divide(each.sum(axis=-1) ** 2, bottom, out=df, where=bottom > 0)
    mean = mean_where_there(within.mean, -1)
    return mean, np.sqrt(variance), np.nan_to_num(df), "strata, subjects within queries", None
