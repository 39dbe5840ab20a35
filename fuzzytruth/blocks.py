"""Some whole queries at a time: their items, and what each system has of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth.alignment import Placement
from fuzzytruth.batch import Array, Batch, Levels
from fuzzytruth.core.segments import offsets_of, segment_of, segment_sum
from fuzzytruth.marginals import Marginals, Options
from fuzzytruth.worlds import Ladder, OuterWorlds, make_ladder

_ITEMS = 4096  # judged items in a block of queries, about
_MOST_LEVELS = 16  # distinct grades that are counted one by one


def query_blocks(offsets: Array) -> list[slice]:
    """Cut the queries into blocks of about equally many judged items."""
    size = np.diff(offsets)
    block = (offsets[:-1] + size // 2) // _ITEMS
    starts = np.flatnonzero(np.diff(block, prepend=-1))
    return [slice(a, b) for a, b in zip(starts, [*starts[1:], len(size)], strict=True)]


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some whole queries: their items, and what each system has of them."""

    queries: slice
    items: slice
    offsets: Array
    ladder: Ladder
    placements: tuple[Placement, ...]

    top_grade: float

    @classmethod
    def of(cls, outer: OuterWorlds, placements: tuple[Placement, ...], queries: slice) -> Block:
        """Cut the queries out of the whole."""
        offsets = outer.pool.offsets[queries.start : queries.stop + 1]
        items = slice(int(offsets[0]), int(offsets[-1]))
        return cls(
            queries,
            items,
            offsets - offsets[0],
            make_ladder(outer.pool, items),
            tuple(p.of_queries(queries, items.start) for p in placements),
            float(np.nanmax(outer.pool.grade)),
        )

    def batch(self, system: int, gain: Array, levels: Levels) -> Batch:
        """What measures need of one system in drawn worlds; gain is (worlds, items)."""
        placement = self.placements[system]
        return Batch(
            placement.length,
            placement.offsets,
            placement.first,
            placement.last,
            np.take(gain, placement.entry, axis=1),
            levels,
            self.top_grade,
        )

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return len(self.offsets) - 1

    def levels(self, gain: Array) -> Levels:
        """Count the items of each grade in each world: gain is (worlds, items)."""
        ladder = self.ladder
        reached = ladder.level[np.isfinite(ladder.level)]
        grades = np.unique(np.concatenate((ladder.base, reached)))[::-1]
        if len(grades) <= _MOST_LEVELS:
            counts = [segment_sum(gain == grade, self.offsets) for grade in grades.tolist()]
            return Levels(
                np.arange(self.n_queries + 1) * len(grades),
                np.tile(grades, self.n_queries),
                np.stack(counts, axis=-1).reshape(len(gain), -1),
            )
        return self._levels_of_items(gain)

    def _levels_of_items(self, gain: Array) -> Levels:
        """A level for each grade of each item, where grades are too many to share."""
        options = np.concatenate((self.ladder.base[None, :], self.ladder.level))
        option, item = np.nonzero(np.isfinite(options))
        grade = options[option, item]
        query = segment_of(self.offsets)[item]
        order = np.lexsort((-grade, query))
        count = gain[:, item[order]] == grade[order]
        offsets = offsets_of(np.bincount(query, minlength=self.n_queries))
        return Levels(offsets, grade[order], count.astype(np.int64))

    def marginals(self, system: int, tail: Array) -> Marginals | None:
        """Chances of the grades, seen from one system; None where ties are open."""
        placement = self.placements[system]
        if placement.first is not placement.last and (placement.first != placement.last).any():
            return None
        grade = np.concatenate((self.ladder.base[None, :], self.ladder.level))
        grade = np.where(np.isfinite(grade), grade, np.nan)
        ones = np.ones((len(tail), 1, tail.shape[-1]))
        zeros = np.zeros_like(ones)
        chance = -np.diff(np.concatenate((ones, tail, zeros), axis=1), axis=1)
        if len(chance) == 1:
            chance = chance[0]
        missing = np.ones(tail.shape[-1], dtype=bool)
        missing[placement.entry] = False
        rest = np.flatnonzero(missing)
        rest_of = np.searchsorted(rest, self.offsets)
        return Marginals(
            placement.length,
            placement.first,
            Options(placement.offsets, grade[:, placement.entry], chance[..., placement.entry]),
            Options(rest_of, grade[:, rest], chance[..., rest]),
            self.top_grade,
        )

    def at_least(self, tail: Array, rel: float | None) -> Array:
        """Probability that an item's grade is `rel` or more (None: above 0): (outer, items)."""
        ladder = self.ladder
        low = ladder.base > 0 if rel is None else ladder.base >= rel
        high = ladder.level > 0 if rel is None else ladder.level >= rel  # (steps, items)
        high &= np.isfinite(ladder.level)
        # Steps go upwards: the first that is high enough has the largest chance of those.
        chance: Array = np.where(low, 1.0, (tail * high).max(axis=1, initial=0.0))
        return chance

    def chance_of_none(self, tail: Array, rel: float | None) -> Array:
        """Probability that no item has a grade of `rel` (None: above 0): (outer, queries)."""
        chance = self.at_least(tail, rel)
        out: Array = np.multiply.reduceat(1 - chance, self.offsets[:-1], axis=-1)
        return out
