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
