"""Options of matrices that stand in for run files, of which one is for any run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fuzzytruth.cli import panels

if TYPE_CHECKING:
    from fuzzytruth.data.matrix_runs import MatrixOptions

QueryFile = Annotated[
    Path | None,
    typer.Option(
        "--queries",
        metavar="FILE",
        help="Runs that are matrices: ids of the rows, one a line, if the file lacks them.",
        show_default=False,
        readable=False,
        rich_help_panel=panels.MATRICES,
    ),
]
ItemFile = Annotated[
    Path | None,
    typer.Option(
        "--items",
        metavar="FILE",
        help="Runs that are matrices: ids of the columns, likewise.",
        show_default=False,
        readable=False,
        rich_help_panel=panels.MATRICES,
    ),
]
Distances = Annotated[
    bool,
    typer.Option(
        "--distances",
        help="In matrices, smaller numbers are better.",
        rich_help_panel=panels.MATRICES,
    ),
]
ExcludeSelf = Annotated[
    bool,
    typer.Option(
        "--exclude-self",
        help="Leave the item with the query's own id out of each list.",
        rich_help_panel=panels.MATRICES,
    ),
]
Depth = Annotated[
    int | None,
    typer.Option(
        "--depth",
        help="Keep the best N of each list of a matrix.",
        metavar="N",
        show_default=False,
        rich_help_panel=panels.MATRICES,
    ),
]


def matrix_options(
    queries: Path | None,
    items: Path | None,
    *,
    distances: bool,
    exclude_self: bool,
    depth: int | None,
) -> MatrixOptions:
    """The options as the library takes them, ids read from their files."""
    from fuzzytruth.data.matrix_runs import MatrixOptions
    from fuzzytruth.io.matrix_files import read_id_lines

    return MatrixOptions(
        queries=None if queries is None else read_id_lines(queries),
        items=None if items is None else read_id_lines(items),
        larger_is_better=False if distances else None,
        exclude_self=exclude_self,
        depth=depth,
    )
