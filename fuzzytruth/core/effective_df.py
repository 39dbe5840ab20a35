"""Degrees of freedom of mean squares whose parts are more unequal than normal effects would be.

A sum of squares is a sum over the levels of its factors: that of system:query over queries, and
over systems. If some queries or systems stand out, these parts differ by more than chance and the
mean square varies by more than a χ² over its degrees of freedom. The variance V of the sum of
squares is estimated from its parts, of several factors by inclusion and exclusion (V by query + V
by system - V by cell), and a χ² of the same relative variance has 2 SS² / V degrees of freedom,
never more than those of the layout.

In samples of real scores (8 of 61 to 88 systems, 12 of 48 to 50 queries) intervals of the
interaction that take the layout's degrees of freedom hold in .59 to .95 of samples, and these in
.87 to .96.

References
----------
Box, G. E. P. (1953), Non-normality and tests on variances, Biometrika 40.
Cameron, A. C., Gelbach, J. B. & Miller, D. L. (2011), Robust inference with multiway clustering,
Journal of Business & Economic Statistics 29.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.cells import grouped_sum
from fuzzytruth.core.random_effects import QUERY, REPLICATE, SUBJECT, SYSTEM, EffectsLayout


def effective_df(layout: EffectsLayout, values: Floats) -> Floats:
    """Degrees of freedom of each effect's mean square, at most the layout's: (effects,)."""
    y = values - values.mean()
    own: list[Floats] = []
    out = np.maximum(layout.df, 1.0)
    for place, effect in enumerate(layout.effects):
        code, levels = layout.codes[place], int(layout.n_levels[place])
        mean = grouped_sum(y, code, levels)[code] / layout.counts[place]
        inner = [own[p] for p in range(place) if layout.effects[p] & effect == layout.effects[p]]
        own.append(mean - sum(inner, np.zeros(layout.n)))
        parts = own[-1] ** 2
        variance = sum(sign * _variance(parts, layout, p) for sign, p in _groupings(layout, effect))
        if variance > 0:
            out[place] = min(out[place], 2 * float(parts.sum()) ** 2 / variance)
    return out


def _groupings(layout: EffectsLayout, effect: int) -> Iterator[tuple[int, int]]:
    """Signs and places of the effects by whose levels the parts of an effect are grouped."""
    known = [e for e in layout.effects if e & effect == e]
    rows = [row for row in (SYSTEM | REPLICATE, SYSTEM, REPLICATE) if row in known]
    units = [*rows[:1], *(column for column in (QUERY, SUBJECT) if column in known)]
    for size in range(1, len(units) + 1):
        for chosen in combinations(units, size):
            yield (-1) ** (size + 1), layout.effects.index(sum(chosen))


def _variance(parts: Floats, layout: EffectsLayout, place: int) -> float:
    """Variance of the sum of the parts (n,), whose sums by level are independent."""
    code, levels = layout.codes[place], int(layout.n_levels[place])
    sums = grouped_sum(parts, code, levels)
    size = np.bincount(code, minlength=levels) / layout.n
    return float(((sums - size * parts.sum()) ** 2).sum()) * levels / max(levels - 1, 1)
