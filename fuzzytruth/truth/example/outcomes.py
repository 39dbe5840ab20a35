"""Query by example meets systems: what exact paths and drawing need of it.

A world labels every item of the collection, whichever query retrieved it, so that all blocks of
queries draw the same labels. Given the row of grades a query asks for (its category), the items
are independent: those are the components that exact paths mix.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

import numpy as np

from fuzzytruth._typing import Array, Ints
from fuzzytruth.core.segments import offsets_of, ragged, segment_sum
from fuzzytruth.core.shares import draw_slots, resampled_shares
from fuzzytruth.truth.batch import reaches
from fuzzytruth.truth.example.collection import ExampleTruth
from fuzzytruth.truth.example.components import Components, Seen
from fuzzytruth.truth.example.lists import ExampleLists
from fuzzytruth.truth.example.worlds import ExampleWorlds, Labelling
from fuzzytruth.truth.item_probabilities import ItemProbabilities, Options
from fuzzytruth.truth.pool_outcomes import query_blocks
from fuzzytruth.truth.protocol import Mixture

_HITS = 1 << 14  # retrieved items in a block of queries, about
_CELLS = 1 << 20  # components × items in a block where each item is looked at by itself
_KEPT = 1 << 26  # labels of drawn worlds that are kept for the next block: 256 MB
#: collections up to this size are looked at item by item, larger ones by equal probabilities
SMALL = 500


@dataclass(frozen=True, slots=True, eq=False)
class ExampleMeeting:
    """A truth by example and the systems that answered.

    Parameters
    ----------
    truth : ExampleTruth
    lists : tuple of ExampleLists
        One for each system.
    weight : (outer,) float
        Probability of each outer world.
    votes : (outer, subjects) float or None
        How much each subject counts in it; None: as given.
    drawn : bool
        Whether outer worlds are a random sample.
    factor : float
        What makes the variance over resamples unbiased.
    """

    truth: ExampleTruth
    lists: tuple[ExampleLists, ...]
    weight: Array
    votes: Array | None = None
    drawn: bool = False
    factor: float = 1.0
    _kept: dict[Hashable, Labelling] = field(default_factory=dict, init=False, repr=False)

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return len(self.lists)

    def blocks(self) -> list[slice]:
        """Cut the queries into blocks of about equally many retrieved items."""
        size = np.max([np.diff(lists.offsets) for lists in self.lists], axis=0)
        hits = max(_HITS, int(size.max(initial=1)))
        if self.truth.n_items <= SMALL:
            per_query = self.truth.slots.option.shape[1] * self.truth.n_items
            size = np.maximum(size, per_query * hits // _CELLS)
        return query_blocks(offsets_of(np.maximum(size, 1)), hits)

    def block(self, number: int, queries: slice) -> ExampleBlock:
        """One block of queries."""
        return ExampleBlock(self, queries, tuple(a.of_queries(queries) for a in self.lists))

    def inflation(self, queries: slice) -> Array:
        """What makes the variance over resamples unbiased, S / (S - 1): the same for all."""
        return np.array([self.factor])

    def shares(self, worlds: slice) -> Array:
        """Chance of each item's options in some outer worlds: (outer, items, slots)."""
        truth = self.truth
        if self.votes is None:
            return truth.share[None]
        votes = self.votes[worlds]
        return resampled_shares(truth.slots, truth.subject, truth.weight, votes, truth.share)[0]

    def labelled(self, name: Hashable, draw: Callable[[], Ints]) -> Labelling:
        """Labellings drawn before under this name, or else now; all blocks of queries use them."""
        found = self._kept.get(name)
        if found is None:
            found = Labelling.of(draw(), self.truth.grade.shape[1])
            cells = sum(kept.option.size for kept in self._kept.values())
            if cells + found.option.size <= _KEPT:
                self._kept[name] = found
        return found

    def lost(self) -> int:
        """How many (outer world, item) pairs have no vote left."""
        if self.votes is None:
            return 0
        truth = self.truth
        voted = np.zeros((len(truth.subjects), truth.n_items))
        voted[truth.subject, truth.item] = 1
        return int(np.count_nonzero(np.asarray(self.votes @ voted) == 0))


@dataclass(frozen=True, slots=True, eq=False)
class ExampleBlock:
    """Some queries and their lists."""

    meeting: ExampleMeeting
    queries: slice
    lists: tuple[ExampleLists, ...]

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return int(self.queries.stop - self.queries.start)

    @property
    def stream(self) -> int:
        """All blocks share their items, and hence their random numbers."""
        return 0

    @property
    def query_item(self) -> Ints:
        """Which item each query is; -1 if none."""
        return self.meeting.truth.query_item[self.queries]

    @property
    def left_out(self) -> Ints:
        """Item that each query does not count; -1 for none."""
        return self.meeting.truth.left_out[self.queries]

    @property
    def knows_itself(self) -> bool:
        """Whether a query may answer itself, and asks for its own category: then that is known."""
        truth = self.meeting.truth
        return truth.keep_query and truth.query_row is None

    def chances(self, worlds: slice) -> ExampleChances:
        """The chances of the options in some outer worlds."""
        return ExampleChances(self, self.meeting.shares(worlds))


