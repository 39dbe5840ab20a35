"""Clusters and strata of the queries of scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Array, Ints
from fuzzytruth.errors import (
    ClusterWarning,
    DataError,
    OptionError,
    counted,
    first_few,
    nearest,
    require,
    shown,
    shown_all,
    warn,
)
from fuzzytruth.io.columns import Locate, check_text
from fuzzytruth.io.ids import encode
from fuzzytruth.stats.observations import Kind, QueryGroups, stratum_of_one
from fuzzytruth.stats.settings import in_words

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.score_arrays import ScoreArrays
    from fuzzytruth.stats.contrasts import Contrasts
    from fuzzytruth.stats.observations import Observations
    from fuzzytruth.stats.settings import Over


#: attribute of image–text scores; the queries of an image vary together
IMAGE = "image"
#: measures of these scores whose values are pseudo-values of the jackknife
PSEUDO_VALUES = ("Rsum", "mR")
#: name of an attribute -> value of each query, None where it has none
Attributes = Mapping[str, tuple[str | None, ...]]


def attribute_names(clusters: Iterable[str] | str | None) -> tuple[str, ...]:
    """Names of the columns to keep.

    Raises
    ------
    OptionError
        They are no names.
    """
    if clusters is None or isinstance(clusters, str):
        return () if clusters is None else (clusters,)
    rule = "must be the name of a column, or several"
    require("clusters", clusters, isinstance(clusters, Iterable), rule)
    names = list(clusters)
    require("clusters", clusters, all(isinstance(name, str) for name in names), rule)
    return tuple(dict.fromkeys(names))


def check_kept(names: tuple[str, ...], present: Sequence[Any]) -> None:
    """Raise unless a frame has all these columns.

    Raises
    ------
    OptionError
        There is no such column.
    """
    columns = [str(column) for column in present]
    for name in names:
        if name not in columns:
            raise OptionError(
                f"clusters={shown(name)}: is not a column of the frame"
                f"{nearest(name, columns)}; it has {shown_all(columns)}"
            )


def check_attribute(option: str, name: str, attributes: Attributes) -> None:
    """Raise `OptionError` unless the scores have this attribute of queries."""
    if name not in attributes:
        known = shown_all(attributes) if attributes else "none"
        raise OptionError(
            f"{option}={shown(name)}: is no attribute of the queries of these scores (they have "
            f"{known}); name a column to keep to Scores.from_frame, or give {{query: group}}"
        )


def query_attributes(
    columns: Mapping[str, Any], query: Array, queries: tuple[str, ...], where: Locate
) -> dict[str, tuple[str | None, ...]]:
    """Attributes of queries by rows; missing or empty text is None.

    Parameters
    ----------
    columns : mapping of name to (rows,)
    query : (rows,) int
        Place of each row's query among `queries`, each of which has a row.

    Raises
    ------
    DataError
        A query has two values.
    """
    first = np.unique(query, return_index=True)[1]
    out = {}
    for name, column in columns.items():
        code, labels = encode(check_text(column, name, where).fill_null(""))
        values = [text or None for text in labels.to_pylist()]
        differs = code != code[first][query]
        if differs.any():
            row = int(np.argmax(differs))
            before = int(first[query[row]])
            raise DataError(
                f"{where(row)}: query {shown(queries[query[row]])} has {name} "
                f"{_shown(values[code[row]])}, and {_shown(values[code[before]])} before "
                f"({where(before)}); a query has one"
            )
        out[name] = tuple(values[value] for value in code[first])
    return out


def _shown(value: str | None) -> str:
    return "none" if value is None else shown(value)


def attributes_of(attributes: Attributes, queries: Ints) -> Attributes:
    """Attributes of some of the queries, in their order."""
    return {name: tuple(values[q] for q in queries) for name, values in attributes.items()}


#: {query: name of its group}, or the name of an attribute of queries
Grouping = Mapping[Any, Any] | str | None
#: clusters below which intervals cover less than their level if sizes differ
FEW_CLUSTERS = 10


def query_groups(
    scores: ScoreArrays,
    clusters: Grouping,
    strata: Grouping,
    over: Over = ("query",),
    *,
    quiet: bool = False,
) -> QueryGroups | None:
    """Groups of the queries; None where neither clusters nor strata are given.

    Parameters
    ----------
    scores : ScoreArrays
    clusters : mapping of query to cluster, or name of an attribute of queries, or None
        Queries without a cluster are clusters of their own.
    strata : mapping of query to stratum, or name of an attribute of queries, or None
        Every query needs one.
    over : tuple of str
        What is random.
    quiet : bool
        Give no warning, where something else does.

    Raises
    ------
    OptionError
        Both are given, or more than queries is random; there is no such attribute; a name is of no
        query; or a query has no stratum.

    Warns
    -----
    ClusterWarning
        Queries without a cluster count as clusters of their own, or the clusters are few and of
        different sizes.
    """
    kind = _kind(clusters, strata)
    if kind is None:
        return None
    _check_over(kind, over, scores)
    names = _names(scores, kind, clusters if kind == "clusters" else strata)
    lost = [query for query, name in zip(scores.queries, names, strict=True) if name is None]
    if lost and kind == "strata":
        raise without_group("strata", "stratum", lost)
    groups = _coded(kind, scores.queries, names)
    if kind == "clusters" and not quiet:
        _warn_of_clusters(groups, len(lost))
    return groups


def _kind(clusters: Grouping, strata: Grouping) -> Kind | None:
    if clusters is not None and strata is not None:
        raise OptionError(
            "clusters, strata: give one of the two; there are two levels at most, groups and the "
            "queries in them"
        )
    if strata is not None:
        return "strata"
    return None if clusters is None else "clusters"


def _check_over(kind: Kind, over: Over, scores: ScoreArrays) -> None:
    """Raise unless queries alone are random, nested subjects coming with them."""
    if over != ("query",) and not (over == ("query", "subject") and scores.design == "nested"):
        raise OptionError(
            f"{kind}: group queries, and here {in_words(over)} are random; there are two levels at "
            "most, groups and the queries in them: use over='query'"
        )


def _names(scores: ScoreArrays, kind: Kind, given: Any) -> list[str | None]:
    """Name of each query's group; None where it has none."""
    if isinstance(given, str):
        check_attribute(kind, given, scores.query_attributes)
        return list(scores.query_attributes[given])
    one = {"clusters": "cluster", "strata": "stratum"}[kind]
    rule = f"must be {{query: {one}}}, or the name of an attribute of queries"
    require(kind, given, isinstance(given, Mapping), rule)
    named = {str(query): name for query, name in given.items()}
    known = set(scores.queries)
    unknown = [query for query in named if query not in known]
    if unknown:
        raise OptionError(
            f"{kind}: {first_few(unknown, show=shown)} "
            f"{'is no query' if len(unknown) == 1 else 'are no queries'} of these scores"
            f"{nearest(unknown[0], scores.queries)}"
        )
    texts = check_text(
        [named.get(query) for query in scores.queries],
        kind,
        lambda row: f"{kind}, query {shown(scores.queries[row])}",
    )
    return [name or None for name in texts.to_pylist()]


