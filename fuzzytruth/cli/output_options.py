"""Options of what is shown, written and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from fuzzytruth.cli import panels
from fuzzytruth.cli.figures import check_figure
from fuzzytruth.errors import OptionError

TableFormat = Literal["table", "csv", "json", "latex", "markdown"]
DifferencesOrMeans = Annotated[
    Literal["means", "differences"],
    typer.Option(
        "--table",
        help="In LaTeX and Markdown: means with the letters of the systems beaten, or a row a pair "
        "with difference, interval and p.",
        rich_help_panel=panels.OUTPUT,
    ),
]
PerQuery = Annotated[
    bool,
    typer.Option(
        "--per-query",
        help="Show every query, not the mean.",
        rich_help_panel=panels.OUTPUT,
    ),
]
FormatChoice = Annotated[
    TableFormat | None,
    typer.Option(
        "--format",
        help="Format of what is shown or written.  [default: by the ending of FILE, else table]",
        rich_help_panel=panels.OUTPUT,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="Write to a file, not to the screen.",
        rich_help_panel=panels.OUTPUT,
    ),
]
Figure = Annotated[
    Path | None,
    typer.Option(
        "--figure",
        metavar="FILE",
        callback=check_figure,
        help="Draw it, too: .png, .svg or .pdf; of several measures, the first.",
        show_default=False,
        rich_help_panel=panels.OUTPUT,
    ),
]


def check_save(path: Path | None) -> Path | None:
    """Return the name of a file of scores, if it ends in .parquet.

    Raises
    ------
    OptionError
        It does not.
    """
    if path is not None and path.suffix.lower() not in (".parquet", ".pq"):
        raise OptionError(f"--save {path}: scores are saved as Parquet; name the file .parquet")
    return path


Save = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.parquet",
        callback=check_save,
        help="Save the scores for fuzzytruth.Scores.load.",
        rich_help_panel=panels.OUTPUT,
    ),
]
