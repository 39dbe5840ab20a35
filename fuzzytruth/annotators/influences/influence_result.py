"""`SubjectInfluence`: the result of `subject_influence`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.comparison.verdicts import p_text
from fuzzytruth.core.validation import option_flag, place_of
from fuzzytruth.errors import counted, first_few
from fuzzytruth.evaluation.undefined import with_direction
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.answer import Column, Printed, Result, Sentences, Table, first_rows
from fuzzytruth.show.number_text import number_text, numbers_format, signed_text, written
from fuzzytruth.stats.axes import Over, in_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# What is printed of the influence of subjects.


MOST_UNITS = 8
MOST_CHANGES = 10


def influence_answer(result: SubjectInfluence) -> Printed:
    """What `print` shows: verdicts that hang on one subject, then whose influence is largest."""
    unit = "group of subjects" if result.grouped else "subject"
    n = len(result.left_out)
    units = f"{n:,} groups of subjects" if result.grouped else counted(n, "subject")
    return Printed.of(
        f"Influence of {units} on {counted(len(result.systems), 'system')} by "
        f"{first_few(result.measures, 3)}, each left out in turn",
        Sentences.of(
            *_of_verdicts(result, unit), _of_scores(result, unit), _of_ranks(result, unit)
        ),
        _changes(result),
        _units(result),
        _legend(result),
        Sentences.of("More: .to_frame(), .changed_verdicts(), .pairs, .left_out"),
    )


def _of_verdicts(result: SubjectInfluence, unit: str) -> tuple[str, ...]:
    """How many verdicts change, and without whom."""
    n_pairs = len(result.pairs) // len(result.left_out)
    if not n_pairs:
        return ()
    changed = result.pairs[result.pairs["change"] != ""]
    keys = ["measure", "system_a", "system_b"]
    shown = int(result.pairs.drop_duplicates(keys)["verdict"].ne(0).sum())
    if n_pairs == 1:
        return _of_verdict(result, unit, changed, is_significant=bool(shown))
    of = f"of {counted(n_pairs, 'verdict')} over {in_words(result.over)}"
    if not len(changed):
        return (f"None {of} changes when a {unit} is left out ({shown:,} significant with all).",)
    each = _counts(changed.drop_duplicates([*keys, "change"])["change"])
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in each.items())
    distinct = len(changed.drop_duplicates(keys))
    per = _counts(changed["left_out"])
    who = first_few((f"{name} ({number:,})" for name, number in per.items()), 3)
    does = "changes" if distinct == 1 else "change"
    return (
        f"{distinct:,} {of} {does} when one {unit} is left out: {kinds}; with all, "
        f"{shown:,} {'is' if shown == 1 else 'are'} significant.",
        f"{len(per):,} of {len(result.left_out):,} {'changes' if len(per) == 1 else 'change'} some "
        f"verdict: {who}.",
    )


def _counts(values: pd.Series[str]) -> pd.Series[int]:
    """How often each value occurs, the most frequent first, equally frequent ones as they come."""
    counts = values.value_counts(sort=False)  # which pandas 2 does not sort stably
    return counts.sort_values(ascending=False, kind="stable")


def _of_verdict(
    result: SubjectInfluence, unit: str, changed: pd.DataFrame, *, is_significant: bool
) -> tuple[str, ...]:
    """Whether the only verdict changes, and without whom."""
    over = f"The verdict over {in_words(result.over)}"
    with_all = f"with all it is {'' if is_significant else 'not '}significant"
    if not len(changed):
        return (f"{over} is the same without any one {unit}: {with_all}.",)
    without = (
        f"{name} ({change})"
        for name, change in zip(changed["left_out"], changed["change"], strict=True)
    )
    n = f"{len(changed):,} of {counted(len(result.left_out), unit)}"
    if result.grouped:
        n = f"{len(changed):,} of {len(result.left_out):,} groups"
    return (f"{over} changes without {n}: {first_few(without, 3)}; {with_all}.",)


def _of_scores(result: SubjectInfluence, unit: str) -> str:
    """The largest change of a score, in standard errors or else in units."""
    table = result.table
    by = "std_change" if table["std_change"].notna().any() else "change"
    size = table[by].abs()
    if not size.max() > 0:
        return f"No score changes when a {unit} is left out."
    row = table.iloc[int(size.fillna(-1.0).to_numpy().argmax())]
    style = numbers_format([row["mean"], row["without"]])
    errors = "" if by == "change" else f", {abs(row['std_change']):.2f} standard errors"
    return (
        f"The largest influence on a score: without {row['left_out']}, {row['measure']} of "
        f"{row['system']} is {written(row['without'], style)} instead of "
        f"{written(row['mean'], style)} ({written(row['change'], style, signed=True)}{errors})."
    )


def _of_ranks(result: SubjectInfluence, unit: str) -> str:
    """How many ranks change for some unit."""
    table = result.table
    if len(result.systems) < 2:
        return ""
    moved = table[table["rank"].ne(table["new_rank"]) & table["new_rank"].notna()]
    total = len(result.systems) * len(result.measures)
    n = len(moved.drop_duplicates(["measure", "system"]))
    first = table[(table["rank"] == 1) & (table["new_rank"] > 1)]
    top = ""
    if len(first):
        names = first_few(first["left_out"].drop_duplicates(), 3)
        top = f"; the first place changes without {names}"
    return f"Ranks: {n:,} of {total:,} change when one {unit} is left out{top}."


def _changes(result: SubjectInfluence) -> Table | None:
    """A row a verdict that changes: how, how far, and without whom most."""
    changed = result.pairs[result.pairs["change"] != ""]
    if not len(changed):
        return None
    keys = ["measure", "system_a", "system_b", "change"]
    far = (changed["p_without"] - changed["p_adjusted"]).abs().fillna(2.0)  # nothing is left: first
    changed = changed.assign(far=far).sort_values("far", ascending=False, kind="stable")
    count = changed.groupby(keys)["left_out"].transform("size")
    rows = changed.assign(count=count).drop_duplicates(keys)
    others = [f" and {n - 1:,} more" if n > 1 else "" for n in rows["count"]]
    columns = [
        Column.label("verdict", rows["system_a"] + " – " + rows["system_b"]),
        Column.label("is", rows["change"]),
        Column.label("without", rows["left_out"] + others),
        Column("p", tuple(map(_p_text, rows["p_adjusted"]))),
        Column("p without", tuple(map(_p_text, rows["p_without"]))),
    ]
    if len(result.measures) > 1:
        columns.insert(0, Column.label("measure", rows["measure"]))
    kept, left = first_rows(columns, MOST_CHANGES)
    more = f", {MOST_CHANGES} of {len(rows):,}" if left else ""
    return Table(kept, f"Verdicts that change{more}")


def _p_text(p: float) -> str:
    """Four decimals, so that one near the level is on the right side of it."""
    return number_text(p) if p >= 0.0001 else p_text(p)


def _units(result: SubjectInfluence) -> Table:
    """Who changes a score most."""
    units = result.left_out
    order = np.argsort(-np.abs(units["largest"].to_numpy()), kind="stable")
    units = units.iloc[order]
    verdicts = units[["lost", "gained", "reversed", "undefined"]].sum(axis=1)
    what = units["system"]
    if len(result.measures) > 1:
        what = what + ", " + units["measure"]
    columns = [
        Column.label("without", units["left_out"]),
        Column("change/SE", tuple(signed_text(value, 2) for value in units["largest"])),
        Column.label("of", what),
        Column("ranks", tuple(f"{number:,}" for number in units["rank_changes"])),
    ]
    if len(result.pairs):
        columns.append(Column("verdicts", tuple(f"{number:,}" for number in verdicts)))
    if units["n_queries_lost"].any():
        lost = tuple(f"{number:,}" for number in units["n_queries_lost"])
        columns.append(Column("queries lost", lost, "extra"))
    kept, left = first_rows(columns, MOST_UNITS)
    more = f", the first {MOST_UNITS} of {len(units):,}" if left else ""
    return Table(kept, f"Largest change of a score{more}")


def _legend(result: SubjectInfluence) -> Sentences:
    """What the columns are."""
    over = in_words(result.over)
    alpha = number_text(1 - result.level, 2 if result.level <= 0.99 else 4)
    lines = [
        "Change/SE: mean without minus mean with all, in standard errors of the latter over "
        f"{over}; ranks{', verdicts' if len(result.pairs) else ''}: how many change."
    ]
    if len(result.pairs):
        lines.append(
            f"A verdict is {_which_p(result.correction)} of {alpha} or less; one near it changes "
            "easily, and without a subject the test has less power. p without: that of the subject "
            "named, which changes p most."
        )
    return Sentences.of(*lines)


def _which_p(correction: str) -> str:
    """Which p decides."""
    return "a p" if correction == "none" else f"an adjusted p ({correction}, within a measure)"


_SHORT = ["measure", "system", "left_out", "mean", "without", "change", "rank", "new_rank"]
_CHANGED = [
    *("measure", "system_a", "system_b", "left_out", "change", "p_adjusted", "p_without"),
]


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

    def _answer(self) -> Printed:
        return influence_answer(self)

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

    def plot(self, ax: Axes | None = None, *, measure: str | None = None) -> Axes:
        """Draw each system's mean with all subjects, and the means without each of them below it.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure. Nothing is shown.
        measure : str, optional
            The first by default.

        Raises
        ------
        OptionError
            There is no such measure.

        Examples
        --------
        >>> import matplotlib; matplotlib.use("Agg")
        >>> import fuzzytruth as ft
        >>> votes = ft.Judgments.from_columns(
        ...     ["q"] * 4, [*"aabb"], [1, 0, 0, 1], subject=["ann", "bob"] * 2)
        >>> ax = ft.subject_influence(votes, {"x": {"q": ["a", "b"]}}, "AP").plot()
        >>> [text.get_text() for text in ax.get_legend().get_texts()]
        ['with all subjects', 'without ann', 'without bob']
        """
        from fuzzytruth.plots import means

        return means(self, ax, measure=measure)

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