def _coded(kind: Kind, queries: tuple[str, ...], names: list[str | None]) -> QueryGroups:
    """Groups in the order of their first queries; those without a name are alone."""
    keys = [
        (False, query) if name is None else (True, name)
        for query, name in zip(queries, names, strict=True)
    ]
    code = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    labels = tuple(name for _, name in code)
    return QueryGroups(kind, np.array([code[key] for key in keys]), len(code), labels)


def without_group(option: str, group: str, queries: list[str]) -> OptionError:
    """The error of queries that have no group."""
    return OptionError(
        f"{option}: {counted(len(queries), 'query has', 'queries have')} no {group}, the first is "
        f"{shown(queries[0])}"
    )


def _warn_of_clusters(groups: QueryGroups, alone: int) -> None:
    if alone:
        one = "query is in no cluster and counts as a cluster of its own"
        many = "queries are in no cluster and count as clusters of their own"
        warn(f"clusters: {counted(alone, one, many)}", ClusterWarning)
    least, most = int(groups.sizes.min()), int(groups.sizes.max())
    if groups.n < FEW_CLUSTERS and least < most:
        warn(
            f"clusters: {counted(groups.n, 'cluster')} of different sizes ({least:,} to {most:,} "
            f"queries); intervals may cover less than their level below {FEW_CLUSTERS}",
            ClusterWarning,
        )


def check_strata(observed: Observations, contrasts: Contrasts, systems: tuple[str, ...]) -> None:
    """Raise unless every stratum in which a contrast has a value has two.

    Raises
    ------
    DataError
        There is a stratum of one; the message names it and the systems.
    """
    groups = observed.groups
    if groups is None or groups.kind != "strata":
        return
    for batch in observed.batches(contrasts):
        alone = groups.singles(observed.by_query(batch))
        if alone.any():
            row, stratum = np.argwhere(alone)[0]
            whose = shown(systems[batch.first[row]])
            if batch.second is not None:
                whose += f" minus {shown(systems[batch.second[row]])}"
            raise stratum_of_one(groups.names[stratum], f" (values of {whose})")
