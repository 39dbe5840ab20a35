"""Sections of a report that are about a comparison and its scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.comparison.answer import difference_tables, legend, row_verdicts, subject_table
from fuzzytruth.comparison.compared import Compared
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.difference_columns import intervals_text
from fuzzytruth.comparison.report_parts import report_figure, report_table
from fuzzytruth.errors import counted
from fuzzytruth.evaluation.score_rows import best_systems
from fuzzytruth.evaluation.scores_answer import values_line
from fuzzytruth.io.number_text import digits_for, number_text
from fuzzytruth.plots import forest
from fuzzytruth.report import Column, Figure, Section, Table, Text

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores

MOST_PAIRS = 60  # in one forest plot
MOST_FIGURES = 6  # of measures
MOST_SENTENCES = 30
MOST_CELLS = 60_000  # of all tables of queries together
MOST_SUBJECTS = 50  # by each of whom systems are compared
MOST_SUBJECT_ROWS = 600


def figures_section(result: Compared) -> Section:
    """Differences with their intervals, a figure a measure."""
    measures = result.conditions.measures
    n_pairs = len(result.table) // len(measures)
    if n_pairs > MOST_PAIRS:
        text = Text.of(f"{counted(n_pairs, 'pair')} are too many for one figure: see the tables.")
        return Section.of("differences", "Differences", text)
    figures = [_forest(result, measure, j) for j, measure in enumerate(measures[:MOST_FIGURES])]
    left_out = len(measures) - len(figures)
    more = f"{counted(left_out, 'more measure')}: see the tables." if left_out else ""
    return Section.of("differences", "Differences", *figures, Text.of(more, kind="note"))


def _forest(result: Compared, measure: str, number: int) -> Figure:
    """The forest plot of one measure."""
    conditions = result.conditions
    table = result.table[result.table["measure"] == measure]
    title = (
        f"Differences of {measure} over {conditions.random}, with {intervals_text(conditions)}; "
        "filled markers are significant."
    )
    found = int(table["significant"].sum())
    return report_figure(
        lambda: forest(table, measure=measure),
        name=f"forest-{number}",
        title=title,
        description=f"{counted(len(table), 'difference')}, one a row, {found:,} of them "
        f"significant. The table “{pairs_caption(conditions, measure)}” has the numbers.",
        table=pairs_caption(conditions, measure),
    )


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
    tables = [
        side_by_side(
            f"{measure} of each query",
            ("query", scores.queries),
            scores.systems,
            means[:, m],
            best[..., m],
        )
        for m, measure in enumerate(scores.measures)
    ]
    return Section.of(
        "queries", "Queries", *tables, notes(values_line(scores), "Bold: the best of a query.")
    )


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


def subjects_section(result: Compared, scores: Scores) -> Section:
    """What single subjects' judgments say: means, and the comparison by each of them alone."""
    subjects = scores.subjects
    if subjects is None or scores.design != "crossed":
        return Section.of("subjects", "Subjects")
    if len(subjects) > MOST_SUBJECTS:
        many = f"{counted(len(subjects), 'subject')} are too many to show each of them."
        return Section.of("subjects", "Sensitivity to subjects", Text.of(many))
    means = scores.cells.mean_by_subject(scores.values)  # (systems, measures, subjects)
    best = best_systems(means.swapaxes(1, 2), scores.higher_is_better)
    tables = [
        side_by_side(
            f"{measure} by each subject's judgments",
            ("subject", subjects),
            scores.systems,
            means[:, m],
            best[..., m],
        )
        for m, measure in enumerate(scores.measures)
    ]
    each = subject_table(result, MOST_SUBJECT_ROWS)
    if each is not None:
        tables.append(report_table(each, each.title.rstrip(":")))
    note = notes(
        "Means are over the queries that a subject judged. Bold: the best by a subject.",
        "Comparisons are not adjusted for the number of subjects.",
    )
    return Section.of("subjects", "Sensitivity to subjects", *tables, note)


def notes(*lines: str) -> Text:
    """What numbers are, below them."""
    return Text.of(*lines, kind="note")
