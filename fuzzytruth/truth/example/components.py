"""The items of a collection as chances, given the row of grades that a query asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Array, Ints
from fuzzytruth.core.segments import offsets_of
from fuzzytruth.truth.item_probabilities import Options

if TYPE_CHECKING:
    from fuzzytruth.truth.example.outcomes import ExampleChances


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """The rows of grades that queries may ask for, end to end.

    Parameters
    ----------
    offsets : (queries + 1,) int
    query, row : (components,) int
    weight : (outer, components) float
    """

    offsets: Ints
    query: Ints
    row: Ints
    weight: Array


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What a system retrieved for each component, and everything else.

    Parameters
    ----------
    chances : ExampleChances
    parts : Components
    component, item : (hits,) int
        The retrieved items.
    """

    chances: ExampleChances
    parts: Components
    component: Ints
    item: Ints

    def options(self, component: Ints, item: Ints) -> tuple[Array, Array]:
        """Grades and chances of items for components: (options, hits), (..., options, hits)."""
        truth, row = self.chances.block.meeting.truth, self.parts.row[component]
        known = self._is_query(component, item)
        if truth.binary:
            p = self.chances.at_least(1.0)[:, row, item]
            p = np.where(known, truth.grade[row, row], p) if known.any() else p
            grade = np.repeat([[1.0], [0.0]], len(item), axis=1)
            chance = np.stack((p, 1 - p), axis=1)
        else:
            option = truth.slots.option[item].T  # (slots, hits)
            grade = np.where(option >= 0, truth.grade[row, option], np.nan)
            chance = self.chances.share[:, item].transpose(0, 2, 1)
            if known.any():  # given the row, the query has the option that is this row
                chance = np.where(known, option == row, chance)
        return grade, chance[0] if len(chance) == 1 else chance

    def _is_query(self, component: Ints, item: Ints) -> Array:
        """Which items are the query itself, whose option the component gives."""
        block = self.chances.block
        if not block.knows_itself:
            return np.zeros(len(item), dtype=bool)
        return np.asarray(block.query_item[self.parts.query[component]] == item)

    def everything_else(self) -> Options:
        """All other items of the collection, one by one."""
        block, parts = self.chances.block, self.parts
        there = np.ones((len(parts.row), block.meeting.truth.n_items), dtype=bool)
        there[self.component, self.item] = False
        own = block.left_out[parts.query]
        there[np.flatnonzero(own >= 0), own[own >= 0]] = False
        component, item = np.nonzero(there)
        return Options(offsets_of(there.sum(axis=1)), *self.options(component, item))

    def equals_together(self) -> Options:
        """All other items, those of equal probability as one with a count; binary grades only."""
        p = self.chances.at_least(1.0)  # (outer, rows, items)
        value, which = np.unique(np.append(p, (0.0, 1.0)), return_inverse=True)
        which = which[:-2].reshape(p.shape)
        n_outer, n_rows, _ = p.shape
        n_values, n_parts = len(value), len(self.parts.row)
        lines = np.arange(n_outer * n_rows)[:, None] * n_values
        every = np.bincount(
            (which.reshape(n_outer * n_rows, -1) + lines).ravel(),
            minlength=n_outer * n_rows * n_values,
        ).reshape(n_outer, n_rows, n_values)
        count = every[:, self.parts.row].astype(np.float64)  # (outer, components, values)
        gone, item = self._gone()
        for o in range(n_outer):  # as many as share a block: a few
            taken = gone * n_values + which[o, self.parts.row[gone], item]
            count[o] -= np.bincount(taken, minlength=count[o].size).reshape(n_parts, n_values)
        count += self._itself(n_values)
        chance = np.tile(np.stack((value, 1 - value)), n_parts)
        grade = np.repeat([[1.0], [0.0]], n_parts * n_values, axis=1)
        count = count.reshape(n_outer, -1)
        offsets = offsets_of(np.full(n_parts, n_values))
        return Options(offsets, grade, chance, count[0] if n_outer == 1 else count)

    def _gone(self) -> tuple[Ints, Ints]:
        """Components and items that are not among the rest as they are: retrieved, or the query."""
        block = self.chances.block
        own = (block.query_item if block.knows_itself else block.left_out)[self.parts.query]
        mine = np.flatnonzero(own >= 0)
        if block.knows_itself:  # a query that was retrieved is gone already
            retrieved = self.component[self._is_query(self.component, self.item)]
            mine = np.setdiff1d(mine, retrieved)
        return np.concatenate((self.component, mine)), np.concatenate((self.item, own[mine]))

    def _itself(self, n_values: int) -> Array:
        """The query that may answer itself and was not retrieved: surely relevant or not."""
        block, n_parts = self.chances.block, len(self.parts.row)
        out = np.zeros((n_parts, n_values))
        if block.knows_itself:
            retrieved = self.component[self._is_query(self.component, self.item)]
            mine = np.setdiff1d(np.arange(n_parts), retrieved)
            row = self.parts.row[mine]
            sure = block.meeting.truth.grade[row, row] >= 1
            out[mine, np.where(sure, n_values - 1, 0)] = 1.0  # values ascend from 0 to 1
        return out
