"""Some queries by example and every run's lists."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fuzzytruth._typing import Bools, Ints
from fuzzytruth.core.order import by_query_and_rank
from fuzzytruth.core.segments import offsets_of, segment_sum
from fuzzytruth.data.ranking import Ranking, TieRanks, Ties, of_rows, ranks_of
from fuzzytruth.io.columns import find_items
from fuzzytruth.truth.example.collection import Collection

# Items of each list of a run, without the query itself.


@dataclass(frozen=True, slots=True, eq=False)
class ExampleLists:
    """One system's lists of items of the collection.

    Parameters
    ----------
    length : (queries,) int
        Number of retrieved items, the query itself left out.
    offsets : (queries + 1,) int
        Where each query's hits start.
    item : (hits,) int
        Which item each hit is, best first within a query.
    first, last : (hits,) int
        Ranks (from 1) over which it is tied; equal where ties are resolved.
    ties : pair of (hits,) int, or None
        The first and last rank of each hit's tie, where ties are resolved; None: nothing is tied.
    unknown : int
        Retrieved items that are not in the collection; they are not relevant.
    """

    length: Ints
    offsets: Ints
    item: Ints
    first: Ints
    last: Ints
    ties: TieRanks | None = None
    unknown: int = 0

    @property
    def tied(self) -> bool:
        """Whether some ranks are open."""
        return self.first is not self.last and bool((self.first != self.last).any())

    @property
    def ranked(self) -> Bools:
        """Queries of which no rank is open: (queries,)."""
        out: Bools = segment_sum(self.first != self.last, self.offsets) == 0
        return out

    def top(self, depth: int | None) -> ExampleLists:
        """Only the hits that may lie within the first `depth` ranks."""
        if depth is None:
            return self
        keep = np.flatnonzero((self.first if self.ties is None else self.ties[0]) <= depth)
        if len(keep) == len(self.first):
            return self
        first = self.first[keep]
        last = first if self.first is self.last else self.last[keep]
        offsets = np.searchsorted(keep, self.offsets)
        ties = of_rows(self.ties, keep)
        return replace(
            self, offsets=offsets, item=self.item[keep], first=first, last=last, ties=ties
        )

    def of_queries(self, queries: slice) -> ExampleLists:
        """Some whole queries only."""
        offsets = self.offsets[queries.start : queries.stop + 1]
        hits = slice(int(offsets[0]), int(offsets[-1]))
        first = self.first[hits]
        last = first if self.first is self.last else self.last[hits]
        return replace(
            self,
            length=self.length[queries],
            offsets=offsets - offsets[0],
            item=self.item[hits],
            first=first,
            last=last,
            ties=of_rows(self.ties, hits),
        )


def place_lists(truth: Collection, ranking: Ranking, *, ties: Ties = "trec") -> ExampleLists:
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
    return ExampleLists(length, offsets, item[order], first, last, of_rows(tie, order), unknown)


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
    lists : tuple of ExampleLists
        One for each run, of these queries only.
    too_many_groups : bool
        Whether too many items of a large collection differ in probability to be counted exactly.
    """

    collection: Collection
    queries: slice
    lists: tuple[ExampleLists, ...]
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
