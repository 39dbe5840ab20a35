"""What is printed of scores: means with intervals, and what they rest on."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Ints
from fuzzytruth.errors import choice, counted, first_few, require
from fuzzytruth.evaluation.scores.axes import (
    looks_nested,
    people,
    resampled_subjects,
    why_not_crossed,
)
from fuzzytruth.evaluation.scores.query_groups import IMAGE
from fuzzytruth.evaluation.scores.score_arrays import ScoreArrays
from fuzzytruth.evaluation.scores.score_frame import mean_table
from fuzzytruth.evaluation.scores.score_rows import ScoreRows, best_first, beyond_range, score_rows
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.answer import Column, Printed, Sentences, Table
from fuzzytruth.show.latex import PaperTable, Raw
from fuzzytruth.show.number_text import between_text

MOST_SYSTEMS = 20
MOST_MEASURES = 6
#: values of a world, in words
OF_WORLDS = {
    "independent": "worlds (possible truths) in which each item takes one of its votes at random",
    "population": "worlds in which the subjects are resampled",
    "subject": "truths in which missing judgments are drawn from the other subjects'",
}


def scores_answer(scores: ScoreArrays) -> Printed:
    """What `print` shows."""
    rows = score_rows(scores)
    order = None
    if len(rows.labels) > MOST_SYSTEMS:
        order = best_first(rows.values[:, 0], higher_is_better=scores.higher_is_better[0])
        order = order[:MOST_SYSTEMS]
    return Printed.of(
        title_of(scores),
        scores_table(rows, order, MOST_MEASURES),
        Sentences.of(*legend(scores, rows), _left_out(scores)),
        Sentences.of(_more(scores)),
    )


def title_of(scores: ScoreArrays) -> str:
    """Counts of what the scores are of."""
    parts = [counted(len(scores.systems), "system"), counted(len(scores.queries), "query")]
    if scores.subjects is not None:
        parts.append(counted(people(scores), "subject"))
    return f"Scores of {', '.join(parts)}: {first_few(scores.measures, MOST_MEASURES)}"


def scores_table(
    rows: ScoreRows, order: Ints | None = None, n_measures: int | None = None, *, title: str = ""
) -> Table:
    """Rows as a table: all, or some in the order given; the first measures, or all."""
    order = np.arange(len(rows.labels)) if order is None else order
    cells = rows.cells()
    columns = [
        Column.label(name, (rows.labels[j][place] for j in order))
        for place, name in enumerate(rows.names)
    ]
    for m, measure in enumerate(rows.measures[:n_measures]):
        bold = tuple(rows.best[order, m].tolist())
        columns.append(Column(measure, tuple(cells[j][m] for j in order), bold=bold))
    return Table(tuple(columns), title)


def legend(scores: ScoreArrays, rows: ScoreRows) -> list[str]:
    """What values and brackets are."""
    alone = len(scores.queries) < 2 and not rows.brackets
    beyond = beyond_range(rows)
    return [
        f"Brackets: {rows.brackets}." if rows.brackets else "",
        f"{rows.few}." if rows.few else "",
        f"{beyond}." if beyond else "",
        "One query: how means vary over queries is not known." if alone else "",
        values_line(scores),
        missing_line(scores),
        direction_line(scores),
    ]


def missing_line(scores: ScoreArrays) -> str:
    """What means are over if values are missing, so that they may be of other queries."""
    nan = np.isnan(scores.values)
    if IMAGE in scores.query_attributes:  # a measure of one direction has no value in the other
        nan &= ~nan.all(axis=0)
    missing = int(nan.sum())
    if not missing:
        return ""
    return (
        f"{counted(missing, 'value is', 'values are')} missing: each mean is over the values that "
        "the system has."
    )


def values_line(scores: ScoreArrays) -> str:
    """What the values are over subjects or worlds."""
    spread = scores.uncertainty
    if scores.subjects is not None:
        of = counted(people(scores), "subject")
        line = f"Each query's value is the mean over the truths of {of} (those who judged it)"
        return f"{line}{unjudged_text(scores)}."
    if spread is None:
        return ""
    return f"Values are expected over {OF_WORLDS[spread.worlds]}."


def unjudged_text(scores: ScoreArrays) -> str:
    """That missing judgments count as not relevant, ready to follow; "" where they do not."""
    made = scores.provenance
    if made is None or made.missing != "nonrelevant":
        return ""
    number = "" if made.n_missing is None else f" ({made.n_missing:,})"
    return f"; items that a subject left unjudged{number} count as not relevant"


def direction_line(scores: ScoreArrays) -> str:
    """Measures of which less is better."""
    lower = [m for m, up in zip(scores.measures, scores.higher_is_better, strict=True) if not up]
    return f"Lower is better for {', '.join(lower)}." if lower else ""


def _left_out(scores: ScoreArrays) -> str:
    """Systems and measures that are not shown."""
    parts = []
    if len(scores.systems) > MOST_SYSTEMS:
        parts.append(
            f"the best {MOST_SYSTEMS} of {len(scores.systems):,} systems by {scores.measures[0]}"
        )
    if len(scores.measures) > MOST_MEASURES:
        parts.append(f"{MOST_MEASURES} of {len(scores.measures):,} measures")
    return f"Shown: {' and '.join(parts)}; all: .summary()." if parts else ""


def _more(scores: ScoreArrays) -> str:
    """Where the rest is."""
    verbs = [".to_frame()", ".summary(over=...)"]
    if scores.subjects is not None and scores.design == "crossed":
        verbs.append(".mean(by='subject')")
    if len(scores.systems) > 1:
        verbs.append("fuzzytruth.compare")
    more = f"More: {', '.join(verbs)}"
    names = ", ".join(name for name in scores.query_attributes if name != IMAGE)
    if names:
        more += f". Queries that share {names} may vary together: .summary(clusters=...)"
    return more


# Scores as tables of papers, in LaTeX and in Markdown.


_MATH = {"-": "$-$", "inf": r"$\infty$", "-inf": r"$-\infty$", "–": "--"}
_SIGNS = re.compile("-?inf|[-–]")


def _paper_table(rows: ScoreRows, caption: str, digits: int | None, bold: bool) -> PaperTable:
    cells, best = rows.cells(digits), rows.best if bold else None
    return PaperTable(rows.names, rows.labels, rows.measures, cells, caption, best)


def rows_to_latex(
    rows: ScoreRows, *, caption: str, label: str, digits: int | None = None, bold: bool = True
) -> str:
    """Rows as a table float, the best of each column in bold."""
    table = _paper_table(rows, caption, digits, bold)
    return table.latex(label, lambda cell: Raw(_latex(cell)), align="r")


def _latex(cell: str) -> str:
    r"""LaTeX of a number and its interval.

    Examples
    --------
    >>> _latex("0.25 [-0.50, inf]"), _latex("–")
    ('0.25 [$-$0.50, $\\infty$]', '--')
    """
    return _SIGNS.sub(lambda found: _MATH[found[0]], cell)


def rows_to_markdown(
    rows: ScoreRows, *, caption: str, digits: int | None = None, bold: bool = True
) -> str:
    """Rows as a Markdown table, and its caption below."""
    table = _paper_table(rows, caption, digits, bold)
    return table.markdown(lambda cell: cell.replace("[", r"\["), right=True)


def caption_of(scores: ScoreArrays, rows: ScoreRows, *, bold: bool = True) -> str:
    """What the numbers, the brackets and the bold cells are."""
    per_query, beyond = "query" in rows.names, beyond_range(rows)
    parts = [
        "Values of each query."
        if per_query
        else f"Means over {counted(len(scores.queries), 'query')}.",
        "" if per_query or "subject" in rows.names else values_line(scores),
        "By whose judgments are the ground truth." if "subject" in rows.names else "",
        f"In brackets: {rows.brackets}." if rows.brackets else "",
        f"{rows.few}." if rows.few else "",
        f"{beyond}." if beyond else "",
        "" if per_query else missing_line(scores),
        direction_line(scores),
        "Bold: the best system." if bold else "",
    ]
    return " ".join(part for part in parts if part)


# What scores can answer.


def answers_of(scores: ScoreArrays) -> tuple[str, ...]:
    """See `Scores.answers`."""
    spread = scores.uncertainty if scores.subjects is None else None
    has_subjects, nested = scores.subjects is not None, scores.design == "nested"
    over_subjects = has_subjects and (nested or not looks_nested(scores))
    joint = spread is None or spread.has_means
    over_worlds = spread is not None and joint
    can = {
        "mean": True,
        "mean by subject": has_subjects and not nested,
        "summary over query": True,
        "summary over subject": over_subjects,
        "summary over query and subject": over_subjects,
        "summary over world": over_worlds,
        "summary over query and world": over_worlds and why_not_crossed(scores) is None,
        "distribution": _single_queries(scores),
        "mean_distribution": joint and not (has_subjects and nested),
        "bounds": scores.lower is not None,
    }
    return tuple(name for name, answered in can.items() if answered)


def _single_queries(scores: ScoreArrays) -> bool:
    """Whether every score of a single query has a distribution."""
    spread = scores.uncertainty
    if spread is None or scores.subjects is not None or spread.has_kept:
        return True
    return spread.sources is not None and spread.sources.complete


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
