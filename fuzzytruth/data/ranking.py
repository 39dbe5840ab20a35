"""The ranked lists of one system: rows of query, item and score, no item twice in a list."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import U64, Array, Floats, Ints
from fuzzytruth.core.checksums import (
    digest,
    duplicate_key_rows,
    list_keys,
    pair_keys,
    row_keys,
    total,
)
from fuzzytruth.core.order import (
    best_first,
    by_query_and_rank,
    is_descending,
    is_grouped,
    places_in_query,
    query_starts,
    tie_bounds,
    whole_query_cuts,
)
from fuzzytruth.core.segments import offsets_of
from fuzzytruth.errors import DataError, shown
from fuzzytruth.io.column_names import COLUMN_ALIASES
from fuzzytruth.io.columns import (
    Locate,
    as_arrow,
    as_numpy,
    column_at,
    encode,
    hash_ids,
    located,
    string_array,
    take,
    unused_hint,
)

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


# Ranks of a system's rows, with ties resolved as in trec_eval, in the order given, or kept.


Ties = Literal["trec", "order", "expected"]
#: first and last rank of the items with the score of each row, where these are more than one
TieRanks = tuple[Ints, Ints]


def of_rows(ties: TieRanks | None, rows: Ints | slice) -> TieRanks | None:
    """Those of some rows only."""
    return None if ties is None else (ties[0][rows], ties[1][rows])


def rank_order(ranking: Ranking) -> tuple[Ints, Ints]:
    """All rows sorted by query and rank, ties resolved as in trec_eval, and their ranks from 1."""
    rows = np.arange(len(ranking))
    first = ranks_of(ranking, ranking.query, rows, "trec")[0]
    order = by_query_and_rank(ranking.query, first)
    return order, first[order]


def ranks_of(
    ranking: Ranking, codes: NDArray[np.int32], rows: Ints, ties: Ties
) -> tuple[Ints, Ints, TieRanks | None]:
    """First and last rank, from 1, that each of `rows` can have in its list: both (rows,).

    They differ only with ``ties="expected"``, for rows of equal scores. Otherwise such rows have
    one rank each, and those of their ties come third; None where no row is tied.
    """
    score: Array = ranking.score
    if ties == "trec":
        # Scores out of range become infinite, and tie.
        with np.errstate(over="ignore", under="ignore"):
            score = score.astype(np.float32)
    place_of, order = rows, None
    if not (is_grouped(codes, len(ranking.queries)) and is_descending(codes, score)):
        order = best_first(codes, score)
        codes, score = codes[order], score[order]
        inverse = np.empty(len(order), dtype=np.int64)
        inverse[order] = np.arange(len(order))
        place_of = inverse[rows]
    starts = query_starts(codes)
    if not len(rows):
        return rows, rows, None
    start = starts[np.searchsorted(starts, place_of, side="right") - 1]
    first, last = tie_bounds(codes, score, place_of)
    tied = first is not last and bool((first != last).any())
    tie = (first - start + 1, last - start + 1) if tied else None
    if ties == "expected":
        return (*(tie or (place_of - start + 1,) * 2), None)
    if ties == "trec" and tied:
        place_of = _by_id(ranking.item, order, place_of, first, last)
    rank = place_of - start + 1
    return rank, rank, tie


def _by_id(
    item: pa.LargeStringArray, order: Ints | None, place_of: Ints, first: Ints, last: Ints
) -> Ints:
    """Resolve ties by the bytes of the ids, descending: the place of each row in the order."""
    import pyarrow as pa
    import pyarrow.compute as pc

    tied = np.flatnonzero(first != last)
    run_first, which = np.unique(first[tied], return_index=True)
    size = last[tied][which] - run_first + 1
    offsets = offsets_of(size)
    run = np.repeat(np.arange(len(size)), size)
    places = np.arange(offsets[-1]) - offsets[run] + run_first[run]  # all rows of all runs
    members = places if order is None else order[places]
    table = pa.Table.from_arrays([as_arrow(run), take(item, members)], names=["run", "item"])
    by_id: Any = pc.sort_indices(table, sort_keys=[("run", "ascending"), ("item", "descending")])
    resolved = np.empty(len(places), dtype=np.int64)
    resolved[as_numpy(by_id, np.uint64)] = places
    index = offsets[np.searchsorted(run_first, first[tied])] + place_of[tied] - first[tied]
    out = place_of.copy()
    out[tied] = resolved[index]
    return out


# What evaluation asks of ranked lists, whether they are in memory or in files.


Found = TypeVar("Found")


class RankedLists(Protocol):
    """The ranked lists of one or more systems."""

    def each_block(self, function: Callable[[Ranking], Found]) -> dict[str, list[Found]]:
        """What a function gives for each block of whole lists, by system.

        All rows that a system has for a query are in one block. The function may be called by
        several threads.
        """

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""

    @property
    def queries(self) -> Mapping[str, tuple[str, ...]]:
        """Ids of the queries that each system answers."""

    @property
    def checksums(self) -> Mapping[str, str]:
        """See `Ranking.checksum`, by system."""
