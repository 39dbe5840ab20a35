"""Lists that lie scattered over a file, split by query into files that fit into memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.data.run_rows import RunRows, rows_by_system
from fuzzytruth.errors import DataError
from fuzzytruth.io.arrow import as_arrow, take
from fuzzytruth.io.ids import hash_ids, string_array
from fuzzytruth.io.origin import Origin


class SplitRuns:
    """The rows of a file, split by query into files, each of which is read at once.

    Rows are numbered over the whole file: `part` by `part`, of which each locates its own.

    Parameters
    ----------
    parts : iterable of lists of RunRows
        Of which one at a time is in memory.
    n_files : int
        Files to split into.
    folder : Path
        Where these files go.

    Raises
    ------
    DataError
        The files cannot be written.
    """

    def __init__(self, parts: Iterable[list[RunRows]], n_files: int, folder: Path) -> None:
        self.paths = [folder / f"{number}.arrow" for number in range(n_files)]
        #: the queries of each system, both in order of their first rows
        self.queries: dict[str, dict[str, None]] = {}
        self._tags: dict[str, dict[str, None]] = {}
        self._starts: list[int] = []
        self._parts: list[Any] = []
        try:
            self._write(parts)
        except OSError as error:
            raise DataError(
                f"{folder}: the lists of a run, whose queries lie scattered over its file, cannot "
                f"be written there ({error.strerror or error}); sort the file by query, or set "
                "TMPDIR to a folder with more space"
            ) from None

    def __iter__(self) -> Iterator[list[RunRows]]:
        """All rows of some queries together, in the order of the file within a query."""
        for path in self.paths:
            if path.exists():
                yield self._read(path)
                path.unlink()

    def _write(self, parts: Iterable[list[RunRows]]) -> None:
        """Append each row to the file of its query."""
        import pyarrow as pa

        n_before = 0
        options = pa.ipc.IpcWriteOptions(compression="lz4")
        with ExitStack() as stack:
            writers: dict[int, Any] = {}
            for part in parts:
                for rows in part:
                    for number, batch in self._batches(rows, n_before):
                        if number not in writers:
                            sink = stack.enter_context(pa.OSFile(str(self.paths[number]), "wb"))
                            writer = pa.ipc.new_stream(sink, batch.schema, options=options)
                            writers[number] = stack.enter_context(writer)
                        writers[number].write_batch(batch)
                self._starts.append(n_before)
                self._parts.append(part[0].locate)
                n_before += 1 + max(int(rows.row.max()) for rows in part)

    def _batches(self, rows: RunRows, n_before: int) -> Iterator[tuple[int, Any]]:
        """Number of each file, and the rows that go there."""
        self.queries.setdefault(rows.system, {}).update(dict.fromkeys(rows.queries))
        self._tags.setdefault(rows.system, {}).update(dict.fromkeys(rows.tags))
        file = (hash_ids(string_array(rows.queries)) % np.uint64(len(self.paths)))[rows.query]
        order = np.argsort(file, kind="stable")
        bounds = np.searchsorted(file[order], np.arange(len(self.paths) + 1, dtype=file.dtype))
        for number in np.flatnonzero(np.diff(bounds)).tolist():
            yield number, _batch(rows, order[bounds[number] : bounds[number + 1]], n_before)

    def _read(self, path: Path) -> list[RunRows]:
        """All rows of a file, by system."""
        import pyarrow as pa

        with pa.OSFile(str(path)) as file:
            table = pa.ipc.open_stream(file).read_all()
        columns = {name: pa.concat_arrays(table.column(name).chunks) for name in table.column_names}
        first = self._parts[0]
        locate = replace(first, place=self._locate) if isinstance(first, Origin) else self._locate
        return rows_by_system(columns, locate, self._tags)

    def _locate(self, row: int) -> str:
        part = int(np.searchsorted(self._starts, row, side="right")) - 1
        place: str = self._parts[part](row - self._starts[part])
        return place


def _batch(rows: RunRows, chosen: Ints, n_before: int) -> Any:
    """Some rows, with their numbers in the file."""
    import pyarrow as pa

    systems = np.zeros(len(chosen), dtype=np.int64)
    columns = {
        "system": take(string_array([rows.system]), systems),
        "query": take(string_array(rows.queries), rows.query[chosen]),
        "item": take(rows.item, chosen),
        "row": as_arrow(rows.row[chosen] + n_before),
        "score": as_arrow(np.ascontiguousarray(rows.score[chosen])),
    }
    if rows.rank is not None:
        columns["rank"] = as_arrow(np.ascontiguousarray(rows.rank[chosen]))
    return pa.RecordBatch.from_arrays([*columns.values()], names=[*columns])
