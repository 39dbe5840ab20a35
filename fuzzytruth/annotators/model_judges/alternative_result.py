"""`AlternativeAnnotator`: the outcome of the alternative annotator test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from fuzzytruth.annotators.model_judges.alternative_answer import alternative_answer
from fuzzytruth.errors import counted
from fuzzytruth.io.answer import Answer, Printed

if TYPE_CHECKING:
    import pandas as pd

Clusters = Literal["query"] | None

_COLUMNS = ["model", "winning_rate", "passes", "advantage", "lower", "upper", "n_people"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AlternativeAnnotator(Answer):
    """Whether model judges may stand in for people.

    Parameters
    ----------
    models : DataFrame
        One row a model: model, winning_rate (share of the people that it wins against), passes
        (a rate of .5 or more), advantage (average advantage probability: the mean over people of
        the share of items on which the model is at least as close to the other people as the person
        is), lower and upper (its interval), n_people (who were tested), n_items.
    people : DataFrame
        One row a model and person: model, subject, n_items, n_clusters, model_share and
        person_share (of the items on which the model, or the person, is at least as close to the
        others as the other one), difference (person_share - model_share), std_error, df, p,
        p_adjusted, wins. NaN, and no win, where a person has fewer than `min_items` items.
    epsilon, alpha, level : float
    metric : str
    clusters : {"query", None}
        What varies together; None where items are taken as independent.
    min_items : int
    across_models : bool
        Whether the tests of all models are one family.
    n_alone : int
        Items that only one person judged, which were left out.
    """

    models: pd.DataFrame
    people: pd.DataFrame
    epsilon: float
    alpha: float
    level: float
    metric: str
    clusters: Clusters
    min_items: int
    across_models: bool
    n_alone: int

    def __repr__(self) -> str:
        passed = int(self.models["passes"].sum())
        return (
            f"AlternativeAnnotator({counted(len(self.models), 'model')}, {passed} passed, "
            f"{counted(self.people['subject'].nunique(), 'person', 'people')}, "
            f"epsilon={self.epsilon:g})"
        )

    def _answer(self) -> Printed:
        return alternative_answer(self)

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row a model, or with ``full=True`` one row a model and person; a copy."""
        return self.people.copy() if full else self.models[_COLUMNS].copy()
