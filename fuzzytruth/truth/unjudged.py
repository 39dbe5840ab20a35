"""How far a score could be off because items were never judged: input of `Measure.bounds`.

The unjudged items are those that some run retrieved, or that the judgments list with a negative
grade, and that have no judgment. Each may be relevant or not, of the top grade or of none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.segments import segment_sum


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
