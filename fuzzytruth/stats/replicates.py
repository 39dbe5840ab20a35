"""Estimates where the runs of systems are random: trainings, seeds, samplings.

The runs r of system t have effects ρ_tr of their own; queries (and subjects) are crossed with
them. A system's value is the mean over its runs, and what is estimated is the difference of two
methods over new queries and new runs of each. Its variance is that of the table of differences of
means over runs, in which the interactions of runs are already, and for each system

    (MS_r - MS_rq)₊ / (Q R)                                  queries and runs,
    (MS_r - max(MS_rq, L) - max(MS_rs, L) + L)₊ / (R Q S)     subjects, too, L = MS_rqs.

χ² variables take the place of sums of squares over their expected mean squares, as in
`core.pivotal`. Of three systems or more with three runs or more, the mean squares MS_r are
moderated: drawn towards their common value by at most as many prior degrees of freedom as they
have. Two runs tell too little of whom a system is like: beside two unstable runs the error was .1.

References
----------
Weerahandi, S. (1993), Generalized confidence intervals, JASA 88. Smyth, G. K. (2004), Linear models
and empirical Bayes methods, SAGMB 3. Bouthillier, X. et al.
(2021), Accounting for variance in machine learning benchmarks, MLSys.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from fuzzytruth._lazy import special
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide, without_rounding
from fuzzytruth.core.bootstrap_maxima import MIN_VARIANCES, log_of_mean, prior_df
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.clusters import samples
from fuzzytruth.core.pivotal import Variances, excess, excess_of_both, scaled
from fuzzytruth.stats.laws import Fit, MixtureLaw, mixture_fit, student_fit
from fuzzytruth.stats.observations import Contrasts, Observations, Pooling, RunValues

_CROSSED = 192  # nodes of a variance over queries and subjects, before runs are added
_SUM = 256


@dataclass(frozen=True, slots=True, eq=False)
class RunTables:
    """Sums of squares of each system's runs; (systems,) each but for `squares`.

    Parameters
    ----------
    n_runs, n_queries, n_subjects : int
        Of complete tables; `n_subjects` is 1 where subjects are no factor.
    squares : (4, systems) float
        Of runs, runs × queries, runs × subjects, and the rest.
    fixed : bool
        Whether another run would give the same.
    unit : float
        Values are multiples of it, so that no square overflows or vanishes.
    """

    n_runs: Ints
    n_queries: Ints
    n_subjects: Ints
    squares: Floats
    fixed: Bools
    unit: float = 1.0

    @property
    def df(self) -> Floats:
        """Degrees of freedom: (4, systems)."""
        r, q, s = (n - 1.0 for n in (self.n_runs, self.n_queries, self.n_subjects))
        return np.stack([r, r * q, r * s, r * q * s])

    @property
    def per_run(self) -> Floats:
        """Factor of mean squares in the variance of a mean: (systems,); 0 of fixed ones."""
        factor = divide(1.0, self.n_runs * self.n_queries * self.n_subjects)
        return np.where(self.fixed, 0.0, factor)

    def shared(self, pooling: Pooling) -> tuple[Floats, Floats, float]:
        """Sums of squares and degrees of freedom (4, systems) to use, and the prior's d₀."""
        squares, df = self.squares.copy(), self.df
        known = (df[0] > 0) & ~self.fixed
        if pooling == "pooled" and known.any():
            squares = np.repeat(squares[:, known].sum(axis=1)[:, None], squares.shape[1], axis=1)
            return squares, np.repeat(df[:, known].sum(axis=1)[:, None], df.shape[1], axis=1), 0.0
        if pooling == "separate":
            return squares, df, 0.0
        known &= df[0] > 1  # two runs tell too little of whom they are like
        d0, mean = _prior(squares[0, known], df[0, known])
        own = np.where(known, np.minimum(d0, df[0]), 0.0)
        squares[0] += own * mean
        return squares, df + np.stack([own, *np.zeros((3, len(own)))]), d0

    def variances(self, pooling: Pooling) -> tuple[Variances, Floats, Bools, float]:
        """(G - I)₊ of each system's runs, which its mean has times `per_run`.

        Its distribution, unbiased estimates (systems,), whether it is known (systems,), and d₀.
        """
        squares, df, d0 = self.shared(pooling)
        known = (self.fixed | (df[0] > 0)) & (self.n_queries > 0)
        none = np.flatnonzero(df[0] == 0)
        parts, estimate = [(none, Variances.zero(len(none)))], np.zeros(len(known))
        for at in _alike(df, known & (df[0] > 0)):
            part, freedom = squares[:, at], df[:, at[0]]
            ms = [
                ss / f if f > 0 else np.zeros(len(at)) for ss, f in zip(part, freedom, strict=True)
            ]
            if freedom[2] > 0:
                found = excess_of_both(part, tuple(freedom.tolist()))
                both = np.maximum(ms[1], ms[3]) + np.maximum(ms[2], ms[3]) - ms[3]
            else:
                found, both = excess(part[:2], (float(freedom[0]), float(freedom[1]))), ms[1]
            estimate[at] = np.maximum(ms[0] - both, 0.0)
            parts.append((at, found))
        return Variances.placed(parts, len(known)), estimate, known, d0


