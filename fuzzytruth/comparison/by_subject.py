"""The same comparison for each subject alone."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Bools
from fuzzytruth.comparison import inference
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.inference import PAIR, SHORT, inferred, names_of, tables, turned
from fuzzytruth.comparison.verdicts import difference_columns
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import DegenerateWarning, OptionError, counted, first_few, warn
from fuzzytruth.plots.comparison_plots import AMONG_ALL
from fuzzytruth.plots.frames import PlotData, Title
from fuzzytruth.show.answer import FrameColumns, Parts, Result, Sentences, Table, printed_table
from fuzzytruth.stats.directions import directions
from fuzzytruth.stats.multiplicity import LABELS, MAX_T, NONE, Family, holm

if TYPE_CHECKING:
    from fuzzytruth.comparison.result import Comparison


_MOST_PAIRS = 6
_MOST_ROWS = 8
_OF_DIRECTIONS = ("p_both_ways", "p_differs", "sd_subjects", "sd_chance")
#: columns that say nothing of a single subject
_OF_SUBJECTS = ["n_subjects", "share_subjects", "subjects_agree", "subjects_tied"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SubjectComparisons(Result):
    """Comparisons with each subject's judgments as the truth, over queries.

    Parameters
    ----------
    table : DataFrame
        See `to_frame`.
    subjects : tuple of str
    conditions : Conditions
    pooled : Comparison
        The comparison of all subjects together.
    """

    table: pd.DataFrame
    subjects: tuple[str, ...]
    conditions: Conditions
    pooled: Comparison

    def __repr__(self) -> str:
        pairs = self.table[["measure", "system_a", "system_b"]].drop_duplicates()
        return (
            f"SubjectComparisons({counted(len(self.subjects), 'subject')}, "
            f"{counted(len(pairs), 'comparison')} each: "
            f"{int(self.table['significant'].sum()):,} of {len(self.table):,} significant)"
        )

    def _title(self) -> str:
        conditions = self.conditions
        return (
            f"{counted(len(conditions.systems), 'system')} compared on "
            f"{first_few(conditions.measures, 4)} by each of "
            f"{counted(len(self.subjects), 'subject')} alone, over "
            f"{counted(conditions.n_queries, 'query')}"
        )

    def _parts(self) -> Parts:
        """By how many subjects each difference is found, then the differences."""
        conditions = self.conditions
        yield self._counts()
        more = len(self.table) > _MOST_ROWS
        title = f"The first {_MOST_ROWS} of {len(self.table):,} differences" if more else ""
        systems: FrameColumns = {
            ("system_a", "system_b"): ("systems", "{} minus {}".format, "label")
        }
        yield self._table(self.table.head(_MOST_ROWS), systems, title)
        yield Sentences.of(
            f"Brackets: {conditions.intervals} of the mean difference over {conditions.random}, "
            "one subject's judgments being the truth.",
            f"{conditions.star}; not adjusted for the number of subjects.",
            "More: .to_frame(full=True)",
        )

    def _counts(self) -> Sentences:
        """For each pair the subjects who find it significant; or how many pairs they find."""
        pairs = self.table.groupby(["measure", "system_a", "system_b"], sort=False)
        if pairs.ngroups > _MOST_PAIRS:
            found = self.table.groupby("subject", sort=False)["significant"].sum()
            return Sentences.of(
                f"Significant by one subject alone: {int(found.min()):,} to {int(found.max()):,} "
                f"of {counted(pairs.ngroups, 'difference')}, {found.mean():.1f} on average"
            )
        of = counted(len(self.subjects), "subject")
        return Sentences.of(
            *(
                f"{a} minus {b} on {measure}: above 0 for {int((rows['difference'] > 0).sum()):,} "
                f"of {of}, below 0 for {int((rows['difference'] < 0).sum()):,}; significant for "
                f"{int(rows['significant'].sum()):,}"
                for (measure, a, b), rows in pairs
            )
        )

    def alone_line(self, measure: str) -> str:
        """How many differences each subject finds; of a single one, who finds which direction."""
        rows, pooled = self.table[self.table["measure"] == measure], self.pooled.rows_of(measure)
        sign, found = (
            rows[name].to_numpy().reshape(-1, len(pooled)) for name in ("difference", "significant")
        )  # (subjects, pairs)
        what = "by one subject's judgments alone"
        if len(pooled) == 1:
            up = (sign > 0) == self.conditions.better_up(measure)
            who = np.array(self.subjects, dtype=object)
            a, b = (who[(found & side)[:, 0]] for side in (up, ~up))
            each = zip(pooled.iloc[0][["system_a", "system_b"]], (a, b), strict=True)
            named = (f"{x} for {len(y):,}{f' ({first_few(y)})' if len(y) else ''}" for x, y in each)
            of = counted(len(who), "subject")
            return f"{measure}: significantly better {what}, of {of}: {'; '.join(named)}"
        back = (found & (np.sign(sign) == -np.sign(pooled["difference"].to_numpy()))).sum(axis=1)
        counts = zip(found.sum(axis=1), self.subjects, back, strict=True)
        named = (f"{n:,} ({x}{f', {k:,} reversed' if k else ''})" for n, x, k in counts)
        line = f"{measure}: significant {what}, of {len(pooled):,}: {first_few(named, 10)}"
        return f"{line}; reversed: against the direction of all together" if back.any() else line

    def _table(self, table: pd.DataFrame, systems: FrameColumns, title: str) -> Table:
        """Subject, measure if there are several, systems, and the differences of some rows."""
        columns: FrameColumns = {
            "subject": "subject",
            "measure": "measure" if len(self.conditions.measures) > 1 else None,
            **systems,
            **difference_columns(table, self.conditions),
        }
        return printed_table(table, columns, title=title)

    def _whole_table(self, limit: int) -> Table:
        """All differences; counts if there are more than `limit`, and of those the first."""
        conditions, table = self.conditions, self.table
        title = "Each subject's judgments alone as the ground truth, over queries"
        if len(table) <= limit:
            is_single = len(conditions.baselines) == 1
            title += f"; system minus {conditions.baselines[0]}" if is_single else ""
            systems: FrameColumns = {
                "system_a": "system",
                "system_b": None if is_single else "minus",
            }
            return self._table(turned(table, conditions, self.pooled.table), systems, f"{title}:")
        found = table.groupby(["subject", "measure"], sort=False)["significant"]
        counts = found.agg(["sum", "size"]).reset_index()
        if len(counts) > limit:
            title += f"; the first {limit} of {len(counts):,} rows"
        columns: FrameColumns = {
            "subject": "subject",
            "measure": "measure",
            "sum": ("significant", ","),
            "size": ("differences", ","),
        }
        return printed_table(counts.head(limit), columns, title=f"{title}:")

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row for each subject, measure and pair; the columns are those of `Comparison`.

        Intervals and p-values are adjusted for the comparisons of one subject, not for the number
        of subjects. With ``full=True`` also significant_among_all: whether the direction is
        significant, too, by Holm's method over both directions of all subjects of the pair; see
        `Comparison.directions`.
        """
        short = ["subject", *SHORT]
        return self.table.copy() if option_flag("full", full) else self.table[short].copy()

    def plot(
        self,
        ax: Axes | None = None,
        *,
        measure: str | None = None,
        n_pairs: int | None = None,
        title: Title = True,
    ) -> Axes:
        """Draw each subject's difference for each pair of systems, by one measure.

        Parameters
        ----------
        ax, title
            As in `plots.subject_strip`.
        measure : str, optional
            By default the first.
        n_pairs : int, optional
            The most pairs that are drawn; see `plots.subject_strip`.

        Raises
        ------
        OptionError
            The measure is not among those compared.

        Examples
        --------
        >>> import pandas as pd, fuzzytruth as ft
        >>> scores = ft.Scores.from_frame(pd.DataFrame({
        ...     "system": ["a"] * 6 + ["b"] * 6, "query": [1, 2, 3] * 4,
        ...     "subject": (["ann"] * 3 + ["bob"] * 3) * 2,
        ...     "value": [.5, .7, .9, .4, .6, .7, .3, .6, .6, .5, .5, .9]}))
        >>> ax = ft.compare(scores).by_subject().plot()
        >>> [label.get_text() for label in ax.get_yticklabels()]
        ['a', 'ann', 'bob']
        """
        from fuzzytruth.plots import subject_strip

        return subject_strip(self, ax, measure=measure, n_pairs=n_pairs, title=title)

    _figures: ClassVar[tuple[str, ...]] = ("subject_strip",)

    def _plot_data(self, figure: str, *, measure: str | None = None) -> PlotData:
        """The rows of one measure, those of all subjects together, and a title."""
        conditions, pooled = self.conditions, self.pooled
        chosen = conditions.measure_of(measure)
        each, together = conditions.intervals, pooled.conditions.intervals
        whose = "within" if conditions.interval == "simultaneous" else "of"
        rest = f"; all together: {together} over {pooled.conditions.random}"
        if together == each:
            rest = f", all together over {pooled.conditions.random}"
        if not conditions.is_adjusted:
            rest += (
                f"; significant: p ≤ {conditions.alpha}, not adjusted for {conditions.tests:,} "
                "comparisons"
            )
        all_together = pooled.table[pooled.table["measure"] == chosen]
        rows = self.table[self.table["measure"] == chosen]
        rows = turned(rows, conditions, all_together)
        subjects = counted(len(conditions.subjects or ()), "subject")
        sides = ["first system better", "second system better"]
        up = conditions.better_up(chosen)
        if len(all_together) == 1:
            sides = [f"{system} better" for system in rows.iloc[0][["system_a", "system_b"]]]
        elif len(conditions.baselines) == 1:
            sides = [f"{better} than {conditions.baselines[0]}" for better in ("better", "worse")]
        return PlotData(
            rows,
            f"{conditions.named(chosen)}: differences by each of {subjects} alone "
            f"({conditions.queries(rows)})\n"
            f"{each[:1].upper()}{each[1:]} {whose} each subject over {conditions.random}{rest}",
            turned(all_together, conditions),
            dict(zip(("above", "below"), sides if up else sides[::-1], strict=True)),
        )


