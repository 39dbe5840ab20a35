"""Tests of two distributions of paired values, by swapping the two within queries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import ROUNDING, tie_groups
from fuzzytruth.stats.effects import UNDEFINED, PairedOutcome, scale_of, two_lists
from fuzzytruth.stats.settings import Purpose, Resampling
from fuzzytruth.stats.sign_flips import all_signs, can_enumerate_signs, random_signs

#: statistic of each swap: (swaps, queries) signs → (swaps,)
_Statistic = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Leads:
    """How far one distribution leads another, at the best threshold and at the worst.

    Parameters
    ----------
    test : PairedOutcome
        Of the largest lead: the share of a that reaches a threshold minus that of b.
    behind : float
        Largest lead of b over a.
    """

    test: PairedOutcome
    behind: float

    @property
    def dominates(self) -> bool:
        """Whether a leads at a threshold and b at none."""
        return bool(self.test.statistic > 0.0 and self.behind == 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class _Steps:
    """The gap of two empirical distributions, F_b - F_a, along their pooled values.

    Parameters
    ----------
    query : (values,) int
        Query of each pooled value.
    side : (values,) float
        -1 for a value of a, 1 for one of b.
    width : (values,) float
        Distance to the next value; 0 within ties and at the end.
    scale : float
        Largest |value| that the values come from.
    """

    query: Ints
    side: Floats
    width: Floats
    scale: float

    @property
    def n(self) -> int:
        """Number of queries."""
        return len(self.query) // 2

    @classmethod
    def of(cls, a: Floats, b: Floats, scale: ArrayLike | None) -> _Steps:
        n = len(a)
        pooled = np.concatenate((a, b))
        order = np.argsort(pooled, kind="stable")
        largest = scale_of(pooled, scale)
        same = np.diff(tie_groups(pooled, largest)[order], append=np.inf) == 0
        width = np.where(same, 0.0, np.diff(pooled[order], append=pooled[order[-1]]))
        return cls(order % n, np.where(order < n, -1.0, 1.0), width, float(largest))

    def gaps(self, signs: Floats) -> Floats:
        """Gaps × n where values end, under swaps: (swaps, queries) → (swaps, values); 0 in ties."""
        return np.cumsum(signs[:, self.query] * self.side, axis=1) * (self.width > 0)


def wasserstein(
    a: ArrayLike, b: ArrayLike, resampling: Resampling, *, scale: ArrayLike | None = None
) -> PairedOutcome:
    """Wasserstein-1 distance between two distributions, tested by swaps within queries.

    Null: within each query the two values are exchangeable. The area between both cumulative
    distributions estimates that of the populations with an upward bias, as all distances do. All
    2ⁿ swaps are enumerated if they are no more than the resamples; otherwise p = (b + 1) / (m + 1).

    Parameters
    ----------
    a, b : (queries,) float
        Paired values; a query with a NaN is left out.
    resampling : Resampling
    scale : float, optional
        Largest |value| that the values come from, by default theirs; see `stats.effects`.

    Returns
    -------
    PairedOutcome
        `estimate` and `statistic` are the distance, in units of the values.

    References
    ----------
    Vallender 1974, Theory of Probability and Its Applications 18; Good 2005, Permutation,
    Parametric and Bootstrap Tests of Hypotheses.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> outcome = ft.stats.wasserstein([0.5, 0.7, 0.9], [0.3, 0.6, 0.6], ft.stats.Resampling())
    >>> round(outcome.estimate, 9), outcome.p
    (0.2, 0.5)
    """
    a, b = two_lists(a, b)
    if not len(a):
        return UNDEFINED
    steps = _Steps.of(a, b, scale)

    def area(signs: Floats) -> Floats:
        out: Floats = np.abs(steps.gaps(signs)) @ steps.width / steps.n
        return out

    return _swapped(area, steps.n, resampling, ROUNDING * steps.scale)


def dominance(
    a: ArrayLike, b: ArrayLike, resampling: Resampling, *, scale: ArrayLike | None = None
) -> Leads:
    """First-order stochastic dominance of `a` over `b`, larger values being better.

    Null: within each query the two values are exchangeable; p is that of the largest lead (the
    one-sided Kolmogorov-Smirnov statistic) under swaps. A small p does not show dominance, only
    that `a` is better at some threshold.

    Parameters
    ----------
    a, b : (queries,) float
        Paired values; a query with a NaN is left out. If none remains, all results are NaN.
    resampling : Resampling
    scale : float, optional
        Largest |value| that the values come from, by default theirs; see `stats.effects`.

    Returns
    -------
    Leads

    References
    ----------
    Quirk & Saposnik 1962, Review of Economic Studies 29; McFadden 1989, Testing for stochastic
    dominance.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> leads = ft.stats.dominance([0.5, 0.7, 0.9], [0.3, 0.6, 0.6], ft.stats.Resampling())
    >>> leads.dominates, round(leads.test.estimate, 3), leads.behind
    (True, 0.667, 0.0)
    """
    a, b = two_lists(a, b)
    if not len(a):
        return Leads(UNDEFINED, float("nan"))
    steps = _Steps.of(a, b, scale)

    def lead(signs: Floats) -> Floats:
        out: Floats = steps.gaps(signs).max(axis=1, initial=0.0) / steps.n
        return out

    behind = abs(float(steps.gaps(np.ones((1, steps.n))).min(initial=0.0))) / steps.n
    return Leads(_swapped(lead, steps.n, resampling, 0.0), behind)


def _swapped(statistic: _Statistic, n: int, resampling: Resampling, tie: float) -> PairedOutcome:
    """Share of swaps of n queries whose statistic is as large as that observed, or `tie` below."""
    observed = float(statistic(np.ones((1, n)))[0])
    least = observed - tie
    exact = can_enumerate_signs(n, resampling)
    if exact:
        half = all_signs(n)
        p = float(np.concatenate([statistic(s) >= least for s in (half, -half)]).mean())
    else:

        def task(seed: np.random.SeedSequence, size: int) -> int:
            return int((statistic(random_signs(seed, size, n)) >= least).sum())

        p = (sum(resampling.run(Purpose.SIGNS, task)) + 1) / (resampling.n_resamples + 1)
    return PairedOutcome(n, observed, observed, p, exact=exact)
