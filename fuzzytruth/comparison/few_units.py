"""Whether queries or subjects are too few for any difference to be significant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Bools
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.errors import counted
from fuzzytruth.stats.axes import Over

if TYPE_CHECKING:
    import pandas as pd

#: after the units that cannot tell
WHY = "with such a spread, no possible difference would be significant"


def cannot_tell(table: pd.DataFrame, conditions: Conditions) -> Bools:
    """Rows whose interval has a half-width beyond the largest difference that values can have.

    Of a measure whose range is not known, rows whose interval is infinite. Not where it is infinite
    although a spread is known: resamples or worlds are too few.
    """
    below, above = table["difference"] - table["lower"], table["upper"] - table["difference"]
    half = np.minimum(below, above)
    spans = table["measure"].map(conditions.span_of).astype(float)
    resampled = np.isinf(half) & table["std_error"].notna()
    known = ((half > spans) | np.isinf(half)) & ~table["significant"] & ~resampled
    return np.asarray(known, dtype=bool) & (not conditions.of_worlds)


def few_units(
    conditions: Conditions, n_queries: int, n_subjects: int, over: Over | None = None
) -> str:
    """The fewest of the units that are random, such as "2 subjects"."""
    queries = (n_queries, "query")
    if conditions.groups == "clusters":
        queries = (conditions.n_groups, "cluster")
    sizes = {
        "query": queries,
        "subject": (n_subjects, "subject"),
        "world": (conditions.n_resampled, "subject"),
    }
    units = [sizes[axis] for axis in over or conditions.over]
    return " and ".join(counted(*unit) for unit in units if unit[0] == min(units)[0])
