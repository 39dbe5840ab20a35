"""Scores as labelled rows with one column a measure, as they are printed, set and drawn."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.atoms import NEAR
from fuzzytruth.core.clusters import nan_mean
from fuzzytruth.core.validation import whole_number
from fuzzytruth.errors import DegenerateWarning, counted, first_few
from fuzzytruth.evaluation.scores.score_arrays import IMAGE, check_over, known_range
from fuzzytruth.evaluation.scores.summary import Grouping, few_worlds, interval_columns
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show import latex, markdown
from fuzzytruth.show.answer import Column, Table
from fuzzytruth.show.number_text import between_text, digits_for, level_text, with_interval
from fuzzytruth.stats.intervals import WILSON
from fuzzytruth.stats.observations import each_system
from fuzzytruth.stats.settings import Over, Resampling, in_words, listed

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.scores import Scores


@dataclass(frozen=True, slots=True, eq=False)
class ScoreRows:
    """One row a system (and query, and subject), one column a measure.

    Parameters
    ----------
    scores : Scores
        What they are of.
    names : tuple of str
        What the labels name: system[, query][, subject].
    labels : tuple of tuple of str
        One for each row, as long as `names`.
    values : (rows, measures) float
    best : (rows, measures) bool
        Whether no other system has a better value (for the same query and subject).
    lower, upper : (rows, measures) float or None
        Ends of intervals, or of the range that judging the unjudged items could give.
    brackets : str
        What these are, as it goes on after "in brackets"; "" where there are none.
    few : str
        Why intervals over worlds are infinite; "" where they are not.
    cut : (rows, measures) bool or None
        Intervals that end where the values of their measure do, as they reached further.
    """

    scores: Scores
    names: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    values: Floats
    best: Bools
    lower: Floats | None = None
    upper: Floats | None = None
    brackets: str = ""
    few: str = ""
    cut: Bools | None = None

    @property
    def measures(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.scores.measures

    def select(self, name: str, label: str) -> Self:
        """The rows with this label, without its column."""
        column = self.names.index(name)
        rows = [j for j, row in enumerate(self.labels) if row[column] == label]
        known = {name: getattr(self, name) for name in ("values", "best", "lower", "upper", "cut")}
        arrays: dict[str, Any] = {n: None if a is None else a[rows] for n, a in known.items()}
        return replace(
            self,
            names=self.names[:column] + self.names[column + 1 :],
            labels=tuple(self.labels[j][:column] + self.labels[j][column + 1 :] for j in rows),
            **arrays,
        )

    def cells(self, digits: int | None = None) -> list[list[str]]:
        """Each number, with its interval if it has one: rows of columns.

        By default with four decimals, or three beside an interval; fewer where a measure has values
        of 10 and more.
        """
        if digits is not None:
            whole_number("digits", digits, 0)
        usual = 4 if self.lower is None else 3
        columns = (
            self.column(m, digits_for(values.tolist(), usual) if digits is None else digits)
            for m, values in enumerate(self.values.T)
        )
        return [list(row) for row in zip(*columns, strict=True)]

    def column(self, measure: int, digits: int) -> list[str]:
        """The numbers of one measure, by its place, with their intervals."""
        unknown = np.full(len(self.values), np.nan)
        low, high = (
            unknown if ends is None else ends[:, measure] for ends in (self.lower, self.upper)
        )
        numbers = zip(self.values[:, measure].tolist(), low.tolist(), high.tolist(), strict=True)
        return [with_interval(*three, digits) for three in numbers]

    def table(
        self,
        order: Ints | None = None,
        n_measures: int | None = None,
        *,
        title: str = "",
        digits: int | None = None,
        bold: bool = True,
    ) -> Table:
        """All rows, or some in the order given; of the first measures, or all."""
        order = np.arange(len(self.labels)) if order is None else order
        cells = self.cells(digits)
        columns = [
            Column.label(name, (self.labels[j][place] for j in order))
            for place, name in enumerate(self.names)
        ]
        for m, measure in enumerate(self.measures[:n_measures]):
            marks = tuple(self.best[order, m].tolist()) if bold else ()
            columns.append(Column(measure, tuple(cells[j][m] for j in order), bold=marks))
        return Table(tuple(columns), title)

    def to_latex(
        self, *, caption: str | None, label: str, digits: int | None = None, bold: bool = True
    ) -> str:
        """A table float, the best of each column in bold; by default its caption explains it."""
        caption = self.caption(bold=bold) if caption is None else caption
        return latex.of_table(self.table(digits=digits, bold=bold), caption=caption, label=label)

    def to_markdown(
        self, *, caption: str | None, digits: int | None = None, bold: bool = True
    ) -> str:
        """A Markdown table, and its caption below."""
        caption = self.caption(bold=bold) if caption is None else caption
        return markdown.of_table(self.table(digits=digits, bold=bold), caption)

    def legend(self) -> list[str]:
        """What values and brackets are."""
        scores, alone = self.scores, len(self.scores.queries) < 2 and not self.brackets
        return [
            *self._on_brackets("Brackets"),
            "One query: how means vary over queries is not known." if alone else "",
            scores._runs_line,
            scores._values_line,
            scores._missing_line,
            scores._direction_line,
        ]

    def caption(self, *, bold: bool = True) -> str:
        """What the numbers, the brackets and the bold cells are."""
        scores, per_query, per_subject = self.scores, "query" in self.names, "subject" in self.names
        means = f"Means over {counted(len(scores.queries), 'query')}."
        parts = [
            "Values of each query." if per_query else means,
            scores._runs_line,
            "" if per_query or per_subject else scores._values_line,
            "By whose judgments are the ground truth." if per_subject else "",
            *self._on_brackets("In brackets"),
            "" if per_query else scores._missing_line,
            scores._direction_line,
            "Bold: the best system." if bold else "",
        ]
        return " ".join(filter(None, parts))

    def _on_brackets(self, start: str) -> list[str]:
        brackets = f"{start}: {self.brackets}" if self.brackets else ""
        return [f"{line}." for line in (brackets, self.few, self.beyond_range()) if line]

    def beyond_range(self, places: Iterable[int] | None = None) -> str:
        """How many intervals of some measures (all by default) reach beyond what these can be.

        And the first; "" if none does. Nothing is said of measures that the library does not know
        or whose values are on another scale, nor of infinite intervals, of which nothing is known.
        """
        if self.lower is None or self.upper is None:
            return ""
        found: list[tuple[str, str, str]] = []
        chosen = list(range(len(self.measures)) if places is None else places)
        n_cut = 0 if self.cut is None else int(self.cut[:, chosen].sum())
        if n_cut:
            return cut_words(n_cut, "values that the measure can have")
        for m in chosen:
            least, most = known_range(self.measures[m], self.values[:, m])
            lower, upper = self.lower[:, m], self.upper[:, m]
            out = (lower < least - NEAR) | (upper > most + NEAR)
            out &= np.isfinite(lower) & np.isfinite(upper)
            where = f"from {least:g} to {most:g}"
            found += [(self.labels[j][0], self.measures[m], where) for j in np.flatnonzero(out)]
        if not found:
            return ""
        system, measure, where = found[0]
        reach = counted(len(found), "interval reaches", "intervals reach")
        first = "" if len(found) == 1 else "the first: "
        return (
            f"{reach} beyond the values that the measure can have ({first}{measure} of {system}, "
            f"{where}): these intervals are symmetric and are not cut off"
        )

    def plot_data(self, places: list[int], *, by: str | None) -> PlotData:
        """Means of some measures, by their places, to be drawn, and each subject's or run's."""
        scores, has_intervals = self.scores, self.lower is not None
        names = [scores.measures[m] for m in places]
        unknown = np.full(self.values.shape, np.nan)
        lower, upper = (unknown if ends is None else ends for ends in (self.lower, self.upper))
        tables = [
            pd.DataFrame(
                {
                    "measure": scores.measures[m],
                    "system": [label[0] for label in self.labels],
                    "mean": self.values[:, m],
                    "lower": lower[:, m],
                    "upper": upper[:, m],
                }
            )
            for m in places
        ]
        beside = None
        if by is not None:
            each = scores.mean(by="subject" if by == "subject" else "replicate").reset_index()
            beside = each.melt(["system", by], names, var_name="measure", value_name="mean")
        labels = {"mean": "mean and interval" if has_intervals else "mean"}
        if not scores.higher_is_better[places[0]]:
            labels["better"] = "lower"
        if by == "replicate":
            labels["replicate"] = "one run"
        return PlotData(pd.concat(tables, ignore_index=True), self._heading(places), beside, labels)

    def _heading(self, places: list[int]) -> str:
        """Measures, numbers of data, and what intervals are."""
        scores, names = self.scores, [self.measures[m] for m in places]
        lower = [self.measures[m] for m in places if not scores.higher_is_better[m]]
        parts = [_number_of_queries(scores, places)]
        if scores.subjects is not None:
            parts.append(counted(scores._n_people, "subject"))
        elif scores._n_resampled:
            parts.append(counted(scores._n_resampled, "resampled subject"))
        if scores.replicates is not None:
            parts.append(scores.replicates.words)
        down = ""
        if lower:
            down = f" (lower is better{'' if len(names) == 1 else f' for {first_few(lower)}'})"
        lines = [
            f"{first_few(names)}{down}: means of {counted(len(scores.systems), 'system')} over "
            f"{listed(parts)}"
        ]
        if self.lower is not None:
            lines += [f"Bars: {self.brackets}", self.few, self.beyond_range(places)]
        return "\n".join(filter(None, lines))


def score_rows(
    scores: Scores,
    *,
    per_query: bool = False,
    per_subject: bool = False,
    over: Iterable[str] | str | None = None,
    level: float = 0.95,
    clusters: Grouping = None,
) -> ScoreRows:
    """Means over queries with intervals, or values of every query or subject.

    Parameters
    ----------
    scores : Scores
    per_query : bool
        Whether queries have rows of their own.
    per_subject : bool
        Whether subjects, where there are any, have rows of their own. Otherwise a query's value is
        the mean over the subjects who judged it.
    over : {"query", "subject", "world", "replicate"} or several, optional
        What intervals of means are over; by default queries, if there are two or more.
    level : float
    clusters : mapping of query to cluster, or name of an attribute of queries, optional
        Of intervals over queries; those of image–text scores are over images.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> runs = {"x": {"q": ["a", "b"]}, "y": {"q": ["b", "a"]}}
    >>> rows = score_rows(ft.evaluate({"q": {"a": 1}}, runs, ["RR"]))
    >>> rows.labels, rows.values.tolist(), rows.best.tolist()
    ((('x',), ('y',)), [[1.0], [0.5]], [[True], [False]])
    """
    units, reduce = _units(scores, per_query, per_subject and scores.subjects is not None)

    def of_units(values: Floats) -> Floats:
        """Values of the units: (systems, measures, cells) → (systems, units, measures)."""
        return np.swapaxes(reduce(values), 1, 2)

    values, flat = of_units(scores.values), (-1, len(scores.measures))
    each = list(zip(*units.values(), strict=True)) if units else [()]
    rows = ScoreRows(
        scores,
        names=("system", *units),
        labels=tuple((system, *unit) for system in scores.systems for unit in each),
        values=values.reshape(flat),
        best=best_systems(values, scores.higher_is_better).reshape(flat),
    )
    if scores.lower is not None and scores.upper is not None and over is None:
        lower, upper = (of_units(ends).reshape(flat) for ends in (scores.lower, scores.upper))
        what = "value" if per_query else "mean"
        brackets = f"the lowest and the highest {what} that judging the unjudged items could give"
        return replace(rows, lower=lower, upper=upper, brackets=brackets)
    if units or (over is None and len(scores.queries) < 2):
        return rows
    return _with_intervals(rows, over, level, clusters)


def _units(
    scores: Scores, per_query: bool, per_subject: bool
) -> tuple[dict[str, Sequence[str]], Callable[[Floats], Floats]]:
    """Labels of one system's rows, and how values of cells become theirs, along the last axis."""
    cells, queries, subjects = scores.cells, scores.queries, scores.subjects or ()
    if per_query and per_subject:
        named = [queries[q] for q in cells.query], [subjects[s] for s in cells.subject_codes]
        return dict(zip(("query", "subject"), named, strict=True)), lambda values: values
    if per_query:
        judged = np.flatnonzero(cells.sizes > 0)
        of_queries = [queries[q] for q in judged]
        return {"query": of_queries}, lambda values: cells.mean_by_query(values)[..., judged]
    if per_subject:
        return {"subject": subjects}, cells.mean_by_subject
    return {}, lambda values: nan_mean(cells.mean_by_query(values), -1)[..., None]


