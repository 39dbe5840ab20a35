"""`SubjectInfluence`: the result of `subject_influence`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fuzzytruth import errors, plots
from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes
from fuzzytruth.annotators.influences import influence_tables
from fuzzytruth.annotators.influences.influence_tables import LeftOut
from fuzzytruth.comparison.compare import compare, measure_places
from fuzzytruth.comparison.verdicts import p_text
from fuzzytruth.core.validation import option_flag, place_of, progress_callback
from fuzzytruth.errors import OptionError, counted, first_few, is_among, require, warn
from fuzzytruth.evaluation.evaluate import evaluate
from fuzzytruth.evaluation.scores.score_arrays import check_over
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.scores.summary import observations_of
from fuzzytruth.evaluation.validation import Undefined, with_direction
from fuzzytruth.evaluation.worlds.setting import Progress
from fuzzytruth.plots.frames import PlotData, Title
from fuzzytruth.show.answer import FrameColumns, Parts, Result, Sentences, Table, printed_table
from fuzzytruth.show.number_text import number_text, numbers_format, written
from fuzzytruth.stats.observations import each_system
from fuzzytruth.stats.settings import Over, in_words
from fuzzytruth.stats.world_estimates import estimate
from fuzzytruth.truth import Missing

# What is printed of the influence of subjects.


MOST_UNITS = 8
MOST_CHANGES = 10
_PAIR = ["measure", "system_a", "system_b"]


def _counts(values: pd.Series[str]) -> pd.Series[int]:
    """How often each value is there, the most frequent first."""
    counts = values.value_counts(sort=False)  # which pandas 2 does not sort stably
    return counts.sort_values(ascending=False, kind="stable")


def _p_text(p: float) -> str:
    """Four decimals, so that one near the level is on the right side of it."""
    return number_text(p) if p >= 0.0001 else p_text(p)


_SHORT = ["measure", "system", "left_out", "mean", "without", "change", "rank", "new_rank"]
_CHANGED = [*_PAIR, "left_out", "change", "p_adjusted", "p_without"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SubjectInfluence(Result):
    """What changes when each subject, or group of them, is left out.

    Parameters
    ----------
    table : DataFrame
        See `to_frame`.
    pairs : DataFrame
        One row a measure, pair of systems and unit left out: measure, system_a, system_b, left_out,
        change ("lost": a significant difference no longer is; "gained"; "reversed": significant in
        the other direction; "undefined": too few queries are left; else empty), difference (a - b),
        p_adjusted, verdict (1, -1: significantly above or below 0; 0: not shown), and the same
        without the unit (difference_without, p_without, verdict_without).
    left_out : DataFrame
        One row a unit: left_out, largest (the largest `std_change` by size), system and measure (of
        it), rank_changes (ranks of systems by a measure that change), lost, gained, reversed,
        undefined (verdicts), n_subjects, n_scores (queries that each of its subjects judged),
        n_queries_lost (judged by nobody else).
    over : tuple of str
        What verdicts and standard errors are over.
    level : float
        A verdict is an adjusted p of 1 - level or less.
    correction : str
        For the number of pairs by one measure; "" without pairs.
    systems, measures : tuple of str
    higher_is_better : tuple of bool
    grouped : bool
        Whether groups of subjects were left out.
    n_queries : int
    """

    table: pd.DataFrame
    pairs: pd.DataFrame
    left_out: pd.DataFrame
    over: Over
    level: float
    correction: str
    systems: tuple[str, ...]
    measures: tuple[str, ...]
    higher_is_better: tuple[bool, ...]
    grouped: bool
    n_queries: int

    def __repr__(self) -> str:
        changed = self.changed_verdicts()[["measure", "system_a", "system_b"]]
        n_units = len(self.left_out)
        verdicts = counted(len(self.pairs) // n_units, "verdict")
        unit = "group" if self.grouped else "subject"
        return (
            f"SubjectInfluence({counted(n_units, unit)}, {counted(len(self.systems), 'system')}, "
            f"{counted(len(self.measures), 'measure')}, over {in_words(self.over)}: "
            f"{len(changed.drop_duplicates()):,} of {verdicts} change)"
        )

    _more: ClassVar[str] = ".to_frame(), .changed_verdicts(), .pairs, .left_out"

    def _title(self) -> str:
        n = len(self.left_out)
        units = f"{n:,} groups of subjects" if self.grouped else counted(n, "subject")
        return (
            f"Influence of {units} on {counted(len(self.systems), 'system')} by "
            f"{first_few(self.measures, 3)}, each left out in turn"
        )

    def _parts(self) -> Parts:
        yield Sentences.of(*self._of_verdicts(), self._of_scores(), self._of_ranks())
        yield self._changes()
        yield self._units()
        yield self._legend()

    @property
    def _unit(self) -> str:
        return "group of subjects" if self.grouped else "subject"

    def _of_verdicts(self) -> tuple[str, ...]:
        """How many verdicts about pairs change, and who changes most."""
        n, n_units, unit = len(self.pairs) // len(self.left_out), len(self.left_out), self._unit
        if not n:
            return ()
        changed = self.changed_verdicts()
        shown = int(self.pairs.drop_duplicates(_PAIR)["verdict"].ne(0).sum())
        if n == 1:
            over = f"The verdict over {in_words(self.over)}"
            with_all = f"with all it is {'' if shown else 'not '}significant"
            if not len(changed):
                return (f"{over} is the same without any one {unit}: {with_all}.",)
            without = first_few(changed["left_out"] + " (" + changed["change"] + ")", 3)
            units = f"{n_units:,} groups" if self.grouped else counted(n_units, unit)
            return (f"{over} changes without {len(changed):,} of {units}: {without}; {with_all}.",)
        of = f"of {counted(n, 'verdict')} over {in_words(self.over)}"
        if not len(changed):
            return (
                f"None {of} changes when a {unit} is left out ({shown:,} significant with all).",
            )
        each = _counts(changed.drop_duplicates([*_PAIR, "change"])["change"])
        kinds = ", ".join(f"{number:,} {kind}" for kind, number in each.items())
        distinct, per = len(changed.drop_duplicates(_PAIR)), _counts(changed["left_out"])
        who = first_few((f"{name} ({number:,})" for name, number in per.items()), 3)
        return (
            f"{distinct:,} {of} {'changes' if distinct == 1 else 'change'} when one {unit} is left "
            f"out: {kinds}; with all, {shown:,} {'is' if shown == 1 else 'are'} significant.",
            f"{len(per):,} of {n_units:,} {'changes' if len(per) == 1 else 'change'} some verdict: "
            f"{who}.",
        )

    def _of_scores(self) -> str:
        """Which score changes most."""
        table = self.table
        by = "std_change" if table["std_change"].notna().any() else "change"
        size = table[by].abs()
        if not size.max() > 0:
            return f"No score changes when a {self._unit} is left out."
        row = table.iloc[int(size.fillna(-1.0).to_numpy().argmax())]
        style = numbers_format([row["mean"], row["without"]])
        in_se = "" if by == "change" else f", {abs(row['std_change']):.2f} standard errors"
        return (
            f"The largest influence on a score: without {row['left_out']}, {row['measure']} of "
            f"{row['system']} is {written(row['without'], style)} instead of "
            f"{written(row['mean'], style)} ({written(row['change'], style, signed=True)}{in_se})."
        )

    def _of_ranks(self) -> str:
        """How many ranks change for some unit."""
        table = self.table
        if len(self.systems) < 2:
            return ""
        moved = table[table["rank"].ne(table["new_rank"]) & table["new_rank"].notna()]
        total = len(self.systems) * len(self.measures)
        n = len(moved.drop_duplicates(["measure", "system"]))
        first = table.loc[(table["rank"] == 1) & (table["new_rank"] > 1), "left_out"].unique()
        top = f"; the first place changes without {first_few(first, 3)}" if len(first) else ""
        return f"Ranks: {n:,} of {total:,} change when one {self._unit} is left out{top}."

    def _changes(self) -> Table | None:
        """A row a verdict that changes: how, how far, and without whom most."""
        changed, keys = self.changed_verdicts(), [*_PAIR, "change"]
        if not len(changed):
            return None
        far = (changed["p_without"] - changed["p_adjusted"]).abs().fillna(2.0)  # none left: first
        changed = changed.iloc[np.argsort(-far.to_numpy(), kind="stable")]
        more = changed.groupby(keys)["left_out"].transform("size") - 1
        others = [f" and {n:,} more" if n else "" for n in more]
        rows = changed.assign(
            pair=changed["system_a"] + " – " + changed["system_b"], who=changed["left_out"] + others
        )
        columns: FrameColumns = {
            "measure": "measure" if len(self.measures) > 1 else None,
            "pair": "verdict",
            "change": "is",
            "who": "without",
            "p_adjusted": ("p", _p_text),
            "p_without": ("p without", _p_text),
        }
        return printed_table(
            rows.drop_duplicates(keys),
            columns,
            title="Verdicts that change",
            limit=MOST_CHANGES,
            cut="{shown} of {rows:,}",
        )

    def _units(self) -> Table:
        """Who changes a score most."""
        order = np.argsort(-np.abs(self.left_out["largest"].to_numpy()), kind="stable")
        units = self.left_out.iloc[order]
        measure = ", " + units["measure"] if len(self.measures) > 1 else ""
        queries: Any = ("queries lost", ",", "extra")
        columns: FrameColumns = {
            "left_out": "without",
            "largest": ("change/SE", "+.2f"),
            "of": "of",
            "rank_changes": ("ranks", ","),
            "verdicts": ("verdicts", ",") if len(self.pairs) else None,
            "n_queries_lost": queries if units["n_queries_lost"].any() else None,
        }
        return printed_table(
            units.assign(
                of=units["system"] + measure,
                verdicts=units[["lost", "gained", "reversed", "undefined"]].sum(axis=1),
            ),
            columns,
            title="Largest change of a score",
            limit=MOST_UNITS,
        )

    def _legend(self) -> Sentences:
        """What the columns are."""
        alpha = number_text(1 - self.level, 2 if self.level <= 0.99 else 4)
        adjusted = f"an adjusted p ({self.correction}, within a measure)"
        verdicts = (
            f"A verdict is {'a p' if self.correction == 'none' else adjusted} of {alpha} or less; "
            "one near it changes easily, and without a subject the test has less power. p without: "
            "that of the subject named, which changes p most."
        )
        return Sentences.of(
            "Change/SE: mean without minus mean with all, in standard errors of the latter over "
            f"{in_words(self.over)}; ranks{', verdicts' if len(self.pairs) else ''}: how many "
            "change.",
            verdicts if len(self.pairs) else "",
        )

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row for each measure, system and unit left out.

        Columns: measure, system, left_out (the subject or group), mean (with all), without, change
        (without - mean), rank (1 is best; tied systems have their mean rank), new_rank. With
        ``full=True`` also std_change, the change in standard errors of the mean.
        """
        return self.table.copy() if option_flag("full", full) else self.table[_SHORT].copy()

    def changed_verdicts(self, *, full: bool = False) -> pd.DataFrame:
        """The rows of `pairs` in which the verdict changes: what hangs on which subject.

        Columns: measure, system_a, system_b, left_out, change, p_adjusted, p_without; with
        ``full=True`` all of `pairs`.
        """
        changed = self.pairs[self.pairs["change"] != ""].reset_index(drop=True)
        return changed if option_flag("full", full) else changed[_CHANGED].copy()

    def plot(
        self, ax: Axes | None = None, *, measure: str | None = None, title: Title = True
    ) -> Axes:
        """Draw each system's mean with all subjects, and the means without each of them below it.

        Parameters
        ----------
        ax, title
            As in `plots.means`.
        measure : str, optional
            The first by default.

        Raises
        ------
        OptionError
            There is no such measure.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> votes = ft.Judgments.from_columns(
        ...     ["q"] * 4, [*"aabb"], [1, 0, 0, 1], subject=["ann", "bob"] * 2)
        >>> ax = ft.subject_influence(votes, {"x": {"q": ["a", "b"]}}, "AP").plot()
        >>> [text.get_text() for text in ax.get_legend().get_texts()]
        ['with all subjects', 'without ann', 'without bob']
        """
        return plots.means(self, ax, measure=measure, title=title)

    _figures: ClassVar[tuple[str, ...]] = ("means",)

    def _plot_data(self, figure: str, measure: str | None = None) -> PlotData:
        """Frames of `plots.means`."""
        place = 0 if measure is None else place_of(self.measures, measure, "measure")
        chosen, unit = self.measures[place], "group" if self.grouped else "subject"
        rows = self.table[self.table["measure"] == chosen]
        with_all = rows.drop_duplicates("system")[["measure", "system", "mean"]]
        without = rows[["measure", "system"]].assign(
            subject="without " + rows["left_out"].astype(str), mean=rows["without"]
        )
        fewer = f" (without some {unit}s over fewer queries)"
        if not self.left_out["n_queries_lost"].any():
            fewer = ""
        name = with_direction(chosen, higher_is_better=self.higher_is_better[place])
        return PlotData(
            with_all.assign(lower=float("nan"), upper=float("nan")),
            f"{name}: means of {counted(len(with_all), 'system')} over "
            f"{counted(self.n_queries, 'query')} with all of "
            f"{counted(len(self.left_out), unit)} and without each{fewer}\n"
            "Means alone, without intervals",
            without,
            {"mean": f"with all {unit}s", "subject": f"without one {unit}"}
            | ({} if self.higher_is_better[place] else {"better": "lower"}),
        )


