"""Lists without the items that a subject, or nobody, judged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fuzzytruth._typing import Bools, Ints
from fuzzytruth.core.layouts import EndToEnd
from fuzzytruth.core.order import tie_bounds
from fuzzytruth.core.segments import offsets_of, segment_cumsum, segment_of, segment_sum
from fuzzytruth.truth.batch import Batch, ranks
from fuzzytruth.truth.levels import Levels


def without_missing(batch: Batch) -> Batch:
    """Lists from which each world's missing items (gain NaN) are taken out.

    Lists then differ between worlds, so that each (world, query) becomes a query of its own, in a
    batch of a single world.
    """
    batch = batch.end_to_end()
    return _without(np.isnan(batch.gain), batch)


def judged_only(batch: Batch) -> Batch:
    """Lists of which only items judged in each world are left: with a grade of 0 or more.

    Where all hits are judged in all worlds, these share their lists as before. Else each (world,
    query) becomes a query of its own, in a batch of a single world.
    """
    return among_hits(batch) if all_judged(batch).all() else hits_judged(batch)


def all_judged(batch: Batch) -> Bools:
    """Whether all hits of a query are judged in a world: (worlds, queries)."""
    if batch.scale is not None and bool((batch.scale >= 0).all()):
        return np.ones((batch.n_worlds, batch.n_queries), dtype=bool)
    # NaN is no grade
    is_judged = batch.code >= 0 if batch.scale is None else batch.values_of(lambda g: g >= 0)
    out: Bools = batch.per_query(~is_judged.astype(bool)) == 0
    return out


def among_hits(batch: Batch) -> Batch:
    """Lists without the items that nobody judged."""
    among = batch.among_hits()
    return _with_ranks(among, batch, among.first)


def hits_judged(batch: Batch) -> Batch:
    """Lists of the items judged in each world; each (world, query) is a query of its own."""
    batch, among = batch.end_to_end(), batch.among_hits().end_to_end()
    missing = ~(among.gain >= 0)
    above, _ = _count_in_order(missing, among)
    return _with_ranks(_without(missing, among), batch, among.first - above)


def _with_ranks(lists: Batch, batch: Batch, rank: Ints) -> Batch:
    """Lists with the intents of a batch whose hits now have these ranks."""
    if batch.intents is None:
        return lists
    query = batch.per_hit(np.arange(batch.n_queries))
    return replace(lists, intents=batch.intents.reranked(query, batch.first, rank))


def _without(missing: Bools, batch: Batch) -> Batch:
    """Lists without the hits marked (worlds, hits)."""
    above, up_to = _count_in_order(missing, batch)
    judged = ~missing
    world, hit = np.nonzero(judged)
    query = segment_of(batch.offsets)[hit]
    n_worlds, n_queries = batch.n_worlds, batch.n_queries
    own = world * n_queries + query
    length = batch.length - segment_sum(missing, batch.offsets)
    levels = batch.levels
    return Batch(
        length.ravel(),
        EndToEnd(offsets_of(np.bincount(own, minlength=n_worlds * n_queries))),
        *ranks(batch.first[hit] - above[judged], batch.last[hit] - up_to[judged]),
        batch.gain[judged][None, :],
        Levels(
            offsets_of(np.tile(np.diff(levels.offsets), n_worlds)),
            np.tile(levels.grade, n_worlds),
            levels.count.reshape(1, -1),
        ),
        batch.top_grade,
    )


def _count_in_order(marked: Bools, batch: Batch) -> tuple[Ints, Ints]:
    """Marked hits on better ranks than each hit, and marked hits up to the end of its tie.

    Both (worlds, hits).
    """
    running = segment_cumsum(marked, batch.offsets)
    # tied hits share `first` within a query
    every = np.arange(len(batch.first))
    start, end = tie_bounds(segment_of(batch.offsets), batch.first, every)
    return running[:, start] - marked[:, start], running[:, end]
