"""`agreement`: how far subjects agree beyond chance, with an interval."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, get_args

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Bools, Floats
from fuzzytruth.annotators.coefficients import agreement_metrics, pairwise_agreement
from fuzzytruth.annotators.coefficients.agreement_metrics import Over, unit_word
from fuzzytruth.annotators.ratings import COLUMNS, ratings_of, report_rating_scales
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.randomness import seeded
from fuzzytruth.core.validation import between_zero_and_one, option_flag
from fuzzytruth.core.votes.unit_votes import CategoryPairs, Removed, UnitVotes
from fuzzytruth.core.votes.value_distances import nominal_distances
from fuzzytruth.data.ratings import Ratings
from fuzzytruth.data.vote_shares import ancestor_matrix
from fuzzytruth.errors import choice, counted, first_few, warn
from fuzzytruth.plots.frames import PlotData, Title
from fuzzytruth.show.answer import Parts, Result, Sentences, printed_table
from fuzzytruth.show.number_text import level_text
from fuzzytruth.stats.agreement import NAMES, Coefficient, Part, ends, jackknife, one_way, two_way
from fuzzytruth.stats.laws import Fit
from fuzzytruth.stats.pair_agreement import Coefficient as PairCoefficient
from fuzzytruth.stats.settings import in_words

# What is printed of agreement.


_HARDLY = 0.05  # of the votes that a subject in the middle gave


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
    if np.isnan(found.std_error):
        return f"Brackets: {kind} over {in_words(found.over)}, which is unknown."
    who = " and ".join(_OTHERS[axis] for axis in found.over)
    fixed = "" if "subject" in found.over else "; the subjects are taken as they are"
    out = f"Brackets: {kind} for {who}, by leaving out one at a time{fixed}."
    if "item" in found.over and agreement_metrics.several_queries(found.ratings):
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
    said = first_few(rows, agreement_metrics.MOST_NAMED, show=lambda row: f"{row[0]} ({row[1]:,})")
    return f"Subjects with hardly any votes, perhaps slips in a name: {said}."


def _grades(what: str, table: pd.DataFrame) -> str:
    """Unusual grades with who gave them, and how often."""
    if not len(table):
        return ""
    said = first_few(
        zip(table["grade"], table["subject"], table["count"], strict=True),
        agreement_metrics.MOST_NAMED,
        show=lambda row: f"{row[0]:g} by {row[1]} ({row[2]:,} ×)",
    )
    return f"{what}: {said}."


def _whole(numbers: Floats) -> Any:
    """As whole numbers if they are; shares of repeated votes may not be."""
    near = np.rint(numbers)
    return near.astype(np.int64) if np.allclose(near, numbers, rtol=0, atol=1e-9) else numbers


def _categories(ratings: Ratings) -> tuple[Any, list[str]]:
    """The categories that each value stands for (values, categories), sparse, and their names."""
    from scipy.sparse import identity

    if ratings.sets is None or ratings.taxonomy is None:
        return identity(len(ratings.names), format="csr"), list(ratings.names)
    taxonomy = ratings.taxonomy
    closures = ratings.sets.members(len(taxonomy)) @ ancestor_matrix(taxonomy)
    closures.data[:] = 1.0
    return closures.tocsr(), list(taxonomy.nodes)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Agreement(Result):
    """A coefficient of agreement with its interval.

    Parameters
    ----------
    value : float
        1 - observed / expected disagreement: 1 if all agree, 0 if they agree as by chance. NaN
        where nothing varies.
    lower, upper : float
        Interval of `level` over what `over` says is random; where that is unknown, (-inf, 1], or
        [0, 1] of the percentage.
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
        yield printed_table(
            self.to_frame(full=True),
            {
                "coefficient": ("coefficient", NAMES.__getitem__, "label"),
                "metric": "metric",
                "value": ("value", ".4f"),
                ("lower", "upper"): (level_text(self.level), ".4f"),
                "observed": ("observed", ".4g", "extra"),
                "expected": ("by chance", ".4g", "extra"),
            },
            extras="Observed, by chance: mean disagreement of pairs of votes, by the metric.",
        )
        yield Sentences.of(
            _interval(self),
            _left_out(self),
            "Grades are taken as equal or not; metric='ordinal' takes their order."
            if self.metric == "nominal"
            and self.coefficient != "ac1"
            and agreement_metrics.metric_of(self.ratings) == "ordinal"
            else "",
            _grades("Outside the scale, and counted as they are", self.outside),
            _grades("Given by a single subject", self.alone) if not len(self.outside) else "",
            _rarely(self.ratings),
        )

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row: coefficient, value, lower, upper, n_units, n_subjects, metric.

        Parameters
        ----------
        full : bool
            Also std_error, observed, expected, over, level, n_votes and n_left_out.
        """
        short = [*COLUMNS, "n_subjects", "metric"]
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
        votes = agreement_metrics.unit_votes(self.ratings)
        n, distances = votes.n, nominal_distances(len(self.ratings.names))
        own = np.bincount(votes.unit, weights=votes.own(distances), minlength=len(n))
        apart = np.maximum(distances.between(votes.counts, votes.counts) - own, 0.0)
        table = pd.DataFrame(
            {name: column.to_pandas().to_numpy() for name, column in self.ratings.units.items()}
            | {"n_votes": n.astype(np.int64)}
            | {"agreement": 1 - divide(apart, n * (n - 1), fill=np.nan), "distance": self.gaps}
        )
        return table.query("n_votes >= 1").reset_index(drop=True)

    def by_pair(self) -> pairwise_agreement.PairwiseAgreement:
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
        metric: Any = "interval" if self.metric == "quadratic" else self.metric
        if metric not in get_args(pairwise_agreement.PairMetric):
            raise errors.OptionError(
                f"by_pair: pairs have no metric {self.metric!r}; pairwise_agreement(votes) takes "
                "votes as equal or not"
            )
        other: PairCoefficient = "percent" if self.coefficient == "percent" else "kappa"
        return pairwise_agreement.pairwise_agreement(
            self.ratings,
            coefficient="alpha" if self.coefficient == "alpha" else other,
            metric=metric,
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
        votes = agreement_metrics.unit_votes(self.ratings)
        belongs, names = _categories(self.ratings)
        pairs = CategoryPairs.of(votes, belongs)
        sums = pairs.all()
        value = np.concatenate([sums.specific()[0], sums.alpha()[0]])  # (2 categories,)
        parts = [
            jackknife(
                value, (np.hstack([one.specific(), one.alpha()]) for one in pairs.without(group))
            )
            for group in agreement_metrics.groups_of(self.ratings, votes, votes.n >= 2, self.over)
        ]
        fit = two_way(value, *parts) if len(parts) == 3 else one_way(value, parts[0])
        value, lower, upper = (x.reshape(2, -1) for x in (value, *ends(fit, self.level)))
        table = pd.DataFrame(
            {
                "category": names,
                "votes": _whole(sums.votes[0]),
                "agreement": value[0],
                "lower": np.maximum(lower[0], 0.0),
                "upper": upper[0],
                "alpha": value[1],
                "alpha_lower": lower[1],
                "alpha_upper": upper[1],
            }
        )
        return table.query("votes > 0").reset_index(drop=True)

    def plot(self, ax: Axes | None = None, *, title: Title = True) -> Axes:
        """Draw the specific agreement on each category with its interval, the largest on top.

        See `by_category`; ``by_pair().plot()`` draws the agreement of each two subjects.

        Parameters
        ----------
        ax, title
            As in `plots.means`.

        Raises
        ------
        DataError
            There is no category on which anybody could agree.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> votes = ft.Judgments.from_columns(
        ...     ["q"] * 8, [*"aabbccdd"], [1, 1, 1, 0, 0, 0, 0, 1], subject=["ann", "bob"] * 4)
        >>> ax = ft.agreement(votes).plot()
        >>> [label.get_text() for label in ax.get_yticklabels()], ax.get_xlabel()
        (['0', '1'], 'specific agreement')
        """
        from fuzzytruth.plots import means

        return means(self, ax, title=title)

    _figures: ClassVar[tuple[str, ...]] = ("means",)

    def _plot_data(self, figure: str, measure: Any = None) -> PlotData:
        """Frame of `plots.means`; without the root of categories, on which all agree."""
        table = self.by_category()
        if self.ratings.taxonomy is not None:
            table = table[table["category"] != self.ratings.taxonomy.root]
        table = table.rename(columns={"category": "system", "agreement": "mean"})
        units = counted(self.n_units, unit_word(self.ratings))
        who = f" and {counted(self.n_subjects, 'subject')}" if self.n_subjects else ""
        return PlotData(
            table.assign(measure="agreement", system=table["system"].map(str)),
            f"Specific agreement on {counted(len(table), 'category')}, {units}{who}\n"
            f"Bars: {level_text(self.level)} intervals over {in_words(self.over)}",
            labels={"axis": "specific agreement"},
        )


def agreement(
    votes: Any,
    *,
    coefficient: Coefficient = "alpha",
    metric: agreement_metrics.Metric = "nominal",
    over: Iterable[str] | str | None = None,
    subjects: Iterable[str] | str | None = None,
    level: float = 0.95,
    scale: tuple[float, float] | None = None,
    rel: float | Mapping[str, float] | None = None,
    rng: Any = 0,
) -> Agreement:
    """How far subjects agree beyond chance.

    Parameters
    ----------
    votes : Judgments, Assignments, or what `as_judgments` takes
        Subjects may have judged any part of the items. Repeated judgments share their subject's
        vote, and are not paired with each other. Of counts without names, every vote is another
        person's. Of a table without queries, words are votes for categories, and numbers grades of
        one query.
    coefficient : {"alpha", "fleiss", "cohen", "ac1", "ac2", "percent"}
        Krippendorff's alpha, Fleiss' or Cohen's kappa, Gwet's AC1 or AC2, or the share of agreeing
        pairs. Fleiss' kappa is generalised to any number of votes an item (the mean over items of
        the share of agreeing pairs, and of the shares of values); Cohen's is of two subjects on the
        items that both judged; AC2 has weights by the metric.
    metric : str, callable or matrix
        Distance between two votes. These are as they enter the sums:

        - "nominal": 0 or 1. "interval" or "quadratic": (a - b)². "linear": its root. "ratio":
          ((a - b) / (a + b))². "ordinal": of alpha, the squared difference of mid-ranks; of the
          others, by Gwet's ordinal weights, which do not depend on the votes.
        - of Assignments, "taxonomy": the number of categories that are above one vote (or equal to
          it) and not above the other, in a tree the number of steps between the two. It is not
          squared: it is a sum of squares already, over the categories, as alpha wants it.
          "masi": 1 - MASI of the sets of categories.
        - a function of two values (grades, or frozen sets of categories), called once a pair, or a
          matrix (an array in the order of the grades, or a frame that names the values).
    over : {"item", "query", "subject"}, or "subject" with one of the others
        What is a sample. "query": items of one query vary together; "item" takes them for
        independent, and its intervals are too short for other queries. Intents of an item, and
        where subjects were asked about some categories only all that was asked about it, vary
        together. By default "query" where there are several, else "item".
    subjects : names, optional
        Only their votes, and the values that they gave.
    level : float
        Of the interval.
    scale : (lowest, highest), optional
        Report grades outside it. They count as they are. The whole numbers
        within it are categories of Gwet's coefficients, though nobody gave some.
    rel : number or mapping of subject to number, optional
        The lowest grade that is relevant, one for all or each subject's own where scales differ:
        grades become 1 from there on, else 0.
    rng : int, SeedSequence, Generator or None
        For symmetry with other functions: nothing here is drawn.

    Returns
    -------
    Agreement

    Raises
    ------
    DataError
        All votes are of one subject, no item has two votes, or names are needed and there are none.
    OptionError
        An option has a value that it does not take, or that does not go with these votes.

    Warns
    -----
    LeftOutWarning
        Items have a single vote, which counts nowhere in alpha, Cohen's kappa and "percent", and
        only for the shares of the categories in the others.
    ScaleWarning
        Grades lie outside the scale, or, without one, those of some subjects keep to a shorter
        scale than those of the others, or never reach `rel`.
    DegenerateWarning
        Nothing varies, so that agreement beyond chance is not defined (NaN); all agree, so that
        the interval is [1, 1]; or the interval is unknown.

    Notes
    -----
    Variances are those of the delete-one jackknife: of items, of queries, of subjects with all
    their votes. Over both, v = v_items + v_subjects - v_votes, so that nothing counts twice, with
    the generalised pivotal law; else Student's t with as many degrees of freedom as there are
    groups, less one. Intervals are symmetric on the logarithm of observed over expected
    disagreement.

    References
    ----------
    Krippendorff 2011, Computing Krippendorff's alpha-reliability. Fleiss 1971, Psychological
    Bulletin 76. Cohen 1960, Educational and Psychological Measurement 20; 1968, Psychological
    Bulletin 70. Gwet 2008, British Journal of Mathematical and Statistical Psychology 61; 2014,
    Handbook of Inter-Rater Reliability. Passonneau 2006, Measuring agreement on set-valued items,
    LREC.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> votes = ft.Judgments.from_columns(
    ...     ["q"] * 8, [*"aabbccdd"], [0, 0, 1, 1, 2, 2, 2, 1], subject=["ann", "bob"] * 4)
    >>> found = ft.agreement(votes, metric="ordinal")
    >>> round(found.value, 3), found.n_units, found.n_subjects
    (0.79, 4, 2)
    """
    choice("coefficient", coefficient, get_args(Coefficient))
    level = between_zero_and_one("level", level)
    seeded(rng)
    limits = agreement_metrics.check_scale(scale)
    ratings = agreement_metrics.of_subjects(ratings_of(votes, rel, subjects), subjects)
    axes = agreement_metrics.check_over(over, ratings)
    outside = agreement_metrics.outside_scale(ratings, limits)
    if limits is None:  # else everybody's is said to be this one
        report_rating_scales(ratings, metric=metric)
    counted_votes = _counted_votes(ratings, coefficient, axes, limits)
    used = agreement_metrics.unit_votes(counted_votes)
    found = agreement_metrics.AgreementSums.of(counted_votes, used, coefficient, metric)
    value = found.values()
    _warn_left_out(used, found.units, unit_word(ratings))
    observed, expected = found.chance.disagreement(found.pairs.all())
    groups = agreement_metrics.groups_of(counted_votes, used, found.units, axes)
    fit = _fit(found, value, groups, axes)
    lower, upper = ends(fit, level)
    if np.isnan(value[0]):
        warn(
            "no variation: every vote is the same, agreement is 100 %, and agreement beyond chance "
            "is not defined (0 / 0)",
            errors.DegenerateWarning,
        )
    elif observed[0] == 0:
        warn(
            "all agree on all items: the interval [1, 1] does not say how far others would",
            errors.DegenerateWarning,
        )
    voters = used.subject[used.n[used.unit] >= 2]
    return Agreement(
        value=float(value[0]),
        lower=float(np.maximum(lower[0], 0.0 if coefficient == "percent" else -np.inf)),
        upper=float(upper[0]),
        std_error=float(fit.std_error[0]),
        observed=float(observed[0]),
        expected=float("nan") if coefficient == "percent" else float(expected[0]),
        coefficient=coefficient,
        metric=found.metric,
        over=axes,
        level=level,
        n_units=int((used.n >= 2).sum()),
        n_subjects=len(np.unique(voters)),
        n_votes=int(used.n[used.n >= 2].sum()),
        n_left_out=int((used.n == 1).sum()),
        outside=outside,
        alone=agreement_metrics.lone_grades(counted_votes),
        ratings=counted_votes,
        gaps=found.mean_gaps,
    )


def _counted_votes(
    ratings: Ratings, coefficient: Coefficient, over: Over, scale: tuple[float, float] | None
) -> Ratings:
    """The votes that a coefficient is of, and its categories."""
    if coefficient in ("ac1", "ac2"):
        return agreement_metrics.with_whole_grades(ratings, scale)
    if coefficient != "cohen":
        return ratings
    names = ratings.named("coefficient='cohen'")
    if len(names) != 2:
        raise errors.OptionError(
            f"coefficient='cohen': is of two subjects, and {counted(len(names), 'subject')} voted; "
            "choose two of them, or take 'fleiss' or 'alpha'"
        )
    if "subject" in over:
        raise errors.OptionError(
            "over='subject': Cohen's kappa is of these two subjects; take over='item', or another "
            "coefficient"
        )
    return ratings


def _fit(
    found: agreement_metrics.AgreementSums, value: Floats, groups: list[Removed], over: Over
) -> Fit:
    """The value with the law of its errors."""
    # groups without pairs tell of the shares of values only, not of agreement
    known = ~np.isnan(found.mean_gaps)
    parts = [
        replace(jackknife(value, [found.values(one)[:, None]]), n=one.n_groups_with(known))
        for one in groups
    ]
    if value[0] < 1:  # known, and not perfect
        for part, axis in zip(parts, over, strict=False):
            _warn_unknown(part, axis)
    fit = two_way(value, *parts) if len(parts) == 3 else one_way(value, parts[0])
    if fit.std_error[0] == 0 and value[0] < 1:
        warn(
            f"the value is the same without any one of the {in_words(over)}, which says nothing of "
            "how it varies; the interval is unknown",
            errors.DegenerateWarning,
        )
        return one_way(value, replace(parts[0], variance=np.array([np.nan])))
    return fit


def _warn_left_out(votes: UnitVotes, units: Bools, word: str) -> None:
    """Count the units with a single vote."""
    single, n = votes.n == 1, int((votes.n >= 1).sum())
    number = int(single.sum())
    kept = "and count for the shares of the values only" if units[single].any() else ""
    if number:
        warn(
            f"{number:,} of {counted(n, word)} {'has' if number == 1 else 'have'} a single vote, "
            f"which no other can agree with, {kept or 'and are left out'}",
            errors.LeftOutWarning,
        )


def _warn_unknown(part: Part, axis: str) -> None:
    """Say why an interval is unknown."""
    least = 3 if axis == "subject" else 2
    if part.n < least:
        warn(
            f"over {in_words((axis,))}: there {'is' if part.n == 1 else 'are'} "
            f"{counted(part.n, axis)}, and how much agreement varies shows from "
            f"{least} on; the interval is unknown",
            errors.DegenerateWarning,
        )
    elif part.undefined.any():
        warn(
            f"without {int(part.undefined[0]):,} of {counted(part.n, axis)} there is no variation, "
            "or nobody to agree with, so that the interval is unknown",
            errors.DegenerateWarning,
        )
