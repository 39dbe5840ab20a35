"""Scores as labelled rows with one column a measure, as a printed table shows them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.atoms import NEAR
from fuzzytruth.core.clusters import nan_mean
from fuzzytruth.core.validation import whole_number
from fuzzytruth.errors import DegenerateWarning, counted
from fuzzytruth.evaluation.scores.axes import are_nested, check_over
from fuzzytruth.evaluation.scores.query_groups import IMAGE, Grouping
from fuzzytruth.evaluation.scores.summary import few_worlds, interval_columns, known_range, range_of
from fuzzytruth.show.number_text import digits_for, level_text, with_interval
from fuzzytruth.stats.intervals import WILSON
from fuzzytruth.stats.observations import each_system
from fuzzytruth.stats.settings import Over, Resampling, in_words

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.score_arrays import ScoreArrays


@dataclass(frozen=True, slots=True, eq=False)
class ScoreRows:
    """One row a system (and query, and subject), one column a measure.

    Parameters
    ----------
    names : tuple of str
        What the labels name: system[, query][, subject].
    labels : tuple of tuple of str
        One for each row, as long as `names`.
    measures : tuple of str
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

    names: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    measures: tuple[str, ...]
    values: Floats
    best: Bools
    lower: Floats | None = None
    upper: Floats | None = None
    brackets: str = ""
    few: str = ""
    cut: Bools | None = None

    def select(self, name: str, label: str) -> Self:
        """The rows with this label, without its column."""
        column = self.names.index(name)
        rows = [j for j, row in enumerate(self.labels) if row[column] == label]
        return replace(
            self,
            names=self.names[:column] + self.names[column + 1 :],
            labels=tuple(self.labels[j][:column] + self.labels[j][column + 1 :] for j in rows),
            values=self.values[rows],
            best=self.best[rows],
            lower=None if self.lower is None else self.lower[rows],
            upper=None if self.upper is None else self.upper[rows],
            cut=None if self.cut is None else self.cut[rows],
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


def score_rows(
    scores: ScoreArrays,
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
    over : {"query", "subject", "world"} or several, optional
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
    per_subject = per_subject and scores.subjects is not None
    units = _units(scores, per_query, per_subject)
    values = units.of(scores.values)  # (systems, units, measures)
    labels = tuple(
        (system, *unit) for system in scores.systems for unit in zip(*units.labels, strict=True)
    )
    if not units.labels:
        labels = tuple((system,) for system in scores.systems)
    flat = (-1, len(scores.measures))
    rows = ScoreRows(
        names=("system", *units.names),
        labels=labels,
        measures=scores.measures,
        values=values.reshape(flat),
        best=best_systems(values, scores.higher_is_better).reshape(flat),
    )
    if scores.lower is not None and scores.upper is not None and over is None:
        lower, upper = (units.of(ends).reshape(flat) for ends in (scores.lower, scores.upper))
        what = "value" if per_query else "mean"
        brackets = f"the lowest and the highest {what} that judging the unjudged items could give"
        return replace(rows, lower=lower, upper=upper, brackets=brackets)
    if per_query or per_subject or (over is None and len(scores.queries) < 2):
        return rows
    return _with_intervals(rows, scores, "query" if over is None else over, level, clusters)


def _with_intervals(
    rows: ScoreRows,
    scores: ScoreArrays,
    over: Iterable[str] | str,
    level: float,
    clusters: Grouping,
) -> ScoreRows:
    """Rows of means with their intervals."""
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
    least, most = np.array([range_of(scores, m) for m in range(len(columns))]).T
    cut = ((lower == least) & (value > least)) | ((upper == most) & (value < most))
    cut &= (error > 0) & ("world" not in axes)
    brackets = brackets_of(scores, axes, level, clusters)
    of_shares = [m for m, one in enumerate(columns) if np.isin(WILSON, one["method"])]
    for ends in sorted({range_of(scores, m) for m in of_shares}):
        brackets += "; Wilson's where all values are {:g} or {:g}".format(*ends)
    few = few_worlds(scores, axes, level)
    return replace(rows, lower=lower, upper=upper, brackets=brackets, few=few, cut=cut)


def brackets_of(scores: ScoreArrays, over: Over, level: float, clusters: Grouping = None) -> str:
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
        return f"what holds {size} of {worlds} in which each item takes one of its votes at random"
    if len(over) > 1:
        axes = in_words(over)
        if spread is not None and spread.worlds == "population":
            axes = axes.replace("worlds", "resampled subjects")
        return f"{size} intervals over {axes}, both being random"
    if over == ("subject",):
        return f"{size} t intervals over subjects, the queries being fixed"
    units = "queries" if clusters is None else "clusters of queries"
    if clusters == IMAGE:
        units = "images"
    if scores.subjects is not None:
        what = "sampled with their query" if are_nested(scores) else "fixed"
        return f"{size} t intervals over {units}, the subjects being {what}"
    fixed = "ground truth" if spread is None else "judgments"
    return f"{size} t intervals over {units}, the {fixed} being fixed"


@dataclass(frozen=True, slots=True, eq=False)
class _Units:
    """The rows of one system: queries, subjects, both or neither.

    Parameters
    ----------
    names : tuple of str
    labels : tuple of tuple of str
        One for each of `names`.
    reduce : callable
        (..., cells) → (..., units)
    """

    names: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    reduce: Callable[[Floats], Floats]

    def of(self, values: Floats) -> Floats:
        """Values of the units: (systems, measures, cells) → (systems, units, measures)."""
        return np.swapaxes(self.reduce(values), 1, 2)


def _units(scores: ScoreArrays, per_query: bool, per_subject: bool) -> _Units:
    cells, queries = scores.cells, scores.queries
    names = scores.subjects or ()
    if per_query and per_subject:
        both = zip(cells.query.tolist(), cells.subject_codes.tolist(), strict=True)
        labels = tuple(zip(*((queries[q], names[s]) for q, s in both), strict=True))
        return _Units(("query", "subject"), labels, lambda values: values)
    if per_query:
        judged = np.flatnonzero(cells.sizes > 0)
        labels = (tuple(queries[q] for q in judged),)
        return _Units(("query",), labels, lambda v: cells.mean_by_query(v)[..., judged])
    if per_subject:
        return _Units(("subject",), (names,), cells.mean_by_subject)
    return _Units((), (), lambda v: nan_mean(cells.mean_by_query(v), -1)[..., None])


def best_first(values: Floats, *, higher_is_better: bool) -> Ints:
    """Places of systems, the best first and those without a value last: (systems,)."""
    signed = -values if higher_is_better else values
    return np.argsort(np.where(np.isnan(signed), np.inf, signed), kind="stable")


def best_systems(values: Floats, higher_is_better: tuple[bool, ...]) -> Bools:
    """Whether a system (first axis) has the best value up to rounding; measures last."""
    signed = values * np.where(higher_is_better, 1.0, -1.0)
    top = np.where(np.isnan(signed), -np.inf, signed).max(axis=0)
    best: Bools = signed >= top - NEAR * np.maximum(1.0, np.abs(top))
    return best


# Intervals that reach beyond the values that their measure can have.


def cut_words(n_cut: int, what: str) -> str:
    """How many intervals are cut at the ends of what there can be."""
    return (
        f"{counted(n_cut, 'interval reached', 'intervals reached')} beyond the {what} and "
        f"{'is' if n_cut == 1 else 'are'} cut there"
    )


def beyond_range(rows: ScoreRows, places: Iterable[int] | None = None) -> str:
    """How many intervals of some measures (all by default) do so, and the first; "" if none does.

    Nothing is said of measures that the library does not know or whose values are on another scale,
    nor of infinite intervals, of which nothing is known.
    """
    if rows.lower is None or rows.upper is None:
        return ""
    found: list[tuple[str, str, str]] = []
    chosen = list(range(len(rows.measures)) if places is None else places)
    n_cut = 0 if rows.cut is None else int(rows.cut[:, chosen].sum())
    if n_cut:
        return cut_words(n_cut, "values that the measure can have")
    for m in chosen:
        least, most = known_range(rows.measures[m], rows.values[:, m])
        lower, upper = rows.lower[:, m], rows.upper[:, m]
        out = (lower < least - NEAR) | (upper > most + NEAR)
        out &= np.isfinite(lower) & np.isfinite(upper)
        where = f"from {least:g} to {most:g}"
        found += [(rows.labels[j][0], rows.measures[m], where) for j in np.flatnonzero(out)]
    if not found:
        return ""
    system, measure, where = found[0]
    return (
        f"{counted(len(found), 'interval reaches', 'intervals reach')} beyond the values that the "
        f"measure can have ({'' if len(found) == 1 else 'the first: '}{measure} of {system}, "
        f"{where}): these intervals are symmetric and are not cut off"
    )
