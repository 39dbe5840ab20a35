"""Tests of two systems' distributions of per-query values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fuzzytruth._lazy import pd
from fuzzytruth.comparison.pair_tests import TestResult, one_measure, pair_of
from fuzzytruth.comparison.verdicts import named_p, p_text
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import counted, printable
from fuzzytruth.evaluation.scores.axes import check_over
from fuzzytruth.show.answer import Column, Printed, Result, Sentences, Table
from fuzzytruth.show.number_text import (
    level_text,
    number_text,
    numbers_format,
    written,
    written_interval,
)
from fuzzytruth.stats import distribution_tests
from fuzzytruth.stats.settings import Resampling

if TYPE_CHECKING:
    from fuzzytruth.data.distribution import Distribution
    from fuzzytruth.evaluation.scores.scores import Scores


_SHORT = ["system", "other", "measure", "dominates", "lead", "behind", "p", "n"]
_NULL = "within each query the two systems' values are exchangeable"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Dominance(Result):
    """Whether one system's values are stochastically better than another's.

    Parameters
    ----------
    dominates : bool
        Whether at every threshold the system has at least as large a share of queries that reach
        it, and a larger one at some threshold.
    lead, behind : float
        Largest difference of these shares in the system's favour, and against it.
    test : TestResult
        Of `lead`, the one-sided Kolmogorov-Smirnov statistic.
    """

    dominates: bool
    lead: float
    behind: float
    test: TestResult

    def __repr__(self) -> str:
        test = self.test
        verb = "dominates" if self.dominates else "does not dominate"
        return printable(
            f"Dominance({test.system} {verb} {test.other} on {test.measure}: lead {self.lead:.4g}, "
            f"behind {self.behind:.4g}, {named_p('p', test.p)}, {counted(test.n, 'query')})"
        )

    def _answer(self) -> Printed:
        test = self.test
        pair = f"{test.system} over {test.other} on {test.measure}"
        verb = "dominates" if self.dominates else "does not dominate"
        columns = (
            Column("lead", (number_text(self.lead),)),
            Column("behind", (number_text(self.behind),)),
            Column("p of the lead", (p_text(test.p),)),
        )
        return Printed.of(
            f"Stochastic dominance of {pair}, {counted(test.n, 'query')}",
            Sentences.of(f"{test.system} {verb} {test.other} on these queries"),
            Table(columns),
            Sentences.of(
                f"Lead, behind: the most, over all thresholds, by which the share of queries that "
                f"reach one is larger, or smaller, for {test.system}.",
                f"It dominates if it is never behind, and somewhere in the lead. A small p shows "
                f"that {test.system} is better at some threshold, not that it dominates.",
                f"Null hypothesis: {test.null}; p is of a lead as large under swaps.",
            ),
        )

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row: system, other, measure, dominates, lead, behind, p, n.

        With ``full=True`` also the rest of the test.
        """
        frame = self.test.to_frame(full=True)
        for place, name in enumerate(("dominates", "lead", "behind"), start=3):
            frame.insert(place, name, [getattr(self, name)])
        return frame if option_flag("full", full) else frame[_SHORT]


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
    p is from swaps of the systems within queries.

    Parameters
    ----------
    scores, system, other, measure
        As in `paired_t`.
    n_resamples, rng, n_jobs
        See `stats.Resampling`.

    References
    ----------
    Vallender 1974; Good 2005, Permutation, Parametric and Bootstrap Tests of Hypotheses.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": list("aaabbb"), "query": [1, 2, 3] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.3, 0.6, 0.6]}))
    >>> round(ft.wasserstein(scores, "a", "b").estimate, 9)
    0.2
    """
    pair = pair_of(scores, system, other, measure)
    using = Resampling(n_resamples, rng, n_jobs)
    outcome = distribution_tests.wasserstein(*pair.oriented, using, scale=pair.scale)
    return pair.result("Wasserstein", _NULL, "Wasserstein distance", outcome)


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

    Null: within each query the two values are exchangeable; p is that of the largest lead under
    swaps. Estimand: the largest lead in the share of queries that reach a threshold. A small p does
    not show dominance, only that the system is better at some threshold.

    Parameters
    ----------
    scores, system, other, measure
        As in `paired_t`.
    n_resamples, rng, n_jobs
        See `stats.Resampling`.

    References
    ----------
    Quirk & Saposnik 1962; McFadden 1989, Testing for stochastic dominance.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": list("aaabbb"), "query": [1, 2, 3] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.3, 0.6, 0.6]}))
    >>> ft.dominance(scores, "a", "b").dominates
    True
    """
    pair = pair_of(scores, system, other, measure)
    using = Resampling(n_resamples, rng, n_jobs)
    leads = distribution_tests.dominance(*pair.oriented, using, scale=pair.scale)
    test = pair.result("stochastic dominance", _NULL, "largest lead of the share", leads.test)
    return Dominance(leads.dominates, test.statistic, leads.behind, test)


