"""Ranks of a system's rows, with ties resolved as in trec_eval, in the order given, or kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Array, Ints
from fuzzytruth.core.order import (
    best_first,
    by_query_and_rank,
    is_descending,
    is_grouped,
    query_starts,
    tie_bounds,
)
from fuzzytruth.core.segments import offsets_of
from fuzzytruth.io.arrow import as_arrow, as_numpy, take

if TYPE_CHECKING:
    import pyarrow as pa

    from fuzzytruth.data.ranking import Ranking

Ties = Literal["trec", "order", "expected"]


def rank_order(ranking: Ranking) -> tuple[Ints, Ints]:
    """All rows sorted by query and rank, ties resolved as in trec_eval, and their ranks from 1."""
    rows = np.arange(len(ranking))
    first, _ = ranks_of(ranking, ranking.query, rows, "trec")
    order = by_query_and_rank(ranking.query, first)
    return order, first[order]


def ranks_of(
    ranking: Ranking, codes: NDArray[np.int32], rows: Ints, ties: Ties
) -> tuple[Ints, Ints]:
    """First and last rank, from 1, that each of `rows` can have in its list: both (rows,).

    They differ only with ``ties="expected"``, for rows of equal scores.
    """
    score: Array = ranking.score
    if ties == "trec":
        with np.errstate(over="ignore", under="ignore"):  # scores out of range become infinite, and tie
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
        return rows, rows
    start = starts[np.searchsorted(starts, place_of, side="right") - 1]
    if ties == "order":
        rank = place_of - start + 1
        return rank, rank
    first, last = tie_bounds(codes, score, place_of)
    if ties == "trec":
        first = last = _by_id(ranking.item, order, place_of, first, last)
    return first - start + 1, last - start + 1


def _by_id(
    item: pa.LargeStringArray, order: Ints | None, place_of: Ints, first: Ints, last: Ints
) -> Ints:
    """Resolve ties by the bytes of the ids, descending: the place of each row in the order."""
    tied = np.flatnonzero(first != last)
    if not len(tied):
        return place_of
    import pyarrow as pa
    import pyarrow.compute as pc

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
