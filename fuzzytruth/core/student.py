"""Student's t where degrees of freedom or spread may be unknown."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr, stdtrit

from fuzzytruth._typing import Floats


def quantile(level: ArrayLike, df: ArrayLike) -> Any:
    """The |t| that is exceeded with probability 1 - level; infinite where df is 0 or unknown."""
    level, df = np.broadcast_arrays(np.asarray(level, dtype=float), np.asarray(df, dtype=float))
    known = df > 0
    out = np.where(known, stdtrit(np.where(known, df, 1.0), (1 + level) / 2), np.inf)
    return out[()]


def two_sided(statistic: ArrayLike, df: ArrayLike) -> Any:
    """P(|T| ≥ |t|); 1 where df is 0 or unknown."""
    t, df = np.broadcast_arrays(np.abs(statistic), np.asarray(df, dtype=float))
    known = df > 0
    return np.where(known, np.minimum(2 * stdtr(np.where(known, df, 1.0), -t), 1.0), 1.0)[()]


def statistic(mean: Floats, std_error: Floats) -> Floats:
    """Mean over standard error; 0 for 0 / 0 and where the spread is unknown."""
    t = np.where((mean == 0) | np.isnan(std_error), 0.0, np.copysign(np.inf, mean))
    np.divide(mean, std_error, out=t, where=std_error > 0)
    return t
