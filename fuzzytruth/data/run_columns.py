"""Columns of ranked lists, checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.data.ranking import missing_order
from fuzzytruth.errors import DataError
from fuzzytruth.io.columns import check_ids, check_numbers
from fuzzytruth.io.origin import Locate

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True, eq=False)
class RunColumns:
    """Checked columns, one row an item of a list.

    Parameters
    ----------
    query, item : Arrow arrays of strings, (rows,)
    score : (rows,) float
        Larger is better; 0 where lists are ordered by rank and there are no scores.
    rank : (rows,) float or None
        Orders the lists, if given.
    system : Arrow array of strings, (rows,), or None
        None: one system.
    """

    query: pa.LargeStringArray
    item: pa.LargeStringArray
    score: Floats
    rank: Floats | None
    system: pa.LargeStringArray | None

    @classmethod
    def of(
        cls,
        query: Iterable[Any],
        item: Iterable[Any],
        *,
        score: Any = None,
        distance: Any = None,
        rank: Any = None,
        system: Iterable[Any] | None = None,
        order_by: str,
        where: str,
        locate: Locate,
    ) -> RunColumns:
        """Check columns; see `Runs.from_columns`."""
        if score is None and distance is not None:
            score = -check_numbers(distance, "distance", locate)
        if (score if order_by == "score" else rank) is None:
            raise missing_order(where, order_by)
        items = check_ids(item, "item", locate)
        if not len(items):
            raise DataError(f"{where}: there are no rows in it")
        queries = check_ids(query, "query", locate)
        scores = np.zeros(len(items)) if score is None else check_numbers(score, "score", locate)
        ranks = None if order_by == "score" else check_numbers(rank, "rank", locate)
        systems = None if system is None else check_ids(system, "system", locate)
        columns = [items, queries, scores, ranks, systems]
        if len({len(column) for column in columns if column is not None}) > 1:
            raise DataError(f"{where}: the columns differ in length")
        return cls(queries, items, scores, ranks, systems)
