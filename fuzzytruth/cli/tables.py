"""Tables as text: for people, for programs (CSV, JSON) and for papers (LaTeX)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from fuzzytruth.cli.options import TableFormat
from fuzzytruth.cli.output import emit, emit_text, legible
from fuzzytruth.errors import OptionError, shown

if TYPE_CHECKING:
    import pandas as pd

F = TypeVar("F", bound=str)
_BY_SUFFIX: dict[str, TableFormat] = {
    ".csv": "csv",
    ".json": "json",
    ".tex": "latex",
    ".txt": "table",
}
_UNLIMITED = 100_000
_GAP = 2  # between columns
_WORD = 9  # length of `[-0.1234,`


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
    return by_ending(output, _BY_SUFFIX, "table")


def by_ending(output: Path | None, formats: Mapping[str, F], default: F) -> F:
    """The format of the ending of `output`, which is one of `formats`; `default` without one.

    Raises
    ------
    OptionError
        It is none of them.
    """
    suffix = "" if output is None else output.suffix
    if suffix and suffix.lower() not in formats:
        raise OptionError(
            f"-o {output}: the ending {shown(suffix)} names no format of tables; name the file "
            f"{', '.join(formats)}, or add --format"
        )
    return formats.get(suffix.lower(), default)


def print_table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    file: TextIO,
    *,
    numeric: Sequence[bool] | None = None,
    bold: Sequence[Sequence[bool]] | None = None,
) -> None:
    """Print rows of text; numeric columns are flush right, and only a terminal wraps lines.

    Numbers are not broken; where there is no room for them, the terminal wraps whole lines.
    """
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    widths = _least_widths(headings, rows)
    columns = zip(headings, numeric or [False] * len(headings), widths, strict=True)
    for heading, right, least in columns:
        table.add_column(
            Text(legible(heading, file)),
            justify="right" if right else "left",
            overflow="fold",
            min_width=least,
        )
    for j, row in enumerate(rows):
        marks = [False] * len(row) if bold is None else bold[j]
        cells = zip(row, marks, strict=True)
        table.add_row(*(Text(legible(text, file), "bold" if mark else "") for text, mark in cells))
    width = _UNLIMITED
    if file.isatty():
        width = max(Console(file=file).width, sum(widths) + _GAP * len(widths))
    Console(file=file, width=width).print(table)


def _least_widths(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """Width of each column if lines break at spaces and within words longer than a number."""
    out = []
    for column in zip(headings, *rows, strict=True):
        words = [word for cell in column for word in cell.split()]
        out.append(min(max(map(len, words), default=0), _WORD))
    return out


def to_json(frame: pd.DataFrame) -> str:
    """A list of records, one per line, numbers in full precision; NaN and infinity as null."""
    records: list[dict[Any, Any]] = frame.to_dict(orient="records")
    for record in records:
        not_finite = [k for k, v in record.items() if isinstance(v, float) and not math.isfinite(v)]
        record.update(dict.fromkeys(not_finite))
    return "[\n" + ",\n".join(json.dumps(r, ensure_ascii=False) for r in records) + "\n]\n"


def show_frame(
    frame: pd.DataFrame, *, output_format: TableFormat, output: Path | None, caption: str
) -> None:
    """Print a frame without its index, or write it to a file."""
    if output_format == "table":
        emit(lambda file: _print_frame(frame, file), output)
        return
    if output_format == "csv":
        from fuzzytruth.io.writing import csv_text

        text = csv_text(frame)
    elif output_format == "json":
        text = to_json(frame)
    else:
        from fuzzytruth.io.latex import latex_table

        text = latex_table(frame, caption=caption, index=False)
    emit_text(text, output)


def _print_frame(frame: pd.DataFrame, file: TextIO) -> None:
    headings = [str(column) for column in frame.columns]
    numeric = [frame[column].dtype.kind in "fiu" for column in frame.columns]
    rows = [[_cell(value) for value in row] for row in frame.itertuples(index=False)]
    print_table(headings, rows, file, numeric=numeric)


def _cell(value: object) -> str:
    return number_text(value) if isinstance(value, float) else str(value)


def number_text(value: float) -> str:
    """Four decimals; a dash for NaN.

    Examples
    --------
    >>> number_text(0.5), number_text(float("nan"))
    ('0.5000', '–')
    """
    return "–" if value != value else f"{value:.4f}"
