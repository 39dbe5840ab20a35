"""The items of a collection as grades with probabilities, given the row of grades asked for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.segments import offsets_of, ragged
from fuzzytruth.truth.example.label_probabilities import LabelProbabilities, QueryRows
from fuzzytruth.truth.item_probabilities import GradeProbabilities


@dataclass(frozen=True, slots=True, eq=False)
class RetrievedGrades:
    """Grades and probabilities of what a run retrieved for each component, and of all else.

    Parameters
    ----------
    labels : LabelProbabilities
    rows : QueryRows
        The components: rows of grades that queries may ask for.
    component, item : (hits,) int
        The retrieved items.
    """

    labels: LabelProbabilities
    rows: QueryRows
    component: Ints
    item: Ints

    def grades(self, component: Ints, item: Ints) -> tuple[Array, Array]:
        """Grades of items for components, and their probabilities: (..., grades, hits) both."""
        collection, row = self.labels.block.collection, self.rows.row[component]
        known = self._is_query(component, item)
        if collection.binary:
            p = self.labels.at_least(1.0)[:, row, item]
            p = np.where(known, collection.grade[row, row], p) if known.any() else p
            grade = np.repeat([[1.0], [0.0]], len(item), axis=1)
            chance = np.stack((p, 1 - p), axis=1)
        else:
            option = collection.ballots.slots.option[item].T  # (slots, hits)
            grade = np.where(option >= 0, collection.grade[row, option], np.nan)
            chance = self.labels.share[:, item].transpose(0, 2, 1)
            if known.any():  # given the row, the query has the option that is this row
                chance = np.where(known, option == row, chance)
        return grade, chance[0] if len(chance) == 1 else chance

    def _is_query(self, component: Ints, item: Ints) -> Array:
        """Which items are the query itself, whose option the component gives."""
        block = self.labels.block
        if not block.knows_itself:
            return np.zeros(len(item), dtype=bool)
        return np.asarray(block.query_item[self.rows.query[component]] == item)

    def everything_else(self) -> GradeProbabilities:
        """All other items of the collection, one by one."""
        block, rows = self.labels.block, self.rows
        others = np.ones((len(rows.row), block.collection.n_items), dtype=bool)
        others[self.component, self.item] = False
        own = block.left_out[rows.query]
        others[np.flatnonzero(own >= 0), own[own >= 0]] = False
        component, item = np.nonzero(others)
        return GradeProbabilities(offsets_of(others.sum(axis=1)), *self.grades(component, item))

    def grouped_rest(self) -> GradeProbabilities:
        """All other items, those of equal probability as one with a count; binary grades only."""
        row = self.rows.row
        groups = EqualChances.of(self.labels.at_least(1.0))
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
        block = self.labels.block
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
        block = self.labels.block
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
            offsets,
            ascending[is_new],
            of_item,
            count.reshape(n_outer, -1).astype(np.float64),
        )
