"""Clusters of human-judged queries, such as those of one person."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.annotators.model_judges.powered_scores import PoweredScores
from fuzzytruth.errors import (
    ClusterWarning,
    DataError,
    OptionError,
    counted,
    first_few,
    shown,
    warn,
)
from fuzzytruth.evaluation.axes import are_nested
from fuzzytruth.evaluation.query_groups import FEW_CLUSTERS, Grouping, query_groups

LEAST_CLUSTERS = 5


def powered_clusters(scores: PoweredScores, clusters: Grouping) -> Ints | None:
    """Cluster of each query (queries,); queries without one are clusters of their own.

    Raises
    ------
    OptionError
        There are no names of people, or no such attribute or query.
    DataError
        A query was judged by several people, or there are fewer than five clusters.

    Warns
    -----
    ClusterWarning
        Human-judged queries are in no cluster; clusters are few and of different sizes.
    """
    if clusters is None:
        return None
    if isinstance(clusters, str) and clusters == "subject":
        clusters = _by_person(scores)
    groups = query_groups(scores.models, clusters, None, quiet=True)
    if groups is None:
        return None
    _warn_of_alone(scores, clusters)
    sizes = np.unique(groups.code[scores.judged], return_counts=True)[1]
    if len(sizes) < LEAST_CLUSTERS:
        raise DataError(
            f"clusters: the human-judged queries are in {counted(len(sizes), 'cluster')}; "
            f"intervals need {LEAST_CLUSTERS} or more"
        )
    if len(sizes) < FEW_CLUSTERS and sizes.min() < sizes.max():
        warn(
            f"clusters: {counted(len(sizes), 'cluster')} of human-judged queries of different "
            f"sizes ({sizes.min():,} to {sizes.max():,}); intervals may cover less than their "
            f"level below {FEW_CLUSTERS}",
            ClusterWarning,
        )
    return groups.code


def _by_person(scores: PoweredScores) -> dict[str, str]:
    """Who judged each query."""
    people = scores.people
    if people.subjects is None:
        raise OptionError("clusters='subject': the human judgments do not name who judged")
    if are_nested(people):
        raise OptionError(
            "clusters='subject': the people are nested in queries, a name being another person in "
            "another query"
        )
    several = [people.queries[j] for j in np.flatnonzero(people.cells.sizes > 1)]
    if several:
        raise DataError(
            f"clusters='subject': {counted(len(several), 'query was', 'queries were')} judged by "
            f"several people: {first_few(several, show=shown)}; each must be judged by one"
        )
    cells = people.cells
    who = cells.subject_codes.tolist()
    return {
        people.queries[q]: people.subjects[s]
        for q, s in zip(cells.query.tolist(), who, strict=True)
    }


def _warn_of_alone(scores: PoweredScores, clusters: Grouping) -> None:
    """Warn of human-judged queries that are clusters of their own."""
    models = scores.models
    if isinstance(clusters, str):
        named = {
            query
            for query, name in zip(models.queries, models.query_attributes[clusters], strict=True)
            if name
        }
    else:
        named = {str(query) for query, name in (clusters or {}).items() if name}
    alone = [query for query in scores.people.queries if query not in named]
    if alone:
        one = "human-judged query is in no cluster and counts as a cluster of its own"
        many = "human-judged queries are in no cluster and count as clusters of their own"
        warn(f"clusters: {counted(len(alone), one, many)}", ClusterWarning)
