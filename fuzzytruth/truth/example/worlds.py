"""Queries by example, every run's lists, and labellings of a collection as measures see them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.layouts import Diagonals, EndToEnd
from fuzzytruth.core.order import by_query_and_rank
from fuzzytruth.core.segments import offsets_of, segment_of
from fuzzytruth.data.ranking import Ranking, Ties, of_rows, ranks_of
from fuzzytruth.io.ids import find_items
from fuzzytruth.truth.batch import Batch, Levels
from fuzzytruth.truth.example.collection import Collection
from fuzzytruth.truth.pairs.placement import Placement
from fuzzytruth.truth.vote_weights import VoteWeights


def place_lists(truth: Collection, ranking: Ranking, *, ties: Ties = "trec") -> Placement:
    """Find the items of a system's lists, and close the gap that the query leaves."""
    n_queries = len(truth.queries)
    code = {query: j for j, query in enumerate(truth.queries)}
    codes = np.array([code.get(q, n_queries) for q in ranking.queries], np.int32)[ranking.query]
    # A query is removed from its list even if it is no item of the collection.
    known = np.full(n_queries + 1, -1) if truth.keep_query else np.append(truth.query_item, -1)
    item = find_items(ranking.item, truth.items)
    wanted = codes < n_queries
    length = np.bincount(codes[wanted], minlength=n_queries)
    is_known = (item >= 0) & ((item < truth.n_items) | (item == known[codes]))
    rows = np.flatnonzero(wanted & is_known)
    unknown = int(wanted.sum() - len(rows))
    first, last, tie = ranks_of(ranking, codes, rows, ties)
    query, item = codes[rows].astype(np.int64), item[rows]
    own = item == known[query]
    if own.any():
        tie = None if tie is None else _close(query, *tie, own, n_queries)
        first, last = _close(query, first, last, own, n_queries)
        length = length - np.bincount(query[own], minlength=n_queries)
        query, item = query[~own], item[~own]
    if ties == "expected":
        order = np.lexsort((truth.ballots.item_hash[item], first, query))
    else:
        order = by_query_and_rank(query.astype(np.int32), first)
    first = first[order]
    last = first if ties != "expected" else last[order]
    offsets = offsets_of(np.bincount(query, minlength=n_queries))
    return Placement(length, offsets, item[order], first, last, of_rows(tie, order), unknown)


def _close(query: Ints, first: Ints, last: Ints, own: Bools, n_queries: int) -> tuple[Ints, Ints]:
    """Ranks of the other rows once the query's own row is gone."""
    beyond = np.iinfo(np.int64).max
    own_first, own_last = np.full(n_queries, beyond), np.full(n_queries, beyond)
    own_first[query[own]], own_last[query[own]] = first[own], last[own]
    others = ~own
    query, first, last = query[others], first[others], last[others]
    return first - (first > own_first[query]), last - (last >= own_last[query])


@dataclass(frozen=True, slots=True, eq=False)
class ExampleBlock:
    """Some whole queries.

    Parameters
    ----------
    collection : Collection
    queries : slice
        Which of the collection's queries.
    lists : tuple of Placement
        One for each run, of these queries only.
    too_many_groups : bool
        Whether too many items of a large collection differ in probability to be counted exactly.
    """

    collection: Collection
    queries: slice
    lists: tuple[Placement, ...]
    too_many_groups: bool = False

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return int(self.queries.stop - self.queries.start)

    @property
    def query_item(self) -> Ints:
        """Which item each query is; -1 if none."""
        return self.collection.query_item[self.queries]

    @property
    def member(self) -> Ints:
        """Which item of the collection each query is; -1 if none."""
        return self.collection.member[self.queries]

    @property
    def left_out(self) -> Ints:
        """Item that each query does not count; -1 for none."""
        return self.collection.left_out[self.queries]

    @property
    def knows_itself(self) -> bool:
        """Whether a query may answer itself and asks for its own category, which is then known."""
        return self.collection.keep_query and self.collection.given is None


# Labellings, drawn or given.


_MANY_WORLDS = 16  # from here on, worlds lie contiguous in memory
_CACHED = 1 << 26  # labels of drawn worlds that are kept for the next block: 256 MB


