"""How small p has to be at each look at data that grow, for one error over all looks.

The error is spent by the Lan–DeMets function of the O'Brien–Fleming type: up to the share t of the
data, 2 Φ(-z / √t) is spent, z being the quantile of 1 - alpha / 2.

References
----------
O'Brien & Fleming 1979, Biometrics 35; Lan & DeMets 1983, Biometrika 70; Armitage, McPherson & Rowe
1969, Journal of the Royal Statistical Society A 132 (the integration).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from fuzzytruth._lazy import special

#: standard deviations below which nothing is integrated
_REACH = 8.0
#: Gauss–Legendre quadrature of panels as wide as so many of the smaller neighbouring step
_NODE, _WEIGHT = np.polynomial.legendre.leggauss(16)
_PANEL = 3.0
#: what a look spends at least, for the boundary to be finite
_LEAST = 1e-15


@lru_cache(maxsize=256)
def largest_p(shares: tuple[float, ...], alpha: float) -> tuple[float, ...]:
    """The largest one-sided p that is significant at each look.

    Parameters
    ----------
    shares : tuple of float
        Ascending, of the data that are planned; the last look is at 1, or before it.
    alpha : float
        One-sided error over all looks up to share 1, below ½.

    Returns
    -------
    tuple of float

    Notes
    -----
    The sum of the data is taken for a Brownian motion. `node` and `mass` carry its distribution
    where no boundary was crossed yet, from one look to the next, by Gauss–Legendre quadrature.

    Examples
    --------
    >>> [round(p, 5) for p in largest_p((0.2, 0.4, 0.6, 0.8, 1.0), 0.025)]
    [0.0, 0.00039, 0.00368, 0.01102, 0.02113]
    """
    from scipy.optimize import brentq

    z = special.ndtri(1 - alpha / 2)
    node, mass = np.zeros(1), np.ones(1)
    before, spent, out = 0.0, 0.0, []
    following = np.diff([*shares, 2.0])
    for share, gap in zip(shares, following, strict=True):
        step, spread = np.sqrt(share - before), np.sqrt(share)
        spent_now, end = 2 * special.ndtr(-z / spread), _REACH * spread
        more = max(spent_now - spent, _LEAST)

        def crossed_beyond(bound: float, of: tuple[Any, ...] = (node, mass, step, more)) -> float:
            return float(of[1] @ special.ndtr((of[0] - bound) / of[2]) - of[3])

        bound = float(brentq(crossed_beyond, -end, end))
        width = bound + end
        panels = int(np.ceil(width / (_PANEL * min(step, np.sqrt(gap)))))
        half = width / panels / 2
        now = (half * (2 * np.arange(panels)[:, None] + 1 + _NODE) - end).ravel()
        from_each = np.exp(-(((now[:, None] - node) / step) ** 2) / 2)
        mass = from_each @ mass * np.tile(_WEIGHT, panels) * (half / (step * np.sqrt(2 * np.pi)))
        node, before, spent = now, share, spent_now
        out.append(float(special.ndtr(-bound / spread)))
    return tuple(out)
