"""Probability that none, or some, of independent events happens, segment by segment."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.segments import segment_sum


def log_none(p: Floats, count: Floats | None = None) -> Floats:
    """Logarithm of the probability that each event does not happen; -inf where it surely does.

    Parameters
    ----------
    p : (..., events) float
    count : (events,) or (..., events) float, optional
        How many events each one stands for.
    """
    with np.errstate(divide="ignore"):
        out = np.log1p(-p)
    return (
        out if count is None else np.multiply(out, count, out=np.zeros_like(out), where=count > 0)
    )


@np.errstate(under="ignore")
def none_and_some(p: Floats, offsets: Ints, count: Floats | None = None) -> tuple[Floats, Floats]:
    """Probability that no event of a segment happens, and that some does: (..., segments) both.

    Each has full relative accuracy: 1 minus the other would lose all digits of a small one.

    Examples
    --------
    >>> none, some = none_and_some(np.array([1e-20, 3e-20]), np.array([0, 2]))
    >>> float(none[0]), round(float(some[0]) / 4e-20, 12)
    (1.0, 1.0)
    """
    log = segment_sum(log_none(p, count), offsets)
    none = np.exp(log)
    return none, np.where(none < 0.5, 1 - none, -np.expm1(log))
