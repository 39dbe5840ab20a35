"""Kendall's τ_b of two orders that vary together, draw by draw.

References
----------
Kendall, M. G. (1945), The treatment of ties in ranking problems, Biometrika 33.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Floats
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.rounding import ROUNDING

_BLOCK = 2**22  # signs of a block of draws


def paired_tau_b(first: Floats, second: Floats) -> Floats:
    """τ_b of two orders in each draw: (draws, systems) each → (draws,); NaN where all is tied.

    Values that differ by rounding errors tie.

    Examples
    --------
    >>> paired_tau_b(np.array([[1.0, 2, 3]]), np.array([[1.0, 3, 2]])).round(3).tolist()
    [0.333]
    """
    draws, k = first.shape
    one, two = np.triu_indices(k, 1)
    size = max(1, _BLOCK // max(len(one), 1))
    out = np.full(draws, np.nan)
    scales = [float(np.abs(values).max(initial=0.0)) for values in (first, second)]
    for start in range(0, draws, size):
        part = slice(start, start + size)
        x, y = (
            _signs(values[part][:, one] - values[part][:, two], scale)
            for values, scale in zip((first, second), scales, strict=True)
        )
        agree = np.einsum("dp,dp->d", x, y)
        untied = np.einsum("dp,dp->d", x, x) * np.einsum("dp,dp->d", y, y)
        out[part] = divide(agree, np.sqrt(untied), fill=np.nan)
    return out


def _signs(gaps: Floats, scale: float) -> NDArray[np.float64]:
    return np.where(np.abs(gaps) <= ROUNDING * scale, 0.0, np.sign(gaps))