def subject_influence(
    votes: Any,
    runs: Any = None,
    measures: Any = None,
    *,
    baseline: Iterable[str] | str | None = None,
    over: Iterable[str] | str | None = None,
    groups: Mapping[Any, Any] | None = None,
    correction: str | None = None,
    level: float = 0.95,
    missing: Missing = "error",
    undefined: Undefined = "zero",
    rel: float | Mapping[str, float] | None = None,
    n_resamples: int = 9999,
    rng: Any = 0,
    progress: Progress | None = None,
) -> SubjectInfluence:
    """Leave out each subject in turn, and say what changes.

    For each subject, or group of them, and each system: the mean with all subjects and without
    this one, and the rank; for each pair of systems, whether the verdict of `compare` is lost,
    gained or reversed, by the same test, correction and random numbers.

    Parameters
    ----------
    votes : Judgments, ByExample, ByItem, Scores, or what `as_judgments` takes
        Votes of several subjects, which are evaluated once, with ``worlds="subject"``; or scores
        with subjects, which need no `runs`. For other options of `evaluate`, give its scores.
    runs : Runs, or what `as_runs` takes
    measures : measure or sequence of measures
        Of scores, those to take; by default all.
    baseline : str or sequence of str, optional
        See `compare`; by default all pairs.
    over : {"query", "subject"} or both, optional
        What verdicts generalise to. By default queries and subjects where three or more subjects
        are crossed with the queries, else queries. Subjects as a sample take three: one is left
        out, and the spread of a single one is unknown.
    groups : mapping of subject to group, or of group to subjects, optional
        Subjects to leave out together, such as judges that are near duplicates of each other:
        leaving out one of them changes little while the others stay. Subjects in no group are
        left out alone.
    correction, level, n_resamples, rng
        See `compare`; every comparison uses the same random numbers.
    missing, undefined, rel
        See `evaluate`. ``missing="pooled"`` draws a subject's missing judgments from the others, so
        that leaving out scores does not leave out a subject; it is refused.
    progress : callable, optional
        Progress callback, given the finished fraction of the verdicts.

    Returns
    -------
    SubjectInfluence

    Raises
    ------
    DataError
        There are no subjects, or all are left out together.
    OptionError
        Options do not go with the votes or scores given, or `over` names subjects and fewer than
        three units could be left out.

    Warns
    -----
    LeftOutWarning
        Queries that a single subject judged are not in the means without that subject.
    MissingCellWarning, DegenerateWarning
        See `compare`.

    Notes
    -----
    ``change`` is the mean without the subject minus the mean with all, `std_change` the same in
    standard errors of the mean with all over `over`, which is DFBETAS with that standard error and
    the opposite sign. Without a subject, queries that nobody else judged have no value. Items that
    only this subject judged, and the scale of the grades, stay as they are with all votes:
    evaluating the other votes anew gives the same scores, but under ``missing="exclude"`` and for
    measures that divide by the largest grade (ERR) if this subject alone gave it. NaN: no value is
    left. Nested subjects are left out one by one, each being a query and a name.

    A verdict near the level changes with any little thing, and the test has less power without a
    subject: docs/guide/reliability.md says how often verdicts are lost if all subjects are alike.

    References
    ----------
    Belsley, Kuh & Welsch 1980, Regression Diagnostics (DFBETAS). Voorhees 2000, Variations in
    relevance judgments and the measurement of retrieval effectiveness.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> votes = pd.DataFrame({
    ...     "query": ["q1"] * 6 + ["q2"] * 6, "item": list("aabbcc") * 2,
    ...     "subject": ["ann", "bob"] * 6, "grade": [1, 1, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1]})
    >>> runs = {"x": {"q1": ["a", "b", "c"], "q2": ["b", "a", "c"]},
    ...         "y": {"q1": ["b", "a", "c"], "q2": ["a", "c", "b"]}}
    >>> influence = ft.subject_influence(votes, runs, "AP")
    >>> table = influence.to_frame()
    >>> table[["system", "left_out", "mean", "without", "rank", "new_rank"]].round(3)
      system left_out   mean  without  rank  new_rank
    0      x      ann  0.896    0.792   1.0       2.0
    1      x      bob  0.896    1.000   1.0       1.0
    2      y      ann  0.708    1.000   2.0       1.0
    3      y      bob  0.708    0.417   2.0       2.0
    """
    progress_callback(progress)
    scores = influence_tables.people_apart(
        _scores(votes, runs, measures, missing=missing, undefined=undefined, rel=rel)
    )
    assert scores.subjects is not None
    units = influence_tables.left_out(scores.subjects, groups)
    axes = _axes(scores, over, units)
    family, better = None, scores.higher_is_better
    if len(scores.systems) > 1:
        compared = compare(
            scores,
            baseline,
            over=axes,
            correction=correction,
            level=level,
            n_resamples=n_resamples,
            rng=rng,
        )
        family = compared.family
    elif baseline is not None:
        raise OptionError(
            f"baseline={baseline!r}: there is a single system, and nothing to compare"
        )
    of_cell = units.of_subject[scores.cells.subject_codes]
    means = influence_tables.leave_one_out(scores.values, scores.cells, of_cell, len(units))
    _warn_of_lost(units, int(means.n_lost.sum()), int(means.n_lost.max()))
    each = each_system(len(scores.systems))
    observed = (observations_of(scores, m) for m in range(len(scores.measures)))
    error = np.stack([estimate(one, each, axes).std_error for one in observed], axis=1)
    return SubjectInfluence(
        *influence_tables.influence_tables(scores, units, means, error, family, progress),
        over=axes,
        level=level,
        correction="" if family is None else family.correction,
        systems=scores.systems,
        measures=scores.measures,
        higher_is_better=better,
        grouped=units.grouped,
        n_queries=len(scores.queries),
    )


