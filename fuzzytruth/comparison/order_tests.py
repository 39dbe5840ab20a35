"""Which system is above another: dominance, superiority over worlds, and Friedman's mean ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.comparison import pair_tests
from fuzzytruth.comparison.pair_tests import TestResult, one_row
from fuzzytruth.comparison.verdicts import named_p, p_text
from fuzzytruth.core.validation import option_flag
from fuzzytruth.data.distribution import Distribution
from fuzzytruth.errors import counted, printable
from fuzzytruth.evaluation.scores.score_arrays import check_over
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.show import number_text
from fuzzytruth.show.answer import FrameColumns, Parts, Result, Sentences, printed_table
from fuzzytruth.stats import mean_tests, rank_tests
from fuzzytruth.stats.settings import Resampling

_LEVEL = 0.95  # of the printed interval
_ALPHA = 0.05
_MOST = 12  # rows of a printed table
_MEAN_RANKS: FrameColumns = {"system": "system", "mean_rank": ("mean rank", ".2f")}
_POST_HOC: FrameColumns = {
    ("system_a", "system_b"): ("systems", "{} minus {}".format, "label"),
    "difference": ("difference", "+.2f"),
    "p_adjusted": ("adjusted p", p_text),
}
_SHORT = ["system", "other", "measure", "dominates", "lead", "behind", "p", "n"]


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

    def _title(self) -> str:
        test = self.test
        pair = f"{test.system} over {test.other} on {test.measure}"
        return f"Stochastic dominance of {pair}, {counted(test.n, 'query')}"

    def _parts(self) -> Parts:
        """Whether it dominates, the leads, and what they are."""
        test = self.test
        verb = "dominates" if self.dominates else "does not dominate"
        yield f"{test.system} {verb} {test.other} on these queries"
        lead, behind = number_text.number_text(self.lead), number_text.number_text(self.behind)
        yield one_row({"lead": lead, "behind": behind, "p of the lead": p_text(test.p)})
        yield Sentences.of(
            f"Lead, behind: the most, over all thresholds, by which the share of queries that "
            f"reach one is larger, or smaller, for {test.system}.",
            f"It dominates if it is never behind, and somewhere in the lead. A small p shows "
            f"that {test.system} is better at some threshold, not that it dominates.",
            f"Null hypothesis: {test.null}; p is of a lead as large under swaps.",
        )

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row: system, other, measure, dominates, lead, behind, p, n.

        With ``full=True`` also the rest of the test.
        """
        frame = self.test.to_frame(full=True)
        for place, name in enumerate(("dominates", "lead", "behind"), start=3):
            frame.insert(place, name, [getattr(self, name)])
        return frame if option_flag("full", full) else frame[_SHORT]


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
    pair = pair_tests.pair_of(scores, system, other, measure)
    using = Resampling(n_resamples, rng, n_jobs)
    leads = mean_tests.dominance(*pair.oriented, using, scale=pair.scale)
    test = pair.result(
        "stochastic dominance", pair_tests.EXCHANGEABLE, "largest lead of the share", leads.test
    )
    return Dominance(leads.dominates, test.statistic, leads.behind, test)


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

    def _title(self) -> str:
        drawn = counted(self.difference.n_samples or 0, "world")
        return (
            f"{self.system} and {self.other} on {self.measure}, over the worlds of this uncertain "
            f"truth ({'exact' if self.difference.exact else drawn})"
        )

    def _parts(self) -> Parts:
        """Probabilities, the difference with its interval, and what they are."""
        yield (
            f"{self.system} is better than {self.other} with probability {self.better:.3f}, "
            f"worse with {self.worse:.3f}"
        )
        mean, ends = self.difference.mean(), self.difference.interval(_LEVEL)
        style, level = number_text.numbers_format((mean, *ends)), number_text.level_text(_LEVEL)
        shares = {"better": self.better, "equal": self.equal, "worse": self.worse}
        yield one_row(
            {name: number_text.number_text(share, 3) for name, share in shares.items()}
            | {
                "difference": number_text.written(mean, style, signed=True),
                f"{level} of worlds": number_text.written_interval(*ends, style, signed=True),
            }
        )
        yield Sentences.of(
            f"Difference: expected mean of {self.system} minus that of {self.other}. Brackets: "
            f"the central {level} of the worlds.",
            "They say how uncertain the truth of these queries is, and nothing about other "
            "queries or people.",
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
    m = pair_tests.one_measure(scores, measure)
    difference = scores.difference(system, other, scores.measures[m])
    above, equal = float(difference.sf(0.0)), float(difference.pmf(0.0))
    below = max(0.0, float(difference.cdf(0.0)) - equal)
    better, worse = (above, below) if scores.higher_is_better[m] else (below, above)
    return Superiority(better, equal, worse, difference, system, other, scores.measures[m])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FriedmanResult(Result):
    """Result of Friedman's test.

    Parameters
    ----------
    null : str
    statistic, df, p : float
        Chi-squared, corrected for ties; p = 1 where all systems tie on all queries.
    n : int
        Queries with values of all systems.
    mean_ranks : Series
        By system; 1 is best.
    post_hoc : DataFrame
        One row per pair: system_a, system_b, difference (of mean ranks), p_adjusted.
    measure, post_hoc_test : str
    """

    null: str
    statistic: float
    df: int
    p: float
    n: int
    mean_ranks: pd.Series[float]
    post_hoc: pd.DataFrame
    measure: str = ""
    post_hoc_test: str = "nemenyi"

    def __repr__(self) -> str:
        return printable(
            f"FriedmanResult({counted(len(self.mean_ranks), 'system')} on {self.measure}, "
            f"{counted(self.n, 'query')}: chi-squared {self.statistic:.4g}, df {self.df}, "
            f"{named_p('p', self.p)})"
        )

    def _title(self) -> str:
        on = f" on {self.measure}" if self.measure else ""
        systems = counted(len(self.mean_ranks), "system")
        return f"Friedman test of {systems}{on}, {counted(self.n, 'query')}"

    def _parts(self) -> Parts:
        """Whether the null hypothesis is rejected, mean ranks, and pairs."""
        rejected = "rejected" if self.p <= _ALPHA else "not rejected"
        yield (
            f"The null hypothesis is {rejected} at the {number_text.level_text(_ALPHA)} level "
            f"(chi-squared = {self.statistic:.2f}, df = {self.df}, {named_p('p', self.p)})"
        )
        ranks = self.to_frame().sort_values("mean_rank", kind="stable")
        of = f"the first {_MOST} of {len(ranks)}; " if len(ranks) > _MOST else ""
        title = f"Mean ranks over queries, {of}1 is best"
        yield printed_table(ranks.head(_MOST), _MEAN_RANKS, title=title)
        pairs = self.post_hoc.sort_values("p_adjusted", kind="stable")
        title = "Differences of mean ranks, the smallest p first"
        yield printed_table(pairs, _POST_HOC, title=title, limit=_MOST)
        yield Sentences.of(
            f"Null hypothesis: {self.null}. Ranks, not means, are compared; the pairs' p are "
            f"adjusted ({self.post_hoc_test}), and assume that all systems are alike.",
            "More: .to_frame(), .mean_ranks, .post_hoc",
        )

    def to_frame(self) -> pd.DataFrame:
        """One row a system: system, mean_rank; statistic, df, p and n of the test in each."""
        frame = self.mean_ranks.rename_axis("system").rename("mean_rank").reset_index()
        return frame.assign(statistic=self.statistic, df=self.df, p=self.p, n=self.n)


def friedman(
    scores: Scores, measure: str | None = None, *, post_hoc: str = "nemenyi"
) -> FriedmanResult:
    """Friedman's rank test of all systems.

    Null: within each query all orders of the systems are equally probable. Estimand: the mean rank
    over queries; this is not a test of means. Queries that any system lacks are left out.

    Parameters
    ----------
    scores : Scores
    measure : str, optional
        In any spelling; may be left out where the scores have one.
    post_hoc : str
        "nemenyi" (all pairs, studentised range), or a correction's name for z tests of the
        differences of mean ranks. Both assume the complete null, that all systems are alike.

    Raises
    ------
    OptionError
        There are fewer than three systems, or no query that all have.

    References
    ----------
    Friedman 1937; Nemenyi 1963; Demšar 2006, Statistical comparisons of classifiers over multiple
    data sets, JMLR 7.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": list("aaabbbccc"), "query": [1, 2, 3] * 3,
    ...     "value": [0.9, 0.8, 0.7, 0.5, 0.4, 0.6, 0.1, 0.2, 0.3]}))
    >>> ft.friedman(scores).mean_ranks.to_dict()
    {'a': 1.0, 'b': 2.0, 'c': 3.0}
    """
    values, scale = pair_tests.oriented_values(scores, measure)
    outcome = rank_tests.friedman(values, post_hoc=post_hoc, scale=scale)
    names = np.array(scores.systems, dtype=object)
    first, second = np.triu_indices(len(names), 1)
    pairs = {"system_a": names[first], "system_b": names[second]}
    found = {"difference": outcome.difference, "p_adjusted": outcome.p_adjusted}
    index = pd.Index(scores.systems, name="system")
    return FriedmanResult(
        "within each query all orders of the systems are equally probable",
        outcome.statistic,
        outcome.df,
        outcome.p,
        outcome.n,
        pd.Series(outcome.mean_ranks, index=index, name="mean_rank"),
        pd.DataFrame(pairs | found),
        scores.measures[pair_tests.one_measure(scores, measure)],
        post_hoc,
    )
