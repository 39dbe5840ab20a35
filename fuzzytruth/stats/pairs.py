"""Two systems on one measure: what every test of a pair starts from, and what it returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.samples import difference
from fuzzytruth.core.validation import place_of
from fuzzytruth.errors import DataError, OptionError

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores


@dataclass(frozen=True, slots=True, eq=False)
class TestResult:
    """What a test of two systems found.

    Parameters
    ----------
    test, null, estimand : str
        Name of the test, its null hypothesis, and what `estimate` estimates.
    system, other, measure : str
    n : int
        Queries with values of both.
    estimate : float
        In units of the measure, `system` minus `other`, unless `estimand` says otherwise.
    statistic, p : float
    lower, upper : float
        Interval at `level` that goes with the test; NaN where it has none.
    level : float
    exact : bool
        Whether p is that of a known distribution or of all resamples, and not of drawn ones.
    """

    __test__ = False  # no test of pytest's

    test: str
    null: str
    estimand: str
    system: str
    other: str
    measure: str
    n: int
    estimate: float
    statistic: float
    p: float
    lower: float = float("nan")
    upper: float = float("nan")
    level: float = 0.95
    exact: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Per-query values of two systems, of the queries that both have.

    Parameters
    ----------
    system, other, measure : str
    a, b : (queries,) float
    sign : int
        1 if higher is better, -1 if lower.
    """

    system: str
    other: str
    measure: str
    a: Floats
    b: Floats
    sign: int

    @property
    def differences(self) -> Floats:
        """A - b: (queries,); 0 where only rounding tells them apart."""
        return difference(self.a, self.b)

    def result(self, test: str, null: str, estimand: str, **found: Any) -> TestResult:
        """The result of a test of this pair."""
        names = (self.system, self.other, self.measure, len(self.a))
        return TestResult(test, null, estimand, *names, **found)


def measure_place(scores: Scores, measure: str | None) -> int:
    """Place of a measure, in any spelling; None if there is only one.

    Raises
    ------
    OptionError
        There is no such measure, or several and none was named.
    """
    if measure is None:
        if len(scores.measures) > 1:
            raise OptionError(f"measure=None: name one, for there are {', '.join(scores.measures)}")
        return 0
    return scores.measure_place(measure)


def pair_of(scores: Scores, system: str, other: str, measure: str | None) -> Pair:
    """Two systems side by side, means over the subjects that both have.

    Raises
    ------
    OptionError
        A name is not among the scores.
    DataError
        The systems have no query in common.
    """
    m = measure_place(scores, measure)
    places = [place_of(scores.systems, name, "system") for name in (system, other)]
    values = scores.values[places, m]  # (2, cells)
    both = ~np.isnan(values).any(axis=0)
    a, b = scores.cells.mean_by_query(np.where(both, values, np.nan))
    kept = ~np.isnan(a)
    if not kept.any():
        raise DataError(
            f"{system!r} and {other!r} have no query in common that has a value of "
            f"{scores.measures[m]} for both"
        )
    sign = 1 if scores.higher_is_better[m] else -1
    return Pair(system, other, scores.measures[m], a[kept], b[kept], sign)
