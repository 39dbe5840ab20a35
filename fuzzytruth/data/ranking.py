"""The rows of one system: ranked lists of items with scores, no item twice."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import U64, Floats, Ints
from fuzzytruth.core.hashing import pair_keys
from fuzzytruth.core.order import is_descending, is_grouped, places_in_query, query_starts
from fuzzytruth.errors import DataError, shown
from fuzzytruth.io.arrow import take
from fuzzytruth.io.columns import Locate, repeated_rows
from fuzzytruth.io.ids import hash_ids

if TYPE_CHECKING:
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
        Larger is better. Minus the rank, where lists are ordered by rank.
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

    def take(self, rows: Ints) -> Ranking:
        """Only these rows, in this order."""
        return Ranking(
            self.queries,
            self.query[rows],
            take(self.item, rows),
            self.score[rows],
            self.item_hash[rows],
        )


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
    """Bring checked columns of one system into a `Ranking`: no item twice, ranks obeyed."""
    codes, queries = query
    hashes = hash_ids(item) if item_hash is None else item_hash
    ranking = Ranking(queries, codes, item, score, hashes)
    row_of: Ints | None = None
    if rank is not None:
        if not (is_grouped(codes, len(queries)) and is_descending(codes, -rank)):
            row_of = np.lexsort((rank, codes))
            ranking = ranking.take(row_of)
        ranking = replace(ranking, score=-places_in_query(ranking.query).astype(np.float64))
    repeats = list(_repeats(ranking, better_first=duplicates == "first"))
    if not repeats:
        return ranking
    if duplicates == "error":
        raise _repeat_error(ranking, repeats[0], row_of, locate)
    return ranking.take(np.delete(np.arange(len(ranking)), [row for _, row in repeats]))


def _repeats(ranking: Ranking, *, better_first: bool) -> Iterator[tuple[int, int]]:
    """Rows that list an item of their query again: (row kept, row)."""
    rows = np.sort(np.concatenate([np.empty(0, np.int64), *_suspects(ranking)]))
    if better_first:
        rows = rows[np.argsort(-ranking.score[rows], kind="stable")]
    seen: dict[tuple[int, str], int] = {}
    for row in rows.tolist():  # equal hashes only: usually none at all
        kept = seen.setdefault((int(ranking.query[row]), ranking.item[row].as_py()), row)
        if kept != row:
            yield kept, row


def present_queries(
    codes: NDArray[np.int32], queries: tuple[str, ...]
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """Codes and names of the queries that one of several systems answered."""
    used = np.bincount(codes, minlength=len(queries)) > 0
    if used.all():
        return codes, queries
    new = (np.cumsum(used) - 1).astype(np.int32)
    return new[codes], tuple(q for q, here in zip(queries, used.tolist(), strict=True) if here)


_BLOCK = 1 << 16  # rows whose keys are sorted at a time: they stay in cache


def _suspects(ranking: Ranking) -> Iterator[Ints]:
    """Rows that share query and hash of the item with another row."""
    codes, hashes = ranking.query, ranking.item_hash
    if is_grouped(codes, len(ranking.queries)):  # then no pair spans two queries
        starts = query_starts(codes)
        block = np.searchsorted(starts, np.arange(0, len(codes), _BLOCK))
        cuts = np.unique(np.append(starts[block[block < len(starts)]], len(codes)))
    else:
        cuts = np.array([0, len(codes)])
    for start, stop in itertools.pairwise(cuts.tolist()):
        yield repeated_rows(pair_keys(hashes[start:stop], codes[start:stop])) + start


def _repeat_error(
    ranking: Ranking, pair: tuple[int, int], row_of: Ints | None, locate: Locate
) -> DataError:
    query = ranking.queries[ranking.query[pair[1]]]
    item = ranking.item[pair[1]].as_py()
    first, second = sorted(pair if row_of is None else row_of[list(pair)].tolist())
    return DataError(
        f"{locate(second)}, column 'item': value {shown(item)} is listed twice for query "
        f"{shown(query)} (first: {locate(first)}); remove one, or read with duplicates='first'"
    )
