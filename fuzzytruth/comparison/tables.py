"""Letters of the systems beaten."""

from __future__ import annotations

from itertools import product
from string import ascii_lowercase
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.rank_sets import better_than

if TYPE_CHECKING:
    import pandas as pd


def letters(count: int) -> list[str]:
    """Labels a to z, aa, ab, ...

    Examples
    --------
    >>> letters(28)[24:]
    ['y', 'z', 'aa', 'ab']
    """
    out: list[str] = []
    size = 1
    while len(out) < count:
        out += ["".join(word) for word in product(ascii_lowercase, repeat=size)]
        size += 1
    return out[:count]


def superscripts(table: pd.DataFrame, means: pd.DataFrame, conditions: Conditions) -> pd.DataFrame:
    """See `Comparison.superscripts`."""
    systems = conditions.systems
    label = letters(len(systems))
    separator = "," if len(systems) > len(ascii_lowercase) else ""
    out = means.astype(object)
    for measure in conditions.measures:
        above = better_than(table, conditions, measure)
        out[measure] = [
            separator.join(label[loser] for loser in np.flatnonzero(losers)) for losers in above
        ]
    return out


def beaten(conditions: Conditions) -> str:
    """What the letters after a mean name."""
    if conditions.of_worlds:
        return "systems that are worse in nearly all worlds"
    if conditions.is_adjusted:
        return "systems that are significantly worse"
    return f"systems with a worse mean at p ≤ {1 - conditions.level:.2g}"
