"""`prediction_powered`: intervals from a few human judgments and many of a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.annotators.model_judges.powered_result import (
    By,
    PoweredConditions,
    PoweredMean,
    PoweredScores,
    PredictionPowered,
    powered_scores,
)
from fuzzytruth.core.validation import between_zero_and_one, option_number, place_of
from fuzzytruth.errors import (
    ClusterWarning,
    DataError,
    DegenerateWarning,
    OptionError,
    choice,
    counted,
    first_few,
    require,
    shown,
    warn,
)
from fuzzytruth.evaluation.scores.axes import are_nested
from fuzzytruth.evaluation.scores.query_groups import FEW_CLUSTERS, Grouping, query_groups
from fuzzytruth.stats.contrasts import Contrasts, against, all_pairs, each_system
from fuzzytruth.stats.powered_means import PoweredMeans, equivalent_units, powered_means
from fuzzytruth.truth import Missing

# Clusters of human-judged queries, such as those of one person.


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


# Rows of a `PredictionPowered`, from the scores by people and models.


def powered_rows(
    scores: PoweredScores,
    asked: PoweredConditions,
    pairs: Contrasts | None,
    cluster: Ints | None,
) -> Iterator[PoweredMean]:
    """Of each measure the means, then the differences; judge after judge."""
    flat = unknown = exact = 0
    n_judges, n_queries = scores.model.shape[2:]
    for measure in range(len(scores.measures)):
        of_measure: list[list[PoweredMean]] = [[] for _ in range(n_judges)]
        for contrasts in (each_system(len(asked.systems)), pairs):
            for part in () if contrasts is None else contrasts.batches(n_judges * n_queries):
                means = _estimated(scores, asked, measure, part, cluster)
                named = _named(scores, asked, measure, part, means)
                for judge, rows in enumerate(_split(named, len(part))):
                    of_measure[judge] += rows
                flat += int((means.alone & (means.n < means.n_all) & ~means.powered.known).sum())
                exact += int(means.exact.sum())
                unknown += int(np.isnan(means.powered.std_error).sum())
        for some in of_measure:
            yield from some
    _warn_of_degenerate(flat, unknown, exact)


def _split(rows: list[PoweredMean], size: int) -> Iterator[list[PoweredMean]]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


def _estimated(
    scores: PoweredScores,
    asked: PoweredConditions,
    measure: int,
    contrasts: Contrasts,
    cluster: Ints | None,
) -> PoweredMeans:
    """Of each judge and contrast, judge after judge: (judges × contrasts,)."""
    human, model = scores.human[:, measure], scores.model[:, measure]
    sizes = [_largest(human), _largest(model)]  # (systems,)
    y = contrasts.of(human, scale=sizes[0])  # (contrasts, queries)
    f = contrasts.of(model, scale=sizes[1])  # (contrasts, judges, queries)
    # a query that people judged, but by which they have no value, is none of these queries
    f = np.where((scores.judged & np.isnan(y))[:, None], np.nan, f)
    n_judges = f.shape[1]
    scale = [np.tile(contrasts.largest(size), n_judges) for size in sizes]
    return powered_means(
        np.tile(y, (n_judges, 1)),
        f.swapaxes(0, 1).reshape(-1, f.shape[-1]),
        cluster=cluster,
        tuning=asked.tuning,
        finite=asked.finite,
        scale=(scale[0], scale[1]),
    )


def _largest(values: Floats) -> Floats:
    """Largest |value| of each system: (systems, ...) → (systems,)."""
    flat = np.abs(values).reshape(len(values), -1)
    return np.asarray(np.fmax.reduce(flat, axis=1, initial=0.0))


def _named(
    scores: PoweredScores,
    asked: PoweredConditions,
    measure: int,
    contrasts: Contrasts,
    means: PoweredMeans,
) -> list[PoweredMean]:
    """Rows of a measure."""
    tests = asked.tests if contrasts.are_pairs and asked.correction == "bonferroni" else 1
    columns = _columns(means, 1 - (1 - asked.level) / tests, asked.finite)
    p = means.powered.law.p_value(means.powered.value, "two-sided")
    # of a difference that is known without error, all queries being measured
    p = np.where(means.powered.known & (means.powered.value != 0), 0.0, p)
    p = p if contrasts.are_pairs else np.full(len(p), np.nan)
    columns |= {"p": p, "p_adjusted": np.minimum(tests * p, 1.0)}
    judges = scores.judges or (None,)
    first = contrasts.first.tolist()
    second = [None] * len(first) if contrasts.second is None else contrasts.second.tolist()
    names = [
        (judge, asked.systems[a], None if b is None else asked.systems[b])
        for judge in judges
        for a, b in zip(first, second, strict=True)
    ]
    listed = {name: values.tolist() for name, values in columns.items()}
    return [
        PoweredMean(
            measure=scores.measures[measure],
            judge=judge,
            system=system,
            minus=minus,
            **{name: values[row] for name, values in listed.items()},
        )
        for row, (judge, system, minus) in enumerate(names)
    ]


def _columns(means: PoweredMeans, level: float, finite: bool) -> dict[str, Any]:
    """Numbers of the rows: (rows,) each."""
    out: dict[str, Any] = {}
    for name, one in (
        ("", means.powered),
        ("human", means.measured),
        ("model", means.predicted),
        ("bias", means.bias),
    ):
        lower, upper = one.interval(level)
        prefix = f"{name}_" if name else ""
        out |= {name or "estimate": one.value, f"{prefix}lower": lower, f"{prefix}upper": upper}
    half = means.powered.law.half(level, "two-sided")
    alone = means.measured.law.half(level, "two-sided")
    known = np.isfinite(half) & np.isfinite(alone) & (alone > 0)
    ratio = np.full(len(half), np.nan)
    np.divide(half, alone, out=ratio, where=known)
    # clusters count as queries: as many as they have on average
    size = means.n / np.maximum(means.measured.units, 1)
    units = equivalent_units(
        np.where(known, half, np.nan),
        means.measured,
        level,
        n_all=means.n_all / np.maximum(size, 1),
        finite=finite,
    )
    extra = np.where(means.alone, 0.0, np.floor(units * size - means.n + 1e-6))
    return out | {
        "extra": np.where(known, extra, np.nan),
        "width_ratio": ratio,
        "rho": means.correlation,
        "weight": means.tuning,
        "std_error": means.powered.std_error,
        "df": means.powered.df,
        "n_human": means.n,
        "n_queries": means.n_all,
    }


def _warn_of_degenerate(flat: int, unknown: int, exact: int) -> None:
    if flat:
        one = "mean or difference has"
        warn(
            f"{counted(flat, one, 'means and differences have')} people's interval: by the model's "
            "judgments, the human-judged queries are all alike",
            DegenerateWarning,
        )
    if exact:
        one = "interval takes"
        warn(
            f"{counted(exact, one, 'intervals take')} the model for exact, since it has people's "
            "scores, or a line through them, in all human-judged queries; of scores of few values, "
            "such as Success@1, that is likely by chance, and the interval then is too narrow",
            DegenerateWarning,
        )
    if unknown:
        one = "mean or difference has"
        warn(
            f"{counted(unknown, one, 'means and differences have')} an unknown spread: too few "
            "queries have a value by people's judgments",
            DegenerateWarning,
        )


def prediction_powered(
    human: Any,
    model: Any,
    runs: Any = None,
    measures: Any = None,
    *,
    baseline: Iterable[str] | str | None = None,
    differences: bool = True,
    by: By = None,
    clusters: Grouping = None,
    correction: str = "bonferroni",
    finite: bool = False,
    level: float = 0.95,
    power_tuning: bool | float = True,
    unit: str = "query",
    rel: float | None = None,
    missing: Missing = "error",
) -> PredictionPowered:
    """Means and differences when people judged some queries, and a model judged all of them.

    Estimand: the mean over queries of what people's judgments give, of each system and of
    differences of two, in the population that the N queries are a sample of. The estimate is
    people's mean over the n queries that they judged, plus lambda times how much the model's mean
    over all N queries differs from its mean over those n. It is unbiased for any lambda and
    however wrong the model is, provided that **the n queries are a simple random sample of the N**:
    every set of n queries had the same chance of being judged by people. Other designs (hard
    queries first, fixed numbers by topic) are not supported: take the strata one by one.

    lambda is chosen for each mean and difference so that the variance is smallest (power tuning):
    the least-squares slope of people's scores on the model's. Residuals have n - 2 degrees of
    freedom, and so has t; n - 1 if lambda is given. If people judged every query, it is their t
    interval.

    Parameters
    ----------
    human : Judgments or Scores
        People's judgments of some queries, each judged whole: the unit is a query, since items of a
        query vary together and most measures are no means over items. The score of a query with
        several subjects is the mean of theirs, as in `Scores.mean`. Also a frame, a dict or a path.
    model : Judgments or Scores
        The same of one or more model judges, of all queries.
    runs, measures
        See `evaluate`; measures may also choose among those of scores.
    baseline : str or sequence of str, optional
        Differences of every other system minus these; by default of all pairs.
    differences : bool
        Whether to give differences, and not means alone.
    by : {"judge"}, optional
        Take each model judge alone, and not the mean of their scores.
    clusters : "subject", mapping of query to cluster, or name of an attribute of queries, optional
        "subject": queries that one person judged vary together; every query must have one. Queries
        without a cluster are clusters of their own. Five or more clusters of human-judged queries;
        degrees of freedom are those of clusters.
    correction : {"bonferroni", "none"}
        Of the differences, for each measure (and judge): simultaneous intervals, or unadjusted.
        Intervals of means are unadjusted.
    finite : bool
        Estimate the means over these N queries, which are then not taken as a sample.
    level : float
        Confidence level.
    power_tuning : bool or float
        True: lambda is tuned. False: it is 1 (the estimate of 2023). A number: that lambda.
    unit : {"query"}
        There is no other.
    rel : number, optional
        The lowest grade that is relevant, of both; see `evaluate`.
    missing : {"error", "nonrelevant", "exclude", "pooled"}
        How items count that a subject left out; see `evaluate`.

    Returns
    -------
    PredictionPowered
        Beside each estimate: people alone (Student's t), the model alone with its bias, their
        correlation, and how many more human-judged queries the model's judgments were worth.

    Raises
    ------
    DataError
        People judged queries that the model did not, or fewer than three; the systems of scores
        differ; there are fewer than five clusters.
    OptionError
        An option or name is unknown, or options do not go together.

    Warns
    -----
    UnjudgedItemWarning
        People left out items of their queries that the model judged.
    MissingCellWarning
        Values are missing in one of the two: these queries are left out of that row.
    DegenerateWarning
        By the model, all human-judged queries are alike: the row has people's interval. Or people's
        scores lie on a line in the model's: the interval takes the model for exact, and is too
        narrow where scores have few values. Or fewer than three queries have a value: the spread is
        unknown and the interval infinite.
    ClusterWarning
        Queries are in no cluster, or clusters are few and of different sizes.

    References
    ----------
    Angelopoulos, Bates, Fannjiang, Jordan & Zrnic 2023, Prediction-powered inference, Science 382;
    Angelopoulos, Duchi & Zrnic 2024, PPI++: efficient prediction-powered inference; Cochran 1977,
    Sampling Techniques, §12 (double sampling).

    Examples
    --------
    >>> import numpy as np, pandas as pd, fuzzytruth as ft
    >>> rng = np.random.default_rng(0)
    >>> by_model = pd.DataFrame({
    ...     "system": "bm25", "query": np.arange(60), "value": rng.random(60), "measure": "AP"})
    >>> by_people = by_model[:20].assign(value=lambda t: t["value"] + rng.normal(0.1, 0.05, 20))
    >>> result = ft.prediction_powered(
    ...     ft.Scores.from_frame(by_people), ft.Scores.from_frame(by_model))
    >>> row = result.to_frame(full=True).iloc[0]
    >>> row[["human_lower", "human_upper"]].astype(float).round(2).tolist()
    [0.47, 0.78]
    >>> row[["lower", "upper", "extra"]].astype(float).round(2).tolist()
    [0.53, 0.7, 40.0]
    """
    asked = _checked(by, correction, finite, unit, differences)
    tuning = _tuning(power_tuning)
    scores = powered_scores(human, model, runs, measures, by=by, rel=rel, missing=missing)
    cluster = powered_clusters(scores, clusters)
    if finite and cluster is not None:
        raise OptionError("clusters: with finite=True nothing is sampled but queries; give one")
    systems = scores.people.systems
    pairs = _pairs(systems, baseline) if differences else None
    judged = scores.judged
    conditions = PoweredConditions(
        systems=systems,
        measures=scores.measures,
        n_human=int(judged.sum()),
        n_queries=len(judged),
        n_people=len(scores.people.subjects or ()),
        n_models=len(scores.models.subjects or ()),
        judges=scores.judges,
        level=between_zero_and_one("level", level),
        correction=asked,
        tests=0 if pairs is None else len(pairs),
        tuning=tuning,
        finite=finite,
        n_clusters=0 if cluster is None else len(np.unique(cluster[judged])),
    )
    return PredictionPowered(conditions, tuple(powered_rows(scores, conditions, pairs, cluster)))


def _checked(by: object, correction: object, finite: object, unit: object, pairs: object) -> str:
    """The correction; raise `OptionError` where an option has a value that it does not take."""
    choice("by", by, (None, "judge"))
    choice("correction", correction, ("bonferroni", "none"))
    for name, value in (("finite", finite), ("differences", pairs)):
        require(name, value, isinstance(value, bool), "must be True or False")
    require(
        "unit",
        unit,
        isinstance(unit, str) and unit == "query",
        "must be 'query': items of a query vary together, and most measures are not their mean; "
        "have people judge some queries whole",
    )
    return str(correction)


def _tuning(given: Any) -> float | None:
    """The weight of the model; None: tuned."""
    if isinstance(given, bool):
        return None if given else 1.0
    weight = option_number("power_tuning", given)
    rule = "must be between -1e100 and 1e100"
    require("power_tuning", given, abs(weight) <= 1e100, rule)
    return weight


def _pairs(systems: tuple[str, ...], baseline: Any) -> Contrasts | None:
    """Differences: all pairs, or every other system minus each baseline; None of one system."""
    if baseline is None:
        return all_pairs(len(systems)) if len(systems) > 1 else None
    if not isinstance(baseline, (str, Iterable)):
        raise OptionError(f"baseline={shown(baseline)}: must be the name of a system, or several")
    named = [baseline] if isinstance(baseline, str) else list(baseline)
    places = list(dict.fromkeys(place_of(systems, name, "baseline") for name in named))
    if not 0 < len(places) < len(systems):
        raise OptionError("baseline: name some of the systems, not all; or leave it out")
    return against(places, len(systems))
