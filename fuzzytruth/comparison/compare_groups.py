"""`compare_groups`: whether groups of subjects, such as experts and crowd, judge systems alike."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from fuzzytruth import errors, plots
from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Bools
from fuzzytruth.comparison import compare, inference
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.result import Comparison
from fuzzytruth.comparison.verdicts import difference_columns, found_text, named_p, with_interval
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import counted, first_few, is_among, printable
from fuzzytruth.evaluation.scores.score_arrays import check_over
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.scores.summary import observations_of
from fuzzytruth.evaluation.validation import members_of
from fuzzytruth.plots.frames import PlotData, Title
from fuzzytruth.show.answer import FrameColumns, Parts, Result, Sentences, Table, printed_table
from fuzzytruth.stats.directions import group_gaps
from fuzzytruth.stats.multiplicity import LABELS, SIGN_FLIPS, Family, kind_of_interval, resolve
from fuzzytruth.stats.observations import Observations
from fuzzytruth.stats.settings import Over, in_words

_MOST_NAMED = 4  # groups that the title of a figure names
_MOST_SENTENCES = 4
_MOST_ROWS = 8
_SHORT = ["measure", "system_a", "system_b", "group_a", "group_b", "difference", "p_adjusted"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GroupComparison(Result):
    """Scores and differences of systems by each group of subjects, and between groups.

    Parameters
    ----------
    scores : DataFrame
        One row a group, system and measure: group, and the columns of `Scores.summary`.
    differences : DataFrame
        One row a group, measure and pair of systems: group, and the columns of
        `Comparison.to_frame`. Each group's comparisons are a family of their own.
    between : DataFrame
        One row a measure, pair of groups and pair of systems. Columns: measure, system_a, system_b,
        group_a, group_b, difference_a, difference_b (of the systems, a - b, by each group on the
        queries that both judged), difference (difference_a - difference_b), lower, upper,
        std_error, df (NaN where the law is no t), p (not adjusted), p_adjusted (for all pairs of
        groups and of systems of a measure), significant, min_detectable (as in
        `Comparison.to_frame`), n_queries, n_subjects_a, n_subjects_b.
    groups : dict of str to tuple of str
        The subjects of each group.
    conditions, within : Conditions
        Of `between`, and of `differences`.
    found : str
        How groups were found, where they are those of `communities`.
    """

    scores: pd.DataFrame
    differences: pd.DataFrame
    between: pd.DataFrame
    groups: dict[str, tuple[str, ...]]
    conditions: Conditions
    within: Conditions
    found: str = ""

    def __repr__(self) -> str:
        pairs = self.between[["system_a", "system_b"]].drop_duplicates()
        return (
            f"GroupComparison({counted(len(self.groups), 'group')}, {counted(len(pairs), 'pair')}, "
            f"{counted(len(self.conditions.measures), 'measure')}, "
            f"over {in_words(self.conditions.over)}, level {self.conditions.level:g}: "
            f"{int(self.between['significant'].sum()):,} of {len(self.between):,} significant "
            "between groups)"
        )

    def _title(self) -> str:
        conditions = self.conditions
        return (
            f"{counted(len(self.groups), 'group')} of subjects compared on "
            f"{first_few(conditions.measures, 4)}, {conditions.queries(self.between)}: "
            f"{first_few(self._sizes(), 6)}"
        )

    def _parts(self) -> Parts:
        """Whether groups differ, and how many differences each finds alone; then by how much."""
        conditions, between = self.conditions, self.between
        lines = self.verdicts()
        if len(between) > _MOST_SENTENCES:
            found = int(between["significant"].sum())
            lines = [
                f"{found:,} of {counted(len(between), 'difference')} between groups significant "
                f"over {conditions.random}"
            ]
        alone = self.differences.groupby("group", sort=False)["significant"].agg(["sum", "size"])
        each = (f"{name} {n:,} of {of:,}" for name, n, of in alone.itertuples(name=None))
        yield Sentences.of(
            *lines,
            f"Significant differences between systems by each group alone: {first_few(each, 6)}",
        )
        yield self._table()
        fixed = "; the subjects are fixed" if conditions.over == ("query",) else ""
        yield Sentences.of(
            f"Difference: of the systems, by the first group minus by the second. Brackets: "
            f"{conditions.intervals} of it over {conditions.random}{fixed}.",
            f"Significant (*): {conditions.p_at_most}, by {conditions.procedure}.",
            self.found,
            "More: .to_frame(full=True), .verdicts(), .differences and .scores of each group",
        )

    def _table(self) -> Table:
        """The differences between groups, the smallest p first if they are many."""
        title, between = "", self.between
        if len(between) > _MOST_ROWS:
            title = f"The {_MOST_ROWS} smallest p of {len(between):,} differences"
            between = between.sort_values("p_adjusted", kind="stable").head(_MOST_ROWS)
        columns: FrameColumns = {
            "measure": "measure" if len(self.conditions.measures) > 1 else None,
            ("system_a", "system_b"): ("systems", "{} minus {}".format, "label"),
            ("group_a", "group_b"): ("groups", "{} minus {}".format, "label"),
            **difference_columns(between, self.conditions),
            "difference_a": ("first group", "+.4f", "extra"),
            "difference_b": ("second", "+.4f", "extra"),
        }
        return printed_table(between, columns, title=title)

    def _sizes(self) -> list[str]:
        """Names of groups, with the number of their subjects."""
        return [f"{name} ({len(members):,})" for name, members in self.groups.items()]

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """Names, difference and adjusted p of `between`; all columns with ``full=True``."""
        return self.between.copy() if option_flag("full", full) else self.between[_SHORT].copy()

    def verdicts(self) -> list[str]:
        """One sentence for each row of `between`: whether a difference differs between groups."""
        rows = self.between.itertuples(index=False)
        return [printable(_verdict(row, self.conditions)) for row in rows]

    def plot(
        self, ax: Axes | None = None, *, measure: str | None = None, title: Title = True
    ) -> Axes:
        """Draw each group's difference for each pair of systems with its interval.

        Parameters
        ----------
        ax, title
            As in `plots.subject_strip`.
        measure : str, optional
            The first by default.

        Raises
        ------
        OptionError
            There is no such measure.

        Examples
        --------
        >>> import pandas as pd, fuzzytruth as ft
        >>> rows = [(x, q, s, (7 * q + len(s) * (x == "a")) % 5)
        ...         for x in "ab" for q in range(6) for s in ("ann", "bob", "carol", "david")]
        >>> scores = ft.Scores.from_frame(
        ...     pd.DataFrame(rows, columns=["system", "query", "subject", "value"]))
        >>> groups = {"ann": "crowd", "bob": "crowd", "carol": "experts", "david": "experts"}
        >>> ax = ft.compare_groups(scores, groups).plot()
        >>> [label.get_text() for label in ax.get_yticklabels()]
        ['a', 'crowd', 'experts']
        """
        return plots.subject_strip(self, ax, measure=measure, title=title)

    _figures: ClassVar[tuple[str, ...]] = ("subject_strip",)

    def _plot_data(self, figure: str, measure: str | None = None) -> PlotData:
        """Frame of `plots.subject_strip`, with groups in place of subjects."""
        within, chosen = self.within, self.conditions.measure_of(measure)
        rows = self.differences[self.differences["measure"] == chosen]
        apart = self.between[self.between["measure"] == chosen]["significant"]
        intervals = within.intervals
        where = "within" if intervals.startswith("simultaneous") else "of"
        title = (
            f"{within.named(chosen)}: differences by groups of subjects, "
            f"{first_few(self._sizes(), _MOST_NAMED)}, over {within.queries(rows)}\n"
            f"{intervals[:1].upper()}{intervals[1:]} {where} each group over {within.random}; "
            f"differences between groups significant: {int(apart.sum()):,} of {len(apart):,}"
        )
        return PlotData(rows.rename(columns={"group": "subject"}), title)


def _verdict(row: Any, conditions: Conditions) -> str:
    """Sentence about one pair of systems and of groups."""
    groups = f"{row.group_a} and {row.group_b}"
    if np.isnan(row.difference):
        return (
            f"{groups} judged no query in common for which {row.system_a} and {row.system_b} "
            f"have a value of {row.measure}"
        )
    what = f"{row.system_a} minus {row.system_b} on {row.measure} is"
    if row.difference == 0 and row.std_error == 0:
        n = row.n_queries
        queries = "only query" if n == 1 else counted(n, "query")
        return f"{what} the same for {groups} over the {queries} that both judged"
    sign = 1 if row.difference > 0 or not row.significant else -1
    p_name = "p" if conditions.tests == 1 else "adjusted p"
    size = f"{with_interval(row, sign, conditions)}, {named_p(p_name, row.p_adjusted)}"
    if not row.significant:
        found = found_text(row, conditions.found_by)
        return (
            f"{what} not shown to differ between {groups} "
            f"(difference {size}{found and f'; {found}'})"
        )
    more, less = (row.group_a, row.group_b)[::sign]
    return f"{what} significantly larger for {more} than for {less} (by {size})"


# Groups of subjects, as users name them.


def subject_groups(scores: Scores, groups: Any) -> dict[str, tuple[str, ...]]:
    """The subjects of each group, in their order; see `members_of`.

    Raises
    ------
    OptionError
        The scores have no subjects, or nested ones; a name is of no subject; or there are fewer
        than two groups.

    Warns
    -----
    SubjectWarning
        Subjects are in no group.
    """
    if scores.subjects is None:
        raise errors.OptionError(
            "groups: these scores have no subjects; evaluate with worlds='subject', which keeps "
            "each subject's truth apart"
        )
    return members_of(groups, scores.subjects, scores.design, least=2)


def compare_groups(
    scores: Scores,
    groups: Mapping[Any, Any] | Any,
    baseline: Iterable[str] | str | None = None,
    measures: Iterable[str] | str | None = None,
    *,
    over: Iterable[str] | str = ("query",),
    correction: str | None = None,
    level: float = 0.95,
    n_resamples: int = 9999,
    rng: Any = 0,
    n_jobs: int = 1,
) -> GroupComparison:
    """Compare systems by each group of subjects, and the differences between groups.

    That one group's difference is significant and another's is not says little about whether they
    differ: `between` tests that. Estimand there: for each pair of systems and of groups, the mean
    over the queries that both groups judged of the difference by the one group minus that by the
    other, in the population that `over` names. Null hypothesis of `p` and `p_adjusted`: it is 0.

    Parameters
    ----------
    scores : Scores
        With crossed subjects.
    groups : mapping of subject to group, or Communities
        Subjects that it does not name, or names without a group, are left out. Communities are
        cross-fitted where all queries have votes, and queries alone are random: each half of the
        queries is judged by the groups that votes on the other half gave. Else groups were found on
        the votes that are compared: tests over queries hold their level (a group is made of
        agreement, which does not favour a system), and those over subjects condition on the groups.
    baseline : str or sequence of str, optional
        As in `compare`.
    measures : str or sequence of str, optional
        In any spelling; all by default.
    over : {"query", "subject"} or both
        What is random. Over queries the subjects are fixed: paired t of per-query values, adjusted
        by moderated bootstrap max-t. Over subjects those of each group are a sample, and queries
        are fixed: Welch's t of per-subject means; where a group lacks cells, its variance is
        estimated from crossed variance components. Over both: a generalised pivotal quantity,
        in which what a query does to both groups alike cancels.
    correction : str, optional
        As in `compare`, but for "sign-flips", for the comparisons of each group and for those
        between groups.
    level : float
        Confidence level of the intervals.
    n_resamples, rng, n_jobs
        See `stats.Resampling`.

    Returns
    -------
    GroupComparison

    Raises
    ------
    OptionError
        A name or option is unknown, there are no crossed subjects, or there is one group only.
    DataError
        There is one system only.

    Warns
    -----
    SubjectWarning
        Subjects are in no group.
    MissingCellWarning
        Systems lack values that others have: each pair is compared on what both have.
    DegenerateWarning
        The spread of differences is zero or unknown.

    References
    ----------
    Welch 1947; Westfall & Young 1993; Weerahandi 1993 (generalised pivotal intervals); Gelman &
    Stern 2006, The difference between "significant" and "not significant" is not itself
    statistically significant.

    Examples
    --------
    >>> import numpy as np, pandas as pd, fuzzytruth as ft
    >>> axes = {"system": ["a", "b"], "query": range(6), "subject": ["ann", "bob", "cy", "di"]}
    >>> frame = pd.MultiIndex.from_product(axes.values(), names=axes).to_frame(index=False)
    >>> more = (frame["system"] == "a") * frame["subject"].isin(["ann", "bob"])
    >>> frame["value"] = 0.3 * more + np.random.default_rng(1).normal(0, 0.05, len(frame)).round(2)
    >>> groups = {"ann": "experts", "bob": "experts", "cy": "crowd", "di": "crowd"}
    >>> result = ft.compare_groups(ft.Scores.from_frame(frame), groups)
    >>> result
    GroupComparison(2 groups, 1 pair, 1 measure, over queries, level 0.95: 1 of 1 significant
    between
    groups)
    >>> result.verdicts()
    ['a minus b on value is significantly larger for experts than for crowd
    (by 0.333 [0.253, 0.412], p = 0.00012)']
    """
    axes = check_over(over, scores)
    places = compare.measure_places(scores, measures)
    grouped = subject_groups(scores, groups)
    refused = is_among(correction, (SIGN_FLIPS, LABELS))
    rule = "is not for differences between groups; use 'max-t' over queries, or 'bonferroni'"
    errors.require("correction", correction, not refused, rule)
    chosen, found = _cells_by_group(scores, groups, grouped, axes)
    names, summaries, results = [scores.measures[m] for m in places], [], []
    using: Any = {"level": level, "n_resamples": n_resamples, "rng": rng, "n_jobs": n_jobs}
    with warnings.catch_warnings():  # given for all groups together, below
        warnings.simplefilter("ignore", errors.FuzzytruthWarning)
        for cells in chosen:
            of_group = scores._of_chosen(cells).select(measures=names)
            summaries.append(of_group.summary(over=axes, level=level, full=True))
            result = compare.compare(of_group, baseline, over=axes, correction=correction, **using)
            results.append(result)
    observed = [[observations_of(scores, m).of_cells(cells) for cells in chosen] for m in places]
    within = results[0]
    between, conditions = _between(within, observed, tuple(grouped), correction)
    differences = _labelled([result.table for result in results], grouped)
    compare.warn_of_missing([one.values for each in observed for one in each])
    compare.warn_of_degenerate(differences, within.conditions, " within groups")
    compare.warn_of_degenerate(between, conditions, " between groups")
    return GroupComparison(
        _labelled(summaries, grouped),
        differences,
        between,
        grouped,
        conditions,
        within.conditions,
        found,
    )


_NAIVE = "Groups were found on the same votes."
_CROSSED = (
    "Cross-fitted: each half of the queries has the groups that votes on the other half gave."
)


def _cells_by_group(
    scores: Scores, groups: Any, grouped: Mapping[str, tuple[str, ...]], over: Over
) -> tuple[list[Bools], str]:
    """The cells of each group, (cells,) each, and how groups that were found were found.

    Those of communities are cross-fitted where all queries have votes and queries alone are random.
    """
    subjects, code = np.array(scores.subjects, dtype=object), scores.cells.subject_codes
    plain = [np.isin(subjects, members)[code] for members in grouped.values()]
    if not hasattr(groups, "crossed"):
        return plain, ""
    label = np.full(len(scores.cells), None, dtype=object)
    covered = np.zeros(len(scores.queries), dtype=bool)
    for queries, of_half in groups.crossed:
        inside = np.isin(scores.queries, queries)
        covered |= inside
        rows = inside[scores.cells.query]
        label[rows] = np.array([of_half.get(one) for one in subjects], dtype=object)[code[rows]]
    crossed = [label == name for name in grouped]
    if over != ("query",) or not covered.all() or not all(one.any() for one in crossed):
        return plain, _NAIVE
    return crossed, _CROSSED


def _labelled(tables: list[pd.DataFrame], grouped: Iterable[str]) -> pd.DataFrame:
    """Tables of all groups as one, with the group as the first column."""
    for name, table in zip(grouped, tables, strict=True):
        table.insert(0, "group", name)
    return pd.concat(tables, ignore_index=True)


def _between(
    within: Comparison,
    observed: list[list[Observations]],
    names: tuple[str, ...],
    correction: str | None,
) -> tuple[pd.DataFrame, Conditions]:
    """The table of differences between groups, and its conditions.

    `within` is the comparison by one group, `observed` has a list of groups for each measure.
    """
    family, pairs = within.family, within.family.pairs
    which = list(combinations(range(len(names)), 2))
    tests = len(which) * len(pairs)
    correction = resolve(correction, "partial", family.over, tests)
    family = replace(family, correction=correction)
    conditions = replace(
        within.conditions,
        correction=correction,
        interval=kind_of_interval(correction, tests),
        tests=tests,
        widths=tuple(2 * width for width in within.conditions.widths),
    )
    system_a, system_b = inference.names_of(pairs, conditions.systems)
    named = np.array(names, dtype=object)
    labels = {
        "system_a": np.tile(system_a, len(which)),
        "system_b": np.tile(system_b, len(which)),
        "group_a": np.repeat(named[[a for a, _ in which]], len(pairs)),
        "group_b": np.repeat(named[[b for _, b in which]], len(pairs)),
    }
    tables = [
        _frame({"measure": measure, **labels}, groups, family, conditions)
        for measure, groups in zip(family.measures, observed, strict=True)
    ]
    text = dict.fromkeys(["measure", *labels], str)
    return pd.concat(tables, ignore_index=True).astype(text), conditions


def _frame(
    labels: dict[str, Any], groups: list[Observations], family: Family, conditions: Conditions
) -> pd.DataFrame:
    """Rows of one measure."""
    gaps = group_gaps(groups, family.pairs, family.over)
    estimates = gaps.estimates
    return pd.DataFrame(
        labels
        | {"difference_a": gaps.value_a, "difference_b": gaps.value_b}
        | inference.columns_of(family, conditions, estimates, gaps.adjusted(family))
        | {
            "n_queries": estimates.n_queries,
            "n_subjects_a": gaps.n_subjects_a,
            "n_subjects_b": gaps.n_subjects_b,
        }
    )
