"""Judgments meet systems: some whole queries at a time, their items, and what each system has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.segments import offsets_of, segment_of, segment_sum
from fuzzytruth.truth.batch import Batch, Levels, reaches
from fuzzytruth.truth.item_probabilities import ItemProbabilities, Options
from fuzzytruth.truth.pool import Placement
from fuzzytruth.truth.protocol import Mixture
from fuzzytruth.truth.worlds import Ladder, OuterWorlds, draw, make_ladder

_ITEMS = 4096  # judged items in a block of queries, about
_MOST_LEVELS = 16  # distinct grades that are counted one by one


def query_blocks(offsets: Array, items: int = _ITEMS) -> list[slice]:
    """Cut the queries into blocks of about equally many items."""
    size = np.diff(offsets)
    block = (offsets[:-1] + size // 2) // items
    starts = np.flatnonzero(np.diff(block, prepend=-1))
    return [slice(a, b) for a, b in zip(starts, [*starts[1:], len(size)], strict=True)]


@dataclass(frozen=True, slots=True, eq=False)
class PoolMeeting:
    """A pool under uncertain grades, and where each system has its items.

    Parameters
    ----------
    outer : OuterWorlds
    placements : tuple of Placement
        One for each system.
    """

    outer: OuterWorlds
    placements: tuple[Placement, ...]

    @property
    def weight(self) -> Array:
        """Probability of each outer world."""
        return self.outer.weight

    @property
    def drawn(self) -> bool:
        """Whether the outer worlds are a random sample of those there are."""
        return self.outer.drawn

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return len(self.placements)

    def blocks(self) -> list[slice]:
        """Cut the queries into blocks of about equally many judged items."""
        return query_blocks(self.outer.pool.offsets)

    def block(self, number: int, queries: slice) -> Block:
        """One block of queries."""
        pool = self.outer.pool
        offsets = pool.offsets[queries.start : queries.stop + 1]
        items = slice(int(offsets[0]), int(offsets[-1]))
        return Block(
            self.outer,
            number,
            items,
            offsets - offsets[0],
            make_ladder(pool, items),
            tuple(p.of_queries(queries, items.start) for p in self.placements),
            float(np.nanmax(pool.grade)),
        )

    def inflation(self, queries: slice) -> Array:
        """What makes the variance over resamples unbiased, S / (S - 1)."""
        return self.outer.inflation(queries)


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some whole queries: their items, and what each system has of them."""

    outer: OuterWorlds
    stream: int
    items: slice
    offsets: Array
    ladder: Ladder
    placements: tuple[Placement, ...]
    top_grade: float

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return len(self.offsets) - 1

    def chances(self, worlds: slice) -> BlockChances:
        """The chances of the grades in some outer worlds."""
        return BlockChances(self, self.outer.tail(self.ladder, worlds, self.items))

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


@dataclass(frozen=True, slots=True, eq=False)
class BlockChances:
    """How probable the grades of a block's items are.

    Parameters
    ----------
    block : Block
    tail : (outer, steps, items) float
        Probability that each item's grade reaches each step.
    """

    block: Block
    tail: Array

    def __len__(self) -> int:
        return len(self.tail)

    def __getitem__(self, worlds: slice) -> BlockChances:
        return BlockChances(self.block, self.tail[worlds])

    def draw(self, repeats: int, seed: np.random.SeedSequence) -> BlockWorlds:
        """Draw `repeats` worlds of each outer one."""
        one = len(self.tail) == 1
        tail = self.tail if one else np.repeat(self.tail, repeats, axis=0)
        gain = draw(self.block.ladder, tail, repeats * len(self.tail), seed)
        return BlockWorlds(self.block, gain, self.block.levels(gain))

    def mixture(self, system: int) -> Mixture | None:
        """Chances of the grades, seen from one system; None where ties are open."""
        block, tail = self.block, self.tail
        placement = block.placements[system]
        if placement.first is not placement.last and (placement.first != placement.last).any():
            return None
        ladder = block.ladder
        grade = np.concatenate((ladder.base[None, :], ladder.level))
        grade = np.where(np.isfinite(grade), grade, np.nan)
        ones = np.ones((len(tail), 1, tail.shape[-1]))
        zeros = np.zeros_like(ones)
        chance = -np.diff(np.concatenate((ones, tail, zeros), axis=1), axis=1)
        if len(chance) == 1:
            chance = chance[0]
        missing = np.ones(tail.shape[-1], dtype=bool)
        missing[placement.entry] = False
        rest = np.flatnonzero(missing)
        rest_of = np.searchsorted(rest, block.offsets)
        return Mixture(
            ItemProbabilities(
                placement.length,
                placement.first,
                Options(placement.offsets, grade[:, placement.entry], chance[..., placement.entry]),
                Options(rest_of, grade[:, rest], chance[..., rest]),
                placement.entry,
                block.top_grade,
            )
        )

    def at_least(self, rel: float | None) -> Array:
        """Probability that an item's grade is `rel` or more (None: above 0): (outer, items)."""
        ladder = self.block.ladder
        low = reaches(ladder.base, rel)
        high = reaches(ladder.level, rel) & np.isfinite(ladder.level)  # (steps, items)
        # Steps go upwards: the first that is high enough has the largest chance of those.
        chance: Array = np.where(low, 1.0, (self.tail * high).max(axis=1, initial=0.0))
        return chance

    def chance_of_none(self, rel: float | None) -> Array:
        """Probability that no item has a grade of `rel` (None: above 0): (outer, queries)."""
        none = 1 - self.at_least(rel)
        out: Array = np.multiply.reduceat(none, self.block.offsets[:-1], axis=-1)
        return out


@dataclass(frozen=True, slots=True, eq=False)
class BlockWorlds:
    """Drawn worlds of a block: gain is (worlds, items)."""

    block: Block
    gain: Array
    levels: Levels

    def __len__(self) -> int:
        return len(self.gain)

    def batch(self, system: int) -> Batch:
        """What measures need of one system."""
        placement = self.block.placements[system]
        return Batch(
            placement.length,
            placement.offsets,
            placement.first,
            placement.last,
            np.take(self.gain, placement.entry, axis=1),
            self.levels,
            self.block.top_grade,
        )
