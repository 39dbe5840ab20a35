"""`JudgeAgreement`: how well model judges agree with people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from fuzzytruth._lazy import pd
from fuzzytruth.annotators.model_judges.judge_answer import (
    AGREEMENT,
    BIAS,
    KAPPA,
    WEIGHTED,
    advantage_means,
    agreement_means,
    alternative_answer,
    judge_answer,
)
from fuzzytruth.comparison.result import Comparison
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import counted
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.answer import Printed, Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fuzzytruth.evaluation.scores.scores import Scores


By = Literal["agreement", "kappa", "weighted_kappa"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class JudgeAgreement(Result):
    """How well model judges agree with people, and how they order systems.

    Parameters
    ----------
    judges : DataFrame
        One row a judge: judge; agreement (share of equal votes), kappa (Cohen's κ) and, of grades,
        weighted_kappa (with squared differences) and bias (mean grade of the judge minus that of
        the people), each with its interval in ``..._lower`` and ``..._upper``; among_best (no
        judge is significantly better), rank_lower and rank_upper (confidence set of the rank);
        above_chance, above_constant and below_people (see `judge_agreement`); n_units; n_outside
        (grades beyond the people's lowest and highest one).
    orders : DataFrame or None
        One row a judge and measure: judge, measure, tau_b (Kendall's, of the systems' means by the
        judge's grades and by the people's), lower and upper (central share `level` of resampled
        queries), n_significant (pairs of systems that differ significantly by the people's
        grades), n_reversed (of these, pairs that the judge orders the other way round),
        share_reversed.
    people : dict of str to float or None
        Agreement, κ and so on of one person with another, drawn at random; None where no two
        people judged one unit.
    scores : Scores
        Judges as systems: their agreement and κ as values of queries (or items), whose means are
        those of `judges` and whose spread is the jackknife's.
    comparison : Comparison or None
        All pairs of judges by `by`, on the units that all of them judged; None of a single judge,
        or if these are too few.
    by : {"agreement", "kappa", "weighted_kappa"}
    level : float
    constant : str
        The people's most frequent value, which a constant judge would give.
    over : {"queries", "items"}
        What intervals are over.
    n_clusters : int
        Number of these.
    n_compared : int or None
        Units that all judges judged, on which they are compared; None if there are no others.
    """

    judges: pd.DataFrame
    orders: pd.DataFrame | None
    people: dict[str, float] | None
    scores: Scores
    comparison: Comparison | None
    by: By
    level: float
    constant: str
    over: Literal["queries", "items"]
    n_clusters: int
    n_compared: int | None = None

    def __repr__(self) -> str:
        best = int(self.judges["among_best"].sum())
        return (
            f"JudgeAgreement({counted(len(self.judges), 'judge')}, {best} among the best by "
            f"{self.by}, over {self.n_clusters:,} {self.over})"
        )

    def _answer(self) -> Printed:
        return judge_answer(self)

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row a judge, the best first.

        Columns: judge, the statistic of `by` with lower and upper, the other ones (of agreement,
        kappa, weighted, which is weighted_kappa, and bias), best (whether it is among_best); with
        ``full=True`` then also those of `judges`.
        """
        rows = self.judges.sort_values(self.by, ascending=False, kind="stable", ignore_index=True)
        others = [n for n in (AGREEMENT, KAPPA, WEIGHTED, BIAS) if n in rows and n != self.by]
        ends = {f"{self.by}_lower": "lower", f"{self.by}_upper": "upper"}
        chosen = rows[["judge", self.by, *ends, *others, "among_best"]]
        short = chosen.rename(columns=ends | {WEIGHTED: "weighted", "among_best": "best"})
        if not option_flag("full", full):
            return short
        return short.join(rows.drop(columns={*rows} & {*short}))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw each judge's agreement with people with its interval, by the statistic of `by`.

        Where several people judged the same units, one person's agreement with another is a row of
        its own, without an interval.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure. Nothing is shown.

        Raises
        ------
        DataError
            The statistic is NaN for all judges.

        Examples
        --------
        >>> import matplotlib; matplotlib.use("Agg")
        >>> import fuzzytruth as ft
        >>> votes = ft.datasets.load_llmjudge_dl23()
        >>> ax = ft.judge_agreement(
        ...     votes.select(subjects="human"),
        ...     votes.select(subjects=["TREMA-CoT", "Olz-gpt4o"])).plot()
        >>> [label.get_text() for label in ax.get_yticklabels()], ax.get_xlabel()
        (['Olz-gpt4o', 'TREMA-CoT'], 'kappa with people')
        """
        from fuzzytruth.plots import means

        return means(self, ax)

    _figures: ClassVar[tuple[str, ...]] = ("means",)

    def _plot_data(self, figure: str, measure: Any = None) -> PlotData:
        """Frame of `plots.means`."""
        return agreement_means(self)


# `AlternativeAnnotator`: the outcome of the alternative annotator test.


Clusters = Literal["query"] | None

_COLUMNS = ["model", "winning_rate", "passes", "advantage", "lower", "upper", "n_people"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AlternativeAnnotator(Result):
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
