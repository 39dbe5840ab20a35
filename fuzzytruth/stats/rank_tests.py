"""Friedman's test of several systems by their ranks within queries, with post-hoc comparisons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Floats
from fuzzytruth.core.arithmetic import tie_groups
from fuzzytruth.errors import DataError, OptionError, is_among
from fuzzytruth.stats.corrections import adjust, check_correction
from fuzzytruth.stats.paired import scale_of
from fuzzytruth.stats.world_estimates import Estimates


@dataclass(frozen=True, slots=True, eq=False)
class RankTest:
    """Outcome of Friedman's test.

    Parameters
    ----------
    statistic, df, p : float
        Chi-squared, corrected for ties; p = 1 where all systems tie on all queries.
    n : int
        Queries with values of all systems.
    mean_ranks : (systems,) float
        1 is best.
    difference, p_adjusted : (pairs,) float
        Of mean ranks, first minus second, in the order of ``np.triu_indices(systems, 1)``.
    """

    statistic: float
    df: int
    p: float
    n: int
    mean_ranks: Floats
    difference: Floats
    p_adjusted: Floats


def friedman(
    values: ArrayLike, *, post_hoc: str = "nemenyi", scale: ArrayLike | None = None
) -> RankTest:
    """Friedman's rank test, and tests of all pairs of mean ranks.

    Null: within each query all orders of the systems are equally probable. This is not a test of
    means. Values of a query that are equal but for rounding errors tie.

    Parameters
    ----------
    values : (queries, systems) float
        The largest value has rank 1. A query with a NaN is left out.
    post_hoc : str
        "nemenyi" (all pairs, studentised range), or a correction's name for z tests of the
        differences of mean ranks. Both assume the complete null, that all systems are alike.
    scale : float, optional
        Largest |value| that the values come from, by default theirs; see `fuzzytruth.stats.paired`.

    Returns
    -------
    RankTest

    Raises
    ------
    DataError
        The array does not have two axes.
    OptionError
        There are fewer than three systems, no complete query, or an unknown `post_hoc`.

    References
    ----------
    Friedman 1937, JASA 32; Nemenyi 1963; Demšar 2006, Statistical comparisons of classifiers over
    multiple data sets, JMLR 7.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> outcome = ft.stats.friedman([[0.9, 0.5, 0.1], [0.8, 0.4, 0.2], [0.7, 0.6, 0.3]])
    >>> outcome.mean_ranks.tolist(), round(outcome.p, 4)
    ([1.0, 2.0, 3.0], 0.0498)
    """
    from scipy import stats

    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2:
        raise DataError(f"values of shape {table.shape}: must be (queries, systems)")
    table = table[~np.isnan(table).any(axis=1)]
    n, k = table.shape
    if k < 3 or n == 0:
        raise OptionError(
            f"friedman: needs three systems and a query with values of all, not {k} and {n}"
        )
    ranks = stats.rankdata(-tie_groups(table, scale_of(table.ravel(), scale)), axis=1)
    statistic, p = 0.0, 1.0
    if not (ranks == ranks[:, :1]).all():
        statistic, p = map(float, stats.friedmanchisquare(*ranks.T))
    mean_ranks = ranks.mean(axis=0)
    first, second = np.triu_indices(k, 1)
    difference = mean_ranks[first] - mean_ranks[second]
    p_adjusted = _post_hoc(np.abs(difference) / np.sqrt(k * (k + 1) / (6 * n)), k, post_hoc)
    p_adjusted = np.where(difference == 0, 1.0, p_adjusted)
    return RankTest(statistic, k - 1, p, n, mean_ranks, difference, p_adjusted)


@np.errstate(under="ignore")
def _post_hoc(z: Floats, systems: int, method: str) -> Floats:
    """Adjusted p of standardised differences of mean ranks: (pairs,)."""
    from scipy import stats

    if is_among(method, ("nemenyi",)):
        p = stats.studentized_range.sf(z * np.sqrt(2), systems, np.inf)
        return np.asarray(np.clip(p, 0.0, 1.0))
    return adjust(2 * stats.norm.sf(z), check_correction(method))


# Bayesian comparison: the posterior of a mean difference.
#
# Under the standard noninformative prior of a normal mean and variance, p(μ, σ) ∝ 1 / σ, the
# posterior of μ is Student's t about the observed mean, scaled by its standard error, with the same
# degrees of freedom. Where the standard error combines several variance components, this form is an
# approximation.
#
# References
# ----------
# Benavoli, A., Corani, G., Demšar, J. & Zaffalon, M. (2017), Time for a change: a tutorial for
# comparing multiple classifiers through Bayesian analysis, JMLR 18.


def posterior(estimates: Estimates, rope: float, *, higher_is_better: bool) -> dict[str, Any]:
    """Probabilities that the first system is practically better, the same, worse: (rows,) each.

    Parameters
    ----------
    estimates : Estimates
        Of differences; NaN in, NaN out.
    rope : float
        Differences of at most this size count as none ("region of practical equivalence").
    higher_is_better : bool

    Returns
    -------
    dict
        The arrays ``posterior_better``, ``posterior_rope`` and ``posterior_worse``.
    """
    above = 1 - estimates.below(rope)
    below = estimates.below(-rope)
    same = np.maximum(1 - above - below, 0.0) if rope > 0 else np.zeros(len(above))
    better, worse = (above, below) if higher_is_better else (below, above)
    return {"posterior_better": better, "posterior_rope": same, "posterior_worse": worse}
