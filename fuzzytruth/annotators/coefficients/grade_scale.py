"""Grades outside their scale, and grades that a single subject gave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Bools
from fuzzytruth.annotators.ratings import Ratings
from fuzzytruth.core.validation import option_number
from fuzzytruth.errors import OptionError, ScaleWarning, counted, first_few, shown, warn

if TYPE_CHECKING:
    import pandas as pd

_MOST_NAMED = 3


def check_scale(scale: Any) -> tuple[float, float] | None:
    """Lowest and highest grade.

    Raises
    ------
    OptionError
        They are no two numbers, the lower first.
    """
    if scale is None:
        return None
    rule = "must be the lowest and the highest grade, such as (0, 3)"
    if isinstance(scale, str) or not hasattr(scale, "__len__") or len(scale) != 2:
        raise OptionError(f"scale={shown(scale)}: {rule}")
    low, high = (option_number("scale", end) for end in scale)
    if not low < high:
        raise OptionError(f"scale={shown(scale)}: {rule}")
    return low, high


def outside_scale(ratings: Ratings, scale: tuple[float, float] | None) -> pd.DataFrame:
    """Grades outside the scale: subject, grade, count; a warning counts them."""
    if scale is None:
        return _table(ratings, np.zeros(len(ratings.value), dtype=bool))
    if ratings.grades is None:
        raise OptionError("scale: is for grades, and these votes have categories; leave it out")
    low, high = scale
    grade = ratings.grades[ratings.value]
    outside = (grade < low) | (grade > high)
    table = _table(ratings, outside)
    if len(table):
        said = first_few(
            zip(table["grade"], table["subject"], strict=True), _MOST_NAMED, show=_said
        )
        warn(
            f"{counted(int(table['count'].sum()), 'grade')} outside the scale from {low:g} to "
            f"{high:g} {'counts as it is' if len(table) == 1 else 'count as they are'}: {said}",
            ScaleWarning,
        )
    return table


def lone_grades(ratings: Ratings) -> pd.DataFrame:
    """Grades that a single subject of three or more gave: subject, grade, count."""
    n = len(ratings.names)
    if ratings.grades is None or ratings.n_subjects < 3:
        return _table(ratings, np.zeros(len(ratings.value), dtype=bool))
    given = np.unique(ratings.value * ratings.n_subjects + ratings.subject) // ratings.n_subjects
    alone = np.bincount(given, minlength=n) == 1
    return _table(ratings, alone[ratings.value])


def _table(ratings: Ratings, rows: Bools) -> pd.DataFrame:
    """How often each subject gave each grade, of some votes."""
    import pandas as pd

    chosen = np.flatnonzero(rows)
    if ratings.grades is None or not len(chosen):
        return pd.DataFrame({"subject": [], "grade": [], "count": []})
    who = ratings.subject[chosen]
    key = ratings.value[chosen] * (int(who.max()) + 1) + who
    known, which = np.unique(key, return_inverse=True)
    weight = np.ones(len(chosen)) if ratings.subjects is not None else ratings.weight[chosen]
    value, subject = np.divmod(known, int(who.max()) + 1)
    names = ratings.subjects
    return pd.DataFrame(
        {
            "subject": ["(not named)"] * len(known)
            if names is None
            else [names[s] for s in subject.tolist()],
            "grade": ratings.grades[value],
            "count": np.rint(np.bincount(which.reshape(-1), weights=weight)).astype(np.int64),
        }
    )


def _said(row: tuple[float, str]) -> str:
    return f"{row[0]:g} by {row[1]}"
