"""Distances between the values that subjects gave."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.annotators.ratings import Ratings
from fuzzytruth.core.votes.value_distances import mid_ranks, rank_gap_table
from fuzzytruth.errors import OptionError, choice

Metric = Literal["nominal", "ordinal", "linear", "interval"]


def value_distances(ratings: Ratings, metric: Metric, *, by_rank: bool = True) -> Floats:
    """Distances of all pairs of values: (values, values), at most 1.

    Ordinal ones are those of mid-ranks among all votes, as Krippendorff's alpha has them
    (`by_rank`), or Gwet's, as in `distances_by`.

    Raises
    ------
    OptionError
        The metric is unknown, or needs grades and values are sets of categories.
    """
    choice("metric", metric, get_args(Metric))
    k = len(ratings.names)
    if metric == "nominal":
        return nominal_table(k)
    if ratings.grades is None:
        raise OptionError(
            f"metric={metric!r}: is for grades, but these votes are categories; use 'nominal'"
        )
    place = ratings.grades
    if metric == "ordinal":
        if not by_rank:
            return rank_gap_table(k)
        place = mid_ranks(np.asarray(np.bincount(ratings.value, ratings.weight, k)))
    apart = np.abs(place[:, None] - place[None, :])
    apart = apart / max(apart.max(initial=0.0), np.finfo(float).tiny)
    return apart if metric == "linear" else np.asarray(apart**2)


def nominal_table(n_values: int) -> Floats:
    """1 between different values: (values, values)."""
    return np.ones((n_values, n_values)) - np.eye(n_values)
