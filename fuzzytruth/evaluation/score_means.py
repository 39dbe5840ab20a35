"""Means of scores over queries, by subject or by group of queries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core.samples import mean_where_there
from fuzzytruth.errors import OptionError, choice, require

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.evaluation.scores import By, Scores

Groups = Mapping[str, str]


def mean_table(scores: Scores, by: By | None, groups: Groups | None) -> pd.DataFrame:
    """See `Scores.mean`."""
    import pandas as pd

    if by is not None:
        choice("by", by, ("subject", "group"))
    if by == "subject":
        if scores.subjects is None:
            raise OptionError("by='subject': these scores have no subjects")
        if scores.design == "nested":
            raise OptionError(
                "by='subject': the subjects are nested in queries, a name being another person "
                "in another query; average them within queries: mean()"
            )
        table = _over_queries(scores, scores.values, groups)  # (systems, measures, subjects)
        return _table(table, scores.systems, ("subject", scores.subjects), scores.measures)
    per_query = mean_where_there(scores.values, axis=2)  # (systems, measures, queries)
    if by == "group":
        if groups is None:
            raise OptionError("by='group': give groups={query: group, ...}")
        members, labels = _members(scores, groups)
        means = _group_means(per_query, members)
        return _table(means, scores.systems, ("group", labels), scores.measures)
    return pd.DataFrame(
        _over_queries(scores, per_query, groups),
        index=pd.Index(scores.systems, name="system"),
        columns=pd.Index(scores.measures, name="measure"),
    )


def _over_queries(scores: Scores, values: Floats, groups: Groups | None) -> Floats:
    """Mean over the last axis, or over groups of it."""
    if groups is None:
        return mean_where_there(values, axis=-1)
    members, _ = _members(scores, groups)
    return mean_where_there(_group_means(values, members), axis=-1)


def _members(scores: Scores, groups: Groups) -> tuple[Bools, tuple[str, ...]]:
    """Which queries (columns) belong to which group (rows), and the groups' names."""
    require("groups", groups, isinstance(groups, Mapping), "must be {query: group}")
    groups = {str(query): group for query, group in groups.items()}
    lost = [q for q in scores.queries if q not in groups]
    if lost:
        raise OptionError(f"groups: {len(lost):,} queries have no group, the first is {lost[0]!r}")
    of_query = [str(groups[q]) for q in scores.queries]
    labels = tuple(dict.fromkeys(of_query))
    return np.array(of_query)[None, :] == np.array(labels)[:, None], labels


def _group_means(values: Floats, members: Bools) -> Floats:
    """Mean over the queries of each group: (..., queries) → (..., groups)."""
    there = ~np.isnan(values)
    weight = members.T.astype(np.float64)
    total, count = np.where(there, values, 0.0) @ weight, there @ weight
    out: Floats = np.full(total.shape, np.nan)
    np.divide(total, count, out=out, where=count > 0)
    return out


def _table(
    values: Floats,
    systems: tuple[str, ...],
    second: tuple[str, tuple[str, ...]],
    measures: tuple[str, ...],
) -> pd.DataFrame:
    """(systems, measures, second) as rows (system, second) and columns measures."""
    import pandas as pd

    name, labels = second
    index = pd.MultiIndex.from_product([systems, labels], names=["system", name])
    rows = values.transpose(0, 2, 1).reshape(len(index), len(measures))
    return pd.DataFrame(rows, index=index, columns=pd.Index(measures, name="measure"))
