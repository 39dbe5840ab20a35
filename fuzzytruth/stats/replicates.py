"""Estimates where the runs of systems are random: trainings, seeds, samplings.

The runs r of system t have effects ρ_tr of their own; queries (and subjects) are crossed with
them. A system's value is the mean over its runs, and what is estimated is the difference of two
methods over new queries and new runs of each. Its variance is that of the table of differences of
means over runs, in which the interactions of runs are already, and for each system

    (MS_r - MS_rq)₊ / (Q R)                                  queries and runs,
    (MS_r - max(MS_rq, L) - max(MS_rs, L) + L)₊ / (R Q S)     subjects, too, L = MS_rqs.

χ² variables take the place of sums of squares over their expected mean squares, as in
`core.pivotal`. With three systems or more, their mean squares MS_r are moderated: drawn towards
their common value by at most as many prior degrees of freedom as they have.

References
----------
Weerahandi, S. (1993), Generalized confidence intervals, JASA 88. Smyth, G. K. (2004), Linear models
and empirical Bayes methods, SAGMB 3. Bouthillier, X. et al.
(2021), Accounting for variance in machine learning benchmarks, MLSys.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from fuzzytruth._lazy import special
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.bootstrap_maxima import MIN_VARIANCES, log_of_mean, prior_df
from fuzzytruth.core.variance_sums import Variances, excess, excess_of_both

#: how the variance of a system's runs is estimated
Pooling = Literal["moderated", "separate", "pooled"]


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
    """

    n_runs: Ints
    n_queries: Ints
    n_subjects: Ints
    squares: Floats
    fixed: Bools

    @property
    def df(self) -> Floats:
        """Degrees of freedom: (4, systems)."""
        r, q, s = (n - 1.0 for n in (self.n_runs, self.n_queries, self.n_subjects))
        return np.stack([r, r * q, r * s, r * q * s])

    @property
    def per_run(self) -> Floats:
        """Factor of mean squares in the variance of a system's mean: (systems,)."""
        return 1.0 / (self.n_runs * self.n_queries * self.n_subjects)

    def shared(self, pooling: Pooling) -> tuple[Floats, Floats, float]:
        """Sums of squares and degrees of freedom (4, systems) to use, and the prior's d₀."""
        squares, df = self.squares.copy(), self.df
        known = (df[0] > 0) & ~self.fixed
        if pooling == "pooled" and known.any():
            squares = np.repeat(squares[:, known].sum(axis=1)[:, None], squares.shape[1], axis=1)
            return squares, np.repeat(df[:, known].sum(axis=1)[:, None], df.shape[1], axis=1), 0.0
        if pooling == "separate":
            return squares, df, 0.0
        d0, mean = _prior(squares[0, known], df[0, known])
        own = np.where(known, np.minimum(d0, df[0]), 0.0)
        squares[0] += own * mean
        return squares, df + np.stack([own, *np.zeros((3, len(own)))]), d0

    def variances(self, pooling: Pooling) -> tuple[Variances, Floats, Bools, float]:
        """What runs add to the variance of each system's mean.

        Its distribution, unbiased estimates (systems,), whether it is known (systems,), and d₀.
        """
        squares, df, d0 = self.shared(pooling)
        known = self.fixed | (df[0] > 0)
        zero = Variances.zero(1)
        rows: list[Variances] = [zero] * len(self.n_runs)
        estimate = np.zeros(len(rows))
        for at in _alike(df, self.per_run, ~self.fixed & known):
            part, freedom, factor = squares[:, at], df[:, at[0]], float(self.per_run[at[0]])
            ms = [
                ss / f if f > 0 else np.zeros(len(at)) for ss, f in zip(part, freedom, strict=True)
            ]
            if freedom[2] > 0:
                found = excess_of_both(part, tuple(freedom.tolist()), factor)
                both = np.maximum(ms[1], ms[3]) + np.maximum(ms[2], ms[3]) - ms[3]
            else:
                found = excess(part[:2], (float(freedom[0]), float(freedom[1])), factor)
                both = ms[1]
            estimate[at] = factor * np.maximum(ms[0] - both, 0.0)
            for row, place in enumerate(at.tolist()):
                rows[place] = found.take(np.array([row]))
        return _stacked(rows), estimate, known, d0


def _alike(df: Floats, factor: Floats, wanted: Bools) -> Iterator[Ints]:
    """Systems with the same degrees of freedom and factor."""
    at = np.flatnonzero(wanted)
    keys = np.concatenate([df[:, at], factor[None, at]])
    _, group = np.unique(keys, axis=1, return_inverse=True)
    for number in range(int(group.max(initial=-1)) + 1):
        yield at[group.ravel() == number]


def _stacked(rows: list[Variances]) -> Variances:
    """Rows of different numbers of nodes, filled with nodes of no probability."""
    most = max((row.value.shape[1] for row in rows), default=1)
    out = Variances(np.zeros((len(rows), most)), np.zeros((len(rows), most)))
    for number, row in enumerate(rows):
        n = row.value.shape[1]
        out.value[number, :n], out.weight[number, :n] = row.value[0], row.weight[0]
    return out


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
    """Sums of squares (4,) of a table (runs, queries, subjects); see `RunTables`."""
    _, q, s = y.shape
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
