"""Distances between the values of votes, by name, as a function or as a matrix."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.annotators.ratings import Ratings
from fuzzytruth.core.validation import numbers
from fuzzytruth.core.value_distances import (
    Distances,
    TableDistances,
    linear_distances,
    masi_distances,
    nominal_distances,
    rank_gap_table,
    ratio_distances,
    set_distances,
    squared_distances,
)
from fuzzytruth.data.subtree_weights import ancestor_matrix
from fuzzytruth.errors import DataError, OptionError, counted, shown

if TYPE_CHECKING:
    import pandas as pd

MetricName = Literal[
    "nominal", "ordinal", "interval", "ratio", "linear", "quadratic", "taxonomy", "masi"
]
Metric = MetricName | Callable[[Any, Any], float] | Any
OF_GRADES = ("ordinal", "interval", "ratio", "linear", "quadratic")
OF_SETS = ("taxonomy", "masi")
_MOST_CALLS = 2000  # values between which a function is called pair by pair


def distances_by(
    ratings: Ratings, metric: Metric, *, by_rank: bool
) -> tuple[str, Distances | None]:
    """The name of a metric ("given" if it is the user's), and the distances between the values.

    None where they depend on the votes: ordinal ones by mid-ranks, as Krippendorff's alpha has
    them (`by_rank`). Other coefficients take Gwet's ordinal weights.

    Raises
    ------
    OptionError
        The metric is unknown, or not for such values.
    """
    if isinstance(metric, str):
        return metric, _by_name(ratings, metric, by_rank=by_rank)
    if callable(metric):
        return "given", TableDistances.of(_called(ratings, metric))
    return "given", TableDistances.of(_table(ratings, metric))


def _by_name(ratings: Ratings, name: str, *, by_rank: bool) -> Distances | None:
    n, grades = len(ratings.names), ratings.grades
    if name == "nominal":
        return nominal_distances(n)
    if name in OF_SETS:
        return _of_sets(ratings, name)
    if name not in OF_GRADES:
        words = ", ".join(repr(one) for one in ("nominal", *OF_GRADES, *OF_SETS))
        raise OptionError(
            f"metric={shown(name)}: must be one of {words}, a function of two values, or a matrix "
            "of distances"
        )
    if grades is None:
        raise OptionError(
            f"metric={name!r}: is for grades, and these votes have categories; take 'nominal', "
            "'taxonomy' or 'masi'"
        )
    if name == "ordinal":
        return None if by_rank else TableDistances.of(rank_gap_table(n))
    if name == "ratio":
        if grades[0] < 0:
            raise OptionError(
                f"metric='ratio': grades must be 0 or more, and there is {grades[0]:g}"
            )
        return ratio_distances(grades)
    if name == "linear":
        return linear_distances(grades)
    return squared_distances(grades)


def _of_sets(ratings: Ratings, name: str) -> Distances:
    sets, taxonomy = ratings.sets, ratings.taxonomy
    if sets is None or taxonomy is None:
        raise OptionError(
            f"metric={name!r}: is for votes for categories (Assignments), and these are grades"
        )
    if name == "masi":
        return masi_distances(sets, len(taxonomy))
    closures = sets.members(len(taxonomy)) @ ancestor_matrix(taxonomy)  # (sets, categories)
    closures.data[:] = 1.0
    return set_distances(closures)


def values_of(ratings: Ratings) -> list[Any]:
    """The values as a user's function gets them: grades, or frozen sets of categories."""
    if ratings.grades is not None:
        return [*ratings.grades.tolist()]
    assert ratings.sets is not None
    assert ratings.taxonomy is not None
    nodes, offsets = ratings.taxonomy.nodes, ratings.sets.offsets.tolist()
    label = ratings.sets.label.tolist()
    return [
        frozenset(nodes[code] for code in label[start:stop]) for start, stop in pairwise(offsets)
    ]


def _called(ratings: Ratings, metric: Callable[[Any, Any], float]) -> Floats:
    """Distances by a function, called once for each pair of different values."""
    values = values_of(ratings)
    if len(values) > _MOST_CALLS:
        raise OptionError(
            f"metric: a function is called for each pair of values, and there are "
            f"{counted(len(values), 'value')}; give a metric by name, or a matrix"
        )
    first, second = np.triu_indices(len(values), 1)
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    try:
        given = [metric(values[a], values[b]) for a, b in pairs]
    except TypeError as error:
        raise OptionError(f"metric: is called with two values ({error})") from error
    table = np.zeros((len(values), len(values)))
    table[first, second] = _numbers(given)
    return _checked(table + table.T)


def _table(ratings: Ratings, metric: Any) -> Floats:
    """Distances of a frame with the names of the values, or of a matrix in their order."""
    names = list(ratings.names)
    if hasattr(metric, "reindex"):
        metric = _in_order(ratings, metric)
    table = _numbers(metric)
    if table.shape != (len(names), len(names)):
        what = "categories" if ratings.grades is None else "grades, ascending"
        raise OptionError(
            f"metric: a matrix of shape {table.shape} does not fit {counted(len(names), 'value')} "
            f"({what}); a frame with these as index and columns fits any order"
        )
    return _checked(table)


def _in_order(ratings: Ratings, frame: pd.DataFrame) -> Any:
    """The rows and columns of a frame that these values name."""
    keys = list(ratings.names) if ratings.grades is None else ratings.grades.tolist()
    missing = [k for k in keys if k not in frame.index or k not in frame.columns]
    if missing:
        raise OptionError(
            f"metric: the frame has no row or no column for the value {shown(missing[0])}; its "
            "index and columns must name all values"
        )
    return frame.loc[keys, keys].to_numpy()


def _numbers(given: Any) -> Floats:
    try:
        return numbers("metric", given, finite=True)
    except DataError as error:
        raise OptionError(
            f"metric={shown(given)}: must be the name of a metric, a function of two values that "
            "gives a finite number, or a matrix of such"
        ) from error


def _checked(table: Floats) -> Floats:
    """A table of distances: symmetric, none negative, 0 from each value to itself."""
    if (table < 0).any():
        raise OptionError(f"metric: distances must not be negative, and one is {table.min():g}")
    if np.diagonal(table).any():
        raise OptionError("metric: the distance of a value to itself must be 0")
    if not np.allclose(table, table.T, rtol=1e-9, atol=0):
        raise OptionError("metric: the distances must be symmetric")
    return table
