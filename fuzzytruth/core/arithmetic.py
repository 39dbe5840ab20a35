"""Division where the denominator may be 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzzytruth._typing import Floats


@np.errstate(under="ignore")
def divide(numerator: Any, denominator: Any, *, fill: float = 0.0) -> Floats:
    """Quotient, with `fill` where the denominator is 0.

    Parameters
    ----------
    numerator, denominator : array_like
        Broadcast against each other.
    fill : float
        Value where the denominator is 0.
    """
    top, bottom = np.broadcast_arrays(
        np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    )
    out = np.full(top.shape, fill, dtype=np.float64)
    np.divide(top, bottom, out=out, where=bottom != 0)
    return out
