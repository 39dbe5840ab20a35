"""Judgments of groups of queries, from memory or from the partitions of a Dask frame."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fuzzytruth.data.judgment_columns import taken
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.io.ids import encode


def split_judgments(truth: Judgments, groups: Sequence[tuple[str, ...]]) -> list[Judgments | None]:
    """The judgments of each group of queries, and at last those of all other queries.

    None where a group has no judgments.
    """
    codes, ids = encode(truth.query)
    group_of = {query: number for number, group in enumerate(groups) for query in group}
    group = np.array([group_of.get(query, len(groups)) for query in ids.to_pylist()])
    of_row = group[codes]
    order = np.argsort(of_row, kind="stable")
    bounds = np.searchsorted(of_row[order], np.arange(len(groups) + 2))
    return [
        taken(truth, order[start:stop]) if start < stop else None
        for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
    ]