@dataclass(frozen=True, slots=True, eq=False)
class ExampleChances:
    """How probable the options of all items are.

    Parameters
    ----------
    block : ExampleBlock
    share : (outer, items, slots) float
    """

    block: ExampleBlock
    share: Array

    def __len__(self) -> int:
        return len(self.share)

    def __getitem__(self, worlds: slice) -> ExampleChances:
        return ExampleChances(self.block, self.share[worlds])

    @property
    def _truth(self) -> ExampleTruth:
        return self.block.meeting.truth

    def draw(self, repeats: int, seed: np.random.SeedSequence) -> ExampleWorlds:
        """Draw `repeats` labellings of the collection in each outer world."""
        name = (seed.spawn_key, repeats)
        return ExampleWorlds(
            self.block, self.block.meeting.labelled(name, lambda: self._labelling(repeats, seed))
        )

    def _labelling(self, repeats: int, seed: np.random.SeedSequence) -> Ints:
        n_items = self._truth.n_items
        generator = np.random.Generator(np.random.SFC64(seed))
        uniform = generator.random((len(self.share) * repeats, n_items))
        one = len(self.share) == 1
        share = self.share if one else np.repeat(self.share, repeats, axis=0)
        slot = draw_slots(share, uniform)
        return self._truth.slots.option[np.arange(n_items), slot]

    def components(self) -> Components:
        """The rows each query may ask for: that of its category, or of each of its options."""
        block, truth = self.block, self._truth
        if truth.query_row is not None:
            row = truth.query_row[block.queries]
            query = np.arange(len(row))
            return Components(np.arange(len(row) + 1), query, row, np.ones((len(self), len(row))))
        item = block.query_item
        option = truth.slots.option[item]  # (queries, slots)
        query, slot = np.nonzero(option >= 0)
        return Components(
            offsets_of((option >= 0).sum(axis=1)),
            query,
            option[query, slot],
            self.share[:, item[query], slot],
        )

    def mixture(self, system: int) -> Mixture | None:
        """One system's lists for each row of grades a query may ask for.

        None where ties are open, and for graded relevance in a large collection.
        """
        lists, truth = self.block.lists[system], self._truth
        small = truth.n_items <= SMALL
        if lists.tied or not (small or truth.binary):
            return None
        parts = self.components()
        component, hit = ragged(lists.offsets, parts.query)
        offsets = offsets_of(np.diff(lists.offsets)[parts.query])
        item = lists.item[hit]
        seen = Seen(self, parts, component, item)
        probabilities = ItemProbabilities(
            lists.length[parts.query],
            lists.first[hit],
            Options(offsets, *seen.options(component, item)),
            seen.everything_else if small else seen.equals_together,
            item,
            float(truth.grade.max(initial=0)),
            countable=small,
        )
        return Mixture(probabilities, parts.offsets, parts.weight)

    def at_least(self, rel: float | None) -> Array:
        """Probability that an item's grade reaches `rel` (None: above 0): (outer, rows, items)."""
        truth = self._truth
        reached = reaches(truth.grade, rel)  # (rows, options)
        padded = np.concatenate((reached, np.zeros((len(reached), 1), dtype=bool)), axis=1)
        table = padded[:, truth.slots.option]  # (rows, items, slots); -1 is the column of nothing
        out: Array = np.einsum("ris,ois->ori", table.astype(np.float64), self.share)
        return np.clip(out, 0.0, 1.0)

    def chance_of_none(self, rel: float | None) -> Array:
        """Probability that no item of the collection is relevant: (outer, queries)."""
        parts, block = self.components(), self.block
        p = self.at_least(rel)
        sure = (p == 1).sum(axis=-1)
        logs = np.log1p(-np.where(p == 1, 0.0, p))
        total = logs.sum(axis=-1)
        # The query's own item is left out, or else known given the row it asks for.
        own = (block.query_item if block.knows_itself else block.left_out)[parts.query]
        own_p = np.where(own >= 0, p[:, parts.row, own], 0.0)
        n_sure = sure[:, parts.row] - (own_p == 1)
        log = total[:, parts.row] - np.log1p(-np.where(own_p == 1, 0.0, own_p))
        none = np.where(n_sure > 0, 0.0, np.exp(log))
        if block.knows_itself:
            grade = self._truth.grade[parts.row, parts.row]
            none = np.where(reaches(grade, rel), 0.0, none)
        return segment_sum(parts.weight * none, parts.offsets)
