"""How far a score could be off because items were never judged: input of `Measure.bounds`.

The unjudged items are those that some run retrieved, or that the judgments list with a negative
grade, and that have no judgment. Each may have any grade of the scale, from 0 to the top one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.layouts import EndToEnd
from fuzzytruth.core.lists.ranked_lists import OpenLists
from fuzzytruth.core.order import tie_bounds
from fuzzytruth.core.segments import offsets_of, padded, segment_cumsum, segment_of, segment_sum
from fuzzytruth.truth.batch import Batch, ranks
from fuzzytruth.truth.levels import Levels


@dataclass(frozen=True, slots=True, eq=False)
class UnjudgedItems:
    """One system's lists with the places of the unjudged items, padded to one length.

    There is a list for each cell (a query and a subject who judged it), so that in the methods of
    this class there is one world, and each cell counts as a query.

    Parameters
    ----------
    gain : (1, cells, ranks) float
        Grade at each rank; NaN where the item is not judged, or past the end of the list.
    unjudged : (1, cells, ranks) bool
        Where there is an item without judgment.
    outside : (1, cells) int
        Unjudged items that are not in the list.
    length : (cells,) int
    grades : (1, items) float
        Of all judged items; NaN where not judged.
    offsets : (cells + 1,) int
        Where each cell's items start.
    top_grade : float
        The largest grade that an item may have: that of the judgments, or 1 if all are 0.
    """

    gain: Floats
    unjudged: Bools
    outside: Ints
    length: Ints
    grades: Floats
    offsets: Ints
    top_grade: float

    def relevant(self, rel: float) -> Bools:
        """Where a judged relevant item stands: (1, cells, ranks)."""
        return self.gain >= rel

    def n_relevant(self, rel: float) -> Ints:
        """Number of judged relevant items, retrieved or not: (1, cells)."""
        return segment_sum(self.grades >= rel, self.offsets)

    def binary(self, rel: float, cutoff: int | None = None) -> OpenLists:
        """Relevant, non-relevant and unjudged items of the lists, cut at a rank."""
        inside = self.within(cutoff)
        relevant = self.n_relevant(rel)[0]
        return OpenLists(
            inside.relevant(rel)[0],
            inside.unjudged[0],
            relevant,
            self.n_relevant(0)[0] - relevant,
            inside.outside[0],
            inside.length,
        )

    def as_nonrelevant(self) -> UnjudgedItems:
        """The same with grade 0 for every unjudged item."""
        n_items = np.diff(self.offsets)
        n_zero = (self.n_open + self.outside)[0]
        width = int((n_items + n_zero).max(initial=0))
        filled = padded(self.grades, self.offsets, width=width)[0]  # (cells, width)
        kept = np.arange(width) < (n_items + n_zero)[:, None]
        return replace(
            self,
            gain=np.where(self.unjudged, 0.0, self.gain),
            unjudged=np.zeros_like(self.unjudged),
            outside=np.zeros_like(self.outside),
            grades=filled[kept][None],
            offsets=offsets_of(n_items + n_zero),
        )

    @property
    def n_open(self) -> Ints:
        """Number of unjudged items in the list: (1, cells)."""
        return np.asarray(self.unjudged.sum(axis=-1))

    def within(self, cutoff: int | None) -> UnjudgedItems:
        """The lists cut at a rank; unjudged items beyond it are outside."""
        if cutoff is None or cutoff >= self.gain.shape[-1]:
            return self
        beyond = self.unjudged[..., cutoff:].sum(axis=-1)
        return UnjudgedItems(
            self.gain[..., :cutoff],
            self.unjudged[..., :cutoff],
            self.outside + beyond,
            np.minimum(self.length, cutoff),
            self.grades,
            self.offsets,
            self.top_grade,
        )


# Lists without the items that a subject, or nobody, judged.


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
