"""Where judgments and rankings meet: the rank of each judged item in each system's list.

All that a measure needs of a ranking is the length of each list and the ranks of the judged items
in it. Items that nobody judged are counted while ranking and then forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import U64, Bools, Floats, Ints
from fuzzytruth.core.hashing import pair_keys
from fuzzytruth.core.order import by_query_and_rank, query_starts
from fuzzytruth.core.segments import offsets_of
from fuzzytruth.data.ranks import Ties, ranks_of
from fuzzytruth.io.arrow import as_numpy, take
from fuzzytruth.io.ids import encode, hash_ids

if TYPE_CHECKING:
    import pyarrow as pa

    from fuzzytruth.data.judgments import Judgments
    from fuzzytruth.data.ranking import Ranking


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """The judged items of each query, shared by all systems and all worlds.

    Parameters
    ----------
    queries : tuple of str
    offsets : (queries + 1,) int
        Where each query's items start in `item`.
    item : Arrow array of strings, (items,)
    grade : (subjects, items) float
        NaN where the subject did not judge the item.
    chance : (subjects, items) float
        The probability of each grade when one of an item's judgments is drawn.
    subjects : tuple of str or None
        None where the truth has no subjects (then `grade` has one row).
    position : (subjects, items) float or None
        Place of the item in the subject's own ranking, NaN where not judged; None where the truth
        has no positions.
    """

    queries: tuple[str, ...]
    offsets: Ints
    item: pa.LargeStringArray
    grade: Floats
    chance: Floats
    subjects: tuple[str, ...] | None
    _table: _Table
    position: Floats | None = None

    @property
    def query_of(self) -> Ints:
        """For each pool item, its query."""
        return np.repeat(np.arange(len(self.queries)), np.diff(self.offsets))

    def codes(self, queries: tuple[str, ...]) -> NDArray[np.int32]:
        """The number of each query in this pool; for a query it lacks, the number of queries."""
        if queries == self.queries:
            return np.arange(len(queries), dtype=np.int32)
        code = {query: j for j, query in enumerate(self.queries)}
        lacking = len(code)
        return np.array([code.get(query, lacking) for query in queries], dtype=np.int32)

    def find(
        self, item: pa.LargeStringArray, item_hash: U64, codes: NDArray[np.int32]
    ) -> tuple[Ints, Ints]:
        """Rows whose (query, item) is in the pool, and the pool entry of each."""
        found = [
            self._table.find(pair_keys(item_hash[at : at + _BLOCK], codes[at : at + _BLOCK]), at)
            for at in range(0, len(codes), _BLOCK)
        ]
        rows, entry = (np.concatenate(part) for part in zip(*found, strict=True))
        # Equal hashes are a proposal; the ids decide.
        same = _equal(item, rows, self.item, entry)
        return rows[same], entry[same]


_BLOCK = 1 << 16  # rows looked up at a time: their keys stay in cache


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """Sorted 64-bit keys, found through their leading bits."""

    key: U64
    entry: Ints  # which pool entry each key belongs to
    start: NDArray[np.int32]  # first key with given leading bits
    present: Bools  # whether any key has given leading bits
    shift: np.uint64

    def find(self, wanted: U64, at: int) -> tuple[Ints, Ints]:
        """Which of the `wanted` keys are here, as row numbers from `at`, and their entries."""
        leading = (wanted >> self.shift).view(np.int64)
        rows = np.flatnonzero(self.present[leading])
        wanted, place = wanted[rows], self.start[leading[rows]].astype(np.int64)
        behind = np.flatnonzero(self.key[place] < wanted)
        while len(behind):  # as often as keys share their leading bits: a few times
            place[behind] += 1
            behind = behind[self.key[place[behind]] < wanted[behind]]
        hit = np.flatnonzero(self.key[place] == wanted)
        hits, entries = [hit], [self.entry[place[hit]]]
        while len(hit):  # once, unless two ids share a hash
            place[hit] += 1
            hit = hit[self.key[place[hit]] == wanted[hit]]
            hits.append(hit)
            entries.append(self.entry[place[hit]])
        all_hits = np.concatenate(hits)
        order = np.argsort(all_hits, kind="stable")
        return rows[all_hits[order]] + at, np.concatenate(entries)[order]


def _make_table(key: U64) -> _Table:
    """Enough leading bits that nearly all keys differ in them, and most other keys from them."""
    bits = min(max(16, len(key).bit_length() + 2), 24)
    shift = np.uint64(64 - bits)
    order = np.argsort(key)
    key = key[order]
    count = np.bincount((key >> shift).view(np.int64), minlength=1 << bits)
    start = np.cumsum(count) - count
    # A key above all others ends every search, and one that differs from it every run of equals.
    key = np.append(key, np.array([0xFFFFFFFFFFFFFFFF, 0], dtype=np.uint64))
    return _Table(key, np.append(order, [0, 0]), start.astype(np.int32), count > 0, shift)


def _equal(a: Any, rows_a: Ints, b: Any, rows_b: Ints) -> Bools:
    import pyarrow.compute as pc

    equal: Any = pc.equal(take(a, rows_a), take(b, rows_b))
    return as_numpy(equal.cast("uint8"), np.bool_)


def make_pool(truth: Judgments) -> Pool:
    """Group judgments by (query, item), one row of grades a subject."""
    query, query_ids = encode(truth.query)
    position = None
    if truth.subject is None:  # a single truth judges an item once: every row is an entry
        order = np.argsort(query, kind="stable")
        query_of, items = query[order], take(truth.item, order)
        grade, chance, subjects = *_options(truth, order), None
        if truth.position is not None:
            position = truth.position[order][None, :]
    else:
        item, item_ids = encode(truth.item)
        pairs, entry = np.unique(query.astype(np.int64) * len(item_ids) + item, return_inverse=True)
        query_of, item_of = np.divmod(pairs, len(item_ids))
        items = take(item_ids, item_of)
        subject, names = encode(truth.subject)
        subjects = tuple(names.to_pylist())
        grade = np.full((len(subjects), len(pairs)), np.nan)
        grade[subject, entry] = truth.grade
        if truth.position is not None:
            position = np.full(grade.shape, np.nan)
            position[subject, entry] = truth.position
        present = ~np.isnan(grade)
        chance = present / present.sum(axis=0)
    key = pair_keys(hash_ids(items), query_of)
    return Pool(
        tuple(query_ids.to_pylist()),
        offsets_of(np.bincount(query_of, minlength=len(query_ids))),
        items,
        grade,
        chance,
        subjects,
        _make_table(key),
        position,
    )


def _options(truth: Judgments, order: Ints) -> tuple[Floats, Floats]:
    """Possible grades of each item of a truth without subjects, and their chances."""
    grade = truth.grade[order]
    if truth.probability is None:
        return grade[None, :], np.ones((1, len(grade)))
    chance = truth.probability[order]
    return np.stack((grade, np.zeros_like(grade))), np.stack((chance, 1 - chance))


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """One system's answer, seen from the pool.

    Parameters
    ----------
    length : (queries,) int
        Number of retrieved items.
    offsets : (queries + 1,) int
        Where each query's retrieved judged items start in the arrays below.
    entry : (hits,) int
        Pool entry of each retrieved judged item, best first within a query.
    first, last : (hits,) int
        Ranks (from 1) over which the item is tied; equal where ties are resolved.
    """

    length: Ints
    offsets: Ints
    entry: Ints
    first: Ints
    last: Ints

    def of_queries(self, queries: slice, first_item: int) -> Placement:
        """Some whole queries only, entries counted from the item `first_item` of the pool."""
        offsets = self.offsets[queries.start : queries.stop + 1]
        hits = slice(int(offsets[0]), int(offsets[-1]))
        first = self.first[hits]
        return Placement(
            self.length[queries],
            offsets - offsets[0],
            self.entry[hits] - first_item,
            first,
            first if self.last is self.first else self.last[hits],
        )


def place(pool: Pool, ranking: Ranking, *, ties: Ties = "trec") -> Placement:
    """Find the rank of each judged item in a system's lists."""
    n_queries = len(pool.queries)
    code_of = pool.codes(ranking.queries)
    codes = ranking.query
    if not np.array_equal(code_of, np.arange(len(code_of))):
        codes = code_of[codes]
    length = _lengths(codes, n_queries)
    rows, entry = pool.find(ranking.item, ranking.item_hash, codes)
    first, last = ranks_of(ranking, codes, rows, ties)
    order = by_query_and_rank(codes[rows], first)
    count = np.bincount(codes[rows], minlength=n_queries)
    return Placement(length, offsets_of(count), entry[order], first[order], last[order])


def _lengths(codes: NDArray[np.int32], n_queries: int) -> Ints:
    """Number of rows of each query; those with code `n_queries` belong to none."""
    starts = query_starts(codes)
    size = np.diff(starts, append=len(codes))
    length = np.bincount(codes[starts], weights=size, minlength=n_queries + 1)
    return length[:n_queries].astype(np.int64)
