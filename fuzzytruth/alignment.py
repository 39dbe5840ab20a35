"""Where judgments and rankings meet: the rank of each judged item in each system's list.

All that a measure needs of a ranking is the length of each list and the ranks of the judged items
in it. Items that nobody judged are counted while ranking and then forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from fuzzytruth.core.hashing import U64, pair_keys
from fuzzytruth.core.order import best_first, is_descending, is_grouped, query_starts, tie_bounds
from fuzzytruth.core.segments import offsets_of
from fuzzytruth.core.strings import encode, hash_ids

if TYPE_CHECKING:
    import pyarrow as pa

    from fuzzytruth.judgments import Judgments
    from fuzzytruth.runs import Ranking

Ties = Literal["trec", "order", "expected"]
Rows = NDArray[np.int64]


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
    subjects : tuple of str or None
        None where the truth has no subjects (then `grade` has one row).
    """

    queries: tuple[str, ...]
    offsets: Rows
    item: pa.LargeStringArray
    grade: NDArray[np.float64]
    subjects: tuple[str, ...] | None
    _key: U64  # (items,) sorted
    _entry: Rows  # (items,) which pool entry each key belongs to
    _filter: NDArray[np.bool_]  # which leading bits of a key occur at all

    @property
    def query_of(self) -> Rows:
        """For each pool item, its query."""
        return np.repeat(np.arange(len(self.queries)), np.diff(self.offsets))

    def find(self, key: U64, item: pa.LargeStringArray) -> tuple[Rows, Rows]:
        """Rows whose (query, item) is in the pool, and the pool entry of each."""
        rows = np.flatnonzero(self._filter[_leading(key)])
        wanted = key[rows]
        place = np.searchsorted(self._key, wanted)
        place[place == len(self._key)] = 0
        hit = self._key[place] == wanted
        rows, entry = rows[hit], self._entry[place[hit]]
        # Equal hashes are a proposal; the ids decide.
        same = _equal(item, rows, self.item, entry)
        return rows[same], entry[same]


_FILTER_BITS = 20  # 1 MB of booleans: stays in cache and lets one row in 17 pass at 60,000 items


def _leading(key: U64) -> NDArray[np.intp]:
    return (key >> np.uint64(64 - _FILTER_BITS)).astype(np.intp)


def _equal(a: Any, rows_a: Rows, b: Any, rows_b: Rows) -> NDArray[np.bool_]:
    import pyarrow.compute as pc

    equal: Any = pc.equal(a.take(rows_a), b.take(rows_b))
    out: NDArray[np.bool_] = equal.to_numpy(zero_copy_only=False).astype(bool)
    return out


def make_pool(truth: Judgments) -> Pool:
    """Group judgments by (query, item), one row of grades a subject."""
    query, query_ids = encode(truth.query)
    item, item_ids = encode(truth.item)
    pair = query.astype(np.int64) * len(item_ids) + item
    pairs, entry = np.unique(pair, return_inverse=True)
    query_of, item_of = np.divmod(pairs, len(item_ids))
    subjects: tuple[str, ...] | None = None
    subject = np.zeros(len(truth), dtype=np.int32)
    if truth.subject is not None:
        subject, names = encode(truth.subject)
        subjects = tuple(names.to_pylist())
    grade = np.full((len(subjects or "1"), len(pairs)), np.nan)
    grade[subject, entry] = truth.grade
    items = item_ids.take(item_of)
    key = pair_keys(hash_ids(items), query_of)
    order = np.argsort(key)
    present = np.zeros(1 << _FILTER_BITS, dtype=bool)
    present[_leading(key)] = True
    return Pool(
        tuple(query_ids.to_pylist()),
        offsets_of(np.bincount(query_of, minlength=len(query_ids))),
        items,
        grade,
        subjects,
        key[order],
        order,
        present,
    )


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

    length: Rows
    offsets: Rows
    entry: Rows
    first: Rows
    last: Rows


def place(pool: Pool, ranking: Ranking, *, ties: Ties = "trec") -> Placement:
    """Find the rank of each judged item in a system's lists."""
    n_queries = len(pool.queries)
    position = {query: j for j, query in enumerate(pool.queries)}
    code_of = np.array([position.get(q, n_queries) for q in ranking.queries], dtype=np.int32)
    codes = code_of[ranking.query]
    length = np.bincount(codes, minlength=n_queries + 1)[:n_queries]
    rows, entry = pool.find(pair_keys(ranking.item_hash, codes), ranking.item)
    first, last = _ranks(ranking, codes, rows, ties)
    order = np.lexsort((first, codes[rows]))
    count = np.bincount(codes[rows], minlength=n_queries)
    return Placement(length, offsets_of(count), entry[order], first[order], last[order])


def rank_order(ranking: Ranking) -> tuple[Rows, Rows]:
    """All rows by query and rank (ties as trec_eval resolves them), and their ranks from 1."""
    rows = np.arange(len(ranking))
    first, _ = _ranks(ranking, ranking.query, rows, "trec")
    order = np.lexsort((first, ranking.query))
    return order, first[order]


def _ranks(ranking: Ranking, codes: NDArray[np.int32], rows: Rows, ties: Ties) -> tuple[Rows, Rows]:
    """First and last rank, from 1, that each of `rows` may take in its query's list."""
    if ranking.by_rank:
        score: NDArray[Any] = np.zeros(len(ranking), dtype=np.float32)
    elif ties == "trec":
        score = ranking.score.astype(np.float32)
    else:
        score = ranking.score
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
    if ranking.by_rank or ties == "order":
        rank = place_of - start + 1
        return rank, rank
    first, last = tie_bounds(codes, score, place_of)
    if ties == "trec":
        first = last = _by_id(ranking.item, order, place_of, first, last)
    return first - start + 1, last - start + 1


def _by_id(
    item: pa.LargeStringArray, order: Rows | None, place_of: Rows, first: Rows, last: Rows
) -> Rows:
    """Resolve ties by id, descending bytes: the place each row takes within its tied run."""
    tied = np.flatnonzero(first != last)
    if not len(tied):
        return place_of
    import pyarrow as pa
    import pyarrow.compute as pc

    run_first, which = np.unique(first[tied], return_index=True)
    size = last[tied][which] - run_first + 1
    offsets = offsets_of(size)
    run = np.repeat(np.arange(len(size)), size)
    places = np.arange(offsets[-1]) - offsets[run] + run_first[run]  # all members of the runs
    members = places if order is None else order[places]
    table = pa.table({"run": run, "item": item.take(members)})
    by_id: Any = pc.sort_indices(table, sort_keys=[("run", "ascending"), ("item", "descending")])
    resolved = np.empty(len(places), dtype=np.int64)
    resolved[by_id.to_numpy()] = places
    index = offsets[np.searchsorted(run_first, first[tied])] + place_of[tied] - first[tied]
    out = place_of.copy()
    out[tied] = resolved[index]
    return out
