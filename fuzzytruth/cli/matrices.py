"""Options of matrices that stand in for run files, of which one is for any run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fuzzytruth.data.ranking import MatrixOptions


def matrix_options(given: Mapping[str, Any]) -> MatrixOptions:
    """The options as the library takes them, ids read from their files."""
    from fuzzytruth.data.ranking import MatrixOptions
    from fuzzytruth.io.table_files import read_id_lines

    ids = {name: given[name] and read_id_lines(given[name]) for name in ("queries", "items")}
    return MatrixOptions(
        **ids,
        larger_is_better=False if given["distances"] else None,
        exclude_self=given["exclude_self"],
        depth=given["depth"],
    )
