"""Estimates with standard errors, for each choice of what is random.

Estimand: the mean over queries of each query's mean over its subjects (or of its expected value
over worlds), in the population from which the queries, the subjects or the worlds named in `over`
were drawn; everything else is fixed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core import student
from fuzzytruth.core.crossed import VarianceComponents, crossed_layout, variance_components
from fuzzytruth.core.samples import nan_mean, samples, segment_samples
from fuzzytruth.stats import world_estimates
from fuzzytruth.stats.axes import Over
from fuzzytruth.stats.contrasts import Contrasts, missing_patterns
from fuzzytruth.stats.observations import Observations
from fuzzytruth.stats.world_estimates import MeanEstimate


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """One estimate a contrast; all (rows,).

    Parameters
    ----------
    value, std_error, df : float
        `std_error` is NaN where unknown.
    n_queries, n_subjects : int
        Numbers of those with values; `n_subjects` is 0 without subjects.
    method : str
        How the standard error was computed.
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
            return world_estimates.quantile_interval(self.draws, level)
        multiple = student.quantile(level, self.df)
        return student.ends(self.value, self.std_error, multiple)

    def p_value(self) -> Floats:
        """Of the estimand being 0; for worlds, twice the smaller share on either side of 0."""
        if self.draws is not None:
            return world_estimates.two_sided_share(self.draws)
        return student.p_value(self.value, self.std_error, self.df)


def estimate(observed: Observations, contrasts: Contrasts, over: Over) -> Estimates:
    """Estimate the mean of each contrast."""
    nested = observed.nested
    estimators: dict[Over, Callable[[Observations, Contrasts], MeanEstimate]] = {
        ("query",): _over_queries,
        ("subject",): _over_nested_subjects if nested else _over_subjects,
        ("query", "subject"): _over_queries if nested else _over_both,
        ("world",): world_estimates.over_worlds,
        ("query", "world"): (_over_queries if nested else world_estimates.over_queries_and_worlds),
    }
    value, std_error, df, method, draws = estimators[over](observed, contrasts)
    n_queries, n_subjects = _sizes(observed, contrasts)
    unknown = (df <= 0) & ((std_error != 0) | (value != 0))
    return Estimates(
        value, np.where(unknown, np.nan, std_error), df, n_queries, n_subjects, method, draws
    )


def _sizes(observed: Observations, contrasts: Contrasts) -> tuple[Any, Any]:
    """Numbers of queries and of subjects with values."""
    n_queries = (~np.isnan(observed.by_query(contrasts))).sum(axis=1)
    if not observed.has_subjects:
        return n_queries, np.zeros(len(contrasts), dtype=np.int64)
    if observed.nested:  # each query has its own subjects
        return n_queries, (~np.isnan(observed.of(contrasts))).sum(axis=1)
    return n_queries, (~np.isnan(observed.by_subject(contrasts))).sum(axis=1)


def _over_queries(observed: Observations, contrasts: Contrasts) -> MeanEstimate:
    """Student's t of per-query values; nested subjects are drawn with their query."""
    by_query = samples(observed.by_query(contrasts).T)
    df = np.maximum(by_query.n - 1.0, 0.0)
    method = "t over queries"
    if observed.nested and observed.has_subjects:
        method += ", subjects clustered by query"
    return by_query.mean, by_query.std_error, df, method, None


def _over_subjects(observed: Observations, contrasts: Contrasts) -> MeanEstimate:
    """Student's t of per-subject means; with values missing, from variance components."""
    if _is_rectangular(observed):
        by_subject = samples(observed.by_subject(contrasts).T)
        df = np.maximum(by_subject.n - 1.0, 0.0)
        return by_subject.mean, by_subject.std_error, df, "t over subjects", None

    def subjects_only(components: VarianceComponents) -> tuple[Floats, Floats]:
        return components.subject_variance, components.subject_df

    method = "components, subjects random"
    return (*_from_components(observed, contrasts, subjects_only), method, None)


def _is_rectangular(observed: Observations) -> bool:
    """Whether all systems have all values of the queries and subjects that have any."""
    if not observed.same_cells:
        return False
    present = ~np.isnan(observed.values[0])
    if present.all() and observed.cells.is_complete:
        return True
    return observed.cells.select(present).compressed().is_complete


def _over_both(observed: Observations, contrasts: Contrasts) -> MeanEstimate:
    """Crossed variance components of queries and subjects."""

    def both(components: VarianceComponents) -> tuple[Floats, Floats]:
        return components.variance, components.df

    method = "components, queries × subjects"
    return (*_from_components(observed, contrasts, both), method, None)


def _from_components(
    observed: Observations,
    contrasts: Contrasts,
    which: Callable[[VarianceComponents], tuple[Floats, Floats]],
) -> tuple[Floats, Floats, Floats]:
    """Means, standard errors and degrees of freedom; rows with the same cells share a batch."""
    out = np.full((3, len(contrasts)), np.nan)
    start = 0
    for batch in observed.batches(contrasts):
        values = observed.of(batch)
        for present, rows in missing_patterns(~np.isnan(values)):
            table = values[rows][:, present]
            cells = observed.cells.select(present).compressed()
            components = variance_components(table, crossed_layout(cells))
            variance, df = which(components)
            # Without degrees of freedom a variance of 0 is unknown, unless nothing varies at all.
            same = table.max(axis=1) == table.min(axis=1)
            std_error = np.where((df <= 0) & ~same, np.nan, np.sqrt(variance))
            out[:, start + rows] = components.mean, std_error, df
        start += len(batch)
    return out[0], out[1], np.nan_to_num(out[2])


def _over_nested_subjects(observed: Observations, contrasts: Contrasts) -> MeanEstimate:
    """Queries fixed, each with its own subjects: the mean of strata."""
    parts = [_strata(observed, batch) for batch in observed.batches(contrasts)]
    mean, std_error, df = (np.concatenate(part) for part in zip(*parts, strict=True))
    return mean, std_error, df, "strata, subjects within queries", None


def _strata(observed: Observations, contrasts: Contrasts) -> tuple[Floats, Floats, Floats]:
    within = segment_samples(observed.of(contrasts), observed.cells.offsets)
    n = within.n  # (rows, queries)
    queries = (n > 0).sum(axis=-1)
    each = np.where(n > 0, within.std_error**2, 0.0)  # NaN where a query has one subject
    variance = each.sum(axis=-1) / np.maximum(queries, 1) ** 2
    bottom = np.where(n > 1, each**2 / np.maximum(n - 1, 1), 0.0).sum(axis=-1)
    df = (n - 1.0).clip(min=0).sum(axis=-1)
    np.divide(each.sum(axis=-1) ** 2, bottom, out=df, where=bottom > 0)
    return nan_mean(within.mean, -1), np.sqrt(variance), np.nan_to_num(df)
