"""Runs whose lists lie scattered over a file, split by query into files that fit into memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.data.run_rows import RunRows
from fuzzytruth.errors import DataError
from fuzzytruth.io.arrow import as_arrow, as_numpy, take
from fuzzytruth.io.ids import encode, hash_ids, string_array
from fuzzytruth.io.origin import Locate


def split_by_query(
    blocks: Iterable[RunRows], n_parts: int, folder: str, locate: Locate
) -> Iterator[RunRows]:
    """The same rows, all those of a query together, in the order of the file within a query.

    Parameters
    ----------
    blocks : iterable of RunRows
        Of which one at a time is in memory.
    n_parts : int
        Files to split into; each of them is read at once.
    folder : path
        Where these files go.
    locate : callable
        Names the place of a row, counted over all blocks.

    Raises
    ------
    DataError
        The files cannot be written.
    """
    paths = [Path(folder) / f"{number}.arrow" for number in range(n_parts)]
    tags: dict[str, None] = {}
    try:
        _write(blocks, paths, tags)
    except OSError as error:
        raise DataError(
            f"{folder}: the lists of a run, whose queries lie scattered over its file, cannot be "
            f"written there ({error.strerror or error}); sort the file by query, or set TMPDIR to "
            "a folder with more space"
        ) from None
    for path in paths:
        if path.exists():
            yield _read(path, locate, tuple(tags))
            path.unlink()


def _write(blocks: Iterable[RunRows], paths: list[Path], tags: dict[str, None]) -> None:
    """Append each row to the file of its query."""
    import pyarrow as pa

    n_before = 0
    with ExitStack() as stack:
        writers: dict[int, Any] = {}
        for rows in blocks:
            tags |= dict.fromkeys(rows.tags)
            part = (hash_ids(string_array(rows.queries)) % np.uint64(len(paths)))[rows.query]
            order = np.argsort(part, kind="stable")
            bounds = np.searchsorted(part[order], np.arange(len(paths) + 1, dtype=part.dtype))
            for number in np.flatnonzero(np.diff(bounds)).tolist():
                batch = _batch(rows, order[bounds[number] : bounds[number + 1]], n_before)
                if number not in writers:
                    sink = stack.enter_context(pa.OSFile(str(paths[number]), "wb"))
                    writers[number] = stack.enter_context(pa.ipc.new_stream(sink, batch.schema))
                writers[number].write_batch(batch)
            n_before += len(rows.query)


def _batch(rows: RunRows, chosen: Ints, n_before: int) -> Any:
    """Some rows, with their numbers in the file."""
    import pyarrow as pa

    query = take(string_array(rows.queries), rows.query[chosen])
    columns = [query, take(rows.item, chosen), as_arrow(chosen + n_before)]
    columns.append(as_arrow(rows.score[chosen]))
    names = ["query", "item", "row", "score"]
    if rows.rank is not None:
        columns.append(as_arrow(rows.rank[chosen]))
        names.append("rank")
    return pa.RecordBatch.from_arrays(columns, names=names)


def _read(path: Path, locate: Locate, tags: tuple[str, ...]) -> RunRows:
    """All rows of a file."""
    import pyarrow as pa

    with pa.OSFile(str(path)) as file:
        table = pa.ipc.open_stream(file).read_all().combine_chunks()
    columns = {name: pa.concat_arrays(table.column(name).chunks) for name in table.column_names}
    codes, queries = encode(columns["query"])
    place = as_numpy(columns["row"], np.int64)
    return RunRows(
        tuple(queries.to_pylist()),
        codes,
        columns["item"],
        hash_ids(columns["item"]),
        as_numpy(columns["score"], np.float64),
        as_numpy(columns["rank"], np.float64) if "rank" in columns else None,
        _numbered(locate, place),
        tags,
    )


def _numbered(locate: Locate, place: Ints) -> Callable[[int], str]:
    return lambda row: locate(int(place[row]))
