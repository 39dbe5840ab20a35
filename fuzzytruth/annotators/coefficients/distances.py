"""Distances between the values that subjects gave."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.annotators.ratings import Ratings
from fuzzytruth.errors import OptionError, choice

Metric = Literal["nominal", "ordinal", "linear", "interval"]


def value_distances(ratings: Ratings, metric: Metric) -> Floats:
    """Distances of all pairs of values: (values, values), at most 1.

    Raises
    ------
    OptionError
        The metric is unknown, or needs grades and values are sets of categories.
    """
    choice("metric", metric, get_args(Metric))
    k = len(ratings.names)
    if metric == "nominal":
        return np.ones((k, k)) - np.eye(k)
    if ratings.grades is None:
        raise OptionError(
            f"metric={metric!r}: is for grades, but these votes are categories; use 'nominal'"
        )
    place = ratings.grades
    if metric == "ordinal":
        count = np.bincount(ratings.value, ratings.weight, k)
        place = np.cumsum(count) - count / 2  # of the middle of each grade among all votes
    apart = np.abs(place[:, None] - place[None, :])
    apart = apart / max(apart.max(initial=0.0), np.finfo(float).tiny)
    return apart if metric == "linear" else np.asarray(apart**2)