def by_subject(pooled: Comparison) -> SubjectComparisons:
    """See `Comparison.by_subject`.

    Raises
    ------
    OptionError
        There are no subjects, or they are nested in queries.
    """
    family, conditions = pooled.family, pooled.conditions
    subjects = crossed_subjects(conditions, "by_subject")
    families, conditions = _each_alone(_over_queries(family, conditions), conditions)
    out, found = [], directions_of(pooled)
    for number, (subject, alone) in enumerate(zip(subjects, families, strict=True)):
        table = tables(alone, conditions)
        table.insert(0, "subject", subject)
        among_all = table["significant"] if found is None else found[1][:, number]
        table[AMONG_ALL] = table["significant"] & among_all
        out.append(table.drop(columns=_OF_SUBJECTS))
    table = pd.concat(out, ignore_index=True)
    _warn_of_few(table, conditions)
    return SubjectComparisons(table, subjects, conditions, pooled)


def crossed_subjects(conditions: Conditions, what: str, least: int = 1) -> tuple[str, ...]:
    """Names of the subjects, who are crossed with the queries; `what` begins the message.

    Raises
    ------
    OptionError
        There are none, fewer than the least, or they are nested in queries.
    """
    subjects = conditions.subjects
    if subjects is not None and not conditions.nested and len(subjects) >= least:
        return subjects
    why = "do not exist in these scores"
    if subjects is not None:
        why = "are nested in queries" if conditions.nested else f"are fewer than {least}"
    raise OptionError(
        f"{what}: subjects {why}; evaluate with worlds='subject' judgments of subjects "
        "who judged several queries"
    )