def _alike(df: Floats, wanted: Bools) -> Iterator[Ints]:
    """Systems with the same degrees of freedom."""
    at = np.flatnonzero(wanted)
    _, group = np.unique(df[:, at], axis=1, return_inverse=True)
    for number in range(int(group.max(initial=-1)) + 1):
        yield at[group.ravel() == number]


def _prior(squares: Floats, df: Floats) -> tuple[float, float]:
    """Smyth's d₀, at most the largest of `df`, and the prior mean square; 0 where none is known."""
    ms = squares / df
    known = ms > 0
    if known.sum() < MIN_VARIANCES:
        return 0.0, 0.0
    most = float(df.max())
    d0 = prior_df(ms[known], df[known], most=np.inf)
    if np.isinf(d0):
        return most, float(squares[known].sum() / df[known].sum())
    mean = log_of_mean(ms[known], df[known]).mean() + special.digamma(d0 / 2) - np.log(d0 / 2)
    return min(d0, most), float(np.exp(mean))


def run_table(y: Floats) -> Floats:
    """Sums of squares (4,) of a table (runs, queries, subjects); see `RunTables`.

    Of runs that are equal up to rounding they are 0.
    """
    _, q, s = y.shape
    y = without_rounding(y - y[:1], np.abs(y).max(initial=0.0))  # what runs have in common is lost
    of_run = y.mean(axis=(1, 2), keepdims=True)
    centred = y - y.mean(axis=0)
    by_query = centred.mean(axis=2, keepdims=True)
    by_subject = centred.mean(axis=1, keepdims=True)
    effect = of_run - of_run.mean()
    with_query, with_subject = by_query - effect, by_subject - effect
    rest = centred - effect - with_query - with_subject
    sizes = (q * s, s, q, 1)
    parts = (effect, with_query, with_subject, rest)
    return np.array([n * (part**2).sum() for n, part in zip(sizes, parts, strict=True)])


def run_tables(runs: RunValues, cells: Cells, *, subjects: bool) -> RunTables:
    """Sums of squares of each system's runs on the queries (and subjects) that all of them have.

    Runs that are all the same count as fixed. With `subjects`, a system that lacks some cells of
    its queries counts as if runs had no interactions, which makes intervals wider.
    """
    unit = float(np.ldexp(1.0, np.frexp(np.nanmax(np.abs(runs.values), initial=0.0))[1]))
    values = runs.values / unit
    values = values if subjects else cells.mean_by_query(values)
    sizes, squares = np.ones((3, len(runs.fixed)), np.int64), np.zeros((4, len(runs.fixed)))
    for place in range(len(runs.fixed)):
        each = values[runs.system == place]
        present = ~np.isnan(each).any(axis=0)
        table = (
            _table(each[:, present], cells.select(present)) if subjects else each[:, present, None]
        )
        sizes[:, place] = table.shape
        if table.size:
            squares[:, place] = run_table(table)
    same = (sizes[0] > 1) & (sizes[1] > 0) & ~squares.any(axis=0)
    return RunTables(sizes[0], sizes[1], sizes[2], squares, runs.fixed | same, unit)


def _table(values: Floats, cells: Cells) -> Floats:
    """(runs, queries, subjects) of a complete table, else the runs' means everywhere."""
    some = cells.compressed()
    if some.is_complete:
        return some.dense(values)
    means = some.mean_by_query(values).mean(axis=1)[:, None, None]
    return np.broadcast_to(means, (len(means), some.n_queries, some.n_subjects))


