"""Tables as text: for people, for programs (CSV, JSON) and for papers (LaTeX)."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from fuzzytruth.cli.output import emit, emit_text, legible, print_line, shows_bold
from fuzzytruth.cli.output_options import TableFormat
from fuzzytruth.errors import OptionError, printable, shown
from fuzzytruth.io.answer import Column, Table
from fuzzytruth.io.number_text import number_text

if TYPE_CHECKING:
    import pandas as pd

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
        raise OptionError(
            f"-o {output}: the ending {shown(suffix)} names no format of tables; name the file "
            f"{', '.join(_BY_SUFFIX)}, or add --format"
        )
    return _BY_SUFFIX.get(suffix.lower(), "table")


def print_table(table: Table, file: TextIO) -> None:
    """Print a table: one line a row, but on a terminal, where names are folded to fit."""
    from fuzzytruth.io.answer_text import NARROWEST, table_text

    width = max(NARROWEST, shutil.get_terminal_size().columns) if file.isatty() else _UNLIMITED
    styled = shows_bold(file)
    text = table_text(table.mapped(lambda part: legible(part, file)), width, styled=styled)
    print_line(text, file, styled=styled)


def to_json(frame: pd.DataFrame) -> str:
    """A list of records, one per line, numbers in full precision; NaN and infinity as null."""
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
    if output_format == "table":
        emit(lambda file: _print_frame(frame, file), output)
        return
    if output_format in ("csv", "json"):
        text = records_text(frame, output_format)
    elif output_format == "markdown":
        text = _markdown(frame, caption)
    else:
        from fuzzytruth.io.latex import latex_table

        text = latex_table(frame, caption=caption, index=False)
    emit_text(text, output)


def _print_frame(frame: pd.DataFrame, file: TextIO) -> None:
    numeric, rows = _texts(frame)
    columns = (
        Column(str(name), cells, "number" if is_number else "label")
        for name, cells, is_number in zip(
            frame.columns, zip(*rows, strict=True), numeric, strict=True
        )
    )
    print_table(Table(tuple(columns)), file)


def _markdown(frame: pd.DataFrame, caption: str) -> str:
    from fuzzytruth.io import markdown

    numeric, rows = _texts(frame)
    cells = [[markdown.escape(cell) for cell in row] for row in rows]
    headings = [markdown.escape(str(column)) for column in frame.columns]
    return f"{markdown.table(headings, cells, right=numeric)}\n{markdown.escape(caption)}\n"


def _texts(frame: pd.DataFrame) -> tuple[list[bool], list[list[str]]]:
    """Which columns are numbers, and all cells as text."""
    numeric = [frame[column].dtype.kind in "fiu" for column in frame.columns]
    return numeric, [[_cell(value) for value in row] for row in frame.itertuples(index=False)]


def _cell(value: object) -> str:
    return number_text(value) if isinstance(value, float) else printable(str(value))
