"""Rows of one system's lists as they stand in a file, before lists are made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import U64, Floats
from fuzzytruth.data.ranking import Ranking, make_ranking
from fuzzytruth.io.origin import Locate

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True, eq=False)
class RunRows:
    """Checked columns of some rows.

    Parameters
    ----------
    queries : tuple of str
    query : (rows,) int32
        Index into `queries`.
    item : Arrow array of strings, (rows,)
    item_hash : (rows,) uint64
    score : (rows,) float
    rank : (rows,) float or None
        Orders the lists, if given.
    locate : callable
        Names the place of a row.
    tags : tuple of str
        The distinct tags of these rows.
    """

    queries: tuple[str, ...]
    query: NDArray[np.int32]
    item: pa.LargeStringArray
    item_hash: U64
    score: Floats
    rank: Floats | None
    locate: Locate
    tags: tuple[str, ...] = ()

    def ranking(self, duplicates: str) -> Ranking:
        """The lists of these rows, which must hold all rows of their queries."""
        return make_ranking(
            (self.query, self.queries),
            self.item,
            self.score,
            item_hash=self.item_hash,
            rank=self.rank,
            duplicates=duplicates,
            locate=self.locate,
        )
