"""The categories that some vote on an item makes relevant, as judged pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.segments import offsets_of, ragged, segment_of
from fuzzytruth.data.by_item import ByItem, category_grades
from fuzzytruth.data.subtree_weights import entries_at
from fuzzytruth.data.vote_checksums import label_set_keys
from fuzzytruth.io.arrow import take
from fuzzytruth.io.ids import hash_ids, string_array
from fuzzytruth.truth.ballots import Ballots
from fuzzytruth.truth.pairs.pool import Pool, pool_of
from fuzzytruth.truth.pairs.votes import votes_of

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True, eq=False)
class CategoryPool:
    """Ballots on items, and the pairs of an item and a category that they grade.

    Parameters
    ----------
    ballots : Ballots
    pool : Pool
        The items are its queries, the categories its items. Each subject grades all pairs of an
        item by one ballot.
    category : (pairs,) int
        Which category each pair is about.
    grades : sparse array, (options, categories)
    names : Arrow array of strings, (categories,)
    """

    ballots: Ballots
    pool: Pool
    category: Ints
    grades: Any
    names: pa.LargeStringArray

    def slot_grades(self, items: slice) -> Floats:
        """Grade of each pair of some items if the item has the option of a slot: (slots, pairs)."""
        pairs, offsets = self.pool.of_queries(items)
        option = self.ballots.slots.option[items][segment_of(offsets)].T  # (slots, pairs)
        category = np.broadcast_to(self.category[pairs], option.shape)
        out = np.zeros(option.shape)
        taken = option >= 0
        out[taken] = entries_at(self.grades, option[taken], category[taken])
        return out


def category_pool(truth: ByItem) -> CategoryPool:
    """Encode the votes, and grade the categories of each item by each of its ballots."""
    votes, grades = truth.votes, category_grades(truth)
    voted, item = np.unique(votes.item, return_inverse=True)
    items = take(votes.items, voted)
    item = item.reshape(-1).astype(np.int64)
    nobody = truth.subjects is None
    subject = np.zeros(len(item), dtype=np.int64) if nobody else votes.subject
    keys = label_set_keys(votes.taxonomy, votes.sets)
    ballots = Ballots.of(hash_ids(items), item, subject, votes.label_set, votes.weight, keys)
    offsets, category = _pairs(ballots, grades)
    ballot, pair = ragged(offsets, item)
    chance = votes.weight / np.bincount(item, weights=votes.weight)[item]
    names = string_array(votes.taxonomy.nodes)
    graded = votes_of(
        pair,
        subject[ballot],
        entries_at(grades, votes.label_set[ballot], category[pair]),
        n_pairs=len(category),
        chance=chance[ballot],
    )
    queries = tuple(items.to_pylist())
    pool = pool_of(
        queries,
        segment_of(offsets),
        take(names, category),
        graded,
        truth.subjects,
        repeats=votes.repeats is not None,
    )
    return CategoryPool(ballots, pool, category, grades, names)


def _pairs(ballots: Ballots, grades: Any) -> tuple[Ints, Ints]:
    """The categories of each item, end to end, and where each item's start."""
    from scipy.sparse import csr_array

    taken = ballots.taken
    option = ballots.slots.option[taken]
    shape = ballots.n_items, grades.shape[0]
    has = csr_array((np.ones(len(option)), option, offsets_of(taken.sum(axis=1))), shape=shape)
    pairs = (has @ grades).tocsr()
    pairs.sort_indices()
    return pairs.indptr.astype(np.int64), pairs.indices.astype(np.int64)
