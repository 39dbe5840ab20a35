"""Scores of the same systems by people and by models, as `prediction_powered` takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from fuzzytruth import errors
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.comparison.compare import measure_places
from fuzzytruth.core.checksums import pair_keys
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.ranking import Ranking, present_queries
from fuzzytruth.data.reading import as_judgments, as_runs
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import OptionError, counted, first_few, shown, warn
from fuzzytruth.evaluation.evaluate import evaluate
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.scores.summary import FEW_CLUSTERS, Grouping, query_groups
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
    human: Any, model: Any, runs: Any, measures: Any, *, by: By, rel: float | None, missing: Missing
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
    first, second = (
        evaluate(
            truth,
            some,
            measures,
            rel=rel,
            worlds=None if truth.subject is None else "subject",
            missing="error" if truth.subject is None else missing,
        )
        for truth, some in ((people, _of_queries(lists, people.queries)), (models, lists))
    )
    return first, second


def _judgments(name: str, given: Any) -> Judgments:
    try:
        return as_judgments(given)
    except OptionError as error:
        rule = "give Judgments, a frame, {query: {item: grade}} or a path; or Scores of both"
        raise OptionError(f"{name}={shown(given)}: {rule}") from error


def _check_queries(judged: tuple[str, ...], known: tuple[str, ...]) -> None:
    """Raise unless people judged at least three queries, all of them the models'."""
    theirs = {*known}
    lost = [query for query in judged if query not in theirs]
    if lost:
        raise errors.DataError(
            f"human: {counted(len(lost), 'query has', 'queries have')} no judgments in model: "
            f"{first_few(lost, show=shown)}; the model has to judge all queries"
        )
    if len(judged) < LEAST:
        raise errors.DataError(
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
            errors.UnjudgedItemWarning,
        )


def _of_queries(runs: Runs, wanted: tuple[str, ...]) -> Runs:
    """The lists of these queries alone; as they are where a system has none of them."""
    out = {}
    for name, ranking in runs.items():
        kept = np.isin(ranking.queries, wanted)
        if kept.any() and not kept.all():
            some = ranking.take(np.flatnonzero(kept[ranking.query]))
            codes, queries = present_queries(some.query, some.queries)
            ranking = Ranking(queries, codes, some.item, some.score, some.item_hash)
        out[name] = ranking
    return Runs(out)


def _side_by_side(people: Scores, models: Scores, measures: Any, by: By) -> PoweredScores:
    if {*people.systems} != {*models.systems}:
        odd = sorted({*people.systems} ^ {*models.systems})
        raise errors.DataError(
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
    return PoweredScores(people, models, names, human, each, models.subjects if by else None)


def _by_judge(models: Scores, values: Floats) -> Floats:
    """Values of each judge: (systems, measures, cells) → (systems, measures, judges, queries)."""
    if models.subjects is None:
        raise OptionError("by='judge': the model's judgments name no judges; add a column subject")
    if models._are_nested:
        raise OptionError(
            "by='judge': the judges are nested in queries, a name being another judge in each"
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
        warn(f"{what} left out because the model has none there", errors.MissingCellWarning)
    if unknown:
        what = counted(unknown, "value is", "values are")
        warn(
            f"{what} left out because the measure is undefined by people's judgments of the query",
            errors.MissingCellWarning,
        )


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
        raise errors.DataError(
            f"clusters: the human-judged queries are in {counted(len(sizes), 'cluster')}; "
            f"intervals need {LEAST_CLUSTERS} or more"
        )
    if len(sizes) < FEW_CLUSTERS and sizes.min() < sizes.max():
        warn(
            f"clusters: {counted(len(sizes), 'cluster')} of human-judged queries of different "
            f"sizes ({sizes.min():,} to {sizes.max():,}); intervals may cover less than their "
            f"level below {FEW_CLUSTERS}",
            errors.ClusterWarning,
        )
    return groups.code


def _by_person(scores: PoweredScores) -> dict[str, str]:
    """Who judged each query."""
    people = scores.people
    if people.subjects is None:
        raise OptionError("clusters='subject': the human judgments do not name who judged")
    if people._are_nested:
        raise OptionError(
            "clusters='subject': the people are nested in queries: a name is another person in each"
        )
    several = [people.queries[j] for j in np.flatnonzero(people.cells.sizes > 1)]
    if several:
        raise errors.DataError(
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
        warn(f"clusters: {counted(len(alone), one, many)}", errors.ClusterWarning)
