"""The items of a collection as grades with probabilities, given the row of grades asked for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Array, Ints
from fuzzytruth.core.segments import offsets_of
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
            option = collection.slots.option[item].T  # (slots, hits)
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
        p = self.labels.at_least(1.0)  # (outer, rows, items)
        value, which = np.unique(np.append(p, (0.0, 1.0)), return_inverse=True)
        which = which[:-2].reshape(p.shape)
        n_outer, n_rows, _ = p.shape
        n_values, n_components = len(value), len(self.rows.row)
        lines = np.arange(n_outer * n_rows)[:, None] * n_values
        every = np.bincount(
            (which.reshape(n_outer * n_rows, -1) + lines).ravel(),
            minlength=n_outer * n_rows * n_values,
        ).reshape(n_outer, n_rows, n_values)
        count = every[:, self.rows.row].astype(np.float64)  # (outer, components, values)
        gone, item = self._gone()
        for o in range(n_outer):  # as many as share a block: a few
            taken = gone * n_values + which[o, self.rows.row[gone], item]
            count[o] -= np.bincount(taken, minlength=count[o].size).reshape(n_components, n_values)
        count += self._itself(n_values)
        chance = np.tile(np.stack((value, 1 - value)), n_components)
        grade = np.repeat([[1.0], [0.0]], n_components * n_values, axis=1)
        count = count.reshape(n_outer, -1)
        offsets = offsets_of(np.full(n_components, n_values))
        return GradeProbabilities(offsets, grade, chance, count[0] if n_outer == 1 else count)

    def _gone(self) -> tuple[Ints, Ints]:
        """Components and items that are not among the rest as they are: retrieved, or the query."""
        block = self.labels.block
        own = (block.member if block.knows_itself else block.left_out)[self.rows.query]
        mine = np.flatnonzero(own >= 0)
        if block.knows_itself:  # a query that was retrieved is gone already
            retrieved = self.component[self._is_query(self.component, self.item)]
            mine = np.setdiff1d(mine, retrieved)
        return np.concatenate((self.component, mine)), np.concatenate((self.item, own[mine]))

    def _itself(self, n_values: int) -> Array:
        """The query that may answer itself and was not retrieved: surely relevant or not."""
        block, n_components = self.labels.block, len(self.rows.row)
        out = np.zeros((n_components, n_values))
        if block.knows_itself:
            retrieved = self.component[self._is_query(self.component, self.item)]
            mine = np.setdiff1d(np.arange(n_components), retrieved)
            row = self.rows.row[mine]
            sure = block.collection.grade[row, row] >= 1
            out[mine, np.where(sure, n_values - 1, 0)] = 1.0  # values ascend from 0 to 1
        return out
