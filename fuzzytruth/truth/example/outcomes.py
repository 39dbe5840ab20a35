"""Probabilities of the labels of a collection, some queries at a time, and drawn worlds.

Given the row of grades that a query asks for (its category), the items are independent: those rows
are the components that exact paths mix.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fuzzytruth._lazy import sparse
from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.arithmetic import offsets_of, ragged, segment_sum
from fuzzytruth.core.checksums import Entropy, keys_of
from fuzzytruth.core.lists.relevant_counts import log_none
from fuzzytruth.core.shares import draw_slots
from fuzzytruth.truth.batch import reaches
from fuzzytruth.truth.example.collection import (
    ExampleBlock,
    ExampleWorlds,
    Labelling,
    LabellingCache,
)
from fuzzytruth.truth.inputs import GradeProbabilities, ItemProbabilities
from fuzzytruth.truth.protocol import Mixture
from fuzzytruth.truth.vote_weights import VoteWeights

_MANY_OPTIONS = 64  # options of an item from which on shares are multiplied as sparse tables


@dataclass(frozen=True, slots=True, eq=False)
class QueryRows:
    """The rows of grades that queries may ask for, end to end: a query's components.

    Parameters
    ----------
    offsets : (queries + 1,) int
    query, row : (components,) int
    weight : (outer, components) float
        Probability of the component, given the query.
    """

    offsets: Ints
    query: Ints
    row: Ints
    weight: Floats


def _chances(reached: Bools, option: Ints, share: Floats) -> Floats:
    """Sums of the shares of the options that each row reaches: (rows, items)."""
    # An item with fewer options has a share of 0 in the first one instead.
    starts = np.arange(len(option) + 1) * option.shape[1]
    shape = (len(option), reached.shape[1])
    of_item = sparse.csr_array((share.ravel(), np.maximum(option, 0).ravel(), starts), shape=shape)
    return np.asarray((of_item @ sparse.csr_array(reached.T.astype(np.float64))).toarray().T)


# The items of a collection as grades with probabilities, given the row of grades asked for.


@dataclass(frozen=True, slots=True, eq=False)
class RetrievedGrades:
    """Grades and probabilities of what a run retrieved for each component, and of all else.

    Parameters
    ----------
    outcomes : ExampleOutcomes
    rows : QueryRows
        The components: rows of grades that queries may ask for.
    component, item : (hits,) int
        The retrieved items.
    """

    outcomes: ExampleOutcomes
    rows: QueryRows
    component: Ints
    item: Ints

    def grades(self, component: Ints, item: Ints) -> tuple[Array, Array]:
        """Grades of items for components, and their probabilities: (..., grades, hits) both."""
        collection, row = self.outcomes.block.collection, self.rows.row[component]
        known = self._is_query(component, item)
        if collection.binary:
            p = self.outcomes.at_least(1.0)[:, row, item]
            p = np.where(known, collection.grade[row, row], p) if known.any() else p
            grade = np.repeat([[1.0], [0.0]], len(item), axis=1)
            chance = np.stack((p, 1 - p), axis=1)
        else:
            option = collection.ballots.slots.option[item].T  # (slots, hits)
            grade = np.where(option >= 0, collection.grade[row, option], np.nan)
            chance = self.outcomes.share[:, item].transpose(0, 2, 1)
            if known.any():  # given the row, the query has the option that is this row
                chance = np.where(known, option == row, chance)
        return grade, chance[0] if len(chance) == 1 else chance

    def _is_query(self, component: Ints, item: Ints) -> Array:
        """Which items are the query itself, whose option the component gives."""
        block = self.outcomes.block
        if not block.knows_itself:
            return np.zeros(len(item), dtype=bool)
        return np.asarray(block.query_item[self.rows.query[component]] == item)

    def everything_else(self) -> GradeProbabilities:
        """All other items of the collection, one by one."""
        block, rows = self.outcomes.block, self.rows
        others = np.ones((len(rows.row), block.collection.n_items), dtype=bool)
        others[self.component, self.item] = False
        own = block.left_out[rows.query]
        others[np.flatnonzero(own >= 0), own[own >= 0]] = False
        component, item = np.nonzero(others)
        return GradeProbabilities(offsets_of(others.sum(axis=1)), *self.grades(component, item))

    def grouped_rest(self) -> GradeProbabilities:
        """All other items, those of equal probability as one with a count; binary grades only."""
        row = self.rows.row
        groups = EqualChances.of(self.outcomes.at_least(1.0))
        place = ragged(groups.offsets, row)[1]
        offsets = offsets_of(np.diff(groups.offsets)[row])
        count = groups.count[:, place]  # (outer, values of all components)
        gone, item = self._gone()
        taken = offsets[gone] + groups.group[:, row[gone], item]  # (outer, gone)
        for o in range(len(count)):  # as many as share a block: a few
            count[o] -= np.bincount(taken[o], minlength=count.shape[1])
        mine, sure = self._itself()
        count[:, np.where(sure, offsets[mine + 1] - 1, offsets[mine])] += 1  # from 0 to 1
        chance = groups.value[place]
        grade = np.repeat([[1.0], [0.0]], len(place), axis=1)
        return GradeProbabilities(
            offsets, grade, np.stack((chance, 1 - chance)), count[0] if len(count) == 1 else count
        )

    def _gone(self) -> tuple[Ints, Ints]:
        """Components and items that are not among the rest as they are: retrieved, or the query."""
        block = self.outcomes.block
        own = (block.member if block.knows_itself else block.left_out)[self.rows.query]
        mine = np.flatnonzero(own >= 0)
        if block.knows_itself:  # a query that was retrieved is gone already
            retrieved = self.component[self._is_query(self.component, self.item)]
            mine = np.setdiff1d(mine, retrieved)
        return np.concatenate((self.component, mine)), np.concatenate((self.item, own[mine]))

    def _itself(self) -> tuple[Ints, Bools]:
        """Components whose query may answer itself and was not retrieved; whether it is relevant.

        That is certain, given the row.
        """
        block = self.outcomes.block
        if not block.knows_itself:
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=bool)
        retrieved = self.component[self._is_query(self.component, self.item)]
        members = np.flatnonzero(block.member[self.rows.query] >= 0)
        mine = np.setdiff1d(members, retrieved)
        row = self.rows.row[mine]
        return mine, block.collection.grade[row, row] >= 1


@dataclass(frozen=True, slots=True, eq=False)
class EqualChances:
    """The items that are equally probable to be relevant to a row, as groups.

    Parameters
    ----------
    offsets : (rows + 1,) int
        Where the groups of each row start.
    value : (groups,) float
        Probability, ascending within a row from 0 to 1, both included.
    group : (outer, rows, items) int
        The group of each item among those of the row.
    count : (outer, groups) float
        How many items it has.
    """

    offsets: Ints
    value: Floats
    group: Ints
    count: Floats

    @classmethod
    def of(cls, chance: Floats) -> EqualChances:
        """Group the chances (outer, rows, items) of all outer worlds."""
        n_outer, n_rows, n_items = chance.shape
        table = np.empty((n_rows, n_outer * n_items + 2))
        table[:, :-2] = chance.transpose(1, 0, 2).reshape(n_rows, -1)
        table[:, -2:] = 0.0, 1.0
        order = np.argsort(table, axis=1)
        ascending = np.take_along_axis(table, order, axis=1)
        is_new = np.diff(ascending, axis=1, prepend=-1.0) != 0
        group = np.empty(table.shape, dtype=np.int64)
        np.put_along_axis(group, order, np.cumsum(is_new, axis=1) - 1, axis=1)
        offsets = offsets_of(is_new.sum(axis=1))
        of_item = group[:, :-2].reshape(n_rows, n_outer, n_items).transpose(1, 0, 2)
        flat = of_item + offsets[:-1, None] + np.arange(n_outer)[:, None, None] * offsets[-1]
        count = np.bincount(flat.ravel(), minlength=n_outer * int(offsets[-1]))
        return cls(
            offsets, ascending[is_new], of_item, count.reshape(n_outer, -1).astype(np.float64)
        )


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
        if "share" in self.__dict__:  # computed already
            part.__dict__["share"] = self.share[start:stop]
        return part

    @cached_property
    def share(self) -> Floats:
        """Probability of each item's options: (outer, items, slots)."""
        return self.block.collection.ballots.shares(self.votes[self.outer])

    def draw(self, worlds: slice, entropy: Entropy) -> ExampleWorlds:
        """Draw some labellings of the collection in each outer world."""

        def labelling() -> Labelling:
            collection, ballots = self.block.collection, self.block.collection.ballots
            slot = ballots.draw(self.share, self.votes.streams[self.outer], worlds, entropy)
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
        if not (collection.small or collection.binary):
            return (
                "similarities grade this large collection, which has no exact probabilities; ask "
                "for relevance='subtree'"
            )
        if self.block.too_many_groups:
            return "too many items of this large collection have probabilities of their own"
        rows = self.rows()
        component, hit = ragged(lists.offsets, rows.query)
        item = lists.entry[hit]
        retrieved = RetrievedGrades(self, rows, component, item)
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
            last=None if lists.last_of_ties is None else lists.last[hit],
        )
        names = collection.row_names[rows.row]
        return Mixture(probabilities, rows.offsets, rows.weight, names=names)

    def rows(self) -> QueryRows:
        """The rows each query may ask for: that of its category, or of each of its options."""
        block, collection = self.block, self.block.collection
        if collection.given is not None:
            row, weight = collection.given.row[block.queries], collection.given.share[block.queries]
            query, choice = np.nonzero(row >= 0)
            return QueryRows(
                offsets_of((row >= 0).sum(axis=1)),
                query,
                row[query, choice],
                np.broadcast_to(weight[query, choice], (len(self.share), len(query))),
            )
        item = block.query_item
        option = collection.ballots.slots.option[item]  # (queries, slots)
        query, slot = np.nonzero(option >= 0)
        return QueryRows(
            offsets_of((option >= 0).sum(axis=1)),
            query,
            option[query, slot],
            self.share[:, item[query], slot],
        )

    def at_least(self, rel: float | None) -> Floats:
        """Probability that an item's grade reaches `rel` (None: above 0): (outer, rows, items)."""
        collection = self.block.collection
        reached = reaches(collection.grade, rel)  # (rows, options)
        option = collection.ballots.slots.option[: collection.n_items]
        share = self.share[:, : collection.n_items]
        if option.shape[1] > _MANY_OPTIONS:
            return np.minimum(np.stack([_chances(reached, option, one) for one in share]), 1.0)
        padded = np.concatenate((reached, np.zeros((len(reached), 1), dtype=bool)), axis=1)
        table = padded[:, option]  # (rows, items, slots); -1: the added column
        out: Floats = np.zeros((len(share), *table.shape[:2]))
        for slot in range(table.shape[-1]):
            out += table[..., slot] * share[:, None, :, slot]
        return np.minimum(out, 1.0)

    def chance_of_none(self, rel: float | None) -> Floats:
        """Probability that no item of the collection is relevant: (outer, queries)."""
        rows = self.rows()
        return segment_sum(rows.weight * np.exp(self._log_none(rows, rel)), rows.offsets)

    def chance_of_some(self, rel: float | None) -> Floats:
        """Probability that some item is, with full relative accuracy: (outer, queries)."""
        rows = self.rows()
        return segment_sum(rows.weight * -np.expm1(self._log_none(rows, rel)), rows.offsets)

    def _log_none(self, rows: QueryRows, rel: float | None) -> Floats:
        """Logarithm of the probability of no relevant item, given the row: (outer, components)."""
        block = self.block
        log = log_none(self.at_least(rel))  # (outer, rows, items)
        # The query's own item is left out, or else known given the row it asks for.
        own = (block.member if block.knows_itself else block.left_out)[rows.query]
        up_to, from_on = np.cumsum(log, axis=-1), np.cumsum(log[..., ::-1], axis=-1)[..., ::-1]
        ends = np.zeros((*log.shape[:-1], 1))
        before = np.concatenate((ends, up_to), axis=-1)
        after = np.concatenate((from_on, ends), axis=-1)
        start = np.where(own >= 0, own, log.shape[-1])
        beyond = np.where(own >= 0, after[:, rows.row, own + 1], 0.0)
        out: Floats = before[:, rows.row, start] + beyond
        if block.knows_itself:
            grade = block.collection.grade[rows.row, rows.row]
            out = np.where((own >= 0) & reaches(grade, rel), -np.inf, out)
        return out
