"""Means over queries of means over subjects, without each subject (or group of them) in turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.cells import Cells, grouped_sum


@dataclass(frozen=True, slots=True, eq=False)
class LeaveOneOut:
    """Means with all cells, and without those of each unit.

    Parameters
    ----------
    mean : (...) float
        NaN without any value.
    without : (..., units) float
        NaN where no value is left.
    n_cells : (units,) int
        Cells of each unit.
    n_lost : (units,) int
        Queries that have no cell of another unit.
    """

    mean: Floats
    without: Floats
    n_cells: Ints
    n_lost: Ints


def leave_one_out(values: Floats, cells: Cells, unit: Ints, n_units: int) -> LeaveOneOut:
    """Means over queries of means over the cells that remain.

    Sums minus parts: the work is proportional to the number of cells, not to cells × units.

    Parameters
    ----------
    values : (..., cells) float
        NaN is missing.
    cells : Cells
    unit : (cells,) int
        What each cell is left out with: its subject, or a group of subjects.
    n_units : int

    Examples
    --------
    >>> import numpy as np
    >>> cells = Cells.complete(2, 2)
    >>> left = leave_one_out(np.array([1.0, 3.0, 5.0, 9.0]), cells, cells.subject_codes, 2)
    >>> left.mean.item(), left.without.tolist()
    (4.5, [6.0, 3.0])
    """
    present = ~np.isnan(values)
    filled = np.where(present, values, 0.0)
    total, count = cells.sum_by_query(filled), cells.sum_by_query(present)  # (..., queries)
    known = count > 0
    by_query = divide(total, count)
    n_queries = known.sum(axis=-1)
    # a part is what one unit has in one query: often a single cell
    part, which = np.unique(cells.query * n_units + unit, return_inverse=True)
    which = which.reshape(-1)
    query, of_unit = part // n_units, part % n_units
    left = count[..., query] - grouped_sum(present, which, len(part))  # (..., parts)
    rest = total[..., query] - grouped_sum(filled, which, len(part))
    left = np.rint(left)
    change = divide(rest, left) - by_query[..., query]  # all of it where nothing is left
    gone = known[..., query] & (left == 0)
    sums = by_query.sum(axis=-1)[..., None] + grouped_sum(change, of_unit, n_units)
    sizes = n_queries[..., None] - grouped_sum(gone, of_unit, n_units)
    n_parts = np.bincount(query, minlength=cells.n_queries)
    return LeaveOneOut(
        divide(by_query.sum(axis=-1), n_queries, fill=np.nan),
        divide(sums, np.rint(sizes), fill=np.nan),
        np.bincount(unit, minlength=n_units),
        np.bincount(of_unit[n_parts[query] == 1], minlength=n_units),
    )
