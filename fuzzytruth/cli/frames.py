"""Frames as text: for tables that are not scores."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from fuzzytruth.cli.tables import print_table, to_json
from fuzzytruth.errors import OptionError

if TYPE_CHECKING:
    from typing import TextIO

    import pandas as pd

    from fuzzytruth.cli.options import Layout


def show_frame(frame: pd.DataFrame, *, layout: Layout, output: Path | None, caption: str) -> None:
    """Print a frame (its index left out), or write it to a file once it is complete."""
    if layout == "table" and output is None:
        _print(frame, sys.stdout)
        sys.stdout.flush()
        return
    text = _as_text(frame, layout, caption)
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        from fuzzytruth.io.writing import write_whole

        write_whole(output, lambda file: file.write(text.encode()))


def _as_text(frame: pd.DataFrame, layout: Layout, caption: str) -> str:
    from io import StringIO

    if layout == "csv":
        return frame.to_csv(index=False)
    if layout == "json":
        return to_json(frame)
    if layout == "latex":
        return _to_latex(frame, caption)
    buffer = StringIO()
    _print(frame, buffer)
    return buffer.getvalue()


def _print(frame: pd.DataFrame, file: TextIO) -> None:
    columns = [str(column) for column in frame.columns]
    numeric = [frame[column].dtype.kind in "fiu" for column in frame.columns]
    rows = [[_text(value) for value in row] for row in frame.itertuples(index=False)]
    print_table(columns, numeric, rows, file)


def _text(value: object) -> str:
    if isinstance(value, float):
        return "–" if value != value else f"{value:.4f}"
    return str(value)


def _to_latex(frame: pd.DataFrame, caption: str) -> str:
    try:
        style = frame.style
    except (ImportError, AttributeError):  # which of them depends on the version of pandas
        raise OptionError(
            "the layout 'latex' needs Jinja2; install it with: pip install 'fuzzytruth[latex]'"
        ) from None
    style = style.hide(axis="index").format(precision=4, na_rep="--", escape="latex")
    return style.format_index(escape="latex", axis=1).to_latex(
        hrules=True, caption=caption, position="t", position_float="centering"
    )