def over_runs(observed: Observations, contrasts: Contrasts) -> Fit:
    """Queries fixed: Welch's t of the runs' means; moderation is for queries and runs together."""
    runs, pairs = _runs_of(observed), contrasts.are_pairs
    of_queries = _of_queries(observed, contrasts)
    table = run_tables(runs, observed.cells, subjects=False)
    is_pooled = runs.pooling == "pooled"
    squares, df, _ = table.shared("pooled" if is_pooled else "separate")
    of_runs = divide(squares[0], df[0]) * table.per_run
    known = table.fixed | (df[0] > 0)
    variance, bottom = np.zeros((2, len(contrasts)))
    sure = ~np.isnan(of_queries[0])
    for side in _sides(contrasts):
        variance += of_runs[side]
        bottom += divide(of_runs[side] ** 2, df[0][side])
        sure &= known[side]
    if is_pooled:  # both have one variance
        bottom = divide(variance**2, df[0][contrasts.first])
    freedom = np.where(bottom > 0, np.minimum(divide(variance**2, bottom), 1e9), 1e9)
    error = np.where(sure, table.unit * np.sqrt(variance), np.nan)
    freedom = np.where(sure, freedom, 0.0)
    return student_fit(of_queries[0], error, freedom, "Welch's t over runs", pairs=pairs)


def over_queries_and_runs(observed: Observations, contrasts: Contrasts) -> Fit:
    """Queries and runs random, subjects fixed or sampled with their query."""
    value, error, n = _of_queries(observed, contrasts)
    table = run_tables(_runs_of(observed), observed.cells, subjects=False)
    df: Floats = np.asarray(n - 1.0)
    variance = (error / table.unit) ** 2
    parts: list[tuple[Ints, Variances]] = []
    for freedom in np.unique(df[df > 0]).tolist():
        rows = np.flatnonzero(df == freedom)
        parts.append((rows, scaled(variance[rows] * freedom, freedom)))
    base = Variances.placed(parts, len(contrasts))
    return _with_runs((value, variance, df), base, table, observed, contrasts)


def over_all(fit: Fit, observed: Observations, contrasts: Contrasts) -> Fit:
    """Runs random beside queries and subjects, over which `fit` is."""
    assert isinstance(fit.law, MixtureLaw)
    mixtures = fit.law.mixtures
    table = run_tables(_runs_of(observed), observed.cells, subjects=True)
    base = Variances((mixtures.std / table.unit) ** 2, mixtures.weight).gathered(_CROSSED)
    of_base = fit.value, (fit.std_error / table.unit) ** 2, fit.law.flips
    return _with_runs(of_base, base, table, observed, contrasts)


def _with_runs(
    of_base: tuple[Floats, Floats, Floats],
    base: Variances,
    table: RunTables,
    observed: Observations,
    contrasts: Contrasts,
) -> Fit:
    """Estimates whose variance is that over other factors (`base`) and what runs add.

    `of_base` are the estimates, their variances without runs (NaN where unknown) in the table's
    unit, as `base` is, and the degrees of freedom of the factor that has the fewest: (rows,) each.
    """
    value, variance, least = of_base
    pooling, sides = _runs_of(observed).pooling, _sides(contrasts)
    added, estimate, known, d0 = table.variances(pooling)
    of_runs = np.sum([(estimate * table.per_run)[side] for side in sides], axis=0)
    sure = ~np.isnan(variance) & np.all([known[side] for side in sides], axis=0)
    if pooling != "pooled":
        own = np.where(table.fixed, np.inf, table.df[0])
        least = np.minimum(least, np.min([own[side] for side in sides], axis=0))
    total = variance + of_runs
    factors = [table.per_run[side] for side in sides]
    if pooling == "pooled":  # both have one variance
        sides, factors = sides[:1], [np.sum(factors, axis=0)]
    parts = [added.take(side).times(factor) for side, factor in zip(sides, factors, strict=True)]
    mixtures = base.plus(reduce(Variances.plus, parts), _SUM).mixtures()
    what = "queries × runs" if table.n_subjects.max() == 1 else "queries × subjects × runs"
    mixtures = replace(mixtures, std=table.unit * mixtures.std)
    error = np.where(sure, table.unit * np.sqrt(total), np.nan)
    unknown = np.full(len(value), np.nan)
    method, pairs = f"generalised pivotal, {what}", contrasts.are_pairs
    out = mixture_fit(value, error, unknown, least, mixtures, method, pairs=pairs)
    share = np.where(sure, divide(of_runs, total), np.nan)
    return replace(out, more={"prior_df_of_runs": d0, "variance_from_runs": share})


def _of_queries(observed: Observations, contrasts: Contrasts) -> tuple[Floats, Floats, Ints]:
    """Means over queries, their standard errors, and numbers of queries."""
    found = samples(observed.by_query(contrasts).T, scale=contrasts.largest(observed.scale))
    return found.mean, found.std_error, found.n


def _runs_of(observed: Observations) -> RunValues:
    assert observed.runs is not None, "over='replicate' without runs"
    return observed.runs


def _sides(contrasts: Contrasts) -> list[Ints]:
    """Places of the systems on each side."""
    return [side for side in (contrasts.first, contrasts.second) if side is not None]