_LEVEL = 0.95  # of the printed interval


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Superiority(Result):
    """Probability that one system is better than another in the same world.

    Parameters
    ----------
    better, equal, worse : float
        Probabilities over worlds, jointly: both systems share each world.
    difference : Distribution
        Of the mean of `system` minus that of `other`.
    system, other, measure : str
    """

    better: float
    equal: float
    worse: float
    difference: Distribution
    system: str
    other: str
    measure: str

    def __repr__(self) -> str:
        return printable(
            f"Superiority({self.system} and {self.other} on {self.measure}: better "
            f"{self.better:.4g}, equal {self.equal:.4g}, worse {self.worse:.4g})"
        )

    def _answer(self) -> Printed:
        pair = f"{self.system} and {self.other} on {self.measure}"
        difference = self.difference
        mean, (low, high) = difference.mean(), difference.interval(_LEVEL)
        style = numbers_format((mean, low, high))
        ends = written_interval(low, high, style, signed=True)
        columns = (
            *(
                Column(name, (number_text(getattr(self, name), 3),))
                for name in ("better", "equal", "worse")
            ),
            Column("difference", (written(mean, style, signed=True),)),
            Column(f"{level_text(_LEVEL)} of worlds", (ends,)),
        )
        drawn = "exact" if difference.exact else counted(difference.n_samples or 0, "world")
        return Printed.of(
            f"{pair}, over the worlds of this uncertain truth ({drawn})",
            Sentences.of(
                f"{self.system} is better than {self.other} with probability {self.better:.3f}, "
                f"worse with {self.worse:.3f}"
            ),
            Table(columns),
            Sentences.of(
                f"Difference: expected mean of {self.system} minus that of {self.other}. Brackets: "
                f"the central {level_text(_LEVEL)} of the worlds.",
                "They say how uncertain the truth of these queries is, and nothing about other "
                "queries or people.",
            ),
        )

    def to_frame(self) -> pd.DataFrame:
        """One row: system, other, measure, better, equal, worse, mean and std of the difference."""
        names = ("system", "other", "measure", "better", "equal", "worse")
        row = {name: [getattr(self, name)] for name in names}
        return pd.DataFrame(
            row | {"mean": [self.difference.mean()], "std": [self.difference.std()]}
        )


def superiority(scores: Scores, system: str, other: str, measure: str | None = None) -> Superiority:
    """P(A better than B) over worlds, of their means over these queries.

    Estimand: the probability that `system` is the better one in a world drawn from this uncertain
    truth. No hypothesis about other queries is tested.

    Parameters
    ----------
    scores, system, other, measure
        As in `paired_t`.

    Raises
    ------
    OptionError
        The scores have no worlds.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> truth = ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.9, 0.5])
    >>> runs = {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"b": 2, "a": 1}}}
    >>> scores = ft.evaluate(truth, runs, ["P@1"], n_worlds=4000, rng=0)
    >>> abs(ft.superiority(scores, "x", "y").better - 0.9 * 0.5) < 0.03
    True
    """
    check_over("world", scores)
    m = one_measure(scores, measure)
    difference = scores.difference(system, other, scores.measures[m])
    above, equal = float(difference.sf(0.0)), float(difference.pmf(0.0))
    below = max(0.0, float(difference.cdf(0.0)) - equal)
    better, worse = (above, below) if scores.higher_is_better[m] else (below, above)
    return Superiority(better, equal, worse, difference, system, other, scores.measures[m])
