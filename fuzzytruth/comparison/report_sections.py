"""Sections of a report that are about a comparison and its scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.comparison.answer import difference_tables, legend, row_verdicts, subject_table
from fuzzytruth.comparison.by_subject import SubjectComparisons, each_subject
from fuzzytruth.comparison.compared import Compared
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.report_figures import (
    best_two_figure,
    difference_figure,
    drawn,
    left_out,
    subjects_figure,
)
from fuzzytruth.comparison.report_parts import report_table
from fuzzytruth.errors import counted
from fuzzytruth.evaluation.score_rows import best_systems
from fuzzytruth.evaluation.scores_answer import values_line
from fuzzytruth.io.number_text import digits_for, number_text
from fuzzytruth.report import Column, Figure, Section, Table, Text

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores

MOST_SENTENCES = 30
MOST_CELLS = 60_000  # of all tables of queries together
MOST_SUBJECTS = 50  # by each of whom systems are compared
MOST_SUBJECT_ROWS = 600


def figures_section(result: Compared) -> Section:
    """Differences with their intervals, a figure a measure."""
    conditions = result.conditions
    measures, systems = conditions.measures, conditions.systems
    figures = [
        difference_figure(result, number, pairs_caption(conditions, measures[number]))
        for number in drawn(measures, systems)
    ]
    return Section.of("differences", "Differences", *figures, notes(left_out(measures, systems)))


def pairs_caption(conditions: Conditions, measure: str) -> str:
    """Caption of the table of differences by one measure."""
    if len(conditions.baselines) == 1:
        return f"Differences of {measure} from {conditions.baselines[0]}"
    return f"Differences of {measure}"


def pairs_section(result: Compared) -> Section:
    """Every pair: sentences if they are few, and tables."""
    conditions = result.conditions
    sentences = Text(())
    if len(result.table) <= MOST_SENTENCES:
        sentences = Text(tuple(one.sentence for one in row_verdicts(result)), "list")
    tables = [
        report_table(table, pairs_caption(conditions, measure))
        for measure, table in zip(conditions.measures, difference_tables(result), strict=True)
    ]
    return Section.of("pairs", "Pairs of systems", sentences, *tables, notes(*legend(result).lines))


def queries_section(scores: Scores) -> Section:
    """Values of every query, systems side by side: a table a measure."""
    means = scores.cells.mean_by_query(scores.values)  # (systems, measures, queries)
    if means.size > MOST_CELLS:
        text = (
            f"{counted(means.size, 'value')} of {counted(len(scores.queries), 'query')} are too "
            "many for a page; .scores.to_frame() and fuzzytruth evaluate --per-query give them."
        )
        return Section.of("queries", "Queries", Text.of(text))
    best = best_systems(means.swapaxes(1, 2), scores.higher_is_better)  # measures last
    bold = "Bold: the best of a query." if len(scores.systems) > 1 else ""
    parts: list[Figure | Table | None] = []
    for m, measure in enumerate(scores.measures):
        caption = f"{measure} of each query"
        rows = ("query", scores.queries)
        if m in drawn(scores.measures, scores.systems):
            parts.append(best_two_figure(scores, m, caption))
        parts.append(side_by_side(caption, rows, scores.systems, means[:, m], best[..., m]))
    return Section.of("queries", "Queries", *parts, notes(values_line(scores), bold))


def side_by_side(
    caption: str,
    rows: tuple[str, tuple[str, ...]],
    systems: tuple[str, ...],
    values: Floats,
    best: Bools,
) -> Table:
    """A column a system: values (systems, rows), with what names the rows."""
    digits = digits_for(values.ravel().tolist(), 4)
    best = best & ~best.all(axis=0)  # where all are alike, none stands out
    columns = (
        Column(name, tuple(number_text(one, digits) for one in row), True, tuple(bold.tolist()))
        for name, row, bold in zip(systems, values, best, strict=True)
    )
    return Table(caption, (Column(*rows), *columns))


def subjects_section(
    result: Compared, scores: Scores, each: SubjectComparisons | None = None
) -> Section:
    """What single subjects' judgments say: means, and the comparison by each of them alone."""
    name, heading = "subjects", "Sensitivity to subjects"
    subjects = scores.subjects
    if subjects is None or scores.design != "crossed":
        return Section.of(name, heading)
    if len(subjects) > MOST_SUBJECTS:
        many = f"{counted(len(subjects), 'subject')} are too many to show each of them."
        return Section.of(name, heading, Text.of(many))
    each = each_subject(result) if each is None else each
    parts = [] if each is None else _alone(each)
    note = notes(
        "Means are over the queries that a subject judged. Bold: the best by a subject.",
        "Comparisons are not adjusted for the number of subjects.",
    )
    return Section.of(name, heading, *parts[:-1], *_by_subject(scores), *parts[-1:], note)


def _alone(each: SubjectComparisons) -> list[Figure | Table | None]:
    """Figures of the comparison by each subject alone, and its table."""
    table = subject_table(each, MOST_SUBJECT_ROWS)
    shown, conditions = report_table(table, table.title.rstrip(":")), each.conditions
    figures = (
        subjects_figure(each, number, shown.caption)
        for number in drawn(conditions.measures, conditions.systems)
    )
    return [*figures, shown]


def _by_subject(scores: Scores) -> list[Table]:
    """Means by each subject's judgments, a table a measure."""
    means = scores.cells.mean_by_subject(scores.values)  # (systems, measures, subjects)
    best = best_systems(means.swapaxes(1, 2), scores.higher_is_better)
    rows = ("subject", scores.subjects or ())
    return [
        side_by_side(
            f"{measure} by each subject's judgments",
            rows,
            scores.systems,
            means[:, m],
            best[..., m],
        )
        for m, measure in enumerate(scores.measures)
    ]


def notes(*lines: str) -> Text:
    """What numbers are, below them."""
    return Text.of(*lines, kind="note")
