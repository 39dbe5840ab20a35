"""Tables of means with intervals, of systems or of differences of two, and groups of queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pd
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.core.validation import between_zero_and_one, option_flag
from fuzzytruth.errors import choice, counted, first_few, nearest, require, shown, shown_all, warn
from fuzzytruth.evaluation.scores import score_arrays
from fuzzytruth.evaluation.scores.score_arrays import IMAGE, ScoreArrays, check_over, check_scores
from fuzzytruth.evaluation.scores.score_tables import without_group
from fuzzytruth.evaluation.scores.scores_from_frame import check_attribute
from fuzzytruth.io.columns import check_text
from fuzzytruth.show.number_text import level_text
from fuzzytruth.stats import observations
from fuzzytruth.stats.effects import Statistic
from fuzzytruth.stats.intervals import IntervalMethod, intervals
from fuzzytruth.stats.observations import Contrasts, Kind, Observations, QueryGroups, stratum_of_one
from fuzzytruth.stats.settings import Axis, Over, Resampling, in_words

#: measures of image–text scores whose values are pseudo-values of the jackknife
PSEUDO_VALUES = ("Rsum", "mR")
#: {query: name of its group}, or the name of an attribute of queries
Grouping = Mapping[Any, Any] | str | None
#: clusters below which intervals cover less than their level if sizes differ
FEW_CLUSTERS = 10


def observations_of(
    scores: ScoreArrays,
    measure: int,
    groups: QueryGroups | None = None,
    contrasts: Contrasts | None = None,
    *,
    family: bool = False,
) -> Observations:
    """Values by the measure at this place; `groups` are those of the queries.

    `family` says that inference is corrected for the number of contrasts.

    Raises
    ------
    DataError
        A stratum has a single value of one of the contrasts.
    """
    worlds = None
    spread = scores.uncertainty if scores.subjects is None else None
    if spread is not None and spread.has_means:
        within = spread.joint_spread if spread.has_within else Lazy.of(None)
        worlds = observations.WorldMeans(
            Lazy(lambda: spread.joint_means()[:, :, measure]),
            spread.weight,
            spread.inflation,
            resampled=spread.worlds == "population",
            lazy_within=within.map(lambda every: None if every is None else every[measure]),
        )
    values, known = scores.values[:, measure], scores.replicates
    observed = Observations(
        values,
        scores.cells,
        nested=scores.design == "nested",
        worlds=worlds,
        groups=groups,
        runs=None if known is None else known.of_measure(measure, values, family=family),
    )
    if contrasts is not None:
        check_strata(observed, contrasts, scores.systems)
    return observed


# Whether there are enough independent worlds for intervals over them to be finite.


def few_worlds(scores: ScoreArrays, over: Over, level: float) -> str:
    """Why intervals of means are infinite and what to do; "" where they are finite."""
    spread = scores.uncertainty
    if over != ("world",) or spread is None or spread.worlds == "population":
        return ""
    return few_worlds_text(
        spread.n_worlds, observations.least_draws(level), f"{level_text(level)} intervals"
    )


def few_worlds_text(n_worlds: int, needed: int, intervals: str) -> str:
    """How many worlds finite intervals take; "" where there are so many.

    Examples
    --------
    >>> few_worlds_text(20, 39, "95 % intervals")
    '20 worlds are too few for 95 % intervals: n_worlds=39 or more gives finite ones'
    >>> few_worlds_text(39, 39, "95 % intervals")
    ''
    """
    if n_worlds >= needed:
        return ""
    return (
        f"{counted(n_worlds, 'world is', 'worlds are')} too few for {intervals}: "
        f"n_worlds={needed:,} or more gives finite ones"
    )


def interval_table(
    scores: ScoreArrays, contrasts: Contrasts, columns: list[dict[str, Any]], *, full: bool
) -> pd.DataFrame:
    """One row a contrast and measure, all measures of a contrast one below the other.

    `columns` are those of `interval_columns`, and those of the table are those of `Scores.summary`;
    of pairs, system_a and system_b.
    """
    names = np.array(scores.systems, dtype=object)
    labels = {"system": names[contrasts.first]}
    if contrasts.second is not None:
        labels = {"system_a": names[contrasts.first], "system_b": names[contrasts.second]}
    tables = [
        pd.DataFrame({**labels, "measure": measure, **of_measure})
        for measure, of_measure in zip(scores.measures, columns, strict=True)
    ]
    out = pd.concat(tables, ignore_index=True)
    order = np.arange(len(out)).reshape(len(scores.measures), -1).T.ravel()
    out = out.iloc[order].reset_index(drop=True).astype(dict.fromkeys(labels, str))
    if option_flag("full", full):
        return out
    unused = [] if (out["n_subjects"] > 0).any() else ["n_subjects"]
    return out.drop(columns=["std_error", "df", "method", *unused])


def interval_columns(
    scores: ScoreArrays,
    contrasts: Contrasts,
    *,
    over: Iterable[str] | str | None,
    level: float,
    method: IntervalMethod = "auto",
    statistic: str | Statistic = "mean",
    resampling: Resampling,
    clusters: Grouping = None,
    strata: Grouping = None,
) -> list[dict[str, Any]]:
    """For each measure, columns by name, (contrasts,) each; without pandas."""
    axes = check_over(over, scores)
    level = between_zero_and_one("level", level)
    choice("method", method, get_args(IntervalMethod))
    groups = query_groups(scores, clusters, strata, axes)
    if scores.replicates is not None and "replicate" in axes:
        scores.replicates.warn(range(len(scores.measures)))
    out = [
        intervals(
            observations_of(scores, m, groups, contrasts),
            contrasts,
            axes,
            level=level,
            method=method,
            statistic=statistic,
            using=resampling,
            bounds=scores._range_of(m),
            of_queries=IMAGE not in scores.query_attributes or name not in PSEUDO_VALUES,
        )
        for m, name in enumerate(scores.measures)
    ]
    if count := sum(int(np.isnan(one["std_error"]).sum()) for one in out):
        warn(
            f"{counted(count, 'standard error')} over {in_words(axes)} cannot be known, for "
            f"{'it rests' if count == 1 else 'they rest'} on a single unit or on none, or on units "
            "that nothing connects: intervals are (-inf, inf), those of means the whole range of a "
            "measure whose range is known, and NaN where there is no value",
            errors.DegenerateWarning,
        )
    if few := few_worlds(scores, axes, level):
        warn(few, errors.DegenerateWarning)
    return out


# Clusters and strata of queries.


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
        Both are given; what is random is not the queries, alone or, in clusters, with subjects;
        there is no such attribute; a name is of no query; or a query has no stratum.

    Warns
    -----
    ClusterWarning
        Queries without a cluster count as clusters of their own, or the clusters are few and of
        different sizes.
    """
    if clusters is not None and strata is not None:
        raise errors.OptionError(
            "clusters, strata: give one of the two; there are two levels at most, groups and the "
            "queries in them"
        )
    kind: Kind = "clusters" if strata is None else "strata"
    given = clusters if strata is None else strata
    if given is None:
        return None
    both = over == ("query", "subject")
    if over != ("query",) and not (both and (kind == "clusters" or scores.design == "nested")):
        other = ", or clusters=, which are a sample, too" if both else ""
        if kind == "clusters" and scores.subjects is not None:
            other = " or over=('query', 'subject')"
        raise errors.OptionError(
            f"{kind}: group queries, and here {in_words(over)} are random: use over='query'{other}"
        )
    names = _names(scores, kind, given)
    lost = [query for query, name in zip(scores.queries, names, strict=True) if name is None]
    if lost and kind == "strata":
        raise without_group("strata", "stratum", lost)
    groups = _coded(kind, scores.queries, names)
    if kind == "clusters" and not quiet:
        _warn_of_clusters(groups, len(lost))
    return groups


