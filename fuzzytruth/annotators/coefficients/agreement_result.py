"""What `agreement` returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from fuzzytruth._typing import Floats
from fuzzytruth.annotators.coefficients.agreement_answer import agreement_answer
from fuzzytruth.annotators.coefficients.agreement_tables import category_table, item_table
from fuzzytruth.annotators.coefficients.pair_distances import Metric
from fuzzytruth.annotators.coefficients.pairwise_agreement import pairwise_agreement
from fuzzytruth.annotators.coefficients.pairwise_result import PairwiseAgreement
from fuzzytruth.annotators.coefficients.rated_units import Over, in_words, unit_word
from fuzzytruth.annotators.ratings import Ratings
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import OptionError, counted
from fuzzytruth.io.answer import Answer, Printed
from fuzzytruth.io.number_text import level_text
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.stats.pair_agreement import Coefficient

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_METRIC_OF_PAIRS: dict[str, Metric] = {
    "nominal": "nominal",
    "ordinal": "ordinal",
    "linear": "linear",
    "interval": "interval",
    "quadratic": "interval",
}
_COEFFICIENT_OF_PAIRS: dict[str, Coefficient] = {"alpha": "alpha", "percent": "percent"}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Agreement(Answer):
    """A coefficient of agreement with its interval.

    Parameters
    ----------
    value : float
        1 - observed / expected disagreement: 1 if all agree, 0 if they agree as by chance. NaN
        where nothing varies.
    lower, upper : float
        Interval of `level` over what `over` says is random; (-inf, 1] where that is unknown.
    std_error : float
        NaN where unknown.
    observed, expected : float
        Disagreement; `expected` is NaN for the percentage, which knows no chance.
    coefficient, metric : str
    over : tuple of str
    level : float
    n_units, n_subjects, n_votes : int
        Items with two votes or more (where only some categories were asked, an item and what was
        asked about it), who voted on them (0 where nobody is named), and how many
        votes they have.
    n_left_out : int
        Items with a single vote.
    outside : DataFrame
        Grades outside the scale: subject, grade, count.
    alone : DataFrame
        Grades that a single subject gave, of three or more: subject, grade, count.
    ratings : Ratings
        The votes.
    gaps : (units,) float
        Mean distance of the pairs of votes on each unit; NaN without pairs.
    """

    value: float
    lower: float
    upper: float
    std_error: float
    observed: float
    expected: float
    coefficient: str
    metric: str
    over: Over
    level: float
    n_units: int
    n_subjects: int
    n_votes: int
    n_left_out: int
    outside: pd.DataFrame
    alone: pd.DataFrame
    ratings: Ratings
    gaps: Floats

    def __repr__(self) -> str:
        units = counted(self.n_units, unit_word(self.ratings))
        return (
            f"Agreement({self.coefficient}, {self.metric}: {self.value:.4f} [{self.lower:.4f}, "
            f"{self.upper:.4f}] over {in_words(self.over)}, {units})"
        )

    def _answer(self) -> Printed:
        return agreement_answer(self)

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row: coefficient, metric, value, lower, upper, n_units, n_subjects.

        Parameters
        ----------
        full : bool
            Also std_error, observed, expected, over, level, n_votes and n_left_out.
        """
        import pandas as pd

        short = ["coefficient", "metric", "value", "lower", "upper", "n_units", "n_subjects"]
        more = ["std_error", "observed", "expected", "level", "n_votes", "n_left_out"]
        names = [*short, *more] if option_flag("full", full) else short
        row = {name: [getattr(self, name)] for name in names}
        return pd.DataFrame(row | ({"over": ["+".join(self.over)]} if full else {}))

    def by_item(self) -> pd.DataFrame:
        """Observed agreement of each item.

        Returns
        -------
        DataFrame
            The ids (query, item, ...), n_votes, agreement (share of the pairs of votes that are
            equal) and distance (their mean distance by the metric). NaN for items with one vote.
        """
        return item_table(self.ratings, self.gaps)

    def by_pair(self) -> PairwiseAgreement:
        """Agreement of each two subjects, near-duplicates, and the effective number of subjects.

        See `pairwise_agreement`: of alpha and the percentage the same of two subjects, otherwise
        Cohen's kappa; over queries if this is, else over items.

        Raises
        ------
        OptionError
            The metric is one that pairs do not have.
        DataError
            See `pairwise_agreement`.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> votes = ft.datasets.load_llmjudge_dl23()
        >>> found = ft.agreement(votes, coefficient="percent", over="query").by_pair()
        >>> found.matrix().loc["human", "Olz-gpt4o"].round(3).item()
        0.513
        """
        if self.metric not in _METRIC_OF_PAIRS:
            raise OptionError(
                f"by_pair: pairs have no metric {self.metric!r}; pairwise_agreement(votes) takes "
                "votes as equal or not"
            )
        return pairwise_agreement(
            self.ratings,
            coefficient=_COEFFICIENT_OF_PAIRS.get(self.coefficient, "kappa"),
            metric=_METRIC_OF_PAIRS[self.metric],
            over="query" if "query" in self.over else "item",
            level=self.level,
        )

    def by_category(self) -> pd.DataFrame:
        """Agreement on each category.

        Of a taxonomy, a vote counts for the categories above it, too. Intervals are over what
        `over` says, at the same level; [0, 1] and (-inf, 1] where they are unknown, as of a
        category that a single subject gives. Where only some categories were asked, items about
        which a category was not asked count as items to which nobody gave it.

        Returns
        -------
        DataFrame
            category; votes; agreement, the specific agreement: of the pairs of a vote for the
            category and another vote on the item, the share of which the other is for it, too;
            lower, upper; alpha, Krippendorff's of this category against all others, with
            alpha_lower and alpha_upper. NaN where nobody could agree.

        References
        ----------
        Cicchetti & Feinstein 1990, High agreement but low kappa: II, Journal of Clinical
        Epidemiology 43 (specific agreement).
        """
        return category_table(self.ratings, self.over, self.level)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the specific agreement on each category with its interval, the largest on top.

        See `by_category`; ``by_pair().plot()`` draws the agreement of each two subjects.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure. Nothing is shown.

        Raises
        ------
        DataError
            There is no category on which anybody could agree.

        Examples
        --------
        >>> import matplotlib; matplotlib.use("Agg")
        >>> import fuzzytruth as ft
        >>> votes = ft.Judgments.from_columns(
        ...     ["q"] * 8, [*"aabbccdd"], [1, 1, 1, 0, 0, 0, 0, 1], subject=["ann", "bob"] * 4)
        >>> ax = ft.agreement(votes).plot()
        >>> [label.get_text() for label in ax.get_yticklabels()], ax.get_xlabel()
        (['0', '1'], 'specific agreement')
        """
        from fuzzytruth.plots import means

        return means(self, ax)

    _figures: ClassVar[tuple[str, ...]] = ("means",)

    def _plot_data(self, figure: str, measure: Any = None) -> PlotData:
        """Frame of `plots.means`."""
        table = self.by_category().rename(columns={"category": "system", "agreement": "mean"})
        units = counted(self.n_units, unit_word(self.ratings))
        who = f" and {counted(self.n_subjects, 'subject')}" if self.n_subjects else ""
        return PlotData(
            table.assign(measure="agreement", system=table["system"].map(str)),
            f"Specific agreement on {counted(len(table), 'category')}, {units}{who}\n"
            f"Bars: {level_text(self.level)} intervals over {in_words(self.over)}",
            labels={"axis": "specific agreement"},
        )
