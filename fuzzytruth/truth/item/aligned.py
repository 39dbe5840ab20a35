"""Items as queries, aligned with runs that list categories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.segments import offsets_of, ragged, segment_of
from fuzzytruth.data.by_example import ByItem, category_grades
from fuzzytruth.data.ranking import Ranking, Ties
from fuzzytruth.data.runs import Runs
from fuzzytruth.data.vote_shares import entries_at
from fuzzytruth.data.votes import label_set_keys
from fuzzytruth.errors import nearest, shown
from fuzzytruth.io.ids import find_items, hash_ids, hashes_apart, string_array, take
from fuzzytruth.truth.ballots import Ballots, votes_lack
from fuzzytruth.truth.item.outcomes import ItemBlock, ItemOutcomes
from fuzzytruth.truth.pairs.aligned import blocks_of_votes
from fuzzytruth.truth.pairs.judged_pairs import JudgedPairs
from fuzzytruth.truth.pairs.placement import Placement, place_runs
from fuzzytruth.truth.pairs.pool import Pool
from fuzzytruth.truth.pairs.subject_truths import JudgedBlock, subject_truths
from fuzzytruth.truth.pairs.votes import votes_of
from fuzzytruth.truth.protocol import (
    AlignedTruth,
    Coverage,
    Facts,
    Missing,
    SubjectTruths,
    Worlds,
    coverage_of,
)
from fuzzytruth.truth.vote_weights import VoteWeights

if TYPE_CHECKING:
    import pyarrow as pa


# The categories that some vote on an item makes relevant, as judged pairs.


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


_ALL_JUDGED = "a vote on an item decides on all categories, so that none is unjudged"


def facts_of(votes: CategoryPool, systems: tuple[str, ...], coverage: Coverage) -> Facts:
    """What is known of the votes and the systems that answer to them; nothing is missing."""
    cells, uncertain = votes.cells, votes.uncertain
    lacks = votes_lack(
        votes.subjects,
        unjudged=_ALL_JUDGED,
        uncertain=bool(uncertain.any()),
        n_differ=votes.ballots.n_differ,
    )
    return Facts(
        systems=systems,
        queries=votes.pairs.queries,
        subjects=votes.subjects,
        cells=cells,
        top_grade=votes.top_grade,
        missing=np.zeros(len(cells), dtype=np.int64),
        uncertain=uncertain,
        n_items=len(votes.pairs.queries),
        coverage=coverage,
        lacks=lacks,
        default="independent" if "crisp" in lacks else "crisp",
        resampling_is_unbiased=votes.ballots.equal_weights,
    )


@dataclass(frozen=True, slots=True, eq=False)
class AlignedItems(AlignedTruth):
    """Judged pairs of an item and a category, all those of an item graded by one ballot.

    Each subject's truth is that of the pairs; worlds are drawn, and mixed, by item.

    Parameters
    ----------
    facts : Facts
    votes : CategoryPool
    placements : tuple of Placement
        One for each run.
    """

    facts: Facts
    votes: CategoryPool
    placements: tuple[Placement, ...]

    def top(self, depth: int) -> AlignedItems:
        """The same with lists of which only the categories within `depth` are known."""
        return replace(self, placements=tuple(p.top(depth) for p in self.placements))

    def blocks(self, worlds: Worlds) -> Sequence[slice]:
        """Blocks of about equally many votes, or pairs for drawn worlds."""
        if worlds in ("crisp", "subject"):
            return blocks_of_votes(self.votes.pool)
        return self.votes.pairs.blocks

    def subject_truths(self, block: slice, missing: Missing) -> SubjectTruths:
        """Each subject's own categories as a crisp truth."""
        judged = JudgedBlock.of(self.votes.pool, block)
        return subject_truths(judged, self._placed(block), missing)

    def _placed(self, block: slice) -> tuple[Placement, ...]:
        first = int(self.votes.pairs.offsets[block.start])
        return tuple(p.of_queries(block, first) for p in self.placements)

    def outcomes(self, block: slice, votes: VoteWeights) -> ItemOutcomes:
        """Probabilities of the categories of a block's items."""
        _, offsets = self.votes.pairs.of_queries(block)
        of_block = ItemBlock(
            self.votes.ballots.of_items(block),
            offsets,
            self.votes.slot_grades(block),
            self._placed(block),
            self.facts.top_grade,
        )
        return ItemOutcomes(of_block, votes)

    def lost_votes(self, votes: VoteWeights) -> int:
        """How many pairs of an outer world and an item have no vote left."""
        ballots = self.votes.ballots
        return sum(ballots.of_items(b).lost_votes(votes) for b in self.blocks("population"))


def align_items(truth: ByItem, runs: Runs, *, ties: Ties) -> AlignedItems:
    """Look up the ranks of the categories that votes make relevant."""
    votes = category_pool(truth)
    unknown = {system: _unknown(votes, ranking) for system, ranking in runs.items()}
    names = votes.names.to_pylist()
    coverage = replace(
        coverage_of(votes.pairs.queries, runs),
        unknown_items={system: len(rows) for system, rows in unknown.items() if len(rows)},
        unknown_because="not in the taxonomy",
        unknown_examples={
            system: _shown(runs[system].item[int(rows[0])].as_py(), names)
            for system, rows in unknown.items()
            if len(rows)
        },
        lacking="votes",
        note="; by_item has items as queries and retrieves categories, such as "
        f"{shown(votes.pairs.item[0].as_py())} (by_example retrieves items)",
    )
    facts = facts_of(votes, runs.systems, coverage)
    return AlignedItems(facts, votes, place_runs(votes.pairs, runs, ties))


def _unknown(votes: CategoryPool, ranking: Ranking) -> Ints:
    """Rows of retrieved categories that are not in the taxonomy, in lists of items with votes."""
    wanted = votes.pairs.codes(ranking.queries) < len(votes.pairs.queries)
    unknown = find_items(ranking.item, votes.names) < 0
    return np.flatnonzero(unknown & wanted[ranking.query])


def _shown(name: str, known: list[str]) -> str:
    """An unknown category, with those that are spelt alike."""
    return f"{shown(name)}{nearest(name, known)}"
