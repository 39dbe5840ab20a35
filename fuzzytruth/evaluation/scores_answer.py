"""What is printed of scores: means with intervals, and what they rest on."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.errors import FuzzytruthWarning, counted, first_few
from fuzzytruth.evaluation.score_means import mean_table
from fuzzytruth.evaluation.score_rows import best_systems
from fuzzytruth.io.answer import Column, Printed, Sentences, Table
from fuzzytruth.io.number_text import digits_for, with_interval

if TYPE_CHECKING:
    from fuzzytruth.evaluation.score_arrays import ScoreArrays
    from fuzzytruth.evaluation.scores import Scores

MOST_SYSTEMS = 20
MOST_MEASURES = 6
#: values of a world, in words
OF_WORLDS = {
    "independent": "worlds in which each item draws its truth from its votes",
    "population": "worlds in which the subjects are resampled",
    "subject": "truths in which missing judgments are drawn from the other subjects'",
}


def scores_answer(scores: Scores) -> Printed:
    """What `print` shows."""
    shown = measures_shown(scores)
    means = mean_table(scores, None, None).to_numpy()  # (systems, measures)
    order = best_first(scores, means)[:MOST_SYSTEMS]
    lower, upper, kind = brackets(scores)
    return Printed.of(
        title_of(scores),
        mean_columns(scores, means, lower, upper, order, shown),
        Sentences.of(
            kind,
            values_line(scores),
            direction_line(scores),
            _left_out(scores, shown),
        ),
        Sentences.of(_more(scores)),
    )


def title_of(scores: ScoreArrays) -> str:
    """Counts of what the scores are of."""
    parts = [counted(len(scores.systems), "system"), counted(len(scores.queries), "query")]
    if scores.subjects is not None:
        parts.append(counted(len(scores.subjects), "subject"))
    return f"Scores of {', '.join(parts)}: {first_few(scores.measures, MOST_MEASURES)}"


def measures_shown(scores: ScoreArrays) -> int:
    """How many measures are shown."""
    return min(len(scores.measures), MOST_MEASURES)


def best_first(scores: ScoreArrays, means: Floats) -> Ints:
    """Places of the systems, in their order; the best by the first measure first if many."""
    if len(scores.systems) <= MOST_SYSTEMS:
        return np.arange(len(scores.systems))
    sign = -1 if scores.higher_is_better[0] else 1
    return np.argsort(sign * np.nan_to_num(means[:, 0], nan=-sign * np.inf), kind="stable")


def brackets(scores: Scores) -> tuple[Floats | None, Floats | None, str]:
    """Ends of what is in brackets, (systems, measures) each, and what it is."""
    if scores.lower is not None and scores.upper is not None:
        lower, upper = (
            np.nanmean(scores.cells.mean_by_query(ends), axis=-1)
            for ends in (scores.lower, scores.upper)
        )
        return (
            lower,
            upper,
            "Brackets: the lowest and highest mean that judging the unjudged gives.",
        )
    if len(scores.queries) < 2:
        return None, None, "One query: how means vary over queries is not known."
    with warnings.catch_warnings():  # infinite intervals are there to be seen
        warnings.simplefilter("ignore", FuzzytruthWarning)
        table = scores.summary()
    shape = (len(scores.systems), len(scores.measures))
    lower, upper = (table[end].to_numpy().reshape(shape) for end in ("lower", "upper"))
    return lower, upper, f"Brackets: 95 % t intervals over queries{_fixed(scores)}."


def _fixed(scores: ScoreArrays) -> str:
    """What is not random."""
    if scores.subjects is None:
        return ", the ground truth being fixed"
    return "" if scores.design == "nested" else ", the subjects being fixed"


def mean_columns(
    scores: ScoreArrays,
    means: Floats,
    lower: Floats | None,
    upper: Floats | None,
    order: Ints,
    shown: int,
) -> Table:
    """A row a system, a column a measure."""
    best = best_systems(means[:, None], scores.higher_is_better)[:, 0]  # (systems, measures)
    columns = [Column.label("system", (scores.systems[s] for s in order))]
    for m, measure in enumerate(scores.measures[:shown]):
        digits = digits_for(means[:, m].tolist(), 4 if lower is None else 3)
        low, high = (
            np.full(len(means), np.nan) if ends is None else ends[:, m] for ends in (lower, upper)
        )
        cells = (with_interval(means[s, m], low[s], high[s], digits) for s in order)
        bold = tuple(best[order, m].tolist())
        columns.append(Column(measure, tuple(cells), bold=bold))
    return Table(tuple(columns))


def values_line(scores: ScoreArrays) -> str:
    """What the values are over subjects or worlds."""
    spread = scores.uncertainty
    if scores.subjects is not None:
        of = counted(len(scores.subjects), "subject")
        return f"Means over queries, and for each query over the {of} as its ground truth."
    if spread is None:
        return ""
    worlds = OF_WORLDS[spread.worlds]
    return f"Expected values over {worlds}; their intervals: summary(over='world')."


def direction_line(scores: ScoreArrays) -> str:
    """Measures of which less is better."""
    lower = [m for m, up in zip(scores.measures, scores.higher_is_better, strict=True) if not up]
    return f"Lower is better for {', '.join(lower)}." if lower else ""


def _left_out(scores: ScoreArrays, shown: int) -> str:
    """Systems and measures that are not shown."""
    parts = []
    if len(scores.systems) > MOST_SYSTEMS:
        parts.append(
            f"the best {MOST_SYSTEMS} of {len(scores.systems):,} systems by {scores.measures[0]}"
        )
    if shown < len(scores.measures):
        parts.append(f"{shown} of {len(scores.measures):,} measures")
    return f"Shown: {' and '.join(parts)}; all: .summary()." if parts else ""


def _more(scores: ScoreArrays) -> str:
    """Where the rest is."""
    verbs = [".to_frame()", ".summary(over=...)"]
    if scores.subjects is not None and scores.design == "crossed":
        verbs.append(".mean(by='subject')")
    if len(scores.systems) > 1:
        verbs.append("fuzzytruth.compare")
    more = f"More: {', '.join(verbs)}"
    if scores.query_attributes:
        names = ", ".join(scores.query_attributes)
        more += f". Queries that share {names} may vary together: .summary(clusters=...)"
    return more
