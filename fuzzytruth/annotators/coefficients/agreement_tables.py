"""Tables of agreement: one row an item, or one row a category."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.annotators.coefficients.rated_units import Over, groups_of, unit_votes
from fuzzytruth.annotators.ratings import Ratings
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.category_pairs import CategoryPairs
from fuzzytruth.core.unit_votes import Removed
from fuzzytruth.core.value_distances import nominal_distances
from fuzzytruth.data.subtree_weights import ancestor_matrix
from fuzzytruth.stats.agreement import Jackknife, Part, ends, one_way, two_way

if TYPE_CHECKING:
    import pandas as pd


def item_table(ratings: Ratings, gaps: Floats) -> pd.DataFrame:
    """Ids, number of votes, share of equal pairs and mean distance; see `Agreement.by_item`."""
    import pandas as pd

    votes = unit_votes(ratings)
    n = votes.n
    distances = nominal_distances(len(ratings.names))
    own = np.bincount(votes.unit, weights=votes.own(distances), minlength=len(n))
    apart = distances.between(votes.counts, votes.counts) - own
    share = 1 - divide(np.maximum(apart, 0.0), n * (n - 1), fill=np.nan)
    rated = np.flatnonzero(n >= 1)
    ids = {
        name: column.to_pandas().iloc[rated].to_numpy() for name, column in ratings.units.items()
    }
    numbers = {"n_votes": n.astype(np.int64), "agreement": share, "distance": gaps}
    return pd.DataFrame(ids | {name: column[rated] for name, column in numbers.items()})


def category_table(ratings: Ratings, over: Over, level: float) -> pd.DataFrame:
    """Specific agreement and alpha of each category; see `Agreement.by_category`."""
    import pandas as pd

    votes = unit_votes(ratings)
    belongs, names = _categories(ratings)
    pairs = CategoryPairs.of(votes, belongs)
    sums = pairs.all()
    chosen = np.flatnonzero(sums.votes[0] > 0)
    values = np.stack([sums.specific()[0], sums.alpha()[0]])  # (2, categories)
    groups = groups_of(ratings, votes, votes.n >= 2, over)
    parts = [
        _part(pairs, values, one)
        for one in (groups.units, groups.subjects, groups.cells)
        if one is not None
    ]
    value = values.ravel()
    fit = two_way(value, *parts) if len(parts) == 3 else one_way(value, parts[0])
    lower, upper = (end.reshape(values.shape) for end in ends(fit, level))
    table = pd.DataFrame(
        {
            "category": names,
            "votes": _whole(sums.votes[0]),
            "agreement": values[0],
            "lower": np.maximum(lower[0], 0.0),
            "upper": upper[0],
            "alpha": values[1],
            "alpha_lower": lower[1],
            "alpha_upper": upper[1],
        }
    )
    return table.iloc[chosen].reset_index(drop=True)


def _whole(numbers: Floats) -> Any:
    """As whole numbers if they are; shares of repeated votes may not be."""
    near = np.rint(numbers)
    return near.astype(np.int64) if np.allclose(near, numbers, rtol=0, atol=1e-9) else numbers


def _part(pairs: CategoryPairs, values: Floats, removed: Removed) -> Part:
    """Variances of all numbers, end to end."""
    found = Jackknife(values.ravel())
    for sums in pairs.without(removed):
        found.add(np.concatenate([sums.specific(), sums.alpha()], axis=1))
    return found.part()


def _categories(ratings: Ratings) -> tuple[Any, list[str]]:
    """The categories that each value stands for (values, categories), sparse, and their names."""
    from scipy.sparse import identity

    if ratings.sets is None or ratings.taxonomy is None:
        return identity(len(ratings.names), format="csr"), list(ratings.names)
    taxonomy = ratings.taxonomy
    closures = ratings.sets.members(len(taxonomy)) @ ancestor_matrix(taxonomy)
    closures.data[:] = 1.0
    return closures.tocsr(), list(taxonomy.nodes)
