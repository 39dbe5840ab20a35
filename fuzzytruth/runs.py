"""Runs: what each system answered to each query, a ranked list of items with scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth.core.hashing import U64, pair_keys
from fuzzytruth.core.strings import encode, hash_ids
from fuzzytruth.errors import DataError, OptionError, choice
from fuzzytruth.io.columns import Locate, check_ids, check_numbers, repeated_rows, rows_of
from fuzzytruth.names import find_columns

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ranking:
    """The rows of one system, as columns.

    Parameters
    ----------
    queries : tuple of str
        Ids of the answered queries.
    query : (rows,) int32
        Which of `queries` a row belongs to.
    item : Arrow array of strings, (rows,)
    score : (rows,) float
        Larger is better. Meaningless where `by_rank`.
    item_hash : (rows,) uint64
        Hash of each item's id.
    by_rank : bool
        The rows of a query stand in rank order already, and scores do not count.
    """

    queries: tuple[str, ...]
    query: NDArray[np.int32]
    item: pa.LargeStringArray
    score: NDArray[np.float64]
    item_hash: U64
    by_rank: bool = False

    def __len__(self) -> int:
        return len(self.query)

    def take(self, rows: NDArray[np.int64]) -> Ranking:
        """Only these rows, in this order."""
        return Ranking(
            self.queries,
            self.query[rows],
            self.item.take(rows),
            self.score[rows],
            self.item_hash[rows],
            self.by_rank,
        )


def make_ranking(
    query: tuple[NDArray[np.int32], tuple[str, ...]],
    item: pa.LargeStringArray,
    score: NDArray[np.float64],
    *,
    item_hash: U64 | None = None,
    rank: NDArray[np.float64] | None = None,
    duplicates: str = "error",
    locate: Locate,
) -> Ranking:
    """Bring checked columns of one system into a `Ranking`: no item twice, ranks obeyed."""
    codes, queries = query
    hashes = hash_ids(item) if item_hash is None else item_hash
    ranking = Ranking(queries, codes, item, score, hashes, rank is not None)
    # Duplicates are dropped after ranks are obeyed, so that the better place is the first one.
    order = None if rank is None else np.lexsort((rank, codes))
    if order is not None and not (order[1:] > order[:-1]).all():
        ranking = ranking.take(order)
        by_row = locate
        places = order
        locate = lambda row: by_row(int(places[row]))  # noqa: E731
    twice = _duplicate_rows(ranking, duplicates, locate)
    if not len(twice):
        return ranking
    keep = np.ones(len(ranking), dtype=bool)
    keep[twice] = False
    return ranking.take(np.flatnonzero(keep))


def _duplicate_rows(ranking: Ranking, duplicates: str, locate: Locate) -> NDArray[np.int64]:
    """Rows that repeat an item of the same query: an error, or all but the first of each."""
    suspects = repeated_rows(pair_keys(ranking.item_hash, ranking.query))
    seen: dict[tuple[int, str], int] = {}
    twice: list[int] = []
    for row in np.sort(suspects).tolist():  # equal hashes only: usually none at all
        key = int(ranking.query[row]), ranking.item[row].as_py()
        if key in seen:
            twice.append(row)
            if duplicates == "error":
                raise DataError(
                    f"{locate(row)}: item {key[1]!r} is listed twice for query "
                    f"{ranking.queries[key[0]]!r} (first: {locate(seen[key])}); remove one, or "
                    "read with duplicates='first'"
                )
        else:
            seen[key] = row
    return np.array(twice, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Runs(Mapping[str, Ranking]):
    """Ranked lists of one or more systems: a mapping from a system's name to its `Ranking`.

    Make one with `read_runs`, `from_frame`, `from_dict` or `from_matrix`.

    Examples
    --------
    >>> Runs.from_dict({"bm25": {"q1": {"a": 2.5, "b": 1.0}}})
    Runs(1 system: bm25; 2 rows)
    """

    rankings: Mapping[str, Ranking]

    def __getitem__(self, system: str) -> Ranking:
        return self.rankings[system]

    def __iter__(self) -> Iterator[str]:
        return iter(self.rankings)

    def __len__(self) -> int:
        return len(self.rankings)

    def __repr__(self) -> str:
        names = list(self.rankings)
        shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
        rows = sum(len(r) for r in self.rankings.values())
        return f"Runs({len(names)} system{'s' if len(names) != 1 else ''}: {shown}; {rows} rows)"

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return tuple(self.rankings)

    @classmethod
    def from_columns(
        cls,
        query: Iterable[Any],
        item: Iterable[Any],
        *,
        score: Any = None,
        rank: Any = None,
        system: Iterable[Any] | None = None,
        name: str = "system",
        order_by: str = "score",
        duplicates: str = "error",
        where: str | Locate = "runs",
    ) -> Runs:
        """Check columns and make runs of them; see `from_frame`."""
        choice("order_by", order_by, ("score", "rank"))
        choice("duplicates", duplicates, ("error", "first"))
        locate = rows_of(where) if isinstance(where, str) else where
        if (score is None) if order_by == "score" else (rank is None):
            raise DataError(f"{where}: order_by={order_by!r} needs a column {order_by!r}")
        items = check_ids(item, "item", where)
        if not len(items):
            raise DataError(f"{where}: there are no rows in it")
        codes, query_ids = encode(check_ids(query, "query", where))
        queries = tuple(query_ids.to_pylist())
        scores = np.zeros(len(items)) if score is None else check_numbers(score, "score", where)
        ranks = None if order_by == "score" else check_numbers(rank, "rank", where)
        if system is None:
            names, of_system = (name,), np.zeros(len(items), dtype=np.int32)
        else:
            of_system, ids = encode(check_ids(system, "system", where))
            names = tuple(ids.to_pylist())
        hashes = hash_ids(items)
        by_system = np.argsort(of_system, kind="stable")
        bounds = np.searchsorted(of_system[by_system], np.arange(len(names) + 1))
        rankings = {}
        for j, label in enumerate(names):
            rows = by_system[bounds[j] : bounds[j + 1]]
            rankings[label] = make_ranking(
                (codes[rows], queries),
                items.take(rows),
                scores[rows],
                item_hash=hashes[rows],
                rank=None if ranks is None else ranks[rows],
                duplicates=duplicates,
                locate=lambda row, rows=rows: locate(int(rows[row])),  # type: ignore[misc]
            )
        return cls(rankings)

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        *,
        name: str = "system",
        order_by: str = "score",
        duplicates: str = "error",
    ) -> Runs:
        """Make runs from a frame with one row a retrieved item.

        Parameters
        ----------
        frame : DataFrame
            Columns query, item, score (or distance: smaller is better) and, optionally, rank and
            system, under any of their usual names. The frame is not changed.
        name : str
            The system's name where the frame has no column for it.
        order_by : {"score", "rank"}
            Which column orders a list.
        duplicates : {"error", "first"}
            What to do when a list holds an item twice.

        Raises
        ------
        DataError
            A column is missing, a score is not a finite number, an item is listed twice.
        """
        names = find_columns(
            frame.columns,
            ("query", "item"),
            ("score", "distance", "rank", "system"),
            where="frame",
        )
        columns: dict[str, Any] = {k: frame[v] for k, v in names.items()}
        distance = columns.pop("distance", None)
        if distance is not None and "score" not in columns:
            columns["score"] = -check_numbers(distance, "distance", "frame")
        return cls.from_columns(
            **columns, name=name, order_by=order_by, duplicates=duplicates, where="frame"
        )

    @classmethod
    def from_dict(cls, runs: Mapping[Any, Any], *, name: str = "system") -> Runs:
        """Make runs from ``{system: {query: {item: score}}}`` or ``{query: {item: score}}``.

        The second form is one system, called `name`.
        """
        rows: list[tuple[str, str, str, float]] = []
        for key, value in runs.items():
            inner = next(iter(value.values()), None)
            if isinstance(inner, Mapping):
                rows += [(key, q, d, s) for q, ds in value.items() for d, s in ds.items()]
            else:
                rows += [(name, key, d, s) for d, s in value.items()]
        system, query, item, score = zip(*rows, strict=True) if rows else ((), (), (), ())
        return cls.from_columns(query, item, score=score, system=system, where="dict")

    @classmethod
    def from_matrix(
        cls,
        matrix: Any,
        *,
        queries: Iterable[Any],
        items: Iterable[Any],
        name: str = "system",
        exclude_self: bool = False,
        larger_is_better: bool = True,
    ) -> Runs:
        """Make runs from a matrix of scores or distances between all queries and all items.

        Parameters
        ----------
        matrix : (queries, items) array of numbers
        queries, items : ids of the rows and of the columns
        name : str
            The system's name.
        exclude_self : bool
            Leave a query out of its own list, where it is one of the items.
        larger_is_better : bool
            False for distances.

        Raises
        ------
        DataError
            The shape does not fit the ids, or a cell is not a finite number.

        Examples
        --------
        >>> runs = Runs.from_matrix([[1, .2], [.2, 1]], queries="ab", items="ab", exclude_self=True)
        >>> len(runs["system"])
        2
        """
        values = np.asarray(matrix, dtype=np.float64)
        rows, columns = list(queries), list(items)
        query_ids, item_ids = (
            check_ids(rows, "queries", "matrix"),
            check_ids(columns, "items", "matrix"),
        )
        if values.shape != (len(rows), len(columns)):
            raise DataError(
                f"matrix: shape {values.shape} does not fit {len(rows)} queries and "
                f"{len(columns)} items"
            )
        for ids, what in ((query_ids, "queries"), (item_ids, "items")):
            if len(ids.unique()) != len(ids):
                raise DataError(f"matrix: an id occurs twice among the {what}")
        bad = np.argwhere(~np.isfinite(values))
        if len(bad):
            q, d = bad[0]
            raise DataError(f"matrix, row {q + 1}, column {d + 1}: {values[q, d]} is not allowed")
        codes = np.repeat(np.arange(len(rows), dtype=np.int32), len(columns))
        places = np.tile(np.arange(len(columns)), len(rows))
        flat = (values if larger_is_better else -values).ravel()
        ids = tuple(query_ids.to_pylist())
        if exclude_self:
            column_of = {d: j for j, d in enumerate(item_ids.to_pylist())}
            own = np.array([column_of.get(q, -1) for q in ids])
            keep = own[codes] != places
            codes, places, flat = codes[keep], places[keep], flat[keep]
        hashes = hash_ids(item_ids)[places]
        ranking = Ranking(ids, codes, item_ids.take(places), flat, hashes)
        return cls({name: ranking})

    def to_frame(self) -> pd.DataFrame:
        """One row a retrieved item: system, query, item, rank, score (rank from 1, best first)."""
        import pandas as pd

        from fuzzytruth.alignment import rank_order

        parts = []
        for system, ranking in self.rankings.items():
            order, rank = rank_order(ranking)
            ids = np.array(ranking.queries, dtype=object)
            parts.append(
                pd.DataFrame(
                    {
                        "system": system,
                        "query": ids[ranking.query[order]],
                        "item": ranking.item.take(order).to_pylist(),
                        "rank": rank,
                        "score": ranking.score[order],
                    }
                )
            )
        return pd.concat(parts, ignore_index=True)

    def write(self, path: str | Path) -> None:
        """Write to a file; its name's ending tells the format (none of the known ones: TREC)."""
        from fuzzytruth.io.writing import write_runs

        write_runs(self, Path(path))

    def rename(self, names: Mapping[str, str]) -> Runs:
        """The same runs, systems under new names."""
        out = {names.get(system, system): ranking for system, ranking in self.rankings.items()}
        if len(out) != len(self.rankings):
            raise OptionError(f"rename: two systems would share a name: {dict(names)}")
        return Runs(out)
