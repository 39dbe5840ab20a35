"""The cascade model: a user goes down a list until an item satisfies."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Array, Floats
from fuzzytruth.core.open_lists import cell_blocks
from fuzzytruth.core.segments import sum_in_order


def expected_reciprocal_rank(satisfies: Array) -> Floats:
    """Expected 1 / rank of the item that satisfies, 0 for none: (cells,).

    It grows with each item's probability: a user who is not satisfied at rank r goes on and expects
    at most 1 / (r + 1).

    Parameters
    ----------
    satisfies : (cells, ranks) float
        Probability that the item at each rank satisfies a user who looks at it.

    Examples
    --------
    >>> expected_reciprocal_rank(np.array([[0.5, 1.0]])).tolist()
    [0.75]
    """
    n_cells, n_ranks = satisfies.shape
    out = np.zeros(n_cells)
    rank = np.arange(1, n_ranks + 1)
    for cells in cell_blocks(n_cells, n_ranks):
        some = satisfies[cells]
        looks = np.ones_like(some)
        np.cumprod(1 - some[:, :-1], axis=-1, out=looks[:, 1:])
        out[cells] = sum_in_order(looks * some / rank)
    return out
