"""Items as queries, for which categories are retrieved: aligned with runs, and drawn worlds.

Given which of an item's ballots is drawn, all grades are certain: the item's distinct options are
the components that exact paths mix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from fuzzytruth._lazy import pa, sparse
from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.arithmetic import offsets_of, ragged, segment_max, segment_of, segment_sum
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.checksums import Entropy
from fuzzytruth.core.layouts import Diagonals, EndToEnd
from fuzzytruth.data.by_example import ByItem, category_grades
from fuzzytruth.data.ranking import Ranking, Ties
from fuzzytruth.data.runs import Runs
from fuzzytruth.data.vote_shares import entries_at
from fuzzytruth.data.votes import label_set_keys
from fuzzytruth.errors import nearest, shown
from fuzzytruth.io.columns import string_array
from fuzzytruth.io.ids import find_items, hash_ids, hashes_apart, take
from fuzzytruth.truth import protocol
from fuzzytruth.truth.batch import Batch, Levels, reaches
from fuzzytruth.truth.inputs import GradeProbabilities, ItemProbabilities
from fuzzytruth.truth.pairs.aligned import JudgedBlock, blocks_of_votes, subject_truths
from fuzzytruth.truth.pairs.outcomes import BlockOutcomes, DrawnPairs, PairWorlds, RankedHits
from fuzzytruth.truth.pairs.placement import PlacedTruth, Placement, place_runs
from fuzzytruth.truth.pairs.pool import JudgedPairs, Pool, votes_of
from fuzzytruth.truth.vote_weights import Ballots, VoteWeights, votes_lack


@dataclass(frozen=True, eq=False)
class ItemBlock:
    """Some items: their ballots, and their pairs with categories.

    Parameters
    ----------
    ballots : Ballots
    offsets : (items + 1,) int
        Where each item's pairs start.
    grade : (slots, pairs) float
        Grade of each pair if its item has the option of a slot.
    placements : tuple of Placement
    top_grade : float
    """

    ballots: Ballots
    offsets: Ints
    grade: Floats
    placements: tuple[Placement, ...]
    top_grade: float

    @property
    def n_pairs(self) -> int:
        """Number of pairs."""
        return int(self.offsets[-1])

    @cached_property
    def components(self) -> tuple[Ints, Ints, Ints]:
        """The options of all items, end to end: offsets (items + 1,), item, slot (options,)."""
        taken = self.ballots.taken
        item, slot = np.nonzero(taken)
        return offsets_of(taken.sum(axis=1)), item, slot

    @cached_property
    def _taken(self) -> Bools:
        """Which slots the item of each pair has: (slots, pairs)."""
        return self.ballots.taken[segment_of(self.offsets)].T

    @cached_property
    def scale(self) -> Floats:
        """Distinct grades of all pairs, ascending."""
        return np.unique(self.grade[self._taken])

    @cached_property
    def codes(self) -> Array:
        """The grades as places in the scale: (slots, pairs)."""
        return np.searchsorted(self.scale, self.grade).astype(np.min_scalar_type(len(self.scale)))

    @cached_property
    def layout(self) -> Diagonals:
        """The pairs of each item as jagged diagonals."""
        return Diagonals.of(self.offsets)

    @cached_property
    def hits(self) -> tuple[RankedHits, ...]:
        """The hits of each run."""
        largest = np.where(self._taken, self.codes, 0).max(axis=0, initial=0)
        return tuple(RankedHits.of(p, self.layout, largest) for p in self.placements)

    @cached_property
    def levels(self) -> Levels:
        """Grades of all pairs of an item, given each of its options."""
        offsets = self.offsets
        _, item, slot = self.components
        component, pair = ragged(offsets, item)
        grade = self.grade[slot[component], pair]
        order = np.lexsort((-grade, component))
        ones = np.ones((1, len(grade)), dtype=np.int64)
        return Levels(offsets_of(np.diff(offsets)[item]), grade[order], ones)

    def has_relevant(self, rel: float | None) -> Bools:
        """Whether some category of the item is relevant, given each option: (components,)."""
        _, item, slot = self.components
        return segment_max(reaches(self.grade, rel), self.offsets)[slot, item]


class ItemOutcomes(BlockOutcomes):
    """How probable the options of a block's items are in some outer worlds."""

    block: ItemBlock
    _by_world = ("share",)

    @cached_property
    def share(self) -> Floats:
        """Probability of each item's options: (outer, items, slots)."""
        return self.block.ballots.shares(self.votes)

    def draw(self, worlds: slice, entropy: Entropy) -> PairWorlds:
        """Draw a ballot for each item in each world, which decides on all of its categories."""
        block = self.block
        slot = block.ballots.draw(self.share, self.votes.streams, worlds, entropy)
        pair = block.layout.source
        item = segment_of(block.offsets)[pair]
        code = np.take(block.codes.ravel(), slot[item] * block.n_pairs + pair[:, None])
        return PairWorlds(block.hits, DrawnPairs(block.layout, code, block.scale), block.top_grade)

    def probabilities(self, run: int, depth: int | None = None) -> protocol.Mixture | str:
        """Certain grades of one run's lists, given each option of the items."""
        placement = self.block.placements[run].top(depth)
        offsets, item, _ = self.block.components
        listed, listed_pairs = self._certain(placement.offsets, placement.entry)
        others = self._others(placement)
        hit = ragged(placement.offsets, item)[1]
        probabilities = ItemProbabilities(
            placement.length[item],
            placement.first[hit],
            listed,
            others,
            listed_pairs,
            self.block.top_grade,
            last=None if placement.last_of_ties is None else placement.last[hit],
        )
        return protocol.Mixture(probabilities, offsets, self._weight, self._crisp(probabilities))

    def _crisp(self, lists: ItemProbabilities) -> Batch:
        """The options of the items as queries, in a single world."""
        hits, top_grade = lists.hits, self.block.top_grade
        first, layout = lists.rank, EndToEnd(hits.offsets)
        last = first if lists.last is None else lists.last
        return Batch(lists.length, layout, first, last, hits.grade, self.block.levels, top_grade)

    @property
    def _weight(self) -> Floats:
        """Probability of each option of each item: (outer, components)."""
        _, item, slot = self.block.components
        return self.share[:, item, slot]

    def _others(self, placement: Placement) -> GradeProbabilities:
        """The pairs of each item that a run does not list."""
        elsewhere = np.ones(self.n_items, dtype=bool)
        elsewhere[placement.entry] = False
        rest = np.flatnonzero(elsewhere)
        return self._certain(np.searchsorted(rest, self.block.offsets), rest)[0]

    def _certain(self, offsets: Ints, pair: Ints) -> tuple[GradeProbabilities, Ints]:
        """Grades of some pairs of each item, given each of its options, and the pairs repeated."""
        _, item, slot = self.block.components
        component, place = ragged(offsets, item)
        chosen = pair[place]
        grade = self.block.grade[slot[component], chosen][None, :]
        ends = offsets_of(np.diff(offsets)[item])
        return GradeProbabilities(ends, grade, np.ones_like(grade)), chosen

    def chance_of_none(self, rel: float | None) -> Floats:
        """Probability that no category is relevant: (outer, queries)."""
        return self._chance(~self.block.has_relevant(rel))

    def chance_of_some(self, rel: float | None) -> Floats:
        """Probability that some category is: (outer, queries)."""
        return self._chance(self.block.has_relevant(rel))

    def _chance(self, which: Bools) -> Floats:
        """Probability of some of the components: (outer, queries)."""
        return segment_sum(self._weight * which, self.block.components[0])


