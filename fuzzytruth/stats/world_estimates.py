"""Estimates where worlds are random, alone or with the queries.

Where a world is one crisp truth, the score itself varies over worlds: its interval holds a share
of the worlds. Where a world is the expected score under resampled subjects, the estimate varies:
its variance, times S / (S - 1), is that of the estimate, and t has S - 1 degrees of freedom.

Where the queries are drawn, too, their means vary with the subjects as well: `QueryWorldParts` says
how much of the variance is common to both, so that nothing counts twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import divide, without_rounding
from fuzzytruth.core.clusters import macro_means, samples, segment_samples
from fuzzytruth.core.crossed import clustered_components, crossed_layout, variance_components
from fuzzytruth.core.pivotal import CrossedSquares, NormalMixtures, error_mixtures
from fuzzytruth.errors import OptionError, counted
from fuzzytruth.stats.laws import Fit, drawn_fit, mixture_fit, student_fit
from fuzzytruth.stats.observations import Contrasts, Observations, WorldMeans, missing_patterns
from fuzzytruth.stats.replicates import over_all, over_queries_and_runs, over_runs
from fuzzytruth.stats.settings import Over


def over_worlds(observed: Observations, contrasts: Contrasts) -> Fit:
    """Queries fixed."""
    worlds, scale = _worlds_of(observed), observed.scale
    value = samples(observed.by_query(contrasts).T, scale=contrasts.largest(scale)).mean
    means = worlds.of(contrasts, scale=scale)
    std_error, df = _spread(worlds, means)
    if worlds.resampled:
        method = "t over resampled subjects"
        return student_fit(value, std_error, df, method, pairs=contrasts.are_pairs)
    return drawn_fit(value, std_error, df, "quantiles of worlds", means)


@dataclass(frozen=True, slots=True, eq=False)
class QueryWorldParts:
    """Variance of estimates over queries and over resamples of the subjects; (rows,) each.

    Of values that are linear in the subjects' weights, of all subjects and queries, under all
    resamples, the parts are MSq / (QS), MSs / (QS) and MSe / (QS) of the analysis of variance of
    the values by single subjects.

    Parameters
    ----------
    mean : float
        Over queries.
    queries_part : float
        Variance of the queries' values over their number.
    worlds_part : float
        Variance of the mean over resamples, times S / (S - 1).
    both_part : float
        What both have in common: the interaction of queries and subjects.
    n_queries : int
    n_subjects : int
        S.
    """

    mean: Floats
    queries_part: Floats
    worlds_part: Floats
    both_part: Floats
    n_queries: Ints
    n_subjects: int

    @property
    def variance(self) -> Floats:
        """Of the mean, queries and subjects both being random."""
        both = self.both_part
        from_queries = np.maximum(self.queries_part, both)
        return np.asarray(from_queries + np.maximum(self.worlds_part, both) - both)

    @property
    def df(self) -> Floats:
        """Satterthwaite's degrees of freedom of the variance."""
        df_q, df_s = self.n_queries - 1.0, self.n_subjects - 1.0
        from_queries = divide(self.queries_part, self.variance)
        from_worlds = divide(self.worlds_part, self.variance)
        bottom = from_queries**2 / np.maximum(df_q, 1) + from_worlds**2 / df_s
        out: Floats = np.minimum(df_q, df_s).clip(min=0)
        np.divide(1.0, bottom, out=out, where=bottom > 0)
        return out


def query_world_parts(observed: Observations, contrasts: Contrasts) -> QueryWorldParts:
    """Parts of the variance of the mean of each contrast; NaN of a part that is unknown.

    Raises
    ------
    OptionError
        How two systems vary together over worlds is not known.
    """
    worlds, scale = _worlds_of(observed), observed.scale
    of_queries = samples(observed.by_query(contrasts).T, scale=contrasts.largest(scale))
    n = of_queries.n
    std_error, _ = _spread(worlds, worlds.of(contrasts, scale=scale))
    from_worlds = std_error**2
    within = worlds.within_of(contrasts)
    _check_known(within, of_queries.mean)
    of_one_query = divide(within, n, fill=np.nan)  # mean over queries of the variance of one
    both = np.maximum(divide(of_one_query - from_worlds, n - 1), 0.0)
    from_queries = of_queries.std_error**2
    return QueryWorldParts(of_queries.mean, from_queries, from_worlds, both, n, worlds.n_subjects)


