"""Comparisons as text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fuzzytruth.cli.messages import as_typed
from fuzzytruth.cli.options import TableFormat
from fuzzytruth.cli.output import emit_printed, emit_text
from fuzzytruth.cli.paper_options import PaperStyle
from fuzzytruth.cli.tables import records_text

if TYPE_CHECKING:
    from fuzzytruth.comparison.paper import What
    from fuzzytruth.comparison.result import Comparison
    from fuzzytruth.io.answer import Printed

MOST_SENTENCES = 15
MOST_ROWS_BY_SUBJECT = 30


def show_comparison(
    result: Comparison,
    *,
    output_format: TableFormat,
    output: Path | None,
    what: What = "means",
    style: PaperStyle | None = None,
) -> None:
    """Print a comparison, or write it to a file."""
    style = style or PaperStyle()
    if output_format == "table":
        emit_printed(printed_comparison(result), output)
        return
    digits = 4 if style.digits is None else style.digits
    if output_format == "latex":
        label = style.label or "tab:comparison"
        text = result.to_latex(
            what, digits=digits, caption=style.caption, label=label, bold=style.bold
        )
    elif output_format == "markdown":
        text = result.to_markdown(what, digits=digits, caption=style.caption, bold=style.bold)
    else:
        text = records_text(result.table, output_format)
    emit_text(text, output)


def printed_comparison(result: Comparison) -> Printed:
    """Verdicts, differences, means with letters, each subject alone, and the assumptions."""
    from fuzzytruth.comparison import answer
    from fuzzytruth.comparison.by_subject import each_subject
    from fuzzytruth.io.answer import Printed, Sentences

    each = each_subject(result)
    return Printed.of(
        answer.title_of(result),
        answer.verdict_lines(result, MOST_SENTENCES),
        *answer.difference_tables(result),
        Sentences.of(*answer.legend(result).lines, answer.detectable(result)),
        answer.means_table(result),
        None if each is None else answer.subject_table(each, MOST_ROWS_BY_SUBJECT),
        Sentences.of(*as_typed(result.assumptions).split("\n")),
    )
