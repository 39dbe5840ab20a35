"""Options of matrices that stand in for run files, of which one is for any run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from fuzzytruth.cli import panels
from fuzzytruth.cli.panels import option, setting

if TYPE_CHECKING:
    from fuzzytruth.data.ranking import MatrixOptions

QueryFile = Annotated[
    Path | None,
    option(
        panels.MATRICES,
        "Runs that are matrices: ids of the rows, one a line, if the file lacks them.",
        "--queries",
        metavar="FILE",
    ),
]
ItemFile = Annotated[
    Path | None,
    option(
        panels.MATRICES,
        "Runs that are matrices: ids of the columns, likewise.",
        "--items",
        metavar="FILE",
    ),
]
Distances = Annotated[
    bool, setting(panels.MATRICES, "In matrices, smaller numbers are better.", "--distances")
]
ExcludeSelf = Annotated[
    bool,
    setting(
        panels.MATRICES,
        "Leave the item with the query's own id out of each list.",
        "--exclude-self",
    ),
]
Depth = Annotated[
    int | None,
    option(panels.MATRICES, "Keep the best N of each list of a matrix.", "--depth", metavar="N"),
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
    from fuzzytruth.data.ranking import MatrixOptions
    from fuzzytruth.io.table_files import read_id_lines

    return MatrixOptions(
        queries=None if queries is None else read_id_lines(queries),
        items=None if items is None else read_id_lines(items),
        larger_is_better=False if distances else None,
        exclude_self=exclude_self,
        depth=depth,
    )
