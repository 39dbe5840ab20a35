"""The categories that some vote on an item makes relevant, as judged pairs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.segments import offsets_of, ragged, segment_of
from fuzzytruth.data.by_item import ByItem, category_grades
from fuzzytruth.data.subtree_weights import entries_at
from fuzzytruth.data.vote_checksums import label_set_keys
from fuzzytruth.io.arrow import take
from fuzzytruth.io.ids import hash_ids, hashes_apart, string_array
from fuzzytruth.truth.ballots import Ballots
from fuzzytruth.truth.pairs.judged_pairs import JudgedPairs
from fuzzytruth.truth.pairs.pool import Pool
from fuzzytruth.truth.pairs.votes import votes_of

if TYPE_CHECKING:
    import pyarrow as pa


# No slots: cached properties need a `__dict__`.
@dataclass(frozen=True, eq=False)
class CategoryPool:
    """Ballots on items, and the pairs of an item and a category that they grade.

    Parameters
    ----------
    ballots : Ballots
    pairs : JudgedPairs
        The items are its queries, the categories its items. Each subject grades all pairs of an
        item by one ballot.
    category : (pairs,) int
        Which category each pair is about.
    grades : sparse array, (options, categories)
    names : Arrow array of strings, (categories,)
    subjects : tuple of str or None
        None where nobody is named.
    """

    ballots: Ballots
    pairs: JudgedPairs
    category: Ints
    grades: Any
    names: pa.LargeStringArray
    subjects: tuple[str, ...] | None

    @cached_property
    def cells(self) -> Cells:
        """Each item that has pairs, and subject who voted on it."""
        if self.subjects is None:
            return Cells.of_queries(self.ballots.n_items)
        first = self.ballots.first
        item, subject = self.ballots.item[first], self.ballots.subject[first]
        some = np.diff(self.pairs.offsets)[item] > 0
        return Cells(item[some], subject[some], self.ballots.n_items, len(self.subjects))

    @cached_property
    def uncertain(self) -> Bools:
        """Cells whose subject graded some category of the item differently: (cells,)."""
        ballots, cells = self.ballots, self.cells
        changed = ballots.changed_minds
        if self.subjects is None or not len(changed):
            return np.zeros(len(cells), dtype=bool)
        grades, option = self.grades, ballots.option
        gap = abs(grades[option[changed]] - grades[option[changed - 1]]).sum(axis=1)
        at = changed[gap > 0]
        n_subjects = len(self.subjects)
        of_cell = cells.query * n_subjects + cells.subject_codes
        return np.isin(of_cell, ballots.item[at] * n_subjects + ballots.subject[at])

    @cached_property
    def top_grade(self) -> float:
        """The largest grade that some vote gives, 0 or more."""
        used = np.unique(self.ballots.option)
        return float(self.grades[used].data.max(initial=0.0))

    def slot_grades(self, items: slice) -> Floats:
        """Grade of each pair of some items if the item has the option of a slot: (slots, pairs)."""
        pairs, offsets = self.pairs.of_queries(items)
        option = self.ballots.slots.option[items][segment_of(offsets)].T  # (slots, pairs)
        category = np.broadcast_to(self.category[pairs], option.shape)
        out = np.zeros(option.shape)
        taken = option >= 0
        out[taken] = entries_at(self.grades, option[taken], category[taken])
        return out

    @cached_property
    def pool(self) -> Pool:
        """The pairs with a vote of each ballot on each, for subjects' truths.

        As large as the ballots times the categories of their items.
        """
        ballots = self.ballots
        ballot, pair = ragged(self.pairs.offsets, ballots.item)
        total = np.bincount(ballots.item, weights=ballots.weight)
        votes = votes_of(
            pair,
            ballots.subject[ballot],
            entries_at(self.grades, ballots.option[ballot], self.category[pair]),
            n_pairs=len(self.category),
            chance=(ballots.weight / total[ballots.item])[ballot],
        )
        return Pool.of_votes(self.pairs, votes, self.subjects)


def category_pool(truth: ByItem) -> CategoryPool:
    """Encode the votes, and find the categories that some vote on each item makes relevant."""
    votes, grades = truth.votes, category_grades(truth)
    voted, item = np.unique(votes.item, return_inverse=True)
    items, names = take(votes.items, voted), string_array(votes.taxonomy.nodes)
    ballots = Ballots.of(
        hashes_apart(items),
        item.reshape(-1).astype(np.int64),
        votes.subject,
        votes.label_set,
        votes.weight,
        label_set_keys(votes.taxonomy, votes.sets),
    )
    offsets, category = _pairs(ballots, grades)
    pairs = JudgedPairs.of(
        tuple(items.to_pylist()),
        segment_of(offsets),
        take(names, category),
        hash_ids(names)[category],
    )
    return CategoryPool(ballots, pairs, category, grades, names, truth.subjects)


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
