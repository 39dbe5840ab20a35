"""What `agreement` returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats
from fuzzytruth.annotators.coefficients.agreement_metrics import (
    Over,
    groups_of,
    in_words,
    several_queries,
    unit_votes,
    unit_word,
)
from fuzzytruth.annotators.coefficients.pair_distances import Metric
from fuzzytruth.annotators.coefficients.pairwise_agreement import pairwise_agreement
from fuzzytruth.annotators.coefficients.pairwise_result import PairwiseAgreement
from fuzzytruth.annotators.ratings import Ratings
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.validation import option_flag
from fuzzytruth.core.votes.unit_votes import CategoryPairs, Removed
from fuzzytruth.core.votes.value_distances import nominal_distances
from fuzzytruth.data.vote_shares import ancestor_matrix
from fuzzytruth.errors import OptionError, counted, first_few
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.answer import Column, Parts, Result, Sentences, Table
from fuzzytruth.show.number_text import interval_text, level_text, number_text
from fuzzytruth.stats.agreement import Jackknife, Part, ends, one_way, two_way
from fuzzytruth.stats.pair_agreement import Coefficient

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# What is printed of agreement.


NAMES = {
    "alpha": "Krippendorff's alpha",
    "fleiss": "Fleiss' kappa",
    "cohen": "Cohen's kappa",
    "ac1": "Gwet's AC1",
    "ac2": "Gwet's AC2",
    "percent": "Share of agreeing pairs",
}
_MOST_NAMED = 3
_HARDLY = 0.05  # of the votes that a subject in the middle gave


def _table(found: Agreement) -> Table:
    """The coefficient with its interval."""
    columns = (
        Column.label("coefficient", [NAMES[found.coefficient]]),
        Column.label("metric", [found.metric]),
        Column("value", (number_text(found.value),)),
        Column(level_text(found.level), (interval_text(found.lower, found.upper),)),
        Column("observed", (_number(found.observed),), "extra"),
        Column("by chance", (_number(found.expected),), "extra"),
    )
    extras = "Observed, by chance: mean disagreement of pairs of votes, by the metric."
    return Table(columns, extras=extras)


def _found(found: Agreement) -> list[str]:
    """What was found, in words."""
    same = float(np.mean(found.gaps[~np.isnan(found.gaps)] == 0))
    word = unit_word(found.ratings)
    items = f"All votes agree on {100 * same:.3g} % of the {word}s."
    if np.isnan(found.value):
        return [
            "No variation: every vote is the same, agreement is 100 %, and agreement beyond chance "
            "is not defined."
        ]
    if found.observed == 0:
        return [
            f"All agree on all {word}s; the interval [1, 1] does not say how far other "
            f"{in_words(found.over)} would."
        ]
    if found.coefficient == "percent":
        share = f"{100 * found.value:.3g} %"
        agree = f"Of two votes on one {word}, {share} agree"
        if found.metric != "nominal":
            agree = f"Two votes on one {word} agree to {share}, 100 % less their mean distance"
        return [f"{agree}; agreement by chance is not taken off.", items]
    if found.value <= 0:
        return [f"Votes on one {word} disagree at least as much as expected by chance.", items]
    share = f"{100 * (1 - found.value):.3g} %"
    disagree = f"Disagreement between votes on one {word} is {share} of that expected by chance."
    return [disagree, items]


_OTHERS = {
    "item": "other items like these",
    "query": "other queries like these",
    "subject": "other subjects like these",
}


def _interval(found: Agreement) -> str:
    """What the interval is of."""
    if np.isnan(found.value):
        return ""
    kind = f"{level_text(found.level)} interval"
    if np.isinf(found.lower):
        return f"Brackets: {kind} over {in_words(found.over)}, which is unknown."
    who = " and ".join(_OTHERS[axis] for axis in found.over)
    fixed = "" if "subject" in found.over else "; the subjects are taken as they are"
    out = f"Brackets: {kind} for {who}, by leaving out one at a time{fixed}."
    if "item" in found.over and several_queries(found.ratings):
        out += (
            " Items of one query are taken for independent; if they vary together, the interval "
            "is too short: see over='query'."
        )
    return out


def _left_out(found: Agreement) -> str:
    if not found.n_left_out:
        return ""
    word = unit_word(found.ratings)
    return (
        f"{counted(found.n_left_out, f'{word} has', f'{word}s have')} a single vote, and no pairs."
    )


def _rarely(ratings: Ratings) -> str:
    """Who gave hardly any votes: slips in names, mostly, who are subjects like others here."""
    names = ratings.subjects
    if names is None:
        return ""
    counts = np.bincount(ratings.subject, minlength=ratings.n_subjects)
    few = np.flatnonzero((counts > 0) & (counts < _HARDLY * np.median(counts)))
    if not len(few):
        return ""
    rows = [(names[s], int(counts[s])) for s in few[np.argsort(counts[few], kind="stable")]]
    said = first_few(rows, _MOST_NAMED, show=lambda row: f"{row[0]} ({row[1]:,})")
    return f"Subjects with hardly any votes, perhaps slips in a name: {said}."


def _grades(what: str, table: pd.DataFrame) -> str:
    """Unusual grades with who gave them, and how often."""
    if not len(table):
        return ""
    rows = zip(table["grade"], table["subject"], table["count"], strict=True)
    said = first_few(rows, _MOST_NAMED, show=lambda row: f"{row[0]:g} by {row[1]} ({row[2]:,} ×)")
    return f"{what}: {said}."


def _number(value: float) -> str:
    """Four digits, whatever the unit of the metric."""
    return "–" if np.isnan(value) else f"{value:.4g}"


# Tables of agreement: one row an item, or one row a category.


def item_table(ratings: Ratings, gaps: Floats) -> pd.DataFrame:
    """Ids, number of votes, share of equal pairs and mean distance; see `Agreement.by_item`."""
    votes = unit_votes(ratings)
    n = votes.n
    distances = nominal_distances(len(ratings.names))
    own = np.bincount(votes.unit, weights=votes.own(distances), minlength=len(n))
    apart = distances.between(votes.counts, votes.counts) - own
    share = 1 - divide(np.maximum(apart, 0.0), n * (n - 1), fill=np.nan)
    rated = np.flatnonzero(n >= 1)
    ids = {
        name: column.to_pandas().iloc[rated].to_numpy() for name, column in ratings.units.items()
    }
    numbers = {"n_votes": n.astype(np.int64), "agreement": share, "distance": gaps}
    return pd.DataFrame(ids | {name: column[rated] for name, column in numbers.items()})


def category_table(ratings: Ratings, over: Over, level: float) -> pd.DataFrame:
    """Specific agreement and alpha of each category; see `Agreement.by_category`."""
    votes = unit_votes(ratings)
    belongs, names = _categories(ratings)
    pairs = CategoryPairs.of(votes, belongs)
    sums = pairs.all()
    chosen = np.flatnonzero(sums.votes[0] > 0)
    values = np.stack([sums.specific()[0], sums.alpha()[0]])  # (2, categories)
    groups = groups_of(ratings, votes, votes.n >= 2, over)
    parts = [
        _part(pairs, values, one)
        for one in (groups.units, groups.subjects, groups.cells)
        if one is not None
    ]
    value = values.ravel()
    fit = two_way(value, *parts) if len(parts) == 3 else one_way(value, parts[0])
    lower, upper = (end.reshape(values.shape) for end in ends(fit, level))
    table = pd.DataFrame(
        {
            "category": names,
            "votes": _whole(sums.votes[0]),
            "agreement": values[0],
            "lower": np.maximum(lower[0], 0.0),
            "upper": upper[0],
            "alpha": values[1],
            "alpha_lower": lower[1],
            "alpha_upper": upper[1],
        }
    )
    return table.iloc[chosen].reset_index(drop=True)


def _whole(numbers: Floats) -> Any:
    """As whole numbers if they are; shares of repeated votes may not be."""
    near = np.rint(numbers)
    return near.astype(np.int64) if np.allclose(near, numbers, rtol=0, atol=1e-9) else numbers


def _part(pairs: CategoryPairs, values: Floats, removed: Removed) -> Part:
    """Variances of all numbers, end to end."""
    found = Jackknife(values.ravel())
    for sums in pairs.without(removed):
        found.add(np.concatenate([sums.specific(), sums.alpha()], axis=1))
    return found.part()


def _categories(ratings: Ratings) -> tuple[Any, list[str]]:
    """The categories that each value stands for (values, categories), sparse, and their names."""
    from scipy.sparse import identity

    if ratings.sets is None or ratings.taxonomy is None:
        return identity(len(ratings.names), format="csr"), list(ratings.names)
    taxonomy = ratings.taxonomy
    closures = ratings.sets.members(len(taxonomy)) @ ancestor_matrix(taxonomy)
    closures.data[:] = 1.0
    return closures.tocsr(), list(taxonomy.nodes)


_METRIC_OF_PAIRS: dict[str, Metric] = {
    "nominal": "nominal",
    "ordinal": "ordinal",
    "linear": "linear",
    "interval": "interval",
    "quadratic": "interval",
}
_COEFFICIENT_OF_PAIRS: dict[str, Coefficient] = {"alpha": "alpha", "percent": "percent"}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Agreement(Result):
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

    _more: ClassVar[str] = ".to_frame(full=True), .by_category(), .by_item(), .by_pair()"

    def __repr__(self) -> str:
        units = counted(self.n_units, unit_word(self.ratings))
        return (
            f"Agreement({self.coefficient}, {self.metric}: {self.value:.4f} [{self.lower:.4f}, "
            f"{self.upper:.4f}] over {in_words(self.over)}, {units})"
        )

    def _title(self) -> str:
        who = counted(self.n_subjects, "subject") if self.n_subjects else "no names"
        units = counted(self.n_units, unit_word(self.ratings))
        return f"Agreement: {units}, {who}, {counted(self.n_votes, 'vote')}"

    def _parts(self) -> Parts:
        yield Sentences.of(*_found(self))
        yield _table(self)
        yield Sentences.of(
            _interval(self),
            _left_out(self),
            _grades("Outside the scale, and counted as they are", self.outside),
            _grades("Given by a single subject", self.alone) if not len(self.outside) else "",
            _rarely(self.ratings),
        )

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row: coefficient, metric, value, lower, upper, n_units, n_subjects.

        Parameters
        ----------
        full : bool
            Also std_error, observed, expected, over, level, n_votes and n_left_out.
        """
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
