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
    weight : (votes,) float or None
        How much each vote counts; None: 1.
    """

    voters: Ints
    voter: Ints
    item: Ints
    n_items: int
    weight: Floats | None = None

    @classmethod
    def of(cls, voter: Ints, item: Ints, n_items: int, weight: Floats | None = None) -> VoteSums:
        """Votes by voter and item."""
        voters, local = np.unique(voter, return_inverse=True)
        return cls(voters, local.reshape(-1), item, n_items, weight)

    def matrix(self, which: Bools | None = None) -> Any:
        """Weight of the votes (of those marked, by default all) for each item: (items, voters).

        A sparse array where voters are many and votes few.
        """
        some = slice(None) if which is None else which
        voter, item = self.voter[some], self.item[some]
        weight = None if self.weight is None else self.weight[some]
        shape = self.n_items, len(self.voters)
        if shape[0] * shape[1] <= _SPARSE * len(self.voter):
            n_places = shape[0] * shape[1]
            flat: Any = np.bincount(item * shape[1] + voter, weights=weight, minlength=n_places)
            return flat.reshape(shape).astype(np.float64)
        from scipy.sparse import csr_array

        each = np.ones(len(voter)) if weight is None else weight
        return csr_array((each, (item, voter)), shape=shape)

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
