"""Files of ranked lists: the systems in a file, and their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from fuzzytruth.core.validation import option_mapping
from fuzzytruth.data.matrix_runs import (
    LabelColumns,
    MatrixOptions,
    has_labels,
    label_request,
    ranking_of_matrix,
)
from fuzzytruth.data.ranking import Ranking, make_ranking
from fuzzytruth.data.runs import Runs, run_request
from fuzzytruth.errors import DataError, TagWarning, counted, shown, shown_all, warn
from fuzzytruth.io.column_names import has_columns
from fuzzytruth.io.columns import as_numpy
from fuzzytruth.io.files import Source
from fuzzytruth.io.matrices import holds_matrix, read_matrix
from fuzzytruth.io.table_files import column_names, read_table, refuse_table_options
from fuzzytruth.io.trec import RUN, read_trec

#: what names the system of a TREC run
NameBy = Literal["file", "tag"]


@dataclass(frozen=True, slots=True)
class RunFile:
    """The systems in a file of ranked lists.

    Parameters
    ----------
    path : Path
    systems : mapping of str to Ranking
        By their names in the file; without such names, one system named after the file.
    tags : tuple of str
        The distinct tags of a TREC run.
    is_matrix : bool
    """

    path: Path
    systems: Mapping[str, Ranking]
    tags: tuple[str, ...] = ()
    is_matrix: bool = False

    def named(self, given: str | None, name: NameBy) -> Mapping[str, Ranking]:
        """The systems under their final names, which depend on this file alone.

        Parameters
        ----------
        given : str, optional
            The name given by the user to the only system.
        name : {"file", "tag"}
            What names the system of a TREC run otherwise.
        """
        if given is None:
            return self._by_tag() if name == "tag" and self.tags else self._by_file()
        if len(self.systems) > 1:
            raise DataError(
                f"{self.path}: holds {counted(len(self.systems), 'system')} and cannot be called "
                f"{shown(given)}; give its path without a name"
            )
        return {given: next(iter(self.systems.values()))}

    def _by_file(self) -> Mapping[str, Ranking]:
        report_tags(self.path, self.tags, next(iter(self.systems), ""))
        return self.systems

    def _by_tag(self) -> Mapping[str, Ranking]:
        if len(self.tags) > 1:
            raise DataError(
                f"{self.path}: the tag changes within the file ({shown_all(self.tags)}) and "
                "cannot name its system; name='file' takes the name of the file"
            )
        return {self.tags[0]: next(iter(self.systems.values()))}


def read_run_file(
    source: Source,
    order_by: str,
    duplicates: str,
    matrix: MatrixOptions | None = None,
    columns: Mapping[str, Any] | None = None,
) -> RunFile:
    """Read all systems of a file; `matrix` says how to read one that holds a matrix."""
    path = source.path
    stem = source.stem
    request = replace(run_request(columns), duplicates=duplicates)
    if columns is None and holds_matrix(source):
        ranking = ranking_of_matrix(read_matrix(source), str(path), matrix or MatrixOptions())
        return RunFile(path, {stem: ranking}, is_matrix=True)
    if source.format == "trec":
        refuse_table_options(path, request)
        ranking, tags = _read_trec_run(source, order_by, duplicates)
        return RunFile(path, {stem: ranking}, tags)
    if holds_labels(source, columns):
        table, origin = read_table(source, label_request(columns))
        return RunFile(
            path, Runs.of_labels(LabelColumns.of_table(table, origin, str(path), name=stem))
        )
    table, origin = read_table(source, request)
    runs = Runs.from_columns(
        **table,
        name=stem,
        order_by=order_by,
        duplicates=duplicates,
        where=str(path),
        locate=origin,
    )
    return RunFile(path, runs)


def holds_labels(source: Source, columns: Mapping[str, Any] | None = None) -> bool:
    """Whether a file is a table of the categories that systems give to items.

    With a column of subjects and none of systems, they are votes; `columns` are the user's names.
    """
    named = [*column_names(source), *option_mapping("columns", columns)]
    votes = has_columns(named, ("subject",)) and not has_columns(named, ("system",))
    return has_labels(named) and not votes


def _read_trec_run(
    source: Source, order_by: str, duplicates: str
) -> tuple[Ranking, tuple[str, ...]]:
    rank = ("rank",) if order_by == "rank" else ()
    columns = read_trec(source, RUN, ("query", "item", "score", "tag", *rank))
    query = columns["query"]
    ranking = make_ranking(
        (as_numpy(query.indices, np.int32), tuple(query.dictionary.to_pylist())),
        columns["item"],
        columns["score"],
        item_hash=columns["item_hash"],
        rank=columns.get("rank"),
        duplicates=duplicates,
        locate=source.locate,
    )
    return ranking, columns["tag"]


def report_tags(path: Path, tags: tuple[str, ...], system: str) -> None:
    """Warn if the tag changes within a TREC run."""
    if len(tags) > 1:
        warn(
            f"{path}: the tag changes within the file ({shown_all(tags)}); it is read as one run "
            f"called {system!r}",
            TagWarning,
        )
