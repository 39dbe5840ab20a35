"""Friedman's test of several systems of `Scores`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.comparison.pair_result import one_measure, oriented_values
from fuzzytruth.comparison.verdicts import named_p, p_text
from fuzzytruth.errors import counted, printable
from fuzzytruth.show.answer import Column, Printed, Result, Sentences, Table, first_rows
from fuzzytruth.show.number_text import level_text, number_text, signed_text
from fuzzytruth.stats import rank_tests

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.scores import Scores

_ALPHA = 0.05
_MOST = 12  # rows of a printed table


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

    def _answer(self) -> Printed:
        rejected = "rejected" if self.p <= _ALPHA else "not rejected"
        on = f" on {self.measure}" if self.measure else ""
        return Printed.of(
            f"Friedman test of {counted(len(self.mean_ranks), 'system')}{on}, "
            f"{counted(self.n, 'query')}",
            Sentences.of(
                f"The null hypothesis is {rejected} at the {level_text(_ALPHA)} level "
                f"(chi-squared = {self.statistic:.2f}, df = {self.df}, {named_p('p', self.p)})"
            ),
            self._ranks(),
            self._pairs(),
            Sentences.of(
                f"Null hypothesis: {self.null}. Ranks, not means, are compared; the pairs' p are "
                f"adjusted ({self.post_hoc_test}), and assume that all systems are alike.",
                "More: .to_frame(), .mean_ranks, .post_hoc",
            ),
        )

    def _ranks(self) -> Table:
        """Mean ranks, best first."""
        ranks = self.mean_ranks.sort_values(kind="stable")
        columns = (
            Column.label("system", ranks.index),
            Column("mean rank", tuple(number_text(rank, 2) for rank in ranks)),
        )
        kept, left_out = first_rows(columns, _MOST)
        of = f"the first {_MOST} of {len(ranks)}; " if left_out else ""
        return Table(kept, f"Mean ranks over queries, {of}1 is best")

    def _pairs(self) -> Table:
        """Pairs of systems, the smallest p first."""
        pairs = self.post_hoc.sort_values("p_adjusted", kind="stable")
        kept = pairs.head(_MOST)
        names = zip(kept["system_a"], kept["system_b"], strict=True)
        columns = (
            Column.label("systems", (f"{a} minus {b}" for a, b in names)),
            Column("difference", tuple(signed_text(d, 2) for d in kept["difference"])),
            Column("adjusted p", tuple(p_text(p) for p in kept["p_adjusted"])),
        )
        of = f", the first {_MOST} of {len(pairs):,}" if len(pairs) > _MOST else ""
        return Table(columns, f"Differences of mean ranks, the smallest p first{of}")

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
    values, scale = oriented_values(scores, measure)
    outcome = rank_tests.friedman(values, post_hoc=post_hoc, scale=scale)
    names = np.array(scores.systems, dtype=object)
    first, second = np.triu_indices(len(names), 1)
    table = pd.DataFrame(
        {
            "system_a": names[first],
            "system_b": names[second],
            "difference": outcome.difference,
            "p_adjusted": outcome.p_adjusted,
        }
    )
    index = pd.Index(scores.systems, name="system")
    return FriedmanResult(
        "within each query all orders of the systems are equally probable",
        outcome.statistic,
        outcome.df,
        outcome.p,
        outcome.n,
        pd.Series(outcome.mean_ranks, index=index, name="mean_rank"),
        table,
        scores.measures[one_measure(scores, measure)],
        post_hoc,
    )
