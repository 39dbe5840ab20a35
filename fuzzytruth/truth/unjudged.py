"""How far a score could be off because items were never judged: input of `Measure.bounds`.

The unjudged items are those that some run retrieved, or that the judgments list with a negative
grade, and that have no judgment. Each may have any grade of the scale, from 0 to the top one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.open_lists import OpenLists
from fuzzytruth.core.segments import offsets_of, padded, segment_sum


@dataclass(frozen=True, slots=True, eq=False)
class UnjudgedItems:
    """One system's lists with the places of the unjudged items, padded to one length.

    There is a list for each cell (a query and a subject who judged it), so that in the methods of
    this class there is one world, and each cell counts as a query.

    Parameters
    ----------
    gain : (1, cells, ranks) float
        Grade at each rank; NaN where the item is not judged, or past the end of the list.
    unjudged : (1, cells, ranks) bool
        Where there is an item without judgment.
    outside : (1, cells) int
        Unjudged items that are not in the list.
    length : (cells,) int
    grades : (1, items) float
        Of all judged items; NaN where not judged.
    offsets : (cells + 1,) int
        Where each cell's items start.
    top_grade : float
        The largest grade that an item may have: that of the judgments, or 1 if all are 0.
    """

    gain: Floats
    unjudged: Bools
    outside: Ints
    length: Ints
    grades: Floats
    offsets: Ints
    top_grade: float

    def relevant(self, rel: float) -> Bools:
        """Where a judged relevant item stands: (1, cells, ranks)."""
        return self.gain >= rel

    def n_relevant(self, rel: float) -> Ints:
        """Number of judged relevant items, retrieved or not: (1, cells)."""
        return segment_sum(self.grades >= rel, self.offsets)

    def binary(self, rel: float, cutoff: int | None = None) -> OpenLists:
        """Relevant, non-relevant and unjudged items of the lists, cut at a rank."""
        inside = self.within(cutoff)
        relevant = self.n_relevant(rel)[0]
        return OpenLists(
            inside.relevant(rel)[0],
            inside.unjudged[0],
            relevant,
            self.n_relevant(0)[0] - relevant,
            inside.outside[0],
            inside.length,
        )

    def as_nonrelevant(self) -> UnjudgedItems:
        """The same with grade 0 for every unjudged item."""
        n_items = np.diff(self.offsets)
        n_zero = (self.n_open + self.outside)[0]
        width = int((n_items + n_zero).max(initial=0))
        filled = padded(self.grades, self.offsets, width=width)[0]  # (cells, width)
        kept = np.arange(width) < (n_items + n_zero)[:, None]
        return replace(
            self,
            gain=np.where(self.unjudged, 0.0, self.gain),
            unjudged=np.zeros_like(self.unjudged),
            outside=np.zeros_like(self.outside),
            grades=filled[kept][None],
            offsets=offsets_of(n_items + n_zero),
        )

    @property
    def n_open(self) -> Ints:
        """Number of unjudged items in the list: (1, cells)."""
        return np.asarray(self.unjudged.sum(axis=-1))

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
