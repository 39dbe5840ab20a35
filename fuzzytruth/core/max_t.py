"""Studentised maxima under sign flips of centred differences.

Differences are centred at their mean, one common sign a query is flipped for all contrasts, and
each contrast is studentised again. The result varies as the errors do, whatever the true means.
"""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.exact_sums import on_grid
from fuzzytruth.core.samples import Samples

_ROUNDING = 1e-12


@np.errstate(under="ignore")
def units(moments: Samples) -> Floats:
    """Centred differences over √(n Σ c²), whose sums under signs lie in [-1, 1].

    (..., queries, contrasts); 0 where a difference is missing, and where all agree.
    """
    scale = np.sqrt(moments.n * (moments.centred**2).sum(axis=-2))[..., None, :]
    out = np.zeros(moments.centred.shape)
    np.divide(moments.centred, scale, out=out, where=scale > 0)
    return on_grid(out, -2)


def maxima(unit: Floats, n: Ints, signs: Floats, columns: int) -> Floats:
    """Largest |t| over contrasts under each row of signs: (..., flips).

    Parameters
    ----------
    unit : (..., queries, contrasts) float
        As `units` returns them.
    n : (..., contrasts) int
        Differences that each contrast has.
    signs : (flips, queries) float
    columns : int
        Contrasts at a time; changes the memory and not the result.
    """
    largest = np.zeros((*unit.shape[:-2], len(signs)))
    same = bool((n == n.flat[0]).all()) if n.size else True
    for start in range(0, unit.shape[-1], columns):
        part = slice(start, start + columns)
        share = signs @ unit[..., part]  # (..., flips, contrasts)
        if same:
            top = np.maximum(share.max(axis=-1), -share.min(axis=-1))
        else:
            top = _student(np.abs(share), n[..., None, part]).max(axis=-1)
        np.maximum(largest, top, out=largest)
    return _student(largest, n.ravel()[:1]) if same and n.size else largest


def _student(share: Floats, n: Ints) -> Floats:
    """From r = Σ s c / √(n Σ c²) to t = r √(n - 1) / √(1 - r²)."""
    rest = 1 - np.minimum(share, 1.0) ** 2
    t = np.full(share.shape, np.inf)
    wide = np.broadcast_to(np.sqrt(np.maximum(n - 1.0, 0.0)), share.shape)
    np.divide(share * wide, np.sqrt(rest), out=t, where=rest > _ROUNDING)
    return t
