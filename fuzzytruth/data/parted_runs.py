"""Ranked lists in the partitions of a Dask frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

from fuzzytruth.core.workers import Workers
from fuzzytruth.data.parted_table import PartedTable, rows_of_part, whole_queries
from fuzzytruth.data.runs import Runs, run_request
from fuzzytruth.data.self_hits import without_hits
from fuzzytruth.errors import DataError, TagWarning, warn

if TYPE_CHECKING:
    import pandas as pd

_NAME = "system"  # of the only system of a frame without names


@dataclass(slots=True, eq=False)
class PartedRuns:
    """Runs of which each partition holds all lists of some queries.

    Parameters
    ----------
    table : PartedTable
    queries : list of tuple of str
        Those of each partition.
    systems : tuple of str
        Of all partitions, in order of appearance.
    exclude_self : bool
        See `Runs.exclude_self`.
    with_unjudged : bool
        Whether it matters how many unjudged items were retrieved.
    checksums : mapping of system to str
        Known once the lists have been read.
    """

    table: PartedTable
    queries: list[tuple[str, ...]]
    systems: tuple[str, ...]
    exclude_self: bool
    with_unjudged: bool
    checksums: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        frame: Any,
        *,
        exclude_self: bool,
        with_unjudged: bool,
        workers: Workers,
        folder: str | None = None,
    ) -> PartedRuns:
        """The runs in a Dask frame, whose columns are as in `Runs.from_frame`.

        `folder` has the files of the frame, if it is one of a folder.

        Raises
        ------
        DataError
            A column or an id is missing, or there are no rows.
        """
        what = folder or "runs"
        given = PartedTable.of(frame, run_request(None), what, workers)
        ids = given.ids(["query", "system"])
        systems = tuple(dict.fromkeys(chain(*(part.of.get("system", (_NAME,)) for part in ids))))
        if not any(part.of["query"] for part in ids):
            raise DataError(f"{what}: there are no rows in any partition")
        table, queries = whole_queries(given, ids)
        if folder is not None and table is not given and "system" not in table.names:
            warn(
                f"{folder}: no column names systems, and some queries are in several files (or "
                "parts of one), which count as one system's lists; if each file is of a system, "
                "give a pattern (folder/*.parquet), or add a column 'system'",
                TagWarning,
            )
        return cls(table, queries, systems, exclude_self, with_unjudged)


def runs_of_part(
    frame: pd.DataFrame, what: str, number: int, *, exclude_self: bool
) -> tuple[Runs, dict[str, int]]:
    """The runs in one partition, and how many self hits were left out of each system's lists."""
    found = rows_of_part(frame, run_request(None), what, number)
    if found is None:
        return Runs({}), {}
    columns, origin = found
    runs = Runs.from_columns(**columns, name=_NAME, where=what, locate=origin)
    if not exclude_self:
        return runs, {}
    left = {system: without_hits(ranking) for system, ranking in runs.items()}
    kept = {system: ranking for system, (ranking, _) in left.items()}
    return Runs(kept), {system: number for system, (_, number) in left.items()}
