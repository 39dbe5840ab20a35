"""Two systems' distributions of values, and what worlds say of two systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Floats
from fuzzytruth.core.sign_flips import TIE, all_signs, random_signs
from fuzzytruth.stats.pairs import Pair, TestResult, measure_place, pair_of
from fuzzytruth.stats.settings import Purpose, Resampling
from fuzzytruth.stats.sign_flip import few_flips

if TYPE_CHECKING:
    from fuzzytruth.data.distribution.distribution import Distribution
    from fuzzytruth.evaluation.scores import Scores


_NULL = "within each query the two systems' values are exchangeable"


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """The gap of two empirical distributions, F_other - F_system, along their pooled values.

    Parameters
    ----------
    query : (values,) int
        Which query each pooled value is of.
    side : (values,) float
        -1 / n for a value of `system`, 1 / n for one of `other`.
    width : (values,) float
        Distance to the next value; 0 within ties and at the end.
    """

    query: NDArray[np.intp]
    side: Floats
    width: Floats

    @classmethod
    def of(cls, pair: Pair) -> Steps:
        """Pool and sort the values, better ones last."""
        n = len(pair.a)
        pooled = pair.sign * np.concatenate((pair.a, pair.b))
        order = np.argsort(pooled, kind="stable")
        width = np.diff(pooled[order], append=pooled[order[-1]])
        width[width <= TIE * np.abs(pooled).max()] = 0.0
        side = np.where(order < n, -1.0, 1.0) / n
        return cls(order % n, side, width)

    def gaps(self, signs: Floats) -> Floats:
        """Gaps where values end, under swaps: (swaps, queries) → (swaps, values); 0 in ties."""
        return np.cumsum(signs[:, self.query] * self.side, axis=1) * (self.width > 0)


def wasserstein(
    scores: Scores,
    system: str,
    other: str,
    measure: str | None = None,
    *,
    n_resamples: int = 9999,
    rng: Any = 0,
    n_jobs: int = 1,
) -> TestResult:
    """Wasserstein-1 distance between the systems' distributions of per-query values.

    Null: within each query the two values are exchangeable. Estimand: the area between the two
    cumulative distributions over the population of queries (biased upwards, as all distances are).
    p by swapping the systems within queries.

    References
    ----------
    Vallender 1974; Good 2005, Permutation, Parametric and Bootstrap Tests of Hypotheses.
    """
    pair = pair_of(scores, system, other, measure)
    steps = Steps.of(pair)

    def area(signs: Floats) -> Floats:
        out: Floats = np.abs(steps.gaps(signs)) @ steps.width
        return out

    return _swapped(
        pair, "Wasserstein", "Wasserstein distance", area, Resampling(n_resamples, rng, n_jobs)
    )


@dataclass(frozen=True, slots=True, eq=False)
class Dominance:
    """Whether one system's values are stochastically better than another's.

    Parameters
    ----------
    dominates : bool
        Whether at every threshold the system has at least as large a share of queries that reach
        it, and at some a larger one.
    lead, behind : float
        Largest difference of these shares in the system's favour, and against it.
    test : TestResult
        Of `lead`, the one-sided Kolmogorov-Smirnov statistic.
    """

    dominates: bool
    lead: float
    behind: float
    test: TestResult


def dominance(
    scores: Scores,
    system: str,
    other: str,
    measure: str | None = None,
    *,
    n_resamples: int = 9999,
    rng: Any = 0,
    n_jobs: int = 1,
) -> Dominance:
    """First-order stochastic dominance of per-query values.

    Null: within each query the two values are exchangeable; p by swapping them, of the largest
    lead. Estimand: the largest lead of the share of queries that reach a threshold. A small p does
    not show dominance, but that the system is better at some threshold.

    References
    ----------
    Quirk & Saposnik 1962; McFadden 1989, Testing for stochastic dominance.
    """
    pair = pair_of(scores, system, other, measure)
    steps = Steps.of(pair)

    def lead(signs: Floats) -> Floats:
        out: Floats = steps.gaps(signs).max(axis=1, initial=0.0)
        return out

    using = Resampling(n_resamples, rng, n_jobs)
    test = _swapped(pair, "stochastic dominance", "largest lead of the share", lead, using)
    behind = float((-steps.gaps(np.ones((1, len(pair.a))))).max(initial=0.0))
    behind = behind if behind > TIE else 0.0
    return Dominance(test.statistic > TIE and behind == 0.0, test.statistic, behind, test)


def _swapped(pair: Pair, name: str, estimand: str, statistic: Any, using: Resampling) -> TestResult:
    """Share of swaps whose statistic is as large: exact if all are gone through."""
    n = len(pair.a)
    observed = float(statistic(np.ones((1, n)))[0])
    least = observed - TIE * max(abs(observed), 1e-300)
    exact = few_flips(n, using)
    if exact:
        half = all_signs(n)
        p = float(np.concatenate([statistic(s) >= least for s in (half, -half)]).mean())
    else:

        def task(seed: np.random.SeedSequence, size: int) -> int:
            return int((statistic(random_signs(seed, size, n)) >= least).sum())

        p = (sum(using.run(Purpose.SIGNS, task)) + 1) / (using.n_resamples + 1)
    return pair.result(
        name, _NULL, estimand, estimate=observed, statistic=observed, p=p, exact=exact
    )


@dataclass(frozen=True, slots=True, eq=False)
class Superiority:
    """How often one system is better than another in the same world.

    Parameters
    ----------
    better, equal, worse : float
        Probabilities over worlds, jointly: both systems share each world.
    difference : Distribution
        Of the mean of `system` minus that of `other`.
    """

    better: float
    equal: float
    worse: float
    difference: Distribution


def superiority(scores: Scores, system: str, other: str, measure: str | None = None) -> Superiority:
    """P(A better than B) over worlds, of their means over these queries.

    Estimand: the probability that a world drawn from this uncertain truth puts `system` first.
    No hypothesis about other queries is tested.

    Raises
    ------
    OptionError
        The scores have no worlds.
    """
    from fuzzytruth.evaluation.axes import check_over

    check_over("world", scores)
    m = measure_place(scores, measure)
    found = scores.difference(system, other, scores.measures[m])
    above, equal = float(found.sf(0.0)), float(found.pmf(0.0))
    below = max(0.0, float(found.cdf(0.0)) - equal)
    better, worse = (above, below) if scores.higher_is_better[m] else (below, above)
    return Superiority(better, equal, worse, found)
