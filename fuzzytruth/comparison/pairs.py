"""Values of two systems of `Scores` as tests take them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.comparison.pair_result import MID_P, TestResult
from fuzzytruth.core.rounding import without_rounding
from fuzzytruth.core.validation import option_flag, place_of
from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.evaluation.measure_range import width_of
from fuzzytruth.evaluation.score_arrays import check_scores

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores
    from fuzzytruth.stats.paired import PairedOutcome


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Per-query values of two systems, of the queries that both have.

    Parameters
    ----------
    system, other, measure : str
    a, b : (queries,) float
    sign : int
        1 if higher is better, -1 if lower.
    scale : float
        Largest |value| of a cell that the means come from.
    width : float
        The largest difference that values of the measure can have.
    """

    system: str
    other: str
    measure: str
    a: Floats
    b: Floats
    sign: int
    scale: float
    width: float

    @property
    def differences(self) -> Floats:
        """A - b: (queries,); 0 where they differ by rounding only."""
        return without_rounding(self.a - self.b, self.scale)

    @property
    def oriented(self) -> tuple[Floats, Floats]:
        """Values of both, negated if lower is better: (queries,) each."""
        return self.sign * self.a, self.sign * self.b

    def result(self, test: str, null: str, estimand: str, outcome: PairedOutcome) -> TestResult:
        """The result of a test of this pair."""
        return TestResult(
            test,
            null,
            estimand,
            self.system,
            self.other,
            self.measure,
            len(self.a),
            float(outcome.estimate),
            float(outcome.statistic),
            float(outcome.p),
            float(outcome.lower),
            float(outcome.upper),
            outcome.level,
            outcome.exact,
            round(1 - outcome.level, 12),
            higher_is_better=self.sign > 0,
            width=self.width,
        )


def named_null(null: str, mid_p: bool) -> str:
    """The null hypothesis as results name it, which says of a p that it is a mid-p."""
    return null + MID_P if option_flag("mid_p", mid_p) else null


def one_measure(scores: Scores, measure: str | None) -> int:
    """Index of a measure in any spelling; None if the scores have only one.

    Raises
    ------
    OptionError
        The measure is unknown, or not named although the scores have several.
    """
    check_scores(scores)
    if measure is None:
        if len(scores.measures) > 1:
            raise OptionError(
                f"measure=None: name one; these scores have {', '.join(scores.measures)}"
            )
        return 0
    return scores.measure_place(measure)


def no_common_query(system: str, other: str, measure: str) -> DataError:
    """The error of two systems that no query has values of."""
    return DataError(
        f"{system!r} and {other!r} have no query in common on which both have a value of {measure}"
    )


def pair_of(scores: Scores, system: str, other: str, measure: str | None) -> Pair:
    """Per-query values of two systems, means over the subjects that both have.

    Raises
    ------
    OptionError
        A name is not among the scores.
    DataError
        The systems have no query in common.
    """
    m = one_measure(scores, measure)
    rows = [place_of(scores.systems, name, "system") for name in (system, other)]
    values = scores.values[rows, m]  # (2, cells)
    shared = ~np.isnan(values).any(axis=0)
    a, b = scores.cells.mean_by_query(np.where(shared, values, np.nan))
    kept = ~np.isnan(a)
    if not kept.any():
        raise no_common_query(system, other, scores.measures[m])
    sign = 1 if scores.higher_is_better[m] else -1
    scale = float(np.abs(values[:, shared]).max())
    width = width_of(scores, m)
    return Pair(system, other, scores.measures[m], a[kept], b[kept], sign, scale, width)


def oriented_values(scores: Scores, measure: str | None) -> tuple[Floats, float]:
    """Per-query values of all systems, negated if lower is better, and their scale.

    Values (queries, systems) are means over the subjects that the system has, NaN where it has
    none. The scale is the largest |value| of a cell.
    """
    m = one_measure(scores, measure)
    values = scores.cells.mean_by_query(scores.values[:, m]).T  # (queries, systems)
    scale = float(np.fmax.reduce(np.abs(scores.values[:, m]), axis=None, initial=0.0))
    return (values if scores.higher_is_better[m] else -values), scale
