"""How probable the labels of all items are, seen from some queries by example."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.any_event import log_none
from fuzzytruth.core.segments import offsets_of, segment_sum
from fuzzytruth.truth.example.block import ExampleBlock
from fuzzytruth.truth.levels import reaches

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


def _chances(reached: Bools, option: Ints, share: Floats) -> Floats:
    """Sums of the shares of the options that each row reaches: (rows, items)."""
    from scipy.sparse import csr_array

    # An item with fewer options has a share of 0 in the first one instead.
    starts = np.arange(len(option) + 1) * option.shape[1]
    shape = (len(option), reached.shape[1])
    of_item = csr_array((share.ravel(), np.maximum(option, 0).ravel(), starts), shape=shape)
    out: Floats = (of_item @ csr_array(reached.T.astype(np.float64))).toarray().T
    return out
