"""An order of units that does not depend on the order in which they came.

Random weights and signs are given to units by their place. With units in an order that their values
determine, the same seed gives the same result whatever the order and the names of queries and
systems.
"""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.rounding import ROUNDING, tie_groups

_NOISE = 1e-10  # of the largest key: units that differ by rounding errors alone are interchangeable


def canonical_order(values: Floats, towards: Floats, number: Array | None = None) -> Ints:
    """Places of units in an order that is invariant to unit, sign and order of the columns.

    Units that are equal in size and side, as happens with coarse scores, are told apart by their
    single values, so that only units that are equal in everything keep the order they came in.

    Parameters
    ----------
    values : (units, columns) float
        Differences of pairs of systems; NaN is missing.
    towards : (columns,) float
        A number of each column, such as its mean, whose sign turns with that of the column.
    number : (units, columns), optional
        More of each value that tells units apart, such as how many differences it is the sum of;
        by default whether it is there.
    """
    filled = np.nan_to_num(values, nan=0.0)
    scaled = divide(filled, np.abs(filled).max(axis=0, initial=0.0))
    shares = divide(scaled**2, (scaled**2).sum(axis=0))
    size = _places(shares.sum(axis=1))
    side = _places((scaled * np.sign(towards)).sum(axis=1))
    order = np.lexsort((side, size))
    same = (np.diff(size[order]) == 0) & (np.diff(side[order]) == 0)
    at = np.flatnonzero(np.append(same, False) | np.append(False, same))
    if not len(at):
        return order
    tied = order[at]
    oriented = _oriented(scaled, towards, size, side)
    counted = (~np.isnan(values) if number is None else number).astype(np.float64)
    columns = np.lexsort([_places(key) for key in _of_columns(oriented, counted, size, side)])
    single = np.concatenate([counted[tied][:, columns].T, oriented[tied][:, columns].T])
    order[at] = tied[np.lexsort((*_places(single), side[tied], size[tied]))]
    return order


def _places(keys: Floats) -> Ints:
    """Places along the last axis; keys that differ by rounding errors share one."""
    largest = np.abs(keys).max(axis=-1, initial=0.0)
    return tie_groups(keys, _NOISE / ROUNDING * largest)


def _oriented(scaled: Floats, towards: Floats, size: Ints, side: Ints) -> Floats:
    """Columns turned the same way whatever their signs: `towards`, else by an odd moment."""
    sign = np.sign(towards)
    for odd in (scaled**3, scaled * size[:, None], scaled * side[:, None]):
        moment = odd.sum(axis=0)
        clear = np.abs(moment) > _NOISE * np.abs(odd).sum(axis=0)
        sign = np.where((sign == 0) & clear, np.sign(moment), sign)
    return np.asarray(scaled * np.where(sign == 0, 1.0, sign))


def _of_columns(oriented: Floats, counted: Floats, size: Ints, side: Ints) -> list[Floats]:
    """Numbers of each column that do not depend on the order of units."""
    weights = np.stack([size, side, size * side], axis=1).astype(np.float64)
    powers = (counted, oriented, oriented**2, oriented**3)
    return [key for power in powers for key in (power.T @ weights).T]
