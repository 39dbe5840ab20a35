"""Figures of scores: the part of `Scores` that draws means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.cells import grouped_mean
from fuzzytruth.core.samples import nan_mean
from fuzzytruth.errors import OptionError, choice, counted, first_few, require
from fuzzytruth.evaluation.axes import people, resampled_subjects
from fuzzytruth.evaluation.query_groups import without_group
from fuzzytruth.evaluation.score_arrays import ScoreArrays
from fuzzytruth.evaluation.score_rows import ScoreRows, beyond_range, score_rows
from fuzzytruth.evaluation.scores_of_tables import ScoresOfTables
from fuzzytruth.io.number_text import between_text
from fuzzytruth.plots.frames import PlotData

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScoresDrawn(ScoresOfTables):
    """Scores as figures."""

    def plot(
        self,
        ax: Axes | None = None,
        *,
        measure: Iterable[str] | str | None = None,
        over: Iterable[str] | str | None = None,
        by: Literal["subject"] | None = None,
        level: float = 0.95,
    ) -> Axes:
        """Draw the mean of each system with its interval, the best on top.

        Under ``unjudged="bounds"`` also the range that judging the unjudged items could give. See
        `plots.means`.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure. Nothing is shown.
        measure : str or sequence of str, optional
            By default the first. Several differ in colour and marker.
        over : {"query", "subject", "world"} or several, optional
            What intervals are over, as in `summary`; by default queries, if there are two or more.
        by : {"subject"}, optional
            Draw each subject's mean, too.
        level : float
            Of the intervals.

        Raises
        ------
        OptionError
            There is no such measure, the scores lack an axis, or subjects are asked for where
            there are none or with several measures.

        Examples
        --------
        >>> import matplotlib; matplotlib.use("Agg")
        >>> import fuzzytruth as ft
        >>> runs = {"x": {"q": ["a"]}, "y": {"q": ["b", "a"]}}
        >>> ax = ft.evaluate({"q": {"a": 1}}, runs, ["AP"]).plot()
        >>> ax.lines[0].get_xdata().tolist()
        [1.0, 0.5]
        """
        from fuzzytruth.plots import means

        return means(self, ax, measure=measure, over=over, by=by, level=level)

    _figures: ClassVar[tuple[str, ...]] = ("means",)

    def _plot_data(self, figure: str, **options: Any) -> PlotData:
        """Frames of `plots.means`."""
        return means_data(self, **options)


# Means of scores over queries, by subject or by group of queries.


By = Literal["subject", "group"]
Groups = Mapping[str, str]


def mean_table(scores: ScoreArrays, by: By | None, groups: Groups | None) -> pd.DataFrame:
    """See `Scores.mean`."""
    import pandas as pd

    if by is not None:
        choice("by", by, ("subject", "group"))
    if by == "subject":
        return _table(_means_by_subject(scores, groups), scores, "subject", scores.subjects or ())
    by_query = scores.cells.mean_by_query(scores.values)  # (systems, measures, queries)
    if by == "group":
        if groups is None:
            raise OptionError("by='group': give groups={query: group, ...}")
        group, labels = _group_of(scores, groups)
        return _table(grouped_mean(by_query, group, len(labels)), scores, "group", labels)
    if groups is not None:
        group, labels = _group_of(scores, groups)
        by_query = grouped_mean(by_query, group, len(labels))
    return pd.DataFrame(
        nan_mean(by_query, axis=-1),
        index=pd.Index(scores.systems, name="system"),
        columns=pd.Index(scores.measures, name="measure"),
    )


def _means_by_subject(scores: ScoreArrays, groups: Groups | None) -> Floats:
    """Means over queries, or over groups of queries: (systems, measures, subjects)."""
    if scores.subjects is None:
        raise OptionError("by='subject': these scores have no subjects")
    if scores.design == "nested":
        raise OptionError(
            "by='subject': the subjects are nested in queries, a name being another person "
            "in another query; average them within queries: mean()"
        )
    cells = scores.cells
    if groups is None:
        return cells.mean_by_subject(scores.values)
    group, labels = _group_of(scores, groups)
    pair = cells.subject_codes * len(labels) + group[cells.query]
    pairs, place = np.unique(pair, return_inverse=True)  # of a subject and a group
    means = grouped_mean(scores.values, place, len(pairs))
    return grouped_mean(means, pairs // len(labels), cells.n_subjects)


def _group_of(scores: ScoreArrays, groups: Groups) -> tuple[Ints, tuple[str, ...]]:
    """Group of each query (queries,), and the groups' names in the order they came."""
    require("groups", groups, isinstance(groups, Mapping), "must be {query: group}")
    groups = {str(query): group for query, group in groups.items()}
    lost = [q for q in scores.queries if q not in groups]
    if lost:
        raise without_group("groups", "group", lost)
    names = [str(groups[q]) for q in scores.queries]
    code = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return np.array([code[name] for name in names]), tuple(code)


