"""Queries that find themselves: items with the id of their query."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.data.ranking import Ranking
from fuzzytruth.errors import DataError, SelfHitWarning, counted, first_few, shown, warn
from fuzzytruth.io.arrow import take
from fuzzytruth.io.ids import hash_ids, string_array


def self_hits(ranking: Ranking) -> Ints:
    """Rows whose item has the id of its query."""
    hashes = hash_ids(string_array(ranking.queries))
    rows: Ints = np.flatnonzero(ranking.item_hash == hashes[ranking.query])
    items = take(ranking.item, rows).to_pylist()
    queries = [ranking.queries[code] for code in ranking.query[rows].tolist()]
    same = [item == query for item, query in zip(items, queries, strict=True)]
    found: Ints = rows[np.array(same, dtype=bool)]
    return found


def without_hits(ranking: Ranking) -> tuple[Ranking, int]:
    """Lists without items that have the id of their query, and the number of these."""
    rows = self_hits(ranking)
    return (ranking.without(rows), len(rows)) if len(rows) else (ranking, 0)


def without_self_hits(rankings: Mapping[str, Ranking]) -> Mapping[str, Ranking]:
    """Rankings without items that have the id of their query; see `Runs.exclude_self`.

    Raises
    ------
    DataError
        Nothing is left of a system's lists.
    """
    found = {system: without_hits(ranking) for system, ranking in rankings.items()}
    kept = {system: ranking for system, (ranking, _) in found.items()}
    report_self_hits(
        {system: n for system, (_, n) in found.items()},
        {system: len(ranking) for system, ranking in kept.items()},
    )
    return kept


def report_self_hits(number: Mapping[str, int], left: Mapping[str, int]) -> None:
    """Warn of the number of rows left out of each system's lists, beside the number of others.

    Raises
    ------
    DataError
        Nothing is left of a system's lists.
    """
    number = {system: n for system, n in number.items() if n}
    for system in number:
        if not left[system]:
            raise DataError(
                f"exclude_self=True: run {shown(system)} lists nothing but queries for themselves"
            )
    if not number:
        return
    each = first_few((f"{system} ({n:,})" for system, n in number.items()), 3, unit="run")
    total = counted(sum(number.values()), "item that has", "items that have")
    warn(f"exclude_self=True: left out {total} the id of the query, of {each}", SelfHitWarning)
