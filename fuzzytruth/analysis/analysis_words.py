"""What is printed of an analysis: one screen."""

from __future__ import annotations

from collections.abc import Sequence

from fuzzytruth.analysis.analysed import Analysed
from fuzzytruth.analysis.analysis_table import MOST_LETTERS, best_of, columns_of
from fuzzytruth.analysis.analysis_winner import winner
from fuzzytruth.comparison.answer import count_line, verdict_lines
from fuzzytruth.comparison.assumptions import procedure, shared_lines
from fuzzytruth.comparison.by_subject import SubjectComparisons
from fuzzytruth.comparison.report_parts import LETTER
from fuzzytruth.errors import counted, first_few
from fuzzytruth.evaluation.measure_names import measures_in_words
from fuzzytruth.evaluation.score_rows import best_first
from fuzzytruth.evaluation.scores_answer import direction_line, values_line
from fuzzytruth.io.answer import Column, Printed, Sentences, Table, first_rows
from fuzzytruth.io.number_text import level_text

MOST_MEASURES = 3
MOST_SYSTEMS = 12
MOST_NOTES = 5
MOST_SENTENCES = 3
_LABELS = ("", "system", "beats", "both")


def printed(result: Analysed) -> Printed:
    """What `print` shows of an analysis."""
    scores = result.scores
    notes = result.data.notes
    more = len(notes) - MOST_NOTES
    shown = scores.measures[:MOST_MEASURES]
    left = [
        f"{MOST_MEASURES} of {len(scores.measures)} measures"
        if len(shown) < len(scores.measures)
        else "",
        f"the best {MOST_SYSTEMS} of {len(scores.systems)} systems"
        if len(scores.systems) > MOST_SYSTEMS
        else "",
    ]
    cut = " and ".join(filter(None, left))
    return Printed.of(
        f"Analysis of {counted(len(scores.systems), 'system')} by "
        f"{measures_in_words(scores.measures)}",
        Sentences.of(winner(result)),
        Sentences.of(
            result.data.title,
            *(f"- {note}" for note in notes[:MOST_NOTES]),
            f"- and {counted(more, 'more note')}: .data" if more > 0 else "",
        ),
        verdicts(result),
        *(table_of_measure(result, measure) for measure in shown),
        Sentences.of(*legend(result), f"Shown: {cut}; all: .to_frame()." if cut else ""),
        Sentences.of(
            "More: .data, .scores, .comparison, .both, .by_subject, .stability, "
            '.to_frame(full=True), .report("report.html")'
        ),
    )


def verdicts(analysis: Analysed) -> Sentences | None:
    """Verdicts over queries, and how many hold over queries and subjects."""
    comparison, both = analysis.comparison, analysis.both
    if comparison is None:
        return None
    lines = list(verdict_lines(comparison, MOST_SENTENCES).lines)
    if both is not None and len(comparison.table) > MOST_SENTENCES:
        of_measures = both.table.groupby("measure", sort=False)
        lines += [count_line(table, both.conditions) for _, table in of_measures]
    if analysis.by_subject is not None:
        lines += _by_subject(analysis.by_subject, comparison.conditions.measures)
    return Sentences(tuple(lines))


def _by_subject(each: SubjectComparisons, measures: tuple[str, ...]) -> list[str]:
    """How many differences are significant by each subject alone, in a line a measure."""
    out = []
    for measure in measures:
        table = each.table[each.table["measure"] == measure]
        counts = table.groupby("subject", sort=False)["significant"].sum()
        named = first_few((f"{count:,} ({name})" for name, count in counts.items()), 10)
        total = len(table) // max(len(each.subjects), 1)
        out.append(
            f"{measure}: significant by one subject's judgments alone, of {total:,}: {named}"
        )
    return out


def table_of_measure(analysis: Analysed, measure: str, limit: int | None = MOST_SYSTEMS) -> Table:
    """A row a system, the best first; of many, the first `limit`."""
    cells, best = columns_of(analysis, measure), best_of(analysis, measure)
    m = analysis.rows.measures.index(measure)
    up = analysis.scores.higher_is_better[m]
    order = best_first(analysis.rows.values[:, m], higher_is_better=up).tolist()
    columns = []
    for name, texts in cells.items():
        kind = "label" if name in _LABELS else "number"
        bold = tuple(best[order].tolist()) if name == "mean" else ()
        chosen = (texts[j] for j in order)
        one = Column.label(name, chosen) if kind == "label" else Column(name, tuple(chosen), kind)
        columns.append(Column(one.heading, one.cells, one.kind, bold))
    kept, _ = first_rows(columns, limit or len(order))
    return Table(kept, measure if len(analysis.scores.measures) > 1 else "")


def legend(analysis: Analysed) -> list[str]:
    """What the columns are of."""
    scores, rows = analysis.scores, analysis.rows
    level = level_text(analysis.level)
    out = [f"Brackets: {rows.brackets}." if rows.brackets else "", values_line(scores)]
    if scores.lower is not None:
        out.append("They are no confidence intervals; beats and ranks rest on the means.")
    elif len(scores.queries) < 2:
        out.append("One query: how means vary over queries is not known.")
    comparison, both = analysis.comparison, analysis.both
    if comparison is not None:
        what = "number" if len(scores.systems) > MOST_LETTERS else "letters"
        conditions = comparison.conditions
        pairs = f" Only pairs with {' or '.join(conditions.baselines)} were compared."
        out += shared_lines(conditions)
        out.append(
            f"beats: {what} of the systems significantly worse over {conditions.random}, by "
            f"{procedure(conditions)}, level {conditions.level:g}."
            + (pairs if conditions.baselines else "")
        )
    if both is not None:
        out.append(
            f"both: the same over {both.conditions.random}, by {procedure(both.conditions)}."
        )
    if comparison is not None and analysis.stability is not None:
        of = ", from comparisons of all pairs" if comparison.conditions.baselines else ""
        over = comparison.conditions.random
        out.append(f"ranks: simultaneous {level} confidence sets over {over}{of}.")
    out.append(direction_line(scores))
    return [line for line in out if line]


def verdict_columns(analysis: Analysed, headings: Sequence[str]) -> list[str]:
    """What the columns of a table on a page are that hold letters, or numbers in their place."""
    has_letters = LETTER in headings
    naming = " and ".join(name for name in ("beats", "both") if name in headings)
    out = [f"{LETTER}: stands for the system under {naming}."] if has_letters and naming else []
    refers = "the systems" if has_letters else "how many systems are"
    for name, found in (("beats", analysis.comparison), ("both", analysis.both)):
        if name in headings and found is not None:
            out.append(f"{name}: {refers} significantly worse over {found.conditions.random}.")
    return out
