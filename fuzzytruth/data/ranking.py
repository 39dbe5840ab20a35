"""The ranked lists of one system: rows of query, item and score, no item twice in a list."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import U64, Floats, Ints
from fuzzytruth.core.checksums import digest, list_keys, row_keys, total
from fuzzytruth.core.hashing import duplicate_key_rows, pair_keys
from fuzzytruth.core.order import is_descending, is_grouped, places_in_query, whole_query_cuts
from fuzzytruth.errors import DataError, shown
from fuzzytruth.io.arrow import take
from fuzzytruth.io.column_names import COLUMN_ALIASES
from fuzzytruth.io.ids import encode, hash_ids, string_array
from fuzzytruth.io.origin import Locate, column_at, located, unused_hint

if TYPE_CHECKING:
    import pyarrow as pa


# No slots: cached properties need a `__dict__`.
@dataclass(frozen=True, eq=False, repr=False)
class Ranking:
    """The rows of one system as columns.

    Parameters
    ----------
    queries : tuple of str
        Ids of the queries answered.
    query : (rows,) int32
        Index into `queries`.
    item : Arrow array of strings, (rows,)
    score : (rows,) float
        Larger is better. Minus the rank where lists are ordered by rank.
    item_hash : (rows,) uint64
        Hash of each item's id.
    """

    queries: tuple[str, ...]
    query: NDArray[np.int32]
    item: pa.LargeStringArray
    score: Floats
    item_hash: U64

    def __len__(self) -> int:
        return len(self.query)

    @cached_property
    def checksum(self) -> str:
        """Equal for equal lists, whatever the order of their rows."""
        return digest(len(self), self.key_total)

    @property
    def key_total(self) -> int:
        """Sum of the keys of the lists; those of parts add up to that of the whole, modulo 2^64."""
        lists = list_keys(self.query, len(self.queries), self.item_hash, self.score)
        return total(row_keys(hash_ids(string_array(self.queries)), lists))

    def take(self, rows: Ints) -> Ranking:
        """Only these rows, in this order."""
        return Ranking(
            self.queries,
            self.query[rows],
            take(self.item, rows),
            self.score[rows],
            self.item_hash[rows],
        )

    def without(self, rows: Ints) -> Ranking:
        """All rows but these."""
        return self.take(np.delete(np.arange(len(self)), rows))

    def blocks(self, size: int) -> Iterator[Ranking]:
        """The rows in blocks of whole queries, of about `size` rows each; views, not copies.

        All rows are one block if those of some query are not contiguous.
        """
        cuts = whole_query_cuts(self.query, len(self.queries), size)
        for start, stop in itertools.pairwise(cuts.tolist()):
            yield Ranking(
                self.queries,
                self.query[start:stop],
                self.item[start:stop],
                self.score[start:stop],
                self.item_hash[start:stop],
            )


def rankings_by_system(
    query: pa.LargeStringArray,
    item: pa.LargeStringArray,
    score: Floats,
    *,
    rank: Floats | None = None,
    system: pa.LargeStringArray | str,
    duplicates: str = "error",
    locate: Locate,
) -> dict[str, Ranking]:
    """Make the `Ranking` of each system from checked columns; a text is the only system.

    See `make_ranking`.
    """
    codes, query_ids = encode(query)
    queries = tuple(query_ids.to_pylist())
    if isinstance(system, str):
        names, system_codes = [system], np.zeros(len(item), dtype=np.int32)
    else:
        system_codes, ids = encode(system)
        names = ids.to_pylist()
    hashes = hash_ids(item)
    return {
        name: make_ranking(
            present_queries(codes[rows], queries),
            take(item, rows),
            score[rows],
            item_hash=hashes[rows],
            rank=None if rank is None else rank[rows],
            duplicates=duplicates,
            locate=located(locate, rows),
        )
        for name, rows in zip(names, _rows_of_systems(system_codes, len(names)), strict=True)
    }


def _rows_of_systems(system_codes: NDArray[np.int32], n_systems: int) -> list[Ints]:
    """The rows of each system, ascending."""
    by_system = np.argsort(system_codes, kind="stable")
    bounds = np.searchsorted(system_codes[by_system], np.arange(n_systems + 1)).tolist()
    return [by_system[start:stop] for start, stop in itertools.pairwise(bounds)]


def make_ranking(
    query: tuple[NDArray[np.int32], tuple[str, ...]],
    item: pa.LargeStringArray,
    score: Floats,
    *,
    item_hash: U64 | None = None,
    rank: Floats | None = None,
    duplicates: str = "error",
    locate: Locate,
) -> Ranking:
    """Make a `Ranking` from checked columns of one system; lists hold no item twice.

    With `rank`, lists are ordered by it, and scores become minus the places in the lists.
    """
    codes, queries = query
    hashes = hash_ids(item) if item_hash is None else item_hash
    ranking = Ranking(queries, codes, item, score, hashes)
    row_of: Ints | None = None
    if rank is not None:
        if not (is_grouped(codes, len(queries)) and is_descending(codes, -rank)):
            row_of = np.lexsort((rank, codes))
            ranking = ranking.take(row_of)
        ranking = replace(ranking, score=-places_in_query(ranking.query).astype(np.float64))
    listed_again = list(_listed_again(ranking, better_first=duplicates == "first"))
    if not listed_again:
        return ranking
    if duplicates == "error":
        raise _duplicate_error(ranking, listed_again[0], row_of, locate)
    return ranking.without(np.array([row for _, row in listed_again]))


def _listed_again(ranking: Ranking, *, better_first: bool) -> Iterator[tuple[int, int]]:
    """Rows whose item is already in the list of their query: (row kept, row)."""
    rows = np.sort(np.concatenate([np.empty(0, np.int64), *_candidates(ranking)]))
    if better_first:
        rows = rows[np.argsort(-ranking.score[rows], kind="stable")]
    seen: dict[tuple[int, str], int] = {}
    for row in rows.tolist():  # only rows with equal hashes: usually none
        kept = seen.setdefault((int(ranking.query[row]), ranking.item[row].as_py()), row)
        if kept != row:
            yield kept, row


def present_queries(
    codes: NDArray[np.int32], queries: tuple[str, ...]
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """Codes and ids of those queries that occur in `codes`, out of the queries of all systems."""
    used = np.bincount(codes, minlength=len(queries)) > 0
    if used.all():
        return codes, queries
    new_code = (np.cumsum(used) - 1).astype(np.int32)
    return new_code[codes], tuple(itertools.compress(queries, used.tolist()))


_BLOCK = 1 << 16  # rows whose keys are sorted at a time, so that they stay in cache


def _candidates(ranking: Ranking) -> Iterator[Ints]:
    """Rows that share the query and the hash of the item with another row."""
    codes, hashes = ranking.query, ranking.item_hash
    cuts = whole_query_cuts(codes, len(ranking.queries), _BLOCK)
    for start, stop in itertools.pairwise(cuts.tolist()):
        yield duplicate_key_rows(pair_keys(hashes[start:stop], codes[start:stop])) + start


def _duplicate_error(
    ranking: Ranking, pair: tuple[int, int], row_of: Ints | None, locate: Locate
) -> DataError:
    query = ranking.queries[ranking.query[pair[1]]]
    item = ranking.item[pair[1]].as_py()
    first, second = sorted(pair if row_of is None else row_of[list(pair)].tolist())
    hint = unused_hint(locate, "system", "names the systems")
    return DataError(
        f"{column_at(locate, second, 'item')}: value {shown(item)} is listed twice for query "
        f"{shown(query)} (first: {locate(first)}); {hint}remove one, or keep "
        "the better when reading: duplicates='first'"
    )


def missing_order(where: str, order_by: str) -> DataError:
    """The error of data without the column that orders lists."""
    accepted = COLUMN_ALIASES[order_by]
    if order_by == "score":
        accepted += COLUMN_ALIASES["distance"]
    return DataError(
        f"{where}: no column for {order_by!r}, which order_by={order_by!r} needs "
        f"(accepted: {', '.join(accepted)})"
    )