def _with_intervals(
    rows: ScoreRows, over: Iterable[str] | str | None, level: float, clusters: Grouping
) -> ScoreRows:
    """Rows of means with their intervals."""
    scores = rows.scores
    axes = check_over(over, scores)
    if clusters is None and axes == ("query",) and IMAGE in scores.query_attributes:
        clusters = IMAGE
    with warnings.catch_warnings():  # an interval that is not known is there to be seen
        warnings.simplefilter("ignore", DegenerateWarning)
        columns = interval_columns(
            scores,
            each_system(len(scores.systems)),
            over=axes,
            level=level,
            resampling=Resampling(),
            clusters=clusters,
        )
    names = ("mean", "lower", "upper", "std_error")
    value, lower, upper, error = (
        np.stack([one[name] for one in columns], axis=1) for name in names
    )
    least, most = np.array([scores._range_of(m) for m in range(len(columns))]).T
    cut = ((lower == least) & (value > least)) | ((upper == most) & (value < most))
    cut &= (error > 0) & ("world" not in axes)
    brackets = brackets_of(scores, axes, level, clusters)
    of_shares = [m for m, one in enumerate(columns) if np.isin(WILSON, one["method"])]
    for ends in sorted({scores._range_of(m) for m in of_shares}):
        brackets += "; Wilson's where all values are {:g} or {:g}".format(*ends)
    few = few_worlds(scores, axes, level)
    if scores.replicates is not None and "replicate" in axes:
        few = scores.replicates.single_words
    return replace(rows, lower=lower, upper=upper, brackets=brackets, few=few, cut=cut)