# Items as queries, aligned with runs that list categories.


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
        return float(self.grades[np.unique(self.ballots.option)].data.max(initial=0.0))

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
    taken = ballots.taken
    option = ballots.slots.option[taken]
    shape = ballots.n_items, grades.shape[0]
    offsets = offsets_of(taken.sum(axis=1))
    has = sparse.csr_array((np.ones(len(option)), option, offsets), shape=shape)
    pairs = (has @ grades).tocsr()
    pairs.sort_indices()
    return pairs.indptr.astype(np.int64), pairs.indices.astype(np.int64)


_ALL_JUDGED = "a vote on an item decides on all categories, so that none is unjudged"


def facts_of(
    votes: CategoryPool, systems: tuple[str, ...], coverage: protocol.Coverage
) -> protocol.Facts:
    """What is known of the votes and the systems that answer to them; nothing is missing."""
    cells, uncertain = votes.cells, votes.uncertain
    lacks = votes_lack(
        votes.subjects,
        unjudged=_ALL_JUDGED,
        uncertain=bool(uncertain.any()),
        n_differ=votes.ballots.n_differ,
    )
    return protocol.Facts(
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
        queries_share_items=False,
    )


@dataclass(frozen=True, slots=True, eq=False)
class AlignedItems(PlacedTruth):
    """Judged pairs of an item and a category, all those of an item graded by one ballot.

    Each subject's truth is that of the pairs; worlds are drawn, and mixed, by item.

    Parameters
    ----------
    facts, placements
        See `PlacedTruth`.
    votes : CategoryPool
    """

    votes: CategoryPool

    def blocks(self, worlds: protocol.Worlds) -> Sequence[slice]:
        """Blocks of about equally many votes, or pairs for drawn worlds."""
        if worlds in ("crisp", "subject"):
            return blocks_of_votes(self.votes.pool)
        return self.votes.pairs.blocks

    def subject_truths(self, block: slice, missing: protocol.Missing) -> protocol.SubjectTruths:
        """Each subject's own categories as a crisp truth."""
        judged = JudgedBlock.of(self.votes.pool, block)
        first = int(self.votes.pairs.offsets[block.start])
        return subject_truths(judged, self.placed(block, first), missing)

    def outcomes(self, block: slice, votes: VoteWeights) -> ItemOutcomes:
        """Probabilities of the categories of a block's items."""
        pairs, offsets = self.votes.pairs.of_queries(block)
        of_block = ItemBlock(
            self.votes.ballots.of_items(block),
            offsets,
            self.votes.slot_grades(block),
            self.placed(block, pairs.start),
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
        protocol.coverage_of(votes.pairs.queries, runs),
        unknown_items={
            system: take(runs[system].item, rows) for system, rows in unknown.items() if len(rows)
        },
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
    return AlignedItems(facts, place_runs(votes.pairs, runs, ties), votes)


def _unknown(votes: CategoryPool, ranking: Ranking) -> Ints:
    """Rows of retrieved categories that are not in the taxonomy, in lists of items with votes."""
    wanted = votes.pairs.codes(ranking.queries) < len(votes.pairs.queries)
    return np.flatnonzero((find_items(ranking.item, votes.names) < 0) & wanted[ranking.query])


def _shown(name: str, known: list[str]) -> str:
    """An unknown category, with those that are spelt alike."""
    return f"{shown(name)}{nearest(name, known)}"
