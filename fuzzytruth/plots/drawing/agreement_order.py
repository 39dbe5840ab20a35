"""The order of subjects in which those who agree are neighbours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fuzzytruth._typing import Floats, Ints


def by_agreement(agreement: Floats, clusters: Sequence[Ints] = ()) -> Ints:
    """Places of the subjects in the order of a tree of average linkage, clusters together.

    Parameters
    ----------
    agreement : (subjects, subjects) float
        Symmetric; NaN counts as the mean agreement.
    clusters : sequence of (members,) int
        Subjects that stay neighbours.

    Examples
    --------
    >>> near = np.array([[1, 0.1, 0.9], [0.1, 1, 0.2], [0.9, 0.2, 1]])
    >>> by_agreement(near).tolist()
    [1, 2, 0]
    """
    from scipy.cluster.hierarchy import leaves_list, linkage

    n = len(agreement)
    if n < 3:
        return np.arange(n)
    off = ~np.eye(n, dtype=bool)
    known = agreement[off & ~np.isnan(agreement)]
    filled = np.where(np.isnan(agreement), known.mean() if len(known) else 0.0, agreement)
    highest = float(filled[off].max())
    distance = highest - filled + max(highest - float(filled[off].min()), 1.0)
    for members in clusters:  # closer to one another than any others are
        distance[np.ix_(members, members)] *= 1e-3
    condensed = distance[np.triu_indices(n, 1)]
    tree = linkage(condensed, "average", optimal_ordering=n <= _MOST_ORDERED)
    return np.asarray(leaves_list(tree), dtype=np.int64)


_MOST_ORDERED = 300  # subjects; an optimal order takes their number to the third power