def each_subject(pooled: Comparison) -> SubjectComparisons | None:
    """`by_subject` without warnings, for infinite intervals show; None without crossed subjects."""
    if not pooled.conditions.has_directions:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateWarning)
        return by_subject(pooled)


def directions_of(result: Comparison) -> tuple[pd.DataFrame, Bools] | None:
    """Frame of `Comparison.directions`, and which subjects it shows: (rows, subjects).

    None without crossed subjects, or with a single one.
    """
    return result.known.once("directions", lambda: _directions(result.family, result.conditions))


def _directions(family: Family, conditions: Conditions) -> tuple[pd.DataFrame, Bools] | None:
    """See `directions_of`."""
    if not conditions.has_directions:
        return None
    frames, shown = [], []
    for measure, observed in zip(family.measures, family.observed, strict=True):
        order = slice(None) if conditions.better_up(measure) else slice(None, None, -1)
        for batch in observed.batches(family.pairs):
            using: dict[str, Any] = {"level": family.level, "groups": observed.groups}
            scale = batch.largest(observed.scale)
            found = directions(observed.of(batch), observed.cells, scale=scale, **using)
            columns = dict(zip(PAIR[1:], names_of(batch, conditions.systems), strict=True))
            columns |= dict(zip(("n_a", "n_b"), found.alone[order], strict=True))
            columns |= dict(zip(("at_least_a", "at_least_b"), found.at_least[order], strict=True))
            columns |= {name: getattr(found, name) for name in _OF_DIRECTIONS}
            frames.append(pd.DataFrame({"measure": measure, **columns}))
            shown.append(found.shown.any(axis=0))
    frame = pd.concat(frames, ignore_index=True)
    if conditions.queries_share_items:
        frame[["p_differs", "sd_chance"]] = np.nan
    families = 1 if conditions.across_measures else len(family.measures)
    for name in ("p_both_ways", "p_differs"):
        frame[name] = holm(frame[name].to_numpy().reshape(families, -1)).ravel()
    return frame, np.concatenate(shown)


