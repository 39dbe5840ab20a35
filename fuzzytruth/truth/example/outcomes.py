"""Probabilities of the labels of a collection, some queries at a time, and drawn worlds.

Given the row of grades that a query asks for (its category), the items are independent: those rows
are the components that exact paths mix.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.keyed import Entropy, keys_of
from fuzzytruth.core.segments import offsets_of, ragged
from fuzzytruth.core.shares import draw_slots
from fuzzytruth.truth.example.block import ExampleBlock
from fuzzytruth.truth.example.label_probabilities import LabelProbabilities
from fuzzytruth.truth.example.retrieved_grades import RetrievedGrades
from fuzzytruth.truth.example.worlds import ExampleWorlds, Labelling, LabellingCache
from fuzzytruth.truth.item_probabilities import GradeProbabilities, ItemProbabilities
from fuzzytruth.truth.protocol import Mixture
from fuzzytruth.truth.vote_weights import VoteWeights


@dataclass(frozen=True, eq=False)
class ExampleOutcomes:
    """How probable the labels of all items are in some outer worlds.

    Parameters
    ----------
    block : ExampleBlock
    votes : VoteWeights
        All outer worlds.
    outer : slice
        Which of them these outcomes are of.
    cache : LabellingCache
    """

    block: ExampleBlock
    votes: VoteWeights
    outer: slice
    cache: LabellingCache

    def __len__(self) -> int:
        return int(self.outer.stop - self.outer.start)

    @property
    def n_items(self) -> int:
        """Number of items with votes: the collection, and queries outside it."""
        return len(self.block.collection.items)

    def __getitem__(self, outer: slice) -> ExampleOutcomes:
        start, stop, _ = outer.indices(len(self))
        first = self.outer.start
        part = replace(self, outer=slice(first + start, first + stop))
        if "labels" in self.__dict__:  # computed already
            share = self.labels.share[start:stop]
            part.__dict__["labels"] = LabelProbabilities(self.block, share)
        return part

    @cached_property
    def labels(self) -> LabelProbabilities:
        """Probabilities of the labels."""
        share = self.block.collection.ballots.shares(self.votes[self.outer])
        return LabelProbabilities(self.block, share)

    def draw(self, worlds: slice, entropy: Entropy) -> ExampleWorlds:
        """Draw some labellings of the collection in each outer world."""

        def labelling() -> Labelling:
            collection, ballots = self.block.collection, self.block.collection.ballots
            streams = self.votes.streams[self.outer]
            slot = ballots.draw(self.labels.share, streams, worlds, entropy)
            option = np.take_along_axis(ballots.slots.option, slot, axis=1)
            return Labelling.of(option.T, collection.grade.shape[1], collection.n_items)

        part = (self.outer.start, self.outer.stop, worlds.start, worlds.stop)
        labels = self.cache.get(self.votes, part, labelling)
        return ExampleWorlds(self.block, labels, self._drawn_row(worlds, entropy))

    def _drawn_row(self, worlds: slice, entropy: Entropy) -> Ints | None:
        """Rows drawn for categories given by probabilities: (outer · worlds, queries)."""
        given, block = self.block.collection.given, self.block
        if given is None or given.certain:
            return None
        # Two hashes, so that a query and the item of the same id are drawn independently.
        ids = block.collection.query_hash[block.queries]
        keys = keys_of(entropy, ids, np.zeros(1, dtype=np.uint64))
        row, share = given.row[block.queries], given.share[block.queries]  # (queries, choices)
        every = np.broadcast_to(share, (len(self), *share.shape))
        slot = draw_slots(every, keys, self.votes.streams[self.outer], worlds)
        return np.take_along_axis(row, slot, axis=1).T

    def probabilities(self, run: int, depth: int | None = None) -> Mixture | str:
        """Item probabilities of one run's lists, for each row of grades a query may ask for."""
        lists, collection = self.block.lists[run].top(depth), self.block.collection
        ranked = lists.ranked
        if not ranked.any():
            return "tied items have no single rank under ties='expected'"
        if not (collection.small or collection.binary):
            return (
                "similarities grade this large collection, which has no exact probabilities; ask "
                "for relevance='subtree'"
            )
        if self.block.too_many_groups:
            return "too many items of this large collection have probabilities of their own"
        rows = self.labels.rows()
        component, hit = ragged(lists.offsets, rows.query)
        item = lists.item[hit]
        retrieved = RetrievedGrades(self.labels, rows, component, item)
        probabilities = ItemProbabilities(
            lists.length[rows.query],
            lists.first[hit],
            GradeProbabilities(
                offsets_of(np.diff(lists.offsets)[rows.query]), *retrieved.grades(component, item)
            ),
            retrieved.everything_else if collection.small else retrieved.grouped_rest,
            item,
            collection.top_grade,
            countable=collection.small,
        )
        names = collection.row_names[rows.row]
        of_rows = None if ranked.all() else ranked[rows.query]
        return Mixture(probabilities, rows.offsets, rows.weight, names=names, ranked=of_rows)

    def chance_of_none(self, rel: float | None) -> Floats:
        """Probability that no item of the collection is relevant: (outer, queries)."""
        return self.labels.chance_of_none(rel)

    def chance_of_some(self, rel: float | None) -> Floats:
        """Probability that some item is, with full relative accuracy: (outer, queries)."""
        return self.labels.chance_of_some(rel)
