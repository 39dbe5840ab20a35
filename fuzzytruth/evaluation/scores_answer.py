"""What is printed of scores: means with intervals, and what they rest on."""

from __future__ import annotations

import re

import numpy as np

from fuzzytruth._typing import Bools, Ints
from fuzzytruth.errors import counted, first_few
from fuzzytruth.evaluation.axes import looks_nested, people, why_not_crossed
from fuzzytruth.evaluation.query_attributes import IMAGE
from fuzzytruth.evaluation.score_arrays import ScoreArrays
from fuzzytruth.evaluation.score_rows import ScoreRows, best_first, beyond_range, score_rows
from fuzzytruth.show import markdown
from fuzzytruth.show.answer import Column, Printed, Sentences, Table

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


def rows_to_latex(
    rows: ScoreRows, *, caption: str, label: str, digits: int | None = None, bold: bool = True
) -> str:
    """Rows as a table float, the best of each column in bold."""
    import pandas as pd

    from fuzzytruth.show.latex import Raw, latex_table

    cells = [
        [*names, *(Raw(_latex(cell)) for cell in row)]
        for names, row in zip(rows.labels, rows.cells(digits), strict=True)
    ]
    return latex_table(
        pd.DataFrame(cells, columns=[*rows.names, *rows.measures]),
        caption=caption,
        label=label,
        align="l" * len(rows.names) + "r" * len(rows.measures),
        bold=_best(rows) if bold else None,
        index=False,
    )


def _best(rows: ScoreRows) -> Bools:
    """Which cells are bold: (rows, labels and measures)."""
    return np.pad(rows.best, ((0, 0), (len(rows.names), 0)))


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
    n_labels = len(rows.names)
    cells = [
        [*map(markdown.escape, label), *(cell.replace("[", r"\[") for cell in row)]
        for label, row in zip(rows.labels, rows.cells(digits), strict=True)
    ]
    text = markdown.table(
        [*rows.names, *map(markdown.escape, rows.measures)],
        cells,
        bold=_best(rows) if bold else None,
        right=[False] * n_labels + [True] * len(rows.measures),
    )
    return f"{text}\n{markdown.escape(caption)}\n"


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
