"""`PredictionPowered`: the result of `prediction_powered`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from fuzzytruth.annotators.model_judges import powered_answer
from fuzzytruth.annotators.model_judges.powered_rows import PoweredConditions, PoweredMean
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import counted
from fuzzytruth.io.answer import Answer, Printed

if TYPE_CHECKING:
    import pandas as pd

#: columns of the narrow table
_COLUMNS = ("measure", "system", "minus", "estimate", "lower", "upper", "extra")


@dataclass(frozen=True, slots=True, repr=False)
class PredictionPowered(Answer):
    """Means and differences estimated from few human judgments and many of a model.

    Parameters
    ----------
    conditions : PoweredConditions
    rows : tuple of PoweredMean
        By measure: the mean of each system, then differences of two; judge after judge where each
        model judge is taken alone.
    """

    conditions: PoweredConditions
    rows: tuple[PoweredMean, ...]

    def __repr__(self) -> str:
        asked = self.conditions
        return (
            f"PredictionPowered({counted(len(asked.systems), 'system')}, "
            f"{counted(len(asked.measures), 'measure')}, {asked.n_human:,} of "
            f"{counted(asked.n_queries, 'query')} judged by people)"
        )

    def _answer(self) -> Printed:
        return powered_answer.answer(self.conditions, self.rows)

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row a mean or difference.

        Columns: measure, judge (with ``by="judge"``), system, minus (the system subtracted; None
        for a mean), estimate, lower, upper (prediction-powered), and extra: how many more
        human-judged queries would have given an interval as narrow, rounded down. With
        ``full=True`` all fields of `PoweredMean`.
        """
        import pandas as pd

        table = pd.DataFrame([asdict(row) for row in self.rows])
        by = self.conditions.judges is not None
        if not by:
            table = table.drop(columns="judge")
        if option_flag("full", full):
            return table
        return table[[*_COLUMNS[:1], *(("judge",) if by else ()), *_COLUMNS[1:]]]
