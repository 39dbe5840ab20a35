"""Scores by people's judgments of some queries, and by models' judgments of all, side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.comparison.compare import measure_places
from fuzzytruth.core.hashing import pair_keys
from fuzzytruth.data.conversion import as_judgments, as_runs
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.ranking import Ranking, present_queries
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import (
    DataError,
    MissingCellWarning,
    OptionError,
    UnjudgedItemWarning,
    counted,
    first_few,
    shown,
    warn,
)
from fuzzytruth.evaluation.evaluate import evaluate
from fuzzytruth.evaluation.scores.axes import are_nested
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.io.ids import hash_ids
from fuzzytruth.truth import Missing

By = Literal["judge"] | None
LEAST = 3  # human-judged queries: the line through two leaves no residual


@dataclass(frozen=True, slots=True, eq=False)
class PoweredScores:
    """Values of the same systems by two truths.

    Parameters
    ----------
    people, models : Scores
        As evaluated.
    measures : tuple of str
    human : (systems, measures, queries) float
        Means over the people who judged a query; NaN where nobody did. Queries are the models'.
    model : (systems, measures, judges, queries) float
        One judge where models are averaged.
    judges : tuple of str or None
        None where models are averaged.
    """

    people: Scores
    models: Scores
    measures: tuple[str, ...]
    human: Floats
    model: Floats
    judges: tuple[str, ...] | None

    @property
    def judged(self) -> Bools:
        """Which queries people judged: (queries,)."""
        return np.isin(self.models.queries, self.people.queries)


def powered_scores(
    human: Any,
    model: Any,
    runs: Any,
    measures: Any,
    *,
    by: By,
    rel: float | None,
    missing: Missing,
) -> PoweredScores:
    """Evaluate both truths, or take their scores.

    Raises
    ------
    OptionError
        Scores and judgments are mixed; options are for the other; names are unknown.
    DataError
        People judged queries that no model judged, or too few; the systems are not the same.

    Warns
    -----
    UnjudgedItemWarning
        People left out items of their queries that the models judged.
    MissingCellWarning
        Values are missing in one of the truths.
    """
    given = isinstance(human, Scores), isinstance(model, Scores)
    if any(given):
        if not all(given):
            raise OptionError("human, model: give judgments of both, or Scores of both")
        if runs is not None or rel is not None:
            raise OptionError(
                f"{'rel' if runs is None else 'runs'}: is for judgments; these are scores already"
            )
        people, models = human, model
        _check_queries(people.queries, models.queries)
    else:
        people, models = _evaluated(human, model, runs, measures, rel, missing)
        measures = None
    out = _side_by_side(people, models, measures, by)
    _warn_of_missing(out)
    return out


def _evaluated(
    human: Any, model: Any, runs: Any, measures: Any, rel: float | None, missing: Missing
) -> tuple[Scores, Scores]:
    """Scores by people's judgments, and by models'."""
    if runs is None or measures is None:
        name = "runs" if runs is None else "measures"
        raise OptionError(f"{name}=None: judgments need runs and measures; or give Scores of both")
    people, models = _judgments("human", human), _judgments("model", model)
    lists = as_runs(runs)
    _check_queries(people.queries, models.queries)
    _warn_of_unjudged(people, models)
    asked = _of_queries(lists, people.queries)
    each = (
        evaluate(
            truth,
            some,
            measures,
            rel=rel,
            worlds=None if truth.subject is None else "subject",
            missing=missing if truth.subject is not None else "error",
        )
        for truth, some in ((people, asked), (models, lists))
    )
    first, second = each
    return first, second


def _judgments(name: str, given: Any) -> Judgments:
    try:
        return as_judgments(given)
    except OptionError as error:
        rule = "give Judgments, a frame, {query: {item: grade}} or a path; or Scores of both"
        raise OptionError(f"{name}={shown(given)}: {rule}") from error


def _check_queries(judged: tuple[str, ...], known: tuple[str, ...]) -> None:
    """Raise unless people judged at least three queries, all of them the models'."""
    lost = [*dict.fromkeys(judged).keys() - {*known}]
    if lost:
        lost = [query for query in judged if query in {*lost}]
        raise DataError(
            f"human: {counted(len(lost), 'query has', 'queries have')} no judgments in model: "
            f"{first_few(lost, show=shown)}; the model has to judge all queries"
        )
    if len(judged) < LEAST:
        raise DataError(
            f"human: {counted(len(judged), 'judged query', 'judged queries')}; what the model adds "
            f"can be told from {LEAST} on, better from 10"
        )


def _warn_of_unjudged(people: Judgments, models: Judgments) -> None:
    """Warn of items of people's queries that models judged and no person did."""
    keys = [pair_keys(hash_ids(j.item), hash_ids(j.query).view(np.int64)) for j in (people, models)]
    queries = hash_ids(people.query)
    theirs = np.isin(hash_ids(models.query), queries)
    lost = np.unique(keys[1][theirs & ~np.isin(keys[1], keys[0])])
    if len(lost):
        warn(
            f"human: {counted(len(lost), 'item')} of these queries were judged by the model and by "
            "no person, and are not relevant in people's scores; a query should be judged whole",
            UnjudgedItemWarning,
        )


def _of_queries(runs: Runs, queries: Iterable[str]) -> Runs:
    """The lists of these queries alone; as they are where a system has none of them."""
    wanted = {*queries}
    return Runs({name: _some_of(ranking, wanted) for name, ranking in runs.items()})