def _scores(votes: Any, runs: Any, measures: Any, **options: Any) -> Scores:
    """The scores of each subject, evaluated unless they are given."""
    if not isinstance(votes, Scores):
        if runs is None or measures is None:
            lacks = "runs" if runs is None else "measures"
            raise OptionError(
                f"{lacks}=None: votes take runs and measures, subject_influence(votes, runs, "
                "'nDCG@10'); scores of subjects take neither"
            )
        _check_missing(options["missing"])
        return evaluate(votes, runs, measures, worlds="subject", **options)
    rule = "is for votes; scores are evaluated already"
    require("runs", runs, runs is None, rule)
    for name, default in (("missing", "error"), ("undefined", "zero"), ("rel", None)):
        require(name, options[name], is_among(options[name], (default,)), rule)
    if votes.provenance is not None:
        _check_missing(votes.provenance.missing)
    places = measure_places(votes, measures)
    return votes.select(measures=[votes.measures[m] for m in places])


def _check_missing(missing: str | None) -> None:
    if is_among(missing, ("pooled",)):
        raise OptionError(
            "missing='pooled': each subject's scores then depend on the others' votes, and stay so "
            "when one is left out; use 'nonrelevant' or 'exclude'"
        )


def _axes(scores: Scores, over: Iterable[str] | str | None, units: LeftOut) -> Over:
    """What is random.

    Raises
    ------
    OptionError
        Subjects are, and fewer than two would be left without some unit.
    """
    fewest = int(units.of_subject.size - units.sizes.max())  # subjects that stay
    if over is None:
        people = scores._over_people
        return ("query",) if people is None or fewest < 2 else people
    axes = check_over(over, scores)
    if "world" in axes:
        raise OptionError("over='world': influence is of subjects; use 'query', 'subject' or both")
    if "subject" in axes and fewest < 2:
        largest = units.names[int(np.argmax(units.sizes))]
        raise OptionError(
            f"over={axes if len(axes) > 1 else axes[0]!r}: without {largest!r} there is a single "
            "subject, whose spread is unknown; use over='query', or more subjects"
        )
    return axes


def _warn_of_lost(units: LeftOut, lost: int, most: int) -> None:
    """Say how many queries a single unit judged."""
    if lost:
        what = "group" if units.grouped else "subject"
        one = f"query that a single {what} judged is"
        many = f"queries that a single {what} judged are"
        warn(
            f"{counted(lost, one, many)} not in the means without it; at most "
            f"{counted(most, 'query')} of one {what}",
            errors.LeftOutWarning,
        )
