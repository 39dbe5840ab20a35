"""Order within queries: sorting rows by query and score, and runs of equal scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import U64, Ints


def query_starts(codes: NDArray[np.int32]) -> Ints:
    """Rows at which a new query begins, row 0 included."""
    if not len(codes):
        return np.empty(0, dtype=np.int64)
    return np.concatenate(([0], np.flatnonzero(codes[1:] != codes[:-1]) + 1))


def places_in_query(codes: NDArray[np.int32]) -> Ints:
    """Place of each row in its query, from 1; the rows of each query must be contiguous."""
    starts = query_starts(codes)
    return np.arange(1, len(codes) + 1) - np.repeat(starts, np.diff(starts, append=len(codes)))


def whole_query_cuts(codes: NDArray[np.int32], n_queries: int, size: int) -> Ints:
    """Rows at which to cut into blocks of whole queries: (blocks + 1,), 0 and all included.

    Blocks have about `size` rows: they start at the first query at or after each multiple of
    `size`. All rows are one block if those of any query are not contiguous.
    """
    if not is_grouped(codes, n_queries):
        return np.array([0, len(codes)])
    starts = query_starts(codes)
    block = np.searchsorted(starts, np.arange(0, len(codes), size))
    cuts = np.append(starts[block[block < len(starts)]], len(codes))
    return cuts[np.diff(cuts, prepend=-1) > 0]  # np.unique would import numpy.ma


def is_grouped(codes: NDArray[np.int32], n_queries: int) -> bool:
    """Whether the rows of each query are contiguous."""
    starts = query_starts(codes)
    return len(starts) <= n_queries and int(np.bincount(codes[starts]).max(initial=0)) <= 1


def is_descending(codes: NDArray[np.int32], score: NDArray[np.floating]) -> bool:
    """Whether scores never rise within a query, whose rows must be contiguous."""
    rises = score[1:] > score[:-1]
    rises &= codes[1:] == codes[:-1]
    return not bool(rises.any())


def by_query_and_rank(codes: NDArray[np.int32], rank: Ints) -> Ints:
    """Rows sorted by query, then rank; they often are already."""
    step = np.diff(codes)
    if bool(((step > 0) | ((step == 0) & (np.diff(rank) >= 0))).all()):
        return np.arange(len(rank))
    return np.lexsort((rank, codes))


def best_first(codes: NDArray[np.int32], score: NDArray[np.floating]) -> Ints:
    """Rows sorted by query, then score descending; equal scores keep their order."""
    if score.dtype == np.float32:
        return np.argsort(_combined_key(codes, score), kind="stable")
    return np.lexsort((-score, codes))


def _combined_key(codes: NDArray[np.int32], score: NDArray[np.floating]) -> U64:
    """A single key that sorts by query, then score descending."""
    # +0.0 turns -0.0 into 0.0, so that equal scores have equal bits.
    bits = (score + np.float32(0)).view(np.uint32)
    # The bits of floats sort as integers once all bits of negative numbers and the sign bit of the
    # others are flipped; the complement sorts in descending order.
    negative = bits >> np.uint32(31)
    ascending = bits ^ ((np.uint32(0) - negative) | np.uint32(0x80000000))
    key = codes.astype(np.uint64) << np.uint64(32)
    key |= (~ascending).astype(np.uint64)
    return key


def tie_bounds(
    codes: NDArray[np.integer], score: NDArray[np.number], places: Ints
) -> tuple[Ints, Ints]:
    """First and last row of the run of equal scores around each of the rows `places`.

    Rows must be sorted by query and score.
    """
    same = score[1:] == score[:-1]
    same &= codes[1:] == codes[:-1]
    tied = np.flatnonzero(same)  # rows j that tie with row j + 1
    if not len(tied):
        return places, places
    # Consecutive entries a to b of `tied` are one run, of rows tied[a] to tied[b] + 1.
    cut = np.flatnonzero(np.diff(tied) > 1) + 1
    run_first = tied[np.concatenate(([0], cut))]
    run_last = tied[np.concatenate((cut, [len(tied)])) - 1] + 1
    run = np.maximum(np.searchsorted(run_first, places, side="right") - 1, 0)
    inside = (places >= run_first[run]) & (places <= run_last[run])
    return np.where(inside, run_first[run], places), np.where(inside, run_last[run], places)
