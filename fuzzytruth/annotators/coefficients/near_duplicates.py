"""Clusters of subjects who agree more than two different people plausibly would."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.stats.proportions import wilson


def sure_agreement(
    disagreement: Floats, n: Floats, chance: Floats, expected: Floats | None, level: float
) -> tuple[Floats, Floats]:
    """Least agreement of pairs beyond chance, and beyond that of the panel: (pairs,) each.

    Both are 1 - D / E with the upper end, one-sided with confidence `level`, of Wilson's interval
    for the share D of units on which the two differ. E is the disagreement expected by chance,
    from the shares of values that each of them gave, or (`expected`) if both erred independently
    beside what the panel has in common. NaN where the two share no unit, or E is unknown.
    """
    one_sided = max(2 * level - 1, 1e-9)
    known = n > 0
    some = np.where(known, n, 1.0)
    differ = np.minimum(np.where(known, disagreement, 0.0), some)
    most = np.asarray(wilson(differ, some, level=one_sided)[1])
    most = np.where(known, most, np.nan)
    by_chance = 1 - divide(most, chance, fill=np.nan)
    if expected is None:
        return by_chance, np.full(len(n), np.nan)
    return by_chance, 1 - divide(most, expected, fill=np.nan)


def duplicate_clusters(first: Ints, second: Ints, alike: Floats, threshold: float) -> list[Ints]:
    """Clusters of subjects in which every pair is alike, the largest first, by complete linkage.

    Parameters
    ----------
    first, second : (pairs,) int
    alike : (pairs,) float
        Of those pairs; NaN counts as not alike.
    threshold : float
    """
    from scipy.cluster.hierarchy import fcluster, linkage

    close = np.nan_to_num(alike, nan=-np.inf) >= threshold
    if not close.any():
        return []
    some = np.unique(np.concatenate((first[close], second[close])))
    a, b = np.searchsorted(some, first[close]), np.searchsorted(some, second[close])
    far = 2.0
    table = np.full((len(some), len(some)), far)
    table[a, b] = table[b, a] = 1 - alike[close]
    tree = linkage(table[np.triu_indices(len(some), 1)], "complete")
    number = fcluster(tree, (far + 1 - threshold) / 2, "distance")
    clusters = [some[number == one] for one in np.unique(number)]
    clusters = [one for one in clusters if len(one) > 1]
    return sorted(clusters, key=lambda one: (-len(one), one[0]))
