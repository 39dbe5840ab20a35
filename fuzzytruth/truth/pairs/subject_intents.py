"""Each subject's judgments by intent, as a crisp truth: a query for each cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.core.order import tie_bounds
from fuzzytruth.core.segments import offsets_of, segment_of
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.intents import IntentHits, Intents, IntentTable, IntentWorlds
from fuzzytruth.truth.pairs.intent_sets import IntentSets
from fuzzytruth.truth.pairs.placement import Placement


@dataclass(frozen=True, slots=True, eq=False)
class OwnIntents:
    """The judgments of some cells by intent.

    Parameters
    ----------
    sets : IntentSets
    intents : (queries + 1,) int
        Where the intents of each query of the block start.
    kind : (judgments,) int
        Set of each judgment.
    place : (pairs,) int
        Ascending where the ids of the items of a query descend.
    """

    sets: IntentSets
    intents: Ints
    kind: Ints
    place: Ints

    def table(self, pair: Ints, cell: Ints, query_of_cell: Ints) -> tuple[IntentTable, Ints]:
        """The entries, cells being queries; and the judgment that each of its items is.

        Parameters
        ----------
        pair, cell : (judgments,) int
        query_of_cell : (cells,) int
        """
        judgment = np.lexsort((self.place[pair], cell))
        item, intent, grade = self.sets.entries(self.kind[judgment])
        owner = cell[judgment][item]
        first = self.intents[query_of_cell]
        own = offsets_of(self.intents[query_of_cell + 1] - first)
        offsets = offsets_of(np.bincount(cell, minlength=len(query_of_cell)))
        intent = intent - first[owner] + own[owner]
        return IntentTable(offsets, own, item, intent, grade[:, None]), judgment


def with_intents(
    batch: Callable[[int], Batch],
    worlds: IntentWorlds,
    ranks: Callable[[int], Ints],
    index: Ints,
) -> Callable[[int], Batch]:
    """Batches by run, with intents.

    Parameters
    ----------
    batch : callable
        From a run's number to its batch.
    worlds : IntentWorlds
        Whose queries are cells.
    ranks : callable
        From a run's number to the rank of each item, 0 where it is not retrieved.
    index : (cells,) int
        Where the value of each cell lies among a batch's values, flattened.
    """

    def made(run: int) -> Batch:
        given = batch(run)
        hits = IntentHits.of(worlds.table, ranks(run), many=False)
        shape = given.n_worlds, given.n_queries
        return replace(given, intents=Intents(worlds, hits, shape, index))

    return made


def ranks_among_own(rank: Ints, cell: Ints, pair: Ints, placement: Placement) -> Ints:
    """Ranks in each subject's view of the lists, without the hits that it did not judge.

    Parameters
    ----------
    rank, cell, pair : (items,) int
        Rank of each judged item, 0 where it is not retrieved; sorted by cell.
    placement : Placement

    Returns
    -------
    (items,) int
    """
    # Hits on better ranks: of a query, and those of them that a subject judged.
    number = np.zeros(int(max(pair.max(initial=0), placement.entry.max(initial=0))) + 1, np.int64)
    number[placement.entry] = _number_of_better(placement.offsets, placement.first)
    hits = np.flatnonzero(rank > 0)
    hits = hits[np.lexsort((rank[hits], cell[hits]))]
    own = _number_of_better(offsets_of(np.bincount(cell[hits])), rank[hits])
    out = rank.copy()
    out[hits] -= number[pair[hits]] - own
    return out


def _number_of_better(offsets: Ints, rank: Ints) -> Ints:
    """How many values of its segment have a better rank than each, sorted by rank within these."""
    segment = segment_of(offsets)
    start, _ = tie_bounds(segment, rank, np.arange(len(rank)))
    return start - offsets[segment]
