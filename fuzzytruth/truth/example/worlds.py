"""Labellings of a collection, drawn or given, as measures see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Array, Ints
from fuzzytruth.truth.batch import Batch, Levels

if TYPE_CHECKING:
    from fuzzytruth.truth.example.outcomes import ExampleBlock


@dataclass(frozen=True, slots=True, eq=False)
class Labelling:
    """One option for each item in each world.

    Parameters
    ----------
    option : (worlds, items) int
        -1 where an item has none.
    count : (worlds, options) float
        How many items have each option.
    """

    option: NDArray[np.int32]
    count: Array

    @classmethod
    def of(cls, option: Ints, n_options: int) -> Labelling:
        """Count the options of drawn or given labellings."""
        n_worlds = len(option)
        there = option >= 0
        flat = (option + np.arange(n_worlds)[:, None] * n_options)[there]
        count = np.bincount(flat, minlength=n_worlds * n_options)
        return cls(option.astype(np.int32), count.reshape(n_worlds, n_options).astype(np.float64))

    def __len__(self) -> int:
        return len(self.option)


@dataclass(frozen=True, slots=True, eq=False)
class ExampleWorlds:
    """Labellings of the collection, as a block of queries sees them."""

    block: ExampleBlock
    labelling: Labelling

    def __len__(self) -> int:
        return len(self.labelling)

    @property
    def option(self) -> NDArray[np.int32]:
        """Option of each item: (worlds, items), -1 where there is none."""
        return self.labelling.option

    def batch(self, system: int) -> Batch:
        """What measures need of one system."""
        truth, lists = self.block.meeting.truth, self.block.lists[system]
        row = np.repeat(self.rows(), np.diff(lists.offsets), axis=1)  # (worlds, hits)
        option = self.option[:, lists.item]
        n_options = truth.grade.shape[1]
        gain = np.take(truth.grade.ravel(), np.maximum(row, 0) * n_options + np.maximum(option, 0))
        if (option < 0).any():
            gain[option < 0] = np.nan
        return Batch(
            lists.length,
            lists.offsets,
            lists.first,
            lists.last,
            gain,
            self.levels(),
            float(truth.grade.max(initial=0)),
        )

    def rows(self) -> NDArray[np.integer]:
        """Row of grades each query asks for in each world, -1 for none: (worlds, queries)."""
        truth, block = self.block.meeting.truth, self.block
        if truth.query_row is None:
            own = self.option[:, block.query_item]
            return np.where(own < len(truth.grade), own, -1)
        row = truth.query_row[block.queries]
        return np.broadcast_to(row, (len(self), len(row)))

    def levels(self) -> Levels:
        """How many items have each grade for each query, the query itself left out."""
        truth, row = self.block.meeting.truth, self.rows()
        n_worlds = len(self)
        own = self.block.left_out
        own_option = np.where(own >= 0, self.option[:, own], -1)
        at = np.arange(n_worlds)[:, None], np.maximum(row, 0)
        own_grade = truth.grade[at[1], np.maximum(own_option, 0)]
        levels = truth.levels
        counts = []
        for level in levels.tolist():
            of_row = self.labelling.count @ (truth.grade == level).T.astype(
                np.float64
            )  # (worlds, rows)
            counts.append(of_row[at] - ((own_option >= 0) & (own_grade == level)))
        n_queries = row.shape[1]
        return Levels(
            np.arange(n_queries + 1) * len(levels),
            np.tile(levels, n_queries),
            np.rint(np.stack(counts, axis=-1)).astype(np.int64).reshape(n_worlds, -1),
        )
