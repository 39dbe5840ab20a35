"""`AlternativeAnnotator`: the outcome of the alternative annotator test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from fuzzytruth.annotators.model_judges.alternative_answer import alternative_answer
from fuzzytruth.annotators.model_judges.judge_figure import advantage_means
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import counted
from fuzzytruth.io.answer import Answer, Printed
from fuzzytruth.plots.frames import PlotData

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

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
        return self.people.copy() if option_flag("full", full) else self.models[_COLUMNS].copy()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw each model's advantage with its interval, and below it the people on these items.

        A model's advantage is the mean, over the people who were tested, of the share of items on
        which it is at least as close to the others as the person is; a person's mark is the share
        on which the person is at least as close as the model.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure. Nothing is shown.

        Examples
        --------
        >>> import matplotlib; matplotlib.use("Agg")
        >>> import numpy as np, fuzzytruth as ft
        >>> query, item = np.repeat(np.arange(30), 2), np.arange(60)
        >>> votes = np.random.default_rng(0).integers(0, 2, (4, 60))
        >>> human = ft.Judgments.from_columns(
        ...     np.tile(query, 3), np.tile(item, 3), votes[:3].ravel(),
        ...     subject=np.repeat(["ann", "bob", "cat"], 60))
        >>> model = ft.Judgments.from_columns(query, item, votes[3])
        >>> ax = ft.alternative_annotator(human, model).plot()
        >>> [text.get_text() for text in ax.get_legend().get_texts()]
        ['model, mean over people', 'ann', 'bob', 'cat']
        """
        from fuzzytruth.plots import means

        return means(self, ax)

    _figures: ClassVar[tuple[str, ...]] = ("means",)

    def _plot_data(self, figure: str, measure: Any = None) -> PlotData:
        """Frames of `plots.means`."""
        return advantage_means(self)
