"""Estimates and the laws of their errors, for each choice of what is random.

Estimand: the mean over queries of each query's mean over its subjects (or of its expected value
over worlds), in the population from which the queries, the subjects or the worlds named in `over`
were drawn; everything else is fixed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.crossed import crossed_layout, variance_components
from fuzzytruth.core.pivotal import NormalMixtures, error_mixtures
from fuzzytruth.core.rounding import without_rounding
from fuzzytruth.core.samples import samples, segment_samples
from fuzzytruth.core.strata import macro_means
from fuzzytruth.stats import world_estimates
from fuzzytruth.stats.axes import Over
from fuzzytruth.stats.contrasts import Contrasts, missing_patterns
from fuzzytruth.stats.fits import Fit, mixture_fit, student_fit
from fuzzytruth.stats.laws import Law
from fuzzytruth.stats.observations import Observations
from fuzzytruth.stats.sides import Alternative


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """One estimate a contrast; all (rows,).

    Parameters
    ----------
    value, std_error, df : float
        `std_error` is NaN where unknown; `df` are Satterthwaite's where the law is no t.
    n_queries, n_subjects : int
        Numbers of those with values; `n_subjects` is 0 without subjects.
    n_units : int
        Queries with values, or clusters of them.
    method : str
        How the interval is computed.
    law : Law
        Of the errors of the estimates.
    """

    value: Floats
    std_error: Floats
    df: Floats
    n_queries: Ints
    n_subjects: Ints
    n_units: Ints
    method: str
    law: Law

    def interval(
        self, level: float, alternative: Alternative = "two-sided"
    ) -> tuple[Floats, Floats]:
        """Ends of the interval."""
        return self.law.interval(self.value, level, alternative)

    def p_value(self, alternative: Alternative = "two-sided") -> Floats:
        """Of the estimand being 0; for worlds, twice the smaller share on either side of 0."""
        return self.law.p_value(self.value, alternative)

    def below(self, point: float) -> Floats:
        """Confidence, or posterior probability, that the estimand is below a point."""
        return self.law.below(self.value, point)


def estimate(observed: Observations, contrasts: Contrasts, over: Over) -> Estimates:
    """Estimate the mean of each contrast."""
    nested = observed.nested
    estimators: dict[Over, Callable[[Observations, Contrasts], Fit]] = {
        ("query",): _over_queries,
        ("subject",): _over_nested_subjects if nested else _over_subjects,
        ("query", "subject"): _over_queries if nested else _over_both,
        ("world",): world_estimates.over_worlds,
        ("query", "world"): (_over_queries if nested else world_estimates.over_queries_and_worlds),
    }
    fit = estimators[over](observed, contrasts)
    n_queries, n_subjects = _sizes(observed, contrasts)
    n_units = n_queries if fit.n_units is None else fit.n_units
    return Estimates(
        fit.value, fit.std_error, fit.df, n_queries, n_subjects, n_units, fit.method, fit.law
    )


def _sizes(observed: Observations, contrasts: Contrasts) -> tuple[Any, Any]:
    """Numbers of queries and of subjects with values."""
    n_queries = (~np.isnan(observed.by_query(contrasts))).sum(axis=1)
    if not observed.has_subjects:
        return n_queries, np.zeros(len(contrasts), dtype=np.int64)
    if observed.nested:  # each query has its own subjects
        return n_queries, (~np.isnan(observed.of(contrasts))).sum(axis=1)
    return n_queries, (~np.isnan(observed.by_subject(contrasts))).sum(axis=1)


def _over_queries(observed: Observations, contrasts: Contrasts) -> Fit:
    """Student's t of per-query values; nested subjects are drawn with their query."""
    pairs = contrasts.are_pairs
    values, groups = observed.by_query(contrasts), observed.groups
    scale = contrasts.largest(observed.scale)
    method = "t over queries" if groups is None else groups.method
    if observed.nested and observed.has_subjects:
        method += ", subjects clustered by query"
    if groups is not None:
        mean, std_error, df = groups.estimate(values, scale=scale)
        fit = student_fit(mean, std_error, df, method, pairs=pairs)
        return replace(fit, n_units=groups.units(values))
    by_query = samples(values.T, scale=scale)
    df = np.maximum(by_query.n - 1.0, 0.0)
    return student_fit(by_query.mean, by_query.std_error, df, method, pairs=pairs)


