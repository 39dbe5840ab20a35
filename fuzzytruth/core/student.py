"""Student's t, and intervals and p-values of degenerate data.

One policy for all inference from a mean and its standard error:

- no values (NaN mean): everything NaN;
- spread unknown (NaN standard error, as of a single unit): interval (-∞, ∞), p = 1;
- no spread (standard error 0): interval [mean, mean], and p = 1 if the mean is 0, else 0.
"""

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


def p_value(mean: Floats, std_error: Floats, df: Floats) -> Floats:
    """Two-sided p of the mean being 0."""
    p = two_sided(statistic(mean, std_error), np.where(std_error == 0, 1.0, df))
    return np.where(np.isnan(mean), np.nan, np.where(np.isnan(std_error), 1.0, p))


def ends(mean: Floats, std_error: Floats, multiple: ArrayLike) -> tuple[Floats, Floats]:
    """Interval mean ± multiple · standard error."""
    wide = np.broadcast_to(np.asarray(multiple, dtype=float), mean.shape)
    half = np.full(mean.shape, np.inf)
    np.multiply(wide, std_error, out=half, where=std_error > 0)
    is_point = (std_error == 0) & ((mean == 0) | np.isfinite(wide))
    half = np.where(is_point, 0.0, half)
    return mean - half, mean + half