def over_queries_and_worlds(observed: Observations, contrasts: Contrasts) -> Fit:
    """Queries drawn from a population, and subjects, of whom worlds are resamples."""
    parts = query_world_parts(observed, contrasts)
    df_s = float(parts.n_subjects - 1)
    mixtures, kept = NormalMixtures.none(len(contrasts)), []
    for n in np.unique(parts.n_queries).tolist():
        rows = np.flatnonzero((parts.n_queries == n) & ~np.isnan(parts.variance))
        df_q = n - 1.0
        if min(df_q, df_s) <= 0 or not len(rows):
            continue
        squares = CrossedSquares(
            parts.queries_part[rows] * df_q,
            parts.worlds_part[rows] * df_s,
            parts.both_part[rows] * df_q * df_s,
            (df_q, df_s, df_q * df_s),
            (1.0, 1.0, 1.0),
        )
        mixtures.put(rows, error_mixtures(squares))
        kept.append((rows, squares))
    least_df = np.maximum(np.minimum(parts.n_queries - 1.0, df_s), 0.0)
    return mixture_fit(
        parts.mean,
        np.sqrt(parts.variance),
        parts.df,
        least_df,
        mixtures,
        "generalised pivotal, queries × resampled subjects",
        pairs=contrasts.are_pairs,
        squares=tuple(kept),
    )


def can_cross(observed: Observations, contrasts: Contrasts) -> bool:
    """Whether contrasts have estimates over queries and worlds."""
    worlds = observed.worlds
    if worlds is None or not worlds.resampled:
        return False
    return observed.nested or not np.isnan(worlds.within_of(contrasts)).any()


def _check_known(within: Floats, mean: Floats) -> None:
    """Raise where variances of single queries are not known."""
    unknown = int((np.isnan(within) & ~np.isnan(mean)).sum())
    if unknown:
        raise OptionError(
            "over=('query', 'world'): how two systems vary together over worlds is not known for "
            f"{unknown:,} of {counted(len(within), 'comparison')}, as they were evaluated one "
            "after the other, or have values in different queries or worlds; evaluate them "
            "together, or each with keep_worlds=True before concat()"
        )


def _worlds_of(observed: Observations) -> WorldMeans:
    assert observed.worlds is not None, "over='world' without worlds"
    return observed.worlds


def _spread(worlds: WorldMeans, means: Floats) -> tuple[Floats, Floats]:
    """Standard deviation over worlds as one of an estimate, and its degrees of freedom."""
    centre = means @ worlds.weight
    variance = ((means - centre[:, None]) ** 2) @ worlds.weight
    variance[np.ptp(means, axis=1) == 0] = 0.0
    df = 1 / (worlds.inflation - 1) if worlds.resampled else np.inf  # inflation is S / (S - 1)
    return np.sqrt(variance * worlds.inflation), np.full(len(means), df)


# Estimates and the laws of their errors, for each choice of what is random.
#
# Estimand: the mean over queries of each query's mean over its subjects (or of its expected value
# over worlds), in the population from which the queries, the subjects or the worlds named in `over`
# were drawn; everything else is fixed.


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Estimates(Fit):
    """One estimate a contrast, with numbers of those with values; all (rows,).

    Parameters
    ----------
    n_units : int
        Queries with values, or clusters of them.
    n_queries, n_subjects : int
        `n_subjects` is 0 without subjects.
    """

    n_units: Ints
    n_queries: Ints
    n_subjects: Ints

    @classmethod
    def of(cls, fit: Fit, n_queries: Ints, n_subjects: Ints) -> Estimates:
        """A fit with numbers of queries, which are its units if it has no other, and subjects."""
        n_units = n_queries if fit.n_units is None else fit.n_units
        law = fit.value, fit.std_error, fit.df, fit.method, fit.law
        sizes: Any = {"n_queries": n_queries, "n_subjects": n_subjects}
        return cls(*law, n_units=n_units, more=fit.more, **sizes)


