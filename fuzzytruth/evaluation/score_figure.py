"""What the figure of means is drawn from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth.errors import choice, counted, first_few, require
from fuzzytruth.evaluation.axes import people, resampled_subjects
from fuzzytruth.evaluation.score_arrays import ScoreArrays
from fuzzytruth.evaluation.score_means import mean_table
from fuzzytruth.evaluation.score_rows import ScoreRows, beyond_range, score_rows
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.number_text import between_text

if TYPE_CHECKING:
    import pandas as pd


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
    beside = _by_subject(scores, places) if by == "subject" else None
    return _drawn(scores, rows, places, frame, beside, has_intervals=has_intervals)


def means_of_rows(scores: ScoreArrays, rows: ScoreRows, measure: str, *, by: bool) -> PlotData:
    """Means of a measure as `rows` have them, and each subject's beside if `by`."""
    places = [rows.measures.index(measure)]
    has_intervals = rows.lower is not None
    frame = _frame(rows, places, has_intervals=has_intervals)
    beside = _by_subject(scores, places) if by else None
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


def _by_subject(scores: ScoreArrays, places: list[int]) -> pd.DataFrame:
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
