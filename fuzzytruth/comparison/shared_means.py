"""Means of systems over the queries that they share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.stats.effects import means_over_queries
from fuzzytruth.stats.multiplicity import Family
from fuzzytruth.stats.observations import Observations

if TYPE_CHECKING:
    import pandas as pd


def shared_means(family: Family, systems: tuple[str, ...]) -> tuple[pd.DataFrame, tuple[int, ...]]:
    """Means (systems × measures) over the values that all systems have, and their queries.

    Where there are none, means are over each system's own values, and the number of queries is 0.
    """
    import pandas as pd

    columns, counts = {}, []
    for measure, observed in zip(family.measures, family.observed, strict=True):
        columns[measure], count = _of_measure(observed)
        counts.append(count)
    index = pd.Index(systems, name="system", dtype=object)
    frame = pd.DataFrame(columns, index=index)
    return frame.rename_axis(columns="measure"), tuple(counts)


def _of_measure(observed: Observations) -> tuple[Floats, int]:
    values = observed.values
    shared = ~np.isnan(values).any(axis=0)
    if shared.any():
        values = np.where(shared, values, np.nan)
    n_shared = len(np.unique(observed.cells.query[shared]))
    return means_over_queries(observed, values), n_shared