def estimate(observed: Observations, contrasts: Contrasts, over: Over) -> Estimates:
    """Estimate the mean of each contrast."""
    nested = observed.nested
    estimators: dict[Over, Callable[[Observations, Contrasts], Fit]] = {
        ("query",): _over_queries,
        ("subject",): _over_nested_subjects if nested else _over_subjects,
        ("query", "subject"): _over_queries if nested else partial(_by_components, both=True),
        ("world",): over_worlds,
        ("query", "world"): (_over_queries if nested else over_queries_and_worlds),
        ("replicate",): over_runs,
        ("query", "replicate"): over_queries_and_runs,
        ("query", "subject", "replicate"): over_queries_and_runs if nested else _over_all,
    }
    return Estimates.of(estimators[over](observed, contrasts), *_sizes(observed, contrasts))


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
    if not _is_rectangular(observed):
        return _by_components(observed, contrasts, both=False)
    subjects = samples(observed.by_subject(contrasts).T, scale=contrasts.largest(observed.scale))
    df, pairs = np.maximum(subjects.n - 1.0, 0.0), contrasts.are_pairs
    return student_fit(subjects.mean, subjects.std_error, df, "t over subjects", pairs=pairs)


def _is_rectangular(observed: Observations) -> bool:
    """Whether all systems have all values of the queries and subjects that have any."""
    if not observed.same_cells:
        return False
    present = ~np.isnan(observed.values[0])
    if present.all() and observed.cells.is_complete:
        return True
    return observed.cells.select(present).compressed().is_complete


def _by_components(observed: Observations, contrasts: Contrasts, *, both: bool) -> Fit:
    """From variance components, over queries and subjects (`both`) or over subjects.

    Rows with the same cells share a batch. Clusters of queries take the place of queries.
    """
    groups = observed.groups if both else None
    out = np.full((6, len(contrasts)), np.nan)
    mixtures = NormalMixtures.none(len(contrasts) if both else 0)
    scale = contrasts.largest(observed.scale)
    start, squares = 0, []
    size = 0 if groups is None else groups.n * observed.cells.n_subjects
    for batch in contrasts.batches(max(len(observed.cells), size)):
        values = observed.of(batch)
        for present, rows in missing_patterns(~np.isnan(values)):
            table, at = values[rows][:, present], start + rows
            chosen = observed.cells.select(present)
            cells = chosen.compressed()
            if groups is None:
                parts = variance_components(table, crossed_layout(cells), scale=scale[at])
            else:
                some = groups.select(chosen.sizes > 0)
                parts = clustered_components(table, cells, some.code, some.n, scale=scale[at])
            least = min(parts.squares.df[:2])
            error, of_subjects = np.sqrt(parts.variance), np.sqrt(parts.subject_variance)
            mean = without_rounding(parts.mean, scale[at])
            least_df = np.full(len(at), least)
            out[:, at] = mean, error, parts.df, least_df, of_subjects, parts.subject_df
            if both and least > 0:
                mixtures.put(at, error_mixtures(parts.squares))
                squares.append((at, parts.squares))
        start += len(batch)
    value, error, df, least_df, of_subjects, subject_df = out
    if not both:
        method = "components, subjects random"
        known = value, of_subjects, np.nan_to_num(subject_df)
        return student_fit(*known, method, pairs=contrasts.are_pairs)
    method = f"generalised pivotal, {'queries' if groups is None else 'clusters'} × subjects"
    freedom = np.nan_to_num(df), np.nan_to_num(least_df)
    how: Any = {"pairs": contrasts.are_pairs, "squares": tuple(squares)}
    fit = mixture_fit(value, error, *freedom, mixtures, method, **how)
    n_units = None if groups is None else groups.units(observed.by_query(contrasts))
    return replace(fit, n_units=n_units)


def _over_all(observed: Observations, contrasts: Contrasts) -> Fit:
    """Queries, subjects and runs of systems random."""
    return over_all(_by_components(observed, contrasts, both=True), observed, contrasts)


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
