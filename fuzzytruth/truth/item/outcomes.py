"""How probable the categories of some items are, and drawn worlds.

Given which of an item's ballots is drawn, all grades are certain: the item's distinct options are
the components that exact paths mix.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.checksums import Entropy
from fuzzytruth.core.layouts import Diagonals, EndToEnd
from fuzzytruth.core.segments import offsets_of, ragged, segment_max, segment_of, segment_sum
from fuzzytruth.truth.ballots import Ballots
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.item_probabilities import GradeProbabilities, ItemProbabilities
from fuzzytruth.truth.levels import Levels, reaches
from fuzzytruth.truth.pairs.placement import Placement
from fuzzytruth.truth.pairs.worlds import DrawnPairs, PairWorlds, RankedHits
from fuzzytruth.truth.protocol import Mixture
from fuzzytruth.truth.vote_weights import VoteWeights


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


@dataclass(frozen=True, eq=False)
class ItemOutcomes:
    """How probable the options of a block's items are in some outer worlds.

    Parameters
    ----------
    block : ItemBlock
    votes : VoteWeights
    """

    block: ItemBlock
    votes: VoteWeights

    def __len__(self) -> int:
        return len(self.votes)

    def __getitem__(self, outer: slice) -> ItemOutcomes:
        part = replace(self, votes=self.votes[outer])
        if "share" in self.__dict__:  # computed already
            part.__dict__["share"] = self.share[outer]
        return part

    @property
    def n_items(self) -> int:
        """Number of pairs of an item and a category."""
        return self.block.n_pairs

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
        drawn = DrawnPairs(block.layout, code, block.scale)
        return PairWorlds(block.hits, drawn, block.top_grade)

    def probabilities(self, run: int, depth: int | None = None) -> Mixture | str:
        """Certain grades of one run's lists, given each option of the items."""
        placement = self.block.placements[run].top(depth)
        ranked = placement.ranked
        if not ranked.any():
            return "tied items have no single rank under ties='expected'"
        offsets, item, _ = self.block.components
        listed, listed_pairs = self._certain(placement.offsets, placement.entry)
        others = self._others(placement)
        rank = placement.first[ragged(placement.offsets, item)[1]]
        probabilities = ItemProbabilities(
            placement.length[item], rank, listed, others, listed_pairs, self.block.top_grade
        )
        of_options = None if ranked.all() else ranked[item]
        crisp = self._crisp(probabilities)
        return Mixture(probabilities, offsets, self._weight, crisp, ranked=of_options)

    def _crisp(self, lists: ItemProbabilities) -> Batch:
        """The options of the items as queries, in a single world."""
        hits, top_grade = lists.hits, self.block.top_grade
        ranks, layout = lists.rank, EndToEnd(hits.offsets)
        return Batch(lists.length, layout, ranks, ranks, hits.grade, self.block.levels, top_grade)

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