def brackets_of(scores: Scores, over: Over, level: float, clusters: Grouping = None) -> str:
    """What intervals over these axes are, such as "95 % t intervals over queries, ...".

    Names what is fixed, too.
    """
    size = level_text(level)
    spread = scores.uncertainty
    if over == ("world",) and spread is not None:
        if spread.worlds == "population":
            df = round(spread.inflation / (spread.inflation - 1)) - 1
            degrees = counted(df, "degree")
            return f"{size} t intervals over resampled subjects ({degrees} of freedom)"
        worlds = counted(spread.n_worlds, "world")
        votes = "a group's votes" if spread.worlds == "community" else "its votes"
        return f"what holds {size} of {worlds} in which each item takes one of {votes} at random"
    if len(over) > 1:
        axes, how = in_words(over), "both" if len(over) == 2 else "all"
        if spread is not None and spread.worlds == "population":
            axes = axes.replace("worlds", "resampled subjects")
        if "subject" not in over and scores.subjects is not None:
            how += " being random, and the subjects fixed"
            return f"{size} intervals over {axes}, {how}"
        return f"{size} intervals over {axes}, {how} being random"
    if over == ("replicate",):
        return f"{size} t intervals over runs, the queries being fixed"
    if over == ("subject",):
        return f"{size} t intervals over subjects, the queries being fixed"
    units = "queries" if clusters is None else "clusters of queries"
    if clusters == IMAGE:
        units = "images"
    if scores.subjects is not None:
        what = "sampled with their query" if scores._are_nested else "fixed"
        these_runs = scores.replicates is not None and not scores._are_nested
        who = "subjects and the runs" if these_runs else "subjects"
        return f"{size} t intervals over {units}, the {who} being {what}"
    fixed = "ground truth" if spread is None else "judgments"
    fixed += "" if scores.replicates is None else " and the runs"
    return f"{size} t intervals over {units}, the {fixed} being fixed"