def random_groups(
    scores: ScoreArrays, over: Any, clusters: Grouping, strata: Grouping
) -> tuple[Over, QueryGroups | None, str]:
    """What is random, groups of queries, and the attribute that `over` names; "": it names none.

    Raises
    ------
    OptionError
        As `check_over` and `query_groups`; or a query does not have the attribute.
    DataError
        All queries have one value of it.
    """
    check_scores(scores)
    named = (over,) if isinstance(over, str) or not isinstance(over, Iterable) else tuple(over)
    name = named[0] if len(named) == 1 and isinstance(named[0], str) else ""
    if name in ("", *get_args(Axis)):
        axes = check_over(over if over is None or isinstance(over, str) else named, scores)
        return axes, query_groups(scores, clusters, strata, axes), ""
    if name not in scores.query_attributes:
        known = shown_all(scores.query_attributes)
        raise errors.OptionError(
            f"over={shown(name)}: must be {score_arrays.AXES}, or several of them; or an attribute "
            f"of the queries (these have {known}), as concat({{name: scores}}) makes "
            "one, and Scores.from_frame keeps columns"
        )
    if clusters is not None or strata is not None:
        raise errors.OptionError(
            f"over={shown(name)}: takes neither clusters= nor strata=; there are two levels at "
            f"most, each {name} and the queries in it"
        )
    values = list(scores.query_attributes[name])
    if lost := [query for query, one in zip(scores.queries, values, strict=True) if one is None]:
        raise without_group(f"over={shown(name)}", name, lost)
    groups = _coded("collections", scores.queries, values)
    if groups.n < 2:
        raise errors.DataError(
            f"over={shown(name)}: all queries have one {name}, {shown(values[0])}, which says "
            "nothing about others; give two or more, or compare over='query'"
        )
    return ("query",), groups, name


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
        raise errors.OptionError(
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


def _warn_of_clusters(groups: QueryGroups, alone: int) -> None:
    if alone:
        one = "query is in no cluster and counts as a cluster of its own"
        many = "queries are in no cluster and count as clusters of their own"
        warn(f"clusters: {counted(alone, one, many)}", errors.ClusterWarning)
    least, most = int(groups.sizes.min()), int(groups.sizes.max())
    if groups.n < FEW_CLUSTERS and least < most:
        warn(
            f"clusters: {counted(groups.n, 'cluster')} of different sizes ({least:,} to {most:,} "
            f"queries); intervals may cover less than their level below {FEW_CLUSTERS}",
            errors.ClusterWarning,
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
