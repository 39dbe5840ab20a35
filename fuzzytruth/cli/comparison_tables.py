"""Comparisons as text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fuzzytruth.cli.messages import as_typed
from fuzzytruth.cli.output import emit_printed, emit_text
from fuzzytruth.cli.output_options import TableFormat
from fuzzytruth.cli.paper_options import PaperStyle
from fuzzytruth.cli.tables import records_text

if TYPE_CHECKING:
    from fuzzytruth.comparison.paper import What
    from fuzzytruth.comparison.result import Comparison
    from fuzzytruth.io.answer import Printed

#: of more differences than these, the largest are shown, and the best systems
MOST_DIFFERENCES = 20
_MOST_SENTENCES = 15
_MOST_BY_SUBJECT = 20
_LARGEST = 8
_MOST_ROWS = 12  # of the other tables, then
_REST = "--format csv, or -o FILE.csv; as a picture: --figure FILE"


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


def printed_comparison(result: Comparison, *, rest: str = _REST) -> Printed:
    """Verdicts, differences, means with letters, each subject alone, and the assumptions.

    Of more than `MOST_DIFFERENCES` differences, the largest by the first measure, and the best
    systems: short, however many there are. `rest` are the options that show all.
    """
    from fuzzytruth.comparison import answer
    from fuzzytruth.comparison.assumptions import shared_lines
    from fuzzytruth.comparison.by_subject import each_subject
    from fuzzytruth.io.answer import Printed, Sentences

    each = each_subject(result)
    few = len(result.table) <= MOST_DIFFERENCES
    if few:
        tables, limit = answer.difference_tables(result), None
        notes = as_typed(result.assumptions)
    else:
        tables, limit = [answer.largest_differences(result, _LARGEST)], _MOST_ROWS
        every = f"All {len(result.table):,} differences: {rest}."
        notes = as_typed("\n".join([*shared_lines(result.conditions), every]))
    return Printed.of(
        answer.title_of(result),
        answer.verdict_lines(result, _MOST_SENTENCES),
        *tables,
        Sentences.of(*answer.legend(result).lines, answer.detectable(result)),
        answer.means_table(result, limit),
        None
        if each is None
        else answer.subject_table(each, _MOST_BY_SUBJECT if few else _MOST_ROWS),
        Sentences.of(*notes.split("\n")),
    )
