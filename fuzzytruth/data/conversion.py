"""Judgments and runs from tables, dicts, lists, paths and objects of other libraries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from fuzzytruth.core.workers import Workers
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.matrix_runs import has_labels
from fuzzytruth.data.parted_table import PartedRuns, holds_parquet, parquet_folder
from fuzzytruth.data.ranking import RankedLists, Ranking
from fuzzytruth.data.reading import read_judgments, read_runs, stream_runs
from fuzzytruth.data.run_stream import StreamedRuns
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import DataError, OptionError, counted, require, shown
from fuzzytruth.io.columns import check_id
from fuzzytruth.io.tables import is_parted, is_table, named_columns


def as_judgments(given: Any, *, argument: str = "truth", also: str = "") -> Judgments:
    """Judgments from a table, a dict, a path, or an object of another library.

    Parameters
    ----------
    given : Judgments, table, mapping, path or ranx.Qrels
        A table is read by `Judgments.from_frame`: a frame of pandas, polars, DuckDB or Arrow, a
        list or iterator of named tuples such as those of ir_measures and ir_datasets, and so on. A
        mapping is ``{query: {item: grade}}`` or ``{query: [relevant item, ...]}``.
    argument, also : str
        For the error: the name of what is given, and what else it may be.

    Raises
    ------
    OptionError
        It is nothing of these.

    Examples
    --------
    >>> as_judgments({"q1": {"a": 1, "b": 0}})
    Judgments(2 rows, 1 query)
    """
    if isinstance(given, Judgments):
        return given
    if isinstance(given, Runs):
        raise OptionError(f"{argument}: these are runs; give judgments, and runs as runs=")
    if is_parted(given):
        frame = Workers().results([given], "judgments")[0]
        return Judgments.from_frame(frame)
    if is_table(given):
        return Judgments.from_frame(given)
    if _is_of_ranx(given, "qrels"):
        return Judgments.from_dict(given.to_dict())
    if isinstance(given, Mapping):
        return Judgments.from_dict(given)
    if isinstance(given, (str, Path)):
        return read_judgments(given)
    raise OptionError(
        f"{argument}: give Judgments, {also}a frame, {{query: {{item: grade}}}} or a path, not "
        f"{shown(given)}"
    )


def as_runs(given: Any) -> Runs:
    """Runs from a table, a dict, a path or several, or objects of another library.

    Parameters
    ----------
    given : Runs, table, mapping, path, pattern, ranx.Run, or a list or mapping of these
        A table is read by `Runs.from_frame`, or by `Runs.from_labels` if it has items and
        categories but no queries. A mapping ``{system: ...}`` names the systems of tables, runs,
        paths, ``{query: {item: score}}`` and ``{query: [best item, next item, ...]}``; the last two
        alone are one system.

    Raises
    ------
    OptionError
        It is nothing of these, or there is no system in it.
    DataError
        Two systems have the same name.

    Examples
    --------
    >>> as_runs({"a": {"q1": ["d2", "d1"]}, "b": {"q1": {"d1": 0.3}}})
    Runs(2 systems: a, b; 3 rows)
    """
    if isinstance(given, Mapping) and not isinstance(given, Runs) and _names_systems(given):
        return _of_mapping(given)
    if isinstance(given, (list, tuple)) and given and not _is_records(given):
        return _joined((None, part) for part in given)
    runs = _one(given)
    if not runs:
        raise OptionError("runs: there is no system in them")
    return runs


def as_ranked_lists(given: Any, *, exclude_self: bool = False, n_jobs: int = 1) -> RankedLists:
    """Runs as `as_runs` makes them, or files that are read where they are needed; for `evaluate`.

    With `exclude_self`, lists leave out the id of their query; see `Runs.exclude_self`. Several
    files are read by `n_jobs` workers.
    """
    if isinstance(given, StreamedRuns):
        return given
    parts = given.values() if isinstance(given, Mapping) else given
    parts = parts if isinstance(given, (list, tuple, Mapping)) else [given]
    if len(parts) and all(isinstance(part, (str, Path)) for part in parts):
        streamed = stream_runs(given, exclude_self=exclude_self, n_jobs=n_jobs)
        if streamed is not None:
            return streamed
    runs = as_runs(given)
    return runs.exclude_self() if exclude_self else runs


def as_parted_runs(
    given: Any, *, exclude_self: bool, with_unjudged: bool, client: Any
) -> PartedRuns | None:
    """Runs in a Dask frame, or in a folder of Parquet files for a client's workers; else None.

    Raises
    ------
    OptionError
        There is a client, and no such runs; or such a folder, and no client; or it is none of
        Dask.
    DataError
        The folder cannot be read.
    """
    frame = given
    if isinstance(given, (str, Path)):
        if client is None and holds_parquet(given):
            raise OptionError(
                f"{given}: is a folder of Parquet files, which the workers of a client read: "
                "client=Client(); or give a pattern of files, such as folder/*.parquet"
            )
        frame = given if client is None else parquet_folder(given)
    if not is_parted(frame):
        if client is not None:
            raise OptionError(
                f"runs={shown(given)}: a client is for runs in a Dask frame, or in one folder of "
                "Parquet files with all systems; leave client= out"
            )
        return None
    methods = ("compute", "persist", "gather")
    known = client is None or all(hasattr(client, name) for name in methods)
    require("client", client, known, "must be a dask.distributed.Client, such as Client(cluster)")
    is_closed = getattr(client, "status", "") == "closed"
    require("client", client, not is_closed, "is closed; make a new one")
    is_async = bool(getattr(client, "asynchronous", False))
    require("client", client, not is_async, "is asynchronous; make one with asynchronous=False")
    return PartedRuns.of(
        frame,
        exclude_self=exclude_self,
        with_unjudged=with_unjudged,
        workers=Workers(client),
        folder=None if frame is given else str(given),
    )


def _one(given: Any) -> Runs:
    """The runs of one object."""
    if isinstance(given, Runs):
        return given
    if is_parted(given):
        raise OptionError(
            "runs: Dask frames are for evaluate, a single one with all systems (in a column "
            "'system'); elsewhere, give frame.compute()"
        )
    if is_table(given):
        once = isinstance(given, Iterator)  # whose names are not known without reading it
        labels = not once and has_labels(named_columns(given, "runs").names)
        return Runs.from_labels(given) if labels else Runs.from_frame(given)
    if _is_of_ranx(given, "run"):
        return Runs.from_dict(given.to_dict(), name=str(given.name or "system"))
    if isinstance(given, Mapping) and given:
        return Runs.from_dict(given)
    if isinstance(given, (str, Path)):
        return read_runs(given)
    raise OptionError(
        "runs: give Runs, a frame, {system: {query: {item: score}}}, a path or several, not "
        f"{shown(given)}"
    )


def _is_records(given: list[Any] | tuple[Any, ...]) -> bool:
    """Whether a list is a table of records, and not of runs."""
    return is_table(given) and not isinstance(given[0], Runs)


def _names_systems(given: Mapping[Any, Any]) -> bool:
    """Whether a mapping has objects by names of systems, and not only numbers or lists of items."""
    return any(
        isinstance(value, (Runs, str, Path)) or is_table(value) or _is_of_ranx(value, "run")
        for value in given.values()
    )


def _of_mapping(given: Mapping[Any, Any]) -> Runs:
    """The runs of {system: object}."""
    if all(isinstance(value, (str, Path)) for value in given.values()):
        return read_runs(given)
    return _joined((check_id(name, "system", "runs"), part) for name, part in given.items())


def _joined(parts: Iterable[tuple[str | None, Any]]) -> Runs:
    """The runs of several objects, under the names given for those of one system."""
    rankings: dict[str, Ranking] = {}
    for name, part in parts:
        runs = _one(part)
        if name is not None:
            if len(runs) != 1:
                raise DataError(
                    f"runs: {shown(name)} holds {counted(len(runs), 'system')}; name one at a time"
                )
            runs = Runs({name: next(iter(runs.values()))})
        for system, ranking in runs.items():
            if system in rankings:
                raise DataError(
                    f"runs: two systems are called {shown(system)}; name them: {{name: run, ...}}"
                )
            rankings[system] = ranking
    return Runs(rankings)


def _is_of_ranx(given: Any, attribute: str) -> bool:
    """Whether this is ranx's `Qrels` (which has `qrels`) or `Run` (which has `run`)."""
    return hasattr(given, "to_dict") and hasattr(given, attribute)
