"""How far a score could be off because items were never judged: its lowest and highest value.

The unjudged items are those that some run retrieved, or that the judgments list with a negative
grade, and that have no judgment. Each may be relevant or not, of the top grade or of none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Array, Bools
from fuzzytruth.core.hashing import pair_keys
from fuzzytruth.core.segments import segment_of, segment_sum
from fuzzytruth.data.runs import Runs
from fuzzytruth.truth.pool import Placement, Pool


@dataclass(frozen=True, slots=True, eq=False)
class UnjudgedItems:
    """One system's lists with the places of the unjudged items, padded to one length.

    Parameters
    ----------
    gain : (subjects, queries, ranks) float
        Grade at each rank; NaN where the item is not judged, or past the end of the list.
    unjudged : (subjects, queries, ranks) bool
        Where there is an item without judgment.
    outside : (subjects, queries) int
        Unjudged items that are not in the list.
    length : (queries,) int
    grades : (subjects, items) float
        Of all judged items; NaN where not judged.
    offsets : (queries + 1,) int
        Where each query's items start.
    top_grade : float
    """

    gain: Array
    unjudged: Bools
    outside: Array
    length: Array
    grades: Array
    offsets: Array
    top_grade: float

    def relevant(self, rel: float) -> Array:
        """Where a judged relevant item stands: (subjects, queries, ranks)."""
        return self.gain >= rel

    def n_relevant(self, rel: float) -> Array:
        """Number of judged relevant items, retrieved or not: (subjects, queries)."""
        return segment_sum(self.grades >= rel, self.offsets)

    @property
    def n_open(self) -> Array:
        """Number of unjudged items in the list: (subjects, queries)."""
        out: Array = self.unjudged.sum(axis=-1)
        return out

    def within(self, cutoff: int | None) -> UnjudgedItems:
        """The lists cut at a rank; unjudged items beyond it are outside."""
        if cutoff is None or cutoff >= self.gain.shape[-1]:
            return self
        beyond = self.unjudged[..., cutoff:].sum(axis=-1)
        return UnjudgedItems(
            self.gain[..., :cutoff],
            self.unjudged[..., :cutoff],
            self.outside + beyond,
            np.minimum(self.length, cutoff),
            self.grades,
            self.offsets,
            self.top_grade,
        )


def unjudged_items(pool: Pool, placement: Placement, elsewhere: Array) -> UnjudgedItems:
    """Lay out one system's lists.

    Parameters
    ----------
    elsewhere : (queries,) int
        Items outside the pool that any run retrieved.
    """
    # A negative grade marks an item of the pool that was not judged.
    grades = np.where(pool.grade < 0, np.nan, pool.grade)
    n_subjects, n_queries = len(grades), len(pool.queries)
    n_ranks = max(1, int(placement.length.max(initial=0)))
    gain = np.full((n_subjects, n_queries, n_ranks), np.nan)
    query = segment_of(placement.offsets)
    gain[:, query, placement.first - 1] = grades[:, placement.entry]
    listed = np.arange(1, n_ranks + 1) <= placement.length[:, None]
    unjudged = np.isnan(gain) & listed
    hits = np.diff(placement.offsets)
    without = segment_sum(np.isnan(grades), pool.offsets)  # in the pool, not judged
    retrieved = segment_sum(np.isnan(grades[:, placement.entry]), placement.offsets)
    outside = without - retrieved + (elsewhere - (placement.length - hits))
    top = float(np.nanmax(pool.grade))
    return UnjudgedItems(gain, unjudged, outside, placement.length, grades, pool.offsets, top)


def retrieved_elsewhere(pool: Pool, runs: Runs) -> Array:
    """How many different items outside the pool the runs retrieved for each query: (queries,)."""
    keys, codes = [], []
    for ranking in runs.values():
        code = pool.codes(ranking.queries)[ranking.query]
        known = np.zeros(len(code), dtype=bool)
        known[pool.find(ranking.item, ranking.item_hash, code)[0]] = True
        rows = np.flatnonzero(~known & (code < len(pool.queries)))
        keys.append(pair_keys(ranking.item_hash[rows], code[rows]))
        codes.append(code[rows])
    _, first = np.unique(np.concatenate(keys), return_index=True)
    return np.bincount(np.concatenate(codes)[first], minlength=len(pool.queries))
