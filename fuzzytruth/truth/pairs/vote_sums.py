"""Sums of weighted votes for each item of a block, in many outer worlds at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints

_SPARSE = 8  # cells of a dense table for each vote, above which it is kept sparse


@dataclass(frozen=True, slots=True, eq=False)
class VoteSums:
    """Votes of a block, whose numbers make a matrix of items × voters.

    Parameters
    ----------
    voters : (voters,) int
        Who votes in the block.
    voter : (votes,) int
        Which of them gave each vote.
    item : (votes,) int
    n_items : int
    """

    voters: Ints
    voter: Ints
    item: Ints
    n_items: int

    @classmethod
    def of(cls, voter: Ints, item: Ints, n_items: int) -> VoteSums:
        """Votes by voter and item."""
        voters, local = np.unique(voter, return_inverse=True)
        return cls(voters, local.reshape(-1), item, n_items)

    def matrix(self, which: Bools | None = None) -> Any:
        """Number of votes (of those marked, by default all) for each item: (items, voters).

        A sparse array where voters are many and votes few.
        """
        voter, item = (
            (self.voter, self.item) if which is None else (self.voter[which], self.item[which])
        )
        shape = self.n_items, len(self.voters)
        if shape[0] * shape[1] <= _SPARSE * len(self.voter):
            flat = np.bincount(item * shape[1] + voter, minlength=shape[0] * shape[1])
            return flat.reshape(shape).astype(np.float64)
        from scipy.sparse import csr_array

        return csr_array((np.ones(len(voter)), (item, voter)), shape=shape)

    def weighted(self, counts: Floats, matrix: Any) -> Floats:
        """Votes for each item, each counted as often as its voter: (outer, items).

        Parameters
        ----------
        counts : (outer, all voters) float
        matrix : (items, voters), dense or sparse
            See `matrix`.
        """
        out: Floats = counts[:, self.voters] @ matrix.T
        return out