def with_differences(comparison: Comparison, permuted: pd.DataFrame, n: int) -> Comparison:
    """The comparison, with how much subjects differ by chance as `n` permutations of votes say.

    `permuted` has a row for each measure and pair of systems, in either order: measure, system_a,
    system_b, sd, sd_permuted and p_adjusted.
    """
    crossed = directions_of(comparison)
    if crossed is None:
        return comparison
    rows = permuted.itertuples(index=False)
    known = {(row.measure, frozenset((row.system_a, row.system_b))): row for row in rows}
    frame, shown = crossed
    of = [known[x.measure, frozenset((x.system_a, x.system_b))] for x in frame.itertuples()]
    columns = {"p_differs": "p_adjusted", "sd_subjects": "sd", "sd_chance": "sd_permuted"}
    frame = frame.assign(**{x: [getattr(row, y) for row in of] for x, y in columns.items()})
    out = replace(comparison, conditions=replace(comparison.conditions, n_permutations=n))
    out.known.once("directions", lambda: (frame, shown))
    return out


def significant_alone(result: Comparison) -> pd.DataFrame | None:
    """Measure, pair, difference and whether it is significant, by each subject who has it.

    None without crossed subjects. Labels are not permuted, for subjects may lack values.
    """
    return result.known.once("alone", lambda: _alone(result.family, result.conditions))


def _alone(family: Family, conditions: Conditions) -> pd.DataFrame | None:
    """See `significant_alone`."""
    if conditions.subjects is None or conditions.nested:
        return None
    alone = _over_queries(family, conditions)
    if alone.correction == LABELS:
        alone = replace(alone, correction=MAX_T)
    families, conditions = _each_alone(alone, conditions)
    columns = ["measure", "system_a", "system_b", "difference", "significant"]
    parts = [table[columns] for one in families for _, table in inferred(one, conditions)]
    return pd.concat(parts, ignore_index=True)


def _each_alone(family: Family, conditions: Conditions) -> tuple[list[Family], Conditions]:
    """A family for each subject, and the conditions of all."""
    families = [
        replace(family, observed=tuple(one.of_subject(number) for one in family.observed))
        for number in range(len(conditions.subjects or ()))
    ]
    return families, replace(conditions, over=("query",), correction=family.correction)


def means_alone(pooled: Comparison) -> list[pd.DataFrame]:
    """Means of systems (systems × measures) by each subject's judgments alone."""
    families, conditions = _each_alone(pooled.family, pooled.conditions)
    return [inference.shared_means(one, conditions.systems)[0] for one in families]


def of_group(pooled: Comparison, members: Sequence[str]) -> Comparison:
    """The comparison by some subjects' judgments alone, over queries."""
    family, conditions = _over_queries(pooled.family, pooled.conditions), pooled.conditions
    chosen = np.isin(np.array(crossed_subjects(conditions, "groups"), dtype=object), members)
    observed = (one.of_cells(chosen[one.cells.subject_codes]) for one in family.observed)
    family = replace(family, observed=tuple(observed))
    of: Any = {"subjects": tuple(members), "n_people": len(members), "over": family.over}
    conditions = replace(conditions, correction=family.correction, **of)
    known: Any = {"table": tables(family, conditions), "conditions": conditions}
    means = inference.shared_means(family, conditions.systems)[0]
    return replace(pooled, family=family, means=means, **known)


def _over_queries(family: Family, conditions: Conditions) -> Family:
    """The same family over queries, with the correction that goes with it."""
    alone = replace(family, over=("query",))
    if family.over != ("query",) and family.correction == "bonferroni":
        return replace(alone, correction=NONE if conditions.tests == 1 else MAX_T)
    return alone


def _warn_of_few(table: pd.DataFrame, conditions: Conditions) -> None:
    """Count comparisons of subjects with too few queries, in one warning."""
    end = "upper" if conditions.alternative == "less" else "lower"
    none, few = table["difference"].isna(), np.isinf(table[end])
    if none.any() or few.any():
        warn(
            f"by_subject: of {counted(len(table), 'comparison')} of single subjects, "
            f"{int(none.sum()):,} have no query, and {int(few.sum()):,} so few that their "
            "intervals are (-inf, inf)",
            DegenerateWarning,
        )