@dataclass(frozen=True, slots=True, eq=False)
class Labelling:
    """One option for each item in each world.

    Parameters
    ----------
    option : (worlds, items) int
        -1 where an item has none.
    count : (worlds, options) float
        How many items of the collection, which come first, have each option.
    """

    option: NDArray[np.int32]
    count: Floats

    @classmethod
    def of(cls, option: Ints, n_options: int, n_items: int | None = None) -> Labelling:
        """Count the options of drawn or given labellings, by default of all items."""
        n_worlds, counted = len(option), option[:, :n_items]
        labelled = counted >= 0
        flat = (counted + np.arange(n_worlds)[:, None] * n_options)[labelled]
        count = np.bincount(flat, minlength=n_worlds * n_options)
        return cls(option.astype(np.int32), count.reshape(n_worlds, n_options).astype(np.float64))

    def __len__(self) -> int:
        return len(self.option)


@dataclass(frozen=True, slots=True, eq=False)
class LabellingCache:
    """Drawn labellings, which all blocks of queries share."""

    _drawn: dict[Hashable, tuple[VoteWeights, Labelling]] = field(default_factory=dict)

    def __reduce__(self) -> tuple[type, tuple[()]]:
        """Pickled empty: the identities in its keys are those of this process."""
        return type(self), ()

    def get(
        self, votes: VoteWeights, part: tuple[int, ...], draw: Callable[[], Labelling]
    ) -> Labelling:
        """The labelling drawn before under these votes and this number, or else drawn now."""
        key = (id(votes), *part)
        if key in self._drawn:
            return self._drawn[key][1]
        labelling = draw()
        # A list, since other threads may add to the dict meanwhile.
        cells = sum(other.option.size for _, other in list(self._drawn.values()))
        if cells + labelling.option.size <= _CACHED:
            self._drawn[key] = votes, labelling  # the votes stay alive, and their id theirs
        return labelling


@dataclass(frozen=True, eq=False)
class ExampleWorlds:
    """Labellings of the collection, as a block of queries sees them.

    Parameters
    ----------
    block : ExampleBlock
    labelling : Labelling
    drawn_row : (worlds, queries) int or None
        Rows of grades that were drawn, of categories given by probabilities.
    """

    block: ExampleBlock
    labelling: Labelling
    drawn_row: Ints | None = None

    def __len__(self) -> int:
        return len(self.labelling)

    @property
    def option(self) -> NDArray[np.int32]:
        """Option of each item: (worlds, items), -1 where there is none."""
        return self.labelling.option

    def batch(self, run: int) -> Batch:
        """Input of the measures for one run."""
        collection, lists = self.block.collection, self.block.lists[run]
        in_order = len(self) < _MANY_WORLDS or lists.tied
        layout = EndToEnd(lists.offsets) if in_order else Diagonals.of(lists.offsets)
        hit = slice(None) if isinstance(layout, EndToEnd) else layout.source
        query = segment_of(lists.offsets)[hit]
        row = np.take(self.rows.T, query, axis=0)  # (hits, worlds)
        option = np.take(self.option.T, lists.entry[hit], axis=0)
        n_options = collection.grade.shape[1]
        gain = np.take(
            collection.grade.ravel(), np.maximum(row, 0) * n_options + np.maximum(option, 0)
        )
        if (option < 0).any():
            gain[option < 0] = np.nan
        first = lists.first[hit]
        return Batch(
            lists.length,
            layout,
            first,
            lists.last[hit] if lists.tied else first,
            gain.T,
            self.levels,
            collection.top_grade,
        )

    @cached_property
    def rows(self) -> NDArray[np.integer]:
        """Row of grades each query asks for in each world, -1 for none: (worlds, queries)."""
        collection, block = self.block.collection, self.block
        if self.drawn_row is not None:
            return self.drawn_row
        if collection.given is None:
            own = self.option[:, block.query_item]
            return np.where(own < len(collection.grade), own, -1)
        row = collection.given.row[block.queries, 0]
        return np.broadcast_to(row, (len(self), len(row)))

    @cached_property
    def levels(self) -> Levels:
        """How many items have each grade for each query, the query itself left out."""
        collection, row = self.block.collection, self.rows
        n_worlds = len(self)
        own = self.block.left_out
        own_option = np.where(own >= 0, self.option[:, own], -1)
        at = np.arange(n_worlds)[:, None], np.maximum(row, 0)
        own_grade = collection.grade[at[1], np.maximum(own_option, 0)]
        levels = collection.levels
        counts = []
        for level in levels.tolist():
            has_level = (collection.grade == level).T.astype(np.float64)
            of_row = self.labelling.count @ has_level  # (worlds, rows)
            counts.append(of_row[at] - ((own_option >= 0) & (own_grade == level)))
        n_queries = row.shape[1]
        return Levels(
            np.arange(n_queries + 1) * len(levels),
            np.tile(levels, n_queries),
            np.rint(np.stack(counts, axis=-1)).astype(np.int64).reshape(n_worlds, -1),
        )
