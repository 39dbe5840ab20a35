"""An order of units that does not depend on the order in which they came.

Random weights and signs are given to units by their place. With units in an order that their values
determine, the same seed gives the same result whatever the order and the names of queries and
systems.
"""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import divide

_DECIMALS = 10  # of keys: units that differ by rounding errors alone are interchangeable


def canonical_order(values: Floats, towards: Floats) -> Ints:
    """Places of units in an order that is invariant to unit, sign and order of the columns.

    Parameters
    ----------
    values : (units, columns) float
        Differences of pairs of systems; NaN is missing.
    towards : (columns,) float
        A number of each column, such as its mean, whose sign turns with that of the column.
    """
    filled = np.nan_to_num(values, nan=0.0)
    scaled = divide(filled, np.abs(filled).max(axis=0, initial=0.0))
    shares = divide(scaled**2, (scaled**2).sum(axis=0))
    size = np.round(shares.sum(axis=1), _DECIMALS)
    side = np.round((scaled * np.sign(towards)).sum(axis=1), _DECIMALS)
    return np.lexsort((side, size))
