"""Means of systems over the queries that they share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.stats.effects import means_over_queries
from fuzzytruth.stats.multiplicity import Family
from fuzzytruth.stats.observations import Observations

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.evaluation.scores import Scores


@dataclass(frozen=True, slots=True)
class Shared:
    """What the means of one measure are over.

    Parameters
    ----------
    queries : int
        On which all systems have a value; 0 if there are none, and means are over each system's
        own values.
    left_out : int
        Values of systems that are not in the means, as another system lacks its own.
    """

    queries: int
    left_out: int


def shared_means(
    family: Family, systems: tuple[str, ...]
) -> tuple[pd.DataFrame, tuple[Shared, ...]]:
    """Means (systems × measures) over the values that all systems have, and which these are."""
    import pandas as pd

    columns, shared = {}, []
    for measure, observed in zip(family.measures, family.observed, strict=True):
        columns[measure], one = _of_measure(observed)
        shared.append(one)
    index = pd.Index(systems, name="system", dtype=object)
    frame = pd.DataFrame(columns, index=index)
    return frame.rename_axis(columns="measure"), tuple(shared)


def on_shared_values(scores: Scores) -> Scores:
    """The same scores, NaN by each measure where some system has no value.

    A measure without any value that all systems have stays as it is.
    """
    present = ~np.isnan(scores.values)
    by_all = present.all(axis=0)  # (measures, cells)
    kept = by_all | ~by_all.any(axis=-1, keepdims=True)
    if (kept | ~present).all():
        return scores
    lower, upper = (
        None if ends is None else np.where(kept, ends, np.nan)
        for ends in (scores.lower, scores.upper)
    )
    return replace(scores, values=np.where(kept, scores.values, np.nan), lower=lower, upper=upper)


def _of_measure(observed: Observations) -> tuple[Floats, Shared]:
    values = observed.values
    present = ~np.isnan(values)
    by_all = present.all(axis=0)
    if not by_all.any():
        return means_over_queries(observed, values), Shared(0, 0)
    queries = len(np.unique(observed.cells.query[by_all]))
    means = means_over_queries(observed, np.where(by_all, values, np.nan))
    return means, Shared(queries, int((present & ~by_all).sum()))