def _some_of(ranking: Ranking, wanted: set[str]) -> Ranking:
    kept = np.array([query in wanted for query in ranking.queries], dtype=bool)
    if kept.all() or not kept.any():
        return ranking
    some = ranking.take(np.flatnonzero(kept[ranking.query]))
    codes, queries = present_queries(some.query, some.queries)
    return Ranking(queries, codes, some.item, some.score, some.item_hash)


def _side_by_side(people: Scores, models: Scores, measures: Any, by: By) -> PoweredScores:
    if {*people.systems} != {*models.systems}:
        odd = sorted({*people.systems} ^ {*models.systems})
        raise DataError(
            f"human, model: {first_few(odd, show=shown)} "
            f"{'is' if len(odd) == 1 else 'are'} in the scores of one of the two only"
        )
    places = measure_places(people, measures)
    names = tuple(people.measures[place] for place in places)
    theirs = [models.measure_place(name) for name in names]
    order = [models.systems.index(system) for system in people.systems]
    values = models.values[np.ix_(order, theirs)]
    each = _by_judge(models, values) if by else models.cells.mean_by_query(values)[:, :, None]
    human = np.full((len(order), len(places), len(models.queries)), np.nan)
    query: Ints = np.array([models.queries.index(name) for name in people.queries])
    human[:, :, query] = people.cells.mean_by_query(people.values[:, list(places)])
    return PoweredScores(
        people,
        models,
        names,
        human,
        each,
        models.subjects if by else None,
    )


def _by_judge(models: Scores, values: Floats) -> Floats:
    """Values of each judge: (systems, measures, cells) → (systems, measures, judges, queries)."""
    if models.subjects is None:
        raise OptionError("by='judge': the model's judgments name no judges; add a column subject")
    if are_nested(models):
        raise OptionError(
            "by='judge': the judges are nested in queries, a name being another judge in another "
            "query"
        )
    return models.cells.dense(values).swapaxes(-1, -2)


def _warn_of_missing(scores: PoweredScores) -> None:
    """Warn of values that one of the truths lacks."""
    known = ~np.isnan(scores.model)
    asked = scores.judged & ~np.isnan(scores.human)[:, :, None]
    lost = int((asked & ~known).sum())
    unknown = int((np.isnan(scores.human) & scores.judged).sum())
    if lost:
        what = counted(lost, "human value is", "human values are")
        warn(f"{what} left out because the model has none there", MissingCellWarning)
    if unknown:
        what = counted(unknown, "value is", "values are")
        warn(
            f"{what} left out because the measure is undefined by people's judgments of the query",
            MissingCellWarning,
        )


# What `prediction_powered` was asked, and one mean or difference.


@dataclass(frozen=True, slots=True, kw_only=True)
class PoweredConditions:
    """What was asked, and of which data.

    Parameters
    ----------
    systems, measures : tuple of str
    n_human, n_queries : int
        Queries that people judged, and all.
    n_people, n_models : int
        Who judged; 0 where they are not named.
    judges : tuple of str or None
        Model judges, where each is taken alone; None: their mean.
    level : float
        Confidence level.
    correction : {"bonferroni", "none"}
        Of the differences, of each measure (and judge).
    tests : int
        Differences of each measure.
    tuning : float or None
        The weight given to the model; None: tuned.
    finite : bool
        Whether the means are over these queries, which are no sample then.
    n_clusters : int
        Clusters of the human-judged queries; 0: none.
    """

    systems: tuple[str, ...]
    measures: tuple[str, ...]
    n_human: int
    n_queries: int
    n_people: int
    n_models: int
    judges: tuple[str, ...] | None
    level: float
    correction: str
    tests: int
    tuning: float | None
    finite: bool
    n_clusters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PoweredMean:
    """A mean of one system, or a difference of two, by one measure.

    All intervals of a row have the same level.

    Parameters
    ----------
    measure : str
    judge : str or None
        The model judge, where each is taken alone.
    system : str
    minus : str or None
        The system that is subtracted; None: a mean.
    estimate, lower, upper : float
        Prediction-powered.
    extra : float
        How many more human-judged queries would have given an interval as narrow, rounded down;
        negative if it is wider, NaN where the spread is unknown or none.
    width_ratio : float
        Width of the interval to that of people alone.
    rho : float
        Correlation of people's and the model's scores over the queries that both judged; NaN where
        one of them does not vary.
    weight : float
        Of the model: lambda.
    human, human_lower, human_upper : float
        People alone: Student's t over the human-judged queries.
    model, model_lower, model_upper : float
        The model alone, over all queries: biased.
    bias, bias_lower, bias_upper : float
        Model minus people, over the queries that both judged.
    std_error, df : float
        Of the prediction-powered estimate.
    p, p_adjusted : float
        Of a difference of 0; NaN for means.
    n_human, n_queries : int
        Queries with values of both, and of the model.
    """

    measure: str
    judge: str | None
    system: str
    minus: str | None
    estimate: float
    lower: float
    upper: float
    extra: float
    width_ratio: float
    rho: float
    weight: float
    human: float
    human_lower: float
    human_upper: float
    model: float
    model_lower: float
    model_upper: float
    bias: float
    bias_lower: float
    bias_upper: float
    std_error: float
    df: float
    p: float
    p_adjusted: float
    n_human: int
    n_queries: int
