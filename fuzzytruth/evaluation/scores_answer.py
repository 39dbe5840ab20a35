"""What is printed of scores: means with intervals, and what they rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.errors import counted, first_few
from fuzzytruth.evaluation.axes import people
from fuzzytruth.evaluation.beyond_range import beyond_range
from fuzzytruth.evaluation.query_attributes import IMAGE
from fuzzytruth.evaluation.score_rows import ScoreRows, best_first, score_rows
from fuzzytruth.io.answer import Column, Printed, Sentences, Table

if TYPE_CHECKING:
    from fuzzytruth.evaluation.score_arrays import ScoreArrays

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
