"""Options of what is shown, written and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from fuzzytruth.cli import panels
from fuzzytruth.cli.figures import check_figure
from fuzzytruth.cli.panels import option, setting
from fuzzytruth.errors import OptionError

TableFormat = Literal["table", "csv", "json", "latex", "markdown"]
DifferencesOrMeans = Annotated[
    Literal["means", "differences"],
    setting(
        panels.OUTPUT,
        "In LaTeX and Markdown: means with the letters of the systems beaten, or a row a pair "
        "with difference, interval and p.",
        "--table",
    ),
]
PerQuery = Annotated[bool, setting(panels.OUTPUT, "Show every query, not the mean.", "--per-query")]
FormatChoice = Annotated[
    TableFormat | None,
    setting(
        panels.OUTPUT,
        "Format of what is shown or written.  [default: by the ending of FILE, else table]",
        "--format",
    ),
]
Output = Annotated[
    Path | None,
    setting(panels.OUTPUT, "Write to a file, not to the screen.", "-o", "--output", metavar="FILE"),
]
Figure = Annotated[
    Path | None,
    option(
        panels.OUTPUT,
        "Draw it, too: .png, .svg or .pdf; of several measures, the first.",
        "--figure",
        metavar="FILE",
        callback=check_figure,
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
    setting(
        panels.OUTPUT,
        "Save the scores for fuzzytruth.Scores.load.",
        metavar="FILE.parquet",
        callback=check_save,
    ),
]