def _table(values: Floats, scores: ScoreArrays, axis: str, labels: tuple[str, ...]) -> pd.DataFrame:
    """(systems, measures, labels) as rows (system, label) and columns measures."""
    import pandas as pd

    index = pd.MultiIndex.from_product([scores.systems, labels], names=["system", axis])
    rows = values.transpose(0, 2, 1).reshape(len(index), len(scores.measures))
    return pd.DataFrame(rows, index=index, columns=pd.Index(scores.measures, name="measure"))


# What the figure of means is drawn from.


def means_data(
    scores: ScoreArrays,
    *,
    measure: Iterable[str] | str | None = None,
    over: Iterable[str] | str | None = None,
    by: str | None = None,
    level: float = 0.95,
) -> PlotData:
    """Means of some measures with intervals, and each subject's beside if ``by="subject"``."""
    choice("by", by, (None, "subject"))
    given = scores.measures[:1] if measure is None else measure
    require("measure", given, isinstance(given, Iterable), "must be a name, or several")
    names = [given] if isinstance(given, str) else list(given)
    require("measure", given, bool(names), "name at least one measure")
    places = [scores.measure_place(name) for name in names]
    if over is None and len(scores.queries) > 1:
        over = "query"
    rows = score_rows(scores, over=over, level=level)
    has_intervals = over is not None
    frame = _frame(rows, places, has_intervals=has_intervals)
    if scores.lower is not None:
        bounds = _frame(score_rows(scores), places, has_intervals=True)
        frame[["lowest", "highest"]] = bounds[["lower", "upper"]]
    beside = _points_of_subjects(scores, places) if by == "subject" else None
    return _drawn(scores, rows, places, frame, beside, has_intervals=has_intervals)


def means_of_rows(scores: ScoreArrays, rows: ScoreRows, measure: str, *, by: bool) -> PlotData:
    """Means of a measure as `rows` have them, and each subject's beside if `by`."""
    places = [rows.measures.index(measure)]
    has_intervals = rows.lower is not None
    frame = _frame(rows, places, has_intervals=has_intervals)
    beside = _points_of_subjects(scores, places) if by else None
    return _drawn(scores, rows, places, frame, beside, has_intervals=has_intervals)


def _drawn(
    scores: ScoreArrays,
    rows: ScoreRows,
    places: list[int],
    frame: pd.DataFrame,
    beside: pd.DataFrame | None,
    *,
    has_intervals: bool,
) -> PlotData:
    labels = {"mean": "mean and interval" if has_intervals else "mean"}
    if not scores.higher_is_better[places[0]]:
        labels["better"] = "lower"
    return PlotData(
        frame, _title(scores, rows, places, has_intervals=has_intervals), beside, labels
    )


def _frame(rows: ScoreRows, places: list[int], *, has_intervals: bool) -> pd.DataFrame:
    """One row a measure and system; lower and upper are NaN without intervals."""
    import pandas as pd

    unknown = np.full(rows.values.shape, np.nan)
    lower, upper = (
        ends if has_intervals and ends is not None else unknown for ends in (rows.lower, rows.upper)
    )
    tables = [
        pd.DataFrame(
            {
                "measure": rows.measures[m],
                "system": [label[0] for label in rows.labels],
                "mean": rows.values[:, m],
                "lower": lower[:, m],
                "upper": upper[:, m],
            }
        )
        for m in places
    ]
    return pd.concat(tables, ignore_index=True)


def _points_of_subjects(scores: ScoreArrays, places: list[int]) -> pd.DataFrame:
    """One row a measure, system and subject: its mean."""
    table = mean_table(scores, "subject", None).reset_index()
    names = [scores.measures[m] for m in places]
    return table.melt(["system", "subject"], names, var_name="measure", value_name="mean")


def _title(scores: ScoreArrays, rows: ScoreRows, places: list[int], *, has_intervals: bool) -> str:
    """Measures, numbers of data, and what intervals are."""
    names = [scores.measures[m] for m in places]
    lower = [scores.measures[m] for m in places if not scores.higher_is_better[m]]
    parts = [_queries(scores, places)]
    if scores.subjects is not None:
        parts.append(counted(people(scores), "subject"))
    elif n_resampled := resampled_subjects(scores):
        parts.append(counted(n_resampled, "resampled subject"))
    down = (
        f" (lower is better{'' if len(names) == 1 else f' for {first_few(lower)}'})"
        if lower
        else ""
    )
    lines = [
        f"{first_few(names)}{down}: means of {counted(len(scores.systems), 'system')} over "
        f"{' and '.join(parts)}"
    ]
    if has_intervals:
        lines.append(f"Bars: {rows.brackets}")
        lines += filter(None, [rows.few, beyond_range(rows, places)])
    return "\n".join(lines)


def _queries(scores: ScoreArrays, places: list[int]) -> str:
    """Number of queries that means are over, the least and the most if systems differ."""
    by_query = scores.cells.mean_by_query(scores.values[:, places])
    sizes = (~np.isnan(by_query)).sum(axis=-1)  # (systems, measures)
    some = sizes[sizes > 0]
    if not some.size:
        return counted(len(scores.queries), "query")
    return between_text(int(some.min()), int(some.max()), "query")
