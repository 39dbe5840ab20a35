"""Means of scores over queries, by subject or by group of queries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.cells import grouped_mean
from fuzzytruth.core.samples import nan_mean
from fuzzytruth.errors import OptionError, choice, require
from fuzzytruth.evaluation.query_groups import without_group
from fuzzytruth.evaluation.score_arrays import ScoreArrays

if TYPE_CHECKING:
    import pandas as pd

By = Literal["subject", "group"]
Groups = Mapping[str, str]


def mean_table(scores: ScoreArrays, by: By | None, groups: Groups | None) -> pd.DataFrame:
    """See `Scores.mean`."""
    import pandas as pd

    if by is not None:
        choice("by", by, ("subject", "group"))
    if by == "subject":
        return _table(_by_subject(scores, groups), scores, "subject", scores.subjects or ())
    by_query = scores.cells.mean_by_query(scores.values)  # (systems, measures, queries)
    if by == "group":
        if groups is None:
            raise OptionError("by='group': give groups={query: group, ...}")
        group, labels = _group_of(scores, groups)
        return _table(grouped_mean(by_query, group, len(labels)), scores, "group", labels)
    if groups is not None:
        group, labels = _group_of(scores, groups)
        by_query = grouped_mean(by_query, group, len(labels))
    return pd.DataFrame(
        nan_mean(by_query, axis=-1),
        index=pd.Index(scores.systems, name="system"),
        columns=pd.Index(scores.measures, name="measure"),
    )


def _by_subject(scores: ScoreArrays, groups: Groups | None) -> Floats:
    """Means over queries, or over groups of queries: (systems, measures, subjects)."""
    if scores.subjects is None:
        raise OptionError("by='subject': these scores have no subjects")
    if scores.design == "nested":
        raise OptionError(
            "by='subject': the subjects are nested in queries, a name being another person "
            "in another query; average them within queries: mean()"
        )
    cells = scores.cells
    if groups is None:
        return cells.mean_by_subject(scores.values)
    group, labels = _group_of(scores, groups)
    pair = cells.subject_codes * len(labels) + group[cells.query]
    pairs, place = np.unique(pair, return_inverse=True)  # of a subject and a group
    means = grouped_mean(scores.values, place, len(pairs))
    return grouped_mean(means, pairs // len(labels), cells.n_subjects)


def _group_of(scores: ScoreArrays, groups: Groups) -> tuple[Ints, tuple[str, ...]]:
    """Group of each query (queries,), and the groups' names in the order they came."""
    require("groups", groups, isinstance(groups, Mapping), "must be {query: group}")
    groups = {str(query): group for query, group in groups.items()}
    lost = [q for q in scores.queries if q not in groups]
    if lost:
        raise without_group("groups", "group", lost)
    names = [str(groups[q]) for q in scores.queries]
    code = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return np.array([code[name] for name in names]), tuple(code)


def _table(values: Floats, scores: ScoreArrays, axis: str, labels: tuple[str, ...]) -> pd.DataFrame:
    """(systems, measures, labels) as rows (system, label) and columns measures."""
    import pandas as pd

    index = pd.MultiIndex.from_product([scores.systems, labels], names=["system", axis])
    rows = values.transpose(0, 2, 1).reshape(len(index), len(scores.measures))
    return pd.DataFrame(rows, index=index, columns=pd.Index(scores.measures, name="measure"))
