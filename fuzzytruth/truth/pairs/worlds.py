"""Drawn worlds of a block of judged pairs, with positions first and worlds contiguous."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.layouts import Diagonals, EndToEnd
from fuzzytruth.core.lazy import Memo
from fuzzytruth.core.segments import segment_of
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.levels import Gains, Levels, reaches
from fuzzytruth.truth.pairs.intent_sets import DrawnIntents
from fuzzytruth.truth.pairs.placement import Placement

_FEW_GRADES = 8  # up to as many, ideal orders come from counts, and beyond from sorting


@dataclass(frozen=True, slots=True, eq=False)
class RankedHits:
    """The hits of one run as jagged diagonals.

    Parameters
    ----------
    placement : Placement
    layout : Diagonals
    first, row : (hits,) int
        Rank of each hit, and its row among the drawn codes.
    largest_code : (hits,) int
        The largest code that each hit may have.
    parts : dict
        See `Batch`; the same in all worlds.
    """

    placement: Placement
    layout: Diagonals
    first: Ints
    row: Ints
    largest_code: Array
    parts: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, placement: Placement, pairs: Diagonals, largest_code: Array) -> RankedHits:
        """Those of a placement, the pairs of the block being laid out as given."""
        layout = Diagonals.of(placement.offsets)
        entry = placement.entry[layout.source]
        first = placement.first[layout.source]
        return cls(placement, layout, first, pairs.place[entry], largest_code[entry])


@dataclass(frozen=True, slots=True, eq=False)
class DrawnPairs:
    """The drawn grades of all judged pairs of a block; see `Judged`.

    Parameters
    ----------
    layout : Diagonals
    code : (pairs, worlds) int
        Places in `scale`.
    scale : (grades,) float
        Distinct grades, ascending.
    """

    layout: Diagonals
    code: Array
    scale: Floats
    _known: Memo = field(default_factory=Memo, init=False, repr=False)

    @property
    def grades(self) -> Floats:
        """Grades that items may have."""
        return self.scale

    @property
    def most(self) -> int:
        """Largest number of judged items of a query."""
        return int(self.layout.sizes.max(initial=0))

    @property
    def levels(self) -> Levels:
        """Number of items by grade, for each grade of the block."""
        n_grades, n_queries, n_worlds = len(self.scale), len(self.layout.order), self.code.shape[1]
        query = segment_of(self.layout.offsets)[self.layout.source]
        flat = self.code + (query * n_grades)[:, None]
        flat = flat + np.arange(n_worlds) * (n_queries * n_grades)
        number = np.bincount(flat.ravel(), minlength=n_worlds * n_queries * n_grades)
        by_grade = number.reshape(n_worlds, n_queries, n_grades)[:, :, ::-1]
        return Levels(
            np.arange(n_queries + 1) * n_grades,
            np.tile(self.scale[::-1], n_queries),
            by_grade.reshape(n_worlds, -1),
        )

    def n_relevant(self, rel: float | None) -> Array:
        """Number of items with a grade of `rel` or more (None: above 0): (worlds, queries)."""
        least = int(np.argmax(np.append(reaches(self.scale, rel), True)))
        return self._at_least(least)

    def _at_least(self, least: int) -> Array:
        return self._known.once(("place", least), lambda: self.layout.sum((self.code >= least).T))

    def n_where(self, which: Callable[[Array], Bools]) -> Array:
        """Number of items with a grade for which `which` is true: (worlds, queries)."""
        return self.layout.sum(np.take(which(self.scale), self.code).T)

    def best_gain(self, name: Hashable, gains: Gains, cumulative: Array) -> Array:
        """Discounted gain of the best order of all items; see `Judged`."""
        by = self._from_counts if len(self.scale) <= _FEW_GRADES else self._from_sorting
        return self._known.once(("gain", name), lambda: by(gains(self.scale), cumulative))

    def _from_counts(self, gain: Array, cumulative: Array) -> Array:
        end = len(cumulative) - 1
        total = np.zeros((len(self.layout.order), self.code.shape[1])).T
        above = np.zeros_like(total)
        for place in range(len(gain) - 1, -1, -1):
            up_to = cumulative[np.minimum(self._at_least(place), end)]
            total += gain[place] * (up_to - above)
            above = up_to
        return total

    def _from_sorting(self, gain: Array, cumulative: Array) -> Array:
        """Queries of about the same size side by side, the grades of each sorted."""
        table = np.append(0.0, gain)  # place 0 is that of the padding
        end = len(cumulative) - 1
        size, place = self.layout.sizes, self.layout.place
        total = np.zeros((len(size), self.code.shape[1]))
        width = 1 << np.ceil(np.log2(np.maximum(size, 1))).astype(np.int64)
        for wide in np.unique(width):
            some = np.flatnonzero(width == wide)
            column = np.arange(size[some].max())
            row = place[np.minimum(self.layout.offsets[some, None] + column, len(place) - 1)]
            codes = np.where((column < size[some, None])[..., None], self.code[row] + 1, 0)
            codes = np.sort(codes.astype(self.code.dtype).transpose(1, 0, 2), axis=0)[::-1]
            current, start = np.zeros(codes.shape[1:]), np.zeros(codes.shape[1:])
            for rank in range(min(len(codes), end)):
                better = current > table[codes[rank]]
                total[some] += np.where(better, current * (cumulative[rank] - start), 0.0)
                start = np.where(better, cumulative[rank], start)
                current = table[codes[rank]]
            total[some] += current * (cumulative[min(len(codes), end)] - start)
        return total.T


@dataclass(frozen=True, slots=True, eq=False)
class PairWorlds:
    """Drawn worlds of a block.

    Parameters
    ----------
    hits : tuple of RankedHits
        Of each run.
    judged : DrawnPairs
    top_grade : float
    intents : DrawnIntents or None
        None where the truth has no intents.
    """

    hits: tuple[RankedHits, ...]
    judged: DrawnPairs
    top_grade: float
    intents: DrawnIntents | None = None

    def __len__(self) -> int:
        return int(self.judged.code.shape[1])

    @property
    def codes(self) -> Array:
        """The grade of each pair in each world, as its place in `judged.scale`: (pairs, worlds)."""
        return self.judged.code[self.judged.layout.place]

    def with_codes(self, code: Array) -> PairWorlds:
        """The same lists in other worlds, given as `codes` are; without intents."""
        judged = self.judged
        rows = code[judged.layout.source].astype(judged.code.dtype, copy=False)
        return PairWorlds(self.hits, DrawnPairs(judged.layout, rows, judged.scale), self.top_grade)

    def batch(self, run: int) -> Batch:
        """Input of the measures for one run."""
        batch = self._resolved(run)
        if self.intents is not None:
            batch = self.intents.on(batch, run)
        placement = self.hits[run].placement
        return self._tied(placement, batch) if placement.tied else batch

    def _resolved(self, run: int) -> Batch:
        """The lists with the first rank of each hit."""
        hits, placement = self.hits[run], self.hits[run].placement
        code = np.take(self.judged.code, hits.row, axis=0).T
        return Batch(
            placement.length,
            hits.layout,
            hits.first,
            hits.first,
            code,
            self.judged,
            self.top_grade,
            self.judged.scale,
            hits.largest_code,
            hits.parts,
        )

    def _tied(self, placement: Placement, resolved: Batch) -> Batch:
        row = self.judged.layout.place[placement.entry]
        return Batch(
            placement.length,
            EndToEnd(placement.offsets),
            placement.first,
            placement.last,
            self.judged.scale[self.judged.code[row]].T,
            self.judged,
            self.top_grade,
            intents=resolved.intents,
            resolved=resolved,
        )