def best_first(values: Floats, *, higher_is_better: bool) -> Ints:
    """Places of systems, the best first and those without a value last: (systems,)."""
    signed = -values if higher_is_better else values
    return np.argsort(np.where(np.isnan(signed), np.inf, signed), kind="stable")


def best_systems(values: Floats, higher_is_better: tuple[bool, ...]) -> Bools:
    """Whether a system (first axis) has the best value up to rounding; measures last."""
    signed = values * np.where(higher_is_better, 1.0, -1.0)
    top = np.where(np.isnan(signed), -np.inf, signed).max(axis=0)
    return np.asarray(signed >= top - NEAR * np.maximum(1.0, np.abs(top)))


def cut_words(n_cut: int, what: str) -> str:
    """How many intervals are cut at the ends of what there can be."""
    return (
        f"{counted(n_cut, 'interval reached', 'intervals reached')} beyond the {what} and "
        f"{'is' if n_cut == 1 else 'are'} cut there"
    )


def _number_of_queries(scores: Scores, places: list[int]) -> str:
    """Number of queries that means are over, the least and the most if systems differ."""
    by_query = scores.cells.mean_by_query(scores.values[:, places])
    sizes = (~np.isnan(by_query)).sum(axis=-1)  # (systems, measures)
    some = sizes[sizes > 0]
    if not some.size:
        return counted(len(scores.queries), "query")
    return between_text(int(some.min()), int(some.max()), "query")