def _over_subjects(observed: Observations, contrasts: Contrasts) -> Fit:
    """Student's t of per-subject means; with values missing, from variance components."""
    if _is_rectangular(observed):
        scale = contrasts.largest(observed.scale)
        by_subject = samples(observed.by_subject(contrasts).T, scale=scale)
        df = np.maximum(by_subject.n - 1.0, 0.0)
        method = "t over subjects"
        return student_fit(
            by_subject.mean, by_subject.std_error, df, method, pairs=contrasts.are_pairs
        )
    rows = _components(observed, contrasts)
    method = "components, subjects random"
    return student_fit(
        rows.value, rows.subject_std_error, rows.subject_df, method, pairs=contrasts.are_pairs
    )


def _is_rectangular(observed: Observations) -> bool:
    """Whether all systems have all values of the queries and subjects that have any."""
    if not observed.same_cells:
        return False
    present = ~np.isnan(observed.values[0])
    if present.all() and observed.cells.is_complete:
        return True
    return observed.cells.select(present).compressed().is_complete


def _over_both(observed: Observations, contrasts: Contrasts) -> Fit:
    """Generalised pivotal intervals from crossed variance components."""
    rows = _components(observed, contrasts, with_mixtures=True)
    method = "generalised pivotal, queries × subjects"
    return mixture_fit(
        rows.value,
        rows.std_error,
        rows.df,
        rows.least_df,
        rows.mixtures,
        method,
        pairs=contrasts.are_pairs,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Components:
    """Estimates of contrasts from variance components; (rows,) each."""

    value: Floats
    std_error: Floats
    df: Floats
    least_df: Floats
    subject_std_error: Floats
    subject_df: Floats
    mixtures: NormalMixtures


def _components(
    observed: Observations, contrasts: Contrasts, *, with_mixtures: bool = False
) -> _Components:
    """Variance components of each contrast; rows with the same cells share a batch."""
    out = np.full((6, len(contrasts)), np.nan)
    mixtures = NormalMixtures.none(len(contrasts) if with_mixtures else 0)
    scale = contrasts.largest(observed.scale)
    start = 0
    for batch in observed.batches(contrasts):
        values = observed.of(batch)
        for present, rows in missing_patterns(~np.isnan(values)):
            table, at = values[rows][:, present], start + rows
            cells = observed.cells.select(present).compressed()
            parts = variance_components(table, crossed_layout(cells), scale=scale[at])
            least = min(parts.squares.df[:2])
            error, of_subjects = np.sqrt(parts.variance), np.sqrt(parts.subject_variance)
            mean = without_rounding(parts.mean, scale[at])
            least_df = np.full(len(at), least)
            out[:, at] = mean, error, parts.df, least_df, of_subjects, parts.subject_df
            if with_mixtures and least > 0:
                mixtures.put(at, error_mixtures(parts.squares))
        start += len(batch)
    df, least_df, subject_df = np.nan_to_num(out[[2, 3, 5]])
    return _Components(out[0], out[1], df, least_df, out[4], subject_df, mixtures)


def _over_nested_subjects(observed: Observations, contrasts: Contrasts) -> Fit:
    """Queries fixed, each with its own subjects: the mean of strata."""
    scale = contrasts.largest(observed.scale)
    offsets, start, parts = observed.cells.offsets, 0, []
    for batch in observed.batches(contrasts):
        of_batch = scale[start : start + len(batch)]
        within = segment_samples(observed.of(batch), offsets, scale=of_batch)
        parts.append(macro_means(within, scale=of_batch))
        start += len(batch)
    mean, std_error, df = (np.concatenate(part) for part in zip(*parts, strict=True))
    return student_fit(
        mean, std_error, df, "strata, subjects within queries", pairs=contrasts.are_pairs
    )
