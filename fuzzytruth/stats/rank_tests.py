"""Friedman's test of several systems by their ranks within queries, and what follows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth.errors import OptionError
from fuzzytruth.stats.corrections import adjust, check_correction
from fuzzytruth.stats.pairs import measure_place

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.evaluation.scores import Scores


@dataclass(frozen=True, slots=True, eq=False)
class FriedmanResult:
    """What Friedman's test found.

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
        One row a pair: system_a, system_b, difference (of mean ranks), p_adjusted.
    """

    null: str
    statistic: float
    df: int
    p: float
    n: int
    mean_ranks: pd.Series[float]
    post_hoc: pd.DataFrame


def friedman(
    scores: Scores, measure: str | None = None, *, post_hoc: str = "nemenyi"
) -> FriedmanResult:
    """Friedman's rank test of all systems.

    Null: within each query all orders of the systems are equally probable. Estimand: the mean rank
    over queries; this is no test of means. Queries that some system lacks are left out.

    Parameters
    ----------
    post_hoc : str
        "nemenyi" (all pairs, studentised range), or a correction's name for z tests of the
        differences of mean ranks. Both rest on the complete null, that all systems are alike.

    Raises
    ------
    OptionError
        There are fewer than three systems, or no query that all have.

    References
    ----------
    Friedman 1937; Nemenyi 1963; Demšar 2006, Statistical comparisons of classifiers over multiple
    data sets, JMLR 7.
    """
    import pandas as pd
    from scipy import stats

    m = measure_place(scores, measure)
    values = scores.cells.mean_by_query(scores.values[:, m]).T  # (queries, systems)
    values = values[~np.isnan(values).any(axis=1)]
    n, k = values.shape
    if k < 3 or n == 0:
        raise OptionError(f"friedman: needs three systems and a query that all have; {k} and {n}")
    sign = -1.0 if scores.higher_is_better[m] else 1.0
    # Values that differ by rounding tie.
    ranks = stats.rankdata(np.round(sign * values, 12), axis=1)
    statistic, p = 0.0, 1.0
    if not (ranks == ranks[:, :1]).all():
        statistic, p = map(float, stats.friedmanchisquare(*ranks.T))
    mean = ranks.mean(axis=0)
    first, second = np.triu_indices(k, 1)
    gap = mean[first] - mean[second]
    z = np.abs(gap) / np.sqrt(k * (k + 1) / (6 * n))
    if post_hoc == "nemenyi":
        adjusted = np.clip(stats.studentized_range.sf(z * np.sqrt(2), k, np.inf), 0.0, 1.0)
    else:
        adjusted = adjust(2 * stats.norm.sf(z), check_correction(post_hoc))
    names = np.array(scores.systems, dtype=object)
    table = pd.DataFrame(
        {
            "system_a": names[first],
            "system_b": names[second],
            "difference": gap,
            "p_adjusted": np.where(gap == 0, 1.0, adjusted),
        }
    )
    return FriedmanResult(
        "within each query all orders of the systems are equally probable",
        statistic,
        k - 1,
        p,
        n,
        pd.Series(mean, index=pd.Index(scores.systems, name="system"), name="mean_rank"),
        table,
    )
