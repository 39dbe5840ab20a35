"""Tables as text: for people, for programs (CSV, JSON) and for papers (LaTeX)."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.cli.inputs import check_outputs
from fuzzytruth.cli.output import (
    PaperStyle,
    TableFormat,
    emit,
    emit_answer,
    emit_printed,
    emit_text,
    legible,
    print_line,
    shows_bold,
    working,
)
from fuzzytruth.cli.typed_words import text_typed
from fuzzytruth.errors import OptionError, printable, shown
from fuzzytruth.show.answer import NARROWEST, Column, Printed, Sentences, Table, table_text
from fuzzytruth.show.number_text import number_text

if TYPE_CHECKING:
    import typer

    from fuzzytruth.comparison.exhibits import What
    from fuzzytruth.comparison.result import Comparison
    from fuzzytruth.evaluation.scores.score_rows import ScoreRows
    from fuzzytruth.evaluation.scores.scores import Scores


_BY_SUFFIX: dict[str, TableFormat] = {
    ".csv": "csv",
    ".json": "json",
    ".tex": "latex",
    ".md": "markdown",
    ".txt": "table",
}
_UNLIMITED = 100_000


def format_for(output: Path | None) -> TableFormat:
    """The format that the ending of a file names; a table without ending.

    Raises
    ------
    OptionError
        The ending names none.

    Examples
    --------
    >>> format_for(Path("scores.csv")), format_for(None)
    ('csv', 'table')
    """
    suffix = "" if output is None else output.suffix
    if suffix and suffix.lower() not in _BY_SUFFIX:
        page = "; for a page: fuzzytruth report, or crowd" * (suffix.lower() in (".html", ".htm"))
        raise OptionError(
            f"-o {output}: the ending {shown(suffix)} names no format of tables; name the file "
            f"{', '.join(_BY_SUFFIX)}, or add --format{page}"
        )
    return _BY_SUFFIX.get(suffix.lower(), "table")


def chosen_format(given: Mapping[str, Any]) -> TableFormat:
    """The format that the options of a command name, or the ending of its file."""
    return given["output_format"] or format_for(given["output"])


def format_of(context: typer.Context, *inputs: str | Path | None) -> TableFormat:
    """The format of what a command shows; what it writes must not be an input."""
    given = context.params
    chosen = chosen_format(given)
    written = (given.get(name) for name in ("output", "figure", "save"))
    check_outputs([path for path in inputs if path is not None], *written)
    return chosen


def show_answer(context: typer.Context, answer: Any, caption: str) -> None:
    """Print a result or a frame, in the format asked for, or write it to a file."""
    output: Path | None = context.params["output"]
    output_format = chosen_format(context.params)
    if hasattr(answer, "to_frame"):
        if output_format == "table":
            emit_answer(answer, output)
            return
        answer = answer.to_frame(full=output_format in ("csv", "json"))
    show_frame(answer, output_format=output_format, output=output, caption=caption)


def print_table(table: Table, file: TextIO) -> None:
    """Print a table: one line a row, but on a terminal, where names are folded to fit."""
    width = max(NARROWEST, shutil.get_terminal_size().columns) if file.isatty() else _UNLIMITED
    styled = shows_bold(file)
    text = table_text(table.mapped(lambda part: legible(part, file)), width, styled=styled)
    print_line(text, file, styled=styled)


def to_json(frame: pd.DataFrame) -> str:
    """A list of records, one per line, numbers in full precision; NaN and infinity as null."""
    frame = frame.astype(object).where(frame.notna(), None)
    records: list[dict[Any, Any]] = frame.to_dict(orient="records")
    for record in records:
        not_finite = [k for k, v in record.items() if isinstance(v, float) and not math.isfinite(v)]
        record.update(dict.fromkeys(not_finite))
    return "[\n" + ",\n".join(json.dumps(r, ensure_ascii=False) for r in records) + "\n]\n"


def records_text(frame: pd.DataFrame, output_format: TableFormat) -> str:
    """A frame for programs: CSV, or else JSON."""
    from fuzzytruth.io.writing import csv_text

    return csv_text(frame) if output_format == "csv" else to_json(frame)


def show_frame(
    frame: pd.DataFrame, *, output_format: TableFormat, output: Path | None, caption: str
) -> None:
    """Print a frame without its index, or write it to a file."""
    from fuzzytruth.show import latex, markdown

    if output_format == "table":
        emit(lambda file: print_table(_table_of(frame), file), output)
    elif output_format == "markdown":
        emit_text(text_typed(markdown.of_table(_table_of(frame), caption)), output)
    elif output_format == "latex":
        emit_text(text_typed(latex.latex_table(_worded(frame), caption=caption)), output)
    else:
        emit_text(records_text(frame, output_format), output)


def _worded(frame: pd.DataFrame) -> pd.DataFrame:
    """The same with yes and no as words, and a dash for words that are missing."""
    words = {"True": "yes", "False": "no", "None": "–", "nan": "–", "<NA>": "–"}

    def word(value: Any) -> Any:
        return value if isinstance(value, str) else words.get(str(value), value)

    return frame.assign(**frame.select_dtypes(exclude=[np.floating]).map(word))


def _table_of(frame: pd.DataFrame) -> Table:
    """The columns of a frame as text."""
    columns = []
    for name, values in _worded(frame).items():
        texts = (number_text(v) if isinstance(v, float) else printable(str(v)) for v in values)
        kind = "number" if values.dtype.kind in "fiu" else "label"
        columns.append(Column(str(name), tuple(texts), kind))
    return Table(tuple(columns))


# Scores as text.
#
# The plain table avoids pandas, whose import would take longer than everything else.


MOST_BY_SUBJECT = 40  # rows


def show_scores(
    context: typer.Context,
    scores: Scores,
    *,
    per_query: bool = False,
    per_subject: bool = True,
    over: list[str] | None = None,
) -> None:
    """Print scores, or write them to a file."""
    from fuzzytruth.evaluation.scores.score_rows import score_rows

    output, output_format = context.params["output"], chosen_format(context.params)
    apart = per_subject and scores.subjects is not None
    if output_format == "table":
        with working("summarising"):
            printed = printed_scores(scores, per_query=per_query, apart=apart, over=over)
        emit_printed(printed, output)
        return
    programs = output_format in ("csv", "json")
    by_subject = apart and (over is None if programs else per_query)
    rows = score_rows(scores, per_query=per_query, per_subject=by_subject, over=over)
    if programs:
        frame = scores.to_frame() if per_query and per_subject else frame_of(rows)
        emit_text(records_text(frame, output_format), output)
    else:
        show_paper(context, rows, label="tab:scores", digits=None)


def show_paper(
    context: typer.Context, result: Any, *what: str, label: str, digits: int | None
) -> None:
    """Print a table for papers, or write it; `label` and `digits` where none are given."""
    style = PaperStyle.of(context.params)
    how: Any = {"caption": style.caption, "bold": style.bold}
    how["digits"] = digits if style.digits is None else style.digits
    if chosen_format(context.params) == "latex":
        text = result.to_latex(*what, label=style.label or label, **how)
    else:
        text = result.to_markdown(*what, **how)
    emit_text(text_typed(text), context.params["output"])


def printed_scores(
    scores: Scores, *, per_query: bool, apart: bool, over: list[str] | None
) -> Printed:
    """Means with intervals, then those by each subject; or the values of every query."""
    from fuzzytruth.evaluation.scores.score_rows import score_rows

    if per_query:
        rows = score_rows(scores, per_query=True, per_subject=apart)
        brackets = f"Brackets: {rows.brackets}." if rows.brackets else ""
        return Printed.of("", rows.table(), Sentences.of(brackets, scores._direction_line))
    rows = score_rows(scores, over=over)
    alone = None
    if apart and scores.design == "crossed":
        by_subject = score_rows(scores, per_subject=True)
        alone = _by_subject_table(by_subject, as_csv=over is None)
    return Printed.of("", rows.table(), Sentences.of(*rows.legend(), scores._structure_line), alone)


def _by_subject_table(rows: ScoreRows, *, as_csv: bool) -> Table:
    """Means of each system by each subject; of many, the first."""
    title = "Means by whose judgments are the ground truth"
    n = len(rows.labels)
    if n <= MOST_BY_SUBJECT:
        return rows.table(title=f"{title}:")
    rest = "--format csv, or -o FILE.csv" + ("" if as_csv else ", without --over")
    title += f", the first {MOST_BY_SUBJECT} of {n:,} rows; all: {rest}"
    return rows.table(np.arange(MOST_BY_SUBJECT), title=title)


def frame_of(rows: ScoreRows) -> pd.DataFrame:
    """One row per number: system, [query,] [subject,] measure, value[, lower, upper]."""
    labels = [(*names, measure) for names in rows.labels for measure in rows.measures]
    frame = pd.DataFrame(labels, columns=[*rows.names, "measure"])
    frame = frame.assign(value=rows.values.ravel())
    if rows.lower is not None and rows.upper is not None:
        frame = frame.assign(lower=rows.lower.ravel(), upper=rows.upper.ravel())
    return frame


# Comparisons as text.


#: of more differences than these, the largest are shown, and the best systems
MOST_DIFFERENCES = 20
_MOST_SENTENCES = 15
_MOST_BY_SUBJECT = 20
_LARGEST = 8
_MOST_ROWS = 12  # of the other tables, then
_REST = "--format csv, or -o FILE.csv; as a picture: --figure FILE"


def show_comparison(context: typer.Context, result: Comparison, what: What) -> None:
    """Print a comparison, or write it to a file."""
    output, output_format = context.params["output"], chosen_format(context.params)
    if output_format == "table":
        emit_printed(printed_comparison(result), output)
    elif output_format in ("csv", "json"):
        emit_text(records_text(result.table, output_format), output)
    else:
        show_paper(context, result, what, label="tab:comparison", digits=4)


def printed_comparison(result: Comparison, *, rest: str = _REST) -> Printed:
    """Verdicts, differences, means with letters, each subject alone, and the assumptions.

    Of more than `MOST_DIFFERENCES` differences, the largest by the first measure, and the best
    systems: short, however many there are. `rest` are the options that show all.
    """
    from fuzzytruth.comparison.by_subject import each_subject
    from fuzzytruth.comparison.comparison_report import means_table
    from fuzzytruth.comparison.verdicts import detectable

    each = each_subject(result)
    few = len(result.table) <= MOST_DIFFERENCES
    if few:
        tables, limit = result._difference_tables(), None
        notes = result.assumptions
    else:
        tables, limit = [result._largest_differences(_LARGEST)], _MOST_ROWS
        every = f"All {len(result.table):,} differences: {rest}."
        lines = result.conditions.expectations, *result.conditions.shared_lines, every
        notes = "\n".join(filter(None, lines))
    return Printed.of(
        result._title(),
        result._verdict_lines(_MOST_SENTENCES),
        *tables,
        Sentences.of(*result._legend().lines, detectable(result.table, result.conditions)),
        means_table(result, limit),
        None if each is None else each._whole_table(_MOST_BY_SUBJECT if few else _MOST_ROWS),
        Sentences.of(*notes.split("\n")),
    )
