"""How probable the labels of all items are, seen from some queries by example."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.segments import offsets_of, segment_sum
from fuzzytruth.truth.example.block import ExampleBlock
from fuzzytruth.truth.levels import reaches


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


@dataclass(frozen=True, slots=True, eq=False)
class LabelProbabilities:
    """Probabilities of the options of all items in some outer worlds.

    Parameters
    ----------
    block : ExampleBlock
    share : (outer, items, slots) float
    """

    block: ExampleBlock
    share: Floats

    def rows(self) -> QueryRows:
        """The rows each query may ask for: that of its category, or of each of its options."""
        block, collection = self.block, self.block.collection
        if collection.query_row is not None:
            row = collection.query_row[block.queries]
            n = len(row)
            return QueryRows(np.arange(n + 1), np.arange(n), row, np.ones((len(self.share), n)))
        item = block.query_item
        option = collection.slots.option[item]  # (queries, slots)
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
        padded = np.concatenate((reached, np.zeros((len(reached), 1), dtype=bool)), axis=1)
        table = padded[:, collection.slots.option]  # (rows, items, slots); -1: the added column
        out: Floats = np.einsum("ris,ois->ori", table.astype(np.float64), self.share)
        return np.clip(out, 0.0, 1.0)

    def chance_of_none(self, rel: float | None) -> Floats:
        """Probability that no item of the collection is relevant: (outer, queries)."""
        rows, block = self.rows(), self.block
        p = self.at_least(rel)
        sure = (p == 1).sum(axis=-1)
        total = np.log1p(-np.where(p == 1, 0.0, p)).sum(axis=-1)
        # The query's own item is left out, or else known given the row it asks for.
        own = (block.query_item if block.knows_itself else block.left_out)[rows.query]
        own_p = np.where(own >= 0, p[:, rows.row, own], 0.0)
        n_sure = sure[:, rows.row] - (own_p == 1)
        log = total[:, rows.row] - np.log1p(-np.where(own_p == 1, 0.0, own_p))
        none = np.where(n_sure > 0, 0.0, np.exp(log))
        if block.knows_itself:
            grade = block.collection.grade[rows.row, rows.row]
            none = np.where(reaches(grade, rel), 0.0, none)
        return segment_sum(rows.weight * none, rows.offsets)
