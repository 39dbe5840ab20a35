"""What a gate asks, and the test of one measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fuzzytruth.stats.axes import Over
from fuzzytruth.stats.query_groups import Kind

Outcome = Literal["shown", "identical", "not shown", "worse", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateTest:
    """The test of one measure.

    Parameters
    ----------
    measure : str
    over : tuple of str
        What is random.
    decides : bool
        Whether the verdict rests on this test; one over queries alone may be shown beside it.
    passed : bool
    outcome : {"shown", "identical", "not shown", "worse", "unknown"}
        "identical": the same values everywhere, which passes unless the new system has to be
        better. "worse": the opposite is shown, at the same level. "unknown": a single query, or
        units that nothing connects, have no spread to test with.
    margin : float
        NaN where the new system has to be better.
    difference, std_error : float
        New minus old, in units of the measure.
    bound : float
        One-sided confidence bound of the difference, on the side of worse: the lower one if higher
        is better, else the upper one. Infinite where nothing is known.
    p : float
        Of the null hypothesis that the new system is worse by the margin or more, or is not better;
        NaN where identical systems pass untested.
    detectable : float
        The margin at which equal systems pass with a power of 80 %, or the true difference that is
        found with it; NaN without a spread.
    n_queries, n_subjects : int
        With values of both systems; no subjects where worlds are resampled.
    n_units : int
        Queries, or clusters of them.
    higher_is_better : bool
    """

    measure: str
    over: Over
    decides: bool
    passed: bool
    outcome: Outcome
    margin: float
    difference: float
    std_error: float
    bound: float
    p: float
    detectable: float
    n_queries: int
    n_subjects: int
    n_units: int
    higher_is_better: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GateConditions:
    """What a gate asks.

    Parameters
    ----------
    new, old : str
    better : bool
        Whether the new system has to be better, and not only not worse by the margin.
    level : float
        Of the confidence bounds.
    groups : {"clusters", "strata"} or None
        Of the queries.
    """

    new: str
    old: str
    better: bool
    level: float
    groups: Kind | None = None
