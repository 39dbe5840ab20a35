"""Scores as text.

The plain table avoids pandas, whose import would take longer than everything else.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth.cli.output import emit_printed, emit_text
from fuzzytruth.cli.output_options import TableFormat
from fuzzytruth.cli.paper_options import PaperStyle
from fuzzytruth.cli.progress import working
from fuzzytruth.cli.tables import records_text
from fuzzytruth.io.answer import Printed, Sentences

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.evaluation.score_rows import ScoreRows
    from fuzzytruth.evaluation.scores import Scores
    from fuzzytruth.io.answer import Table

MOST_BY_SUBJECT = 40  # rows


def show_scores(
    scores: Scores,
    *,
    output_format: TableFormat,
    output: Path | None,
    per_query: bool = False,
    per_subject: bool = True,
    over: list[str] | None = None,
    style: PaperStyle | None = None,
) -> None:
    """Print scores, or write them to a file."""
    from fuzzytruth.evaluation.score_rows import score_rows
    from fuzzytruth.evaluation.scores_paper import caption_of, rows_to_latex, rows_to_markdown

    style = style or PaperStyle()
    apart = per_subject and scores.subjects is not None
    if output_format == "table":
        with working("summarising"):
            printed = printed_scores(scores, per_query=per_query, apart=apart, over=over)
        emit_printed(printed, output)
        return
    if output_format in ("csv", "json"):
        rows = score_rows(
            scores, per_query=per_query, per_subject=apart and over is None, over=over
        )
        frame = scores.to_frame() if per_query and per_subject else frame_of(rows)
        emit_text(records_text(frame, output_format), output)
        return
    rows = score_rows(scores, per_query=per_query, per_subject=per_query and apart, over=over)
    caption = style.caption
    if caption is None:
        caption = caption_of(scores, rows, bold=style.bold)
    if output_format == "markdown":
        text = rows_to_markdown(rows, caption=caption, digits=style.digits, bold=style.bold)
    else:
        label = style.label or "tab:scores"
        text = rows_to_latex(
            rows, caption=caption, label=label, digits=style.digits, bold=style.bold
        )
    emit_text(text, output)


def printed_scores(
    scores: Scores, *, per_query: bool, apart: bool, over: list[str] | None
) -> Printed:
    """Means with intervals, then those by each subject; or the values of every query."""
    from fuzzytruth.evaluation.score_rows import score_rows
    from fuzzytruth.evaluation.scores_answer import direction_line, legend, scores_table

    if per_query:
        rows = score_rows(scores, per_query=True, per_subject=apart)
        brackets = f"Brackets: {rows.brackets}." if rows.brackets else ""
        lines = Sentences.of(brackets, direction_line(scores))
        return Printed.of("", scores_table(rows), lines)
    rows = score_rows(scores, over=over)
    alone = None
    if apart and scores.design == "crossed":
        by_subject = score_rows(scores, per_subject=True)
        alone = _by_subject_table(by_subject, as_csv=over is None)
    return Printed.of("", scores_table(rows), Sentences.of(*legend(scores, rows)), alone)


def _by_subject_table(rows: ScoreRows, *, as_csv: bool) -> Table:
    """Means of each system by each subject; of many, the first."""
    from fuzzytruth.evaluation.scores_answer import scores_table

    title = "Means by whose judgments are the ground truth"
    n = len(rows.labels)
    if n <= MOST_BY_SUBJECT:
        return scores_table(rows, title=f"{title}:")
    rest = "--format csv, or -o FILE.csv" + ("" if as_csv else ", without --over")
    title += f", the first {MOST_BY_SUBJECT} of {n:,} rows; all: {rest}"
    return scores_table(rows, np.arange(MOST_BY_SUBJECT), title=title)


def frame_of(rows: ScoreRows) -> pd.DataFrame:
    """One row per number: system, [query,] [subject,] measure, value[, lower, upper]."""
    import pandas as pd

    labels = [(*names, measure) for names in rows.labels for measure in rows.measures]
    frame = pd.DataFrame(labels, columns=[*rows.names, "measure"])
    frame = frame.assign(value=rows.values.ravel())
    if rows.lower is not None and rows.upper is not None:
        frame = frame.assign(lower=rows.lower.ravel(), upper=rows.upper.ravel())
    return frame
