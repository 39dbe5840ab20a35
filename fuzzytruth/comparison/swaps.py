"""Pairs of systems whose order depends on whose judgments are the truth."""

from __future__ import annotations

from fuzzytruth._typing import Floats
from fuzzytruth.core.order import beats


def swapped_pairs(first: Floats, second: Floats) -> int:
    """Number of pairs of systems that two sets of scores rank in opposite order.

    Parameters
    ----------
    first, second : (systems,) float
        Scores of the same systems. Pairs that tie in either are not swapped; no NaN.

    Examples
    --------
    >>> import numpy as np
    >>> swapped_pairs(np.array([0.1, 0.2, 0.3]), np.array([0.2, 0.1, 0.3]))
    1
    """
    return int((beats(first) * beats(second) < 0).sum()) // 2
