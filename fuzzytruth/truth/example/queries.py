"""Which queries by example there are, and which categories they ask for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.data.by_example import ByExample
from fuzzytruth.data.query_categories import chances
from fuzzytruth.errors import DataError, counted, shown
from fuzzytruth.io.ids import find_items

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True, eq=False)
class GivenRows:
    """The categories that queries are given, as rows of the table of grades.

    Parameters
    ----------
    categories : list of str
        The category of each row.
    row : (queries, choices) int
        Rows that each query may ask for, by name of the category; -1 where it has fewer.
    share : (queries, choices) float
        Probability of each.
    """

    categories: list[str]
    row: Ints
    share: Floats

    @property
    def certain(self) -> bool:
        """Whether each query asks for a single category."""
        return bool(self.row.shape[1] == 1)


def settle_queries(
    truth: ByExample, answered: Iterable[str], items: pa.LargeStringArray
) -> tuple[tuple[str, ...], Ints]:
    """The queries, and which item each of them is."""
    asked_for = tuple(dict.fromkeys(answered)) if truth.queries is None else truth.queries
    place = find_items(asked_for, items)
    remedy = ""
    if truth.category is not None:
        if isinstance(truth.category, str):
            return asked_for, place
        known = np.array([query in truth.category for query in asked_for], dtype=bool)
        what = "category in by_example(category={query: category})"
    else:
        known, what = place >= 0, "votes, and hence no category"
        remedy = "; say what queries that are no items ask for: category={query: category}"
    if truth.queries is not None and not known.all():
        without = [
            q for q, has_votes in zip(asked_for, known.tolist(), strict=True) if not has_votes
        ]
        raise DataError(
            f"queries: {counted(len(without), 'query has', 'queries have')} no {what}; the "
            f"first is {shown(without[0])}{remedy}"
        )
    if not known.any():
        raise DataError(
            f"by_example: none of the queries that runs answer has {what}; queries are ids of "
            f"items here, such as {shown(items[0].as_py())}, and a run has "
            f"{shown(asked_for[0]) if asked_for else 'none'}{remedy}"
        )
    kept = tuple(q for q, valid in zip(asked_for, known.tolist(), strict=True) if valid)
    return kept, place[known]


def given_rows(truth: ByExample, queries: tuple[str, ...]) -> GivenRows | None:
    """The categories that queries are given; None: each has its own."""
    if truth.category is None:
        return None
    if isinstance(truth.category, str):
        n = len(queries)
        return GivenRows([truth.category], np.zeros((n, 1), dtype=np.int64), np.ones((n, 1)))
    choices = [chances(truth.category[query]) for query in queries]
    names = list(dict.fromkeys(name for of_query in choices for name, _ in of_query))
    place = {name: j for j, name in enumerate(names)}
    size = np.array([len(of_query) for of_query in choices])
    row = np.full((len(queries), int(size.max())), -1, dtype=np.int64)
    share = np.zeros(row.shape)
    filled = np.arange(row.shape[1]) < size[:, None]
    row[filled] = [place[name] for of_query in choices for name, _ in of_query]
    share[filled] = [p for of_query in choices for _, p in of_query]
    return GivenRows(names, row, share)
