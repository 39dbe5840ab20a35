"""`alternative_annotator`: whether a model judge may stand in for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.annotators.model_judges.alternative_result import AlternativeAnnotator, Clusters
from fuzzytruth.annotators.model_judges.alternative_tables import models_table, people_table
from fuzzytruth.annotators.model_judges.matched_votes import (
    MatchedVotes,
    VoteRows,
    binary_both,
    match_votes,
)
from fuzzytruth.annotators.model_judges.value_similarity import (
    Metric,
    check_metric,
    value_similarity,
)
from fuzzytruth.core.validation import between_zero_and_one, option_number, whole_number
from fuzzytruth.core.vote_alignment import similarity_gaps, squared_error_gaps
from fuzzytruth.errors import (
    ClusterWarning,
    DataError,
    DegenerateWarning,
    LeftOutWarning,
    OptionError,
    choice,
    counted,
    first_few,
    require,
    shown,
    warn,
)
from fuzzytruth.evaluation.query_groups import FEW_CLUSTERS
from fuzzytruth.stats.alternative_annotator import PersonTests, person_tests


def alternative_annotator(
    human: Any,
    model: Any,
    *,
    epsilon: float = 0.2,
    metric: Metric = "accuracy",
    alpha: float = 0.05,
    level: float = 0.95,
    min_items: int = 30,
    clusters: Clusters = "query",
    across_models: bool = False,
    rel: float | Mapping[str, float] | None = None,
) -> AlternativeAnnotator:
    """Test whether a model agrees with people at least about as well as each of them does.

    Each person in turn is left out. On each item that this person judged, the model's vote and the
    person's are held against the votes of the remaining people; whoever is closer has the
    advantage, and in a tie both have. The model wins against the person if the share of items on
    which it has the advantage is significantly larger than the person's minus `epsilon`. It passes
    if it wins against half of the people or more.

    The tests are corrected over the people by Benjamini and Yekutieli's procedure, so that the
    **false discovery rate** is `alpha`: the expected share of false wins among the wins. The chance
    of any false win may be larger, and so may the chance that a model passes that should not.

    Parameters
    ----------
    human : Judgments, Assignments, or what `as_judgments` takes
        Votes of three or more people with names, a row each.
    model : the same
        Votes of one or several model judges, on these items at least. Judgments without subjects
        are those of one judge, called "model".
    epsilon : float
        How much worse than a person the cheaper model may be, as a share of items, from 0 to 1. The
        authors recommend .2 beside experts, .15 beside skilled people, .1 beside crowd workers, and
        less where people agree little.
    metric : {"accuracy", "rmse", "taxonomy"} or callable
        Closeness to the remaining people: the share who gave the same value; minus the root mean
        squared difference of grades; the mean similarity of categories in the taxonomy (path
        similarity); or the mean of ``metric(a, b)``, the similarity of two grades or two names of
        categories.
    alpha : float
        False discovery rate.
    level : float
        Of the intervals of the advantage.
    min_items : int
        People with fewer items are not tested.
    clusters : {"query", None}
        What varies together. By default the items of a query, so that the tests are Student's over
        queries (jackknife over clusters). None takes all items as independent, as the authors do;
        so it is where items have no queries, or there is only one query.
    across_models : bool
        Correct for the tests of all models together; by default those of each model are a family.
    rel : number or mapping of subject to number, optional
        The lowest grade that is relevant, one for all or each person's and judge's own where
        scales differ: grades become 1 from there on, else 0.

    Returns
    -------
    AlternativeAnnotator

    Raises
    ------
    DataError
        There are fewer than three people, somebody judged an item repeatedly, people and models
        judged nothing in common, nobody has `min_items` items, or a metric does not go with the
        votes.
    OptionError
        An option has a value that it does not take.

    Warns
    -----
    ScaleWarning
        Grades of some people or models keep to a shorter scale than those of the others.
    LeftOutWarning
        Items are judged by one person only, or by no model; people have fewer than `min_items`
        items, or no model judged what they did; models judged different items.
    ClusterWarning
        There are fewer than 10 queries.
    DegenerateWarning
        A person's differences have no spread (see Notes).

    Notes
    -----
    Differences d that are all equal have no t. If they are below `epsilon`, p is the largest
    probability of G such differences (items or clusters) that a mean of `epsilon` allows,
    ((1 - epsilon) / (1 - d))ᴳ; if not, 1. An advantage without spread has an interval of the same
    kind, Clopper and Pearson's if the model always has the advantage, or never.

    References
    ----------
    Calderon, Reichart & Dror 2025, The alternative annotator test for LLM-as-a-judge, ACL (their
    own implementation: ``clusters=None``); Benjamini & Yekutieli 2001, Annals of Statistics 29.

    Examples
    --------
    >>> import numpy as np, fuzzytruth as ft
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(0, 2, 60)
    >>> votes = [np.where(rng.random(60) < wrong, 1 - truth, truth) for wrong in (.3, .3, .3, .1)]
    >>> query, item = np.repeat(np.arange(30), 2), np.arange(60)
    >>> human = ft.Judgments.from_columns(
    ...     np.tile(query, 3), np.tile(item, 3), np.concatenate(votes[:3]),
    ...     subject=np.repeat(["ann", "bob", "cat"], 60))
    >>> model = ft.Judgments.from_columns(query, item, votes[3])
    >>> result = ft.alternative_annotator(human, model)
    >>> result
    AlternativeAnnotator(1 model, 1 passed, 3 people, epsilon=0.2)
    >>> result.to_frame().round(3).values.tolist()[0][:4]
    ['model', 1.0, True, 0.9]
    """
    given = _number("epsilon", epsilon)
    require("epsilon", epsilon, 0 <= given <= 1, "must lie between 0 and 1, a share of items")
    alpha, level = between_zero_and_one("alpha", alpha), between_zero_and_one("level", level)
    least = whole_number("min_items", min_items, 2)
    choice("clusters", clusters, ("query", None))
    require(
        "across_models", across_models, isinstance(across_models, bool), "must be True or False"
    )
    name = check_metric(metric)
    human, model = binary_both(human, model, rel)
    distances = metric != "accuracy"
    votes = match_votes(human, model, "alternative_annotator", distances=distances)
    if len(votes.subjects) < 3:
        raise DataError(
            f"human: {counted(len(votes.subjects), 'person', 'people')} judged; the test takes "
            "three or more, since it holds each person against the others, of whom one alone has "
            "no agreement that both could be close to"
        )
    votes, n_alone = _with_company(votes)
    units = np.arange(votes.n_units)
    together = clusters == "query" and votes.cluster is not None and votes.n_clusters > 1
    if together:
        _warn_of_clusters(votes.n_clusters)
    cluster = votes.cluster if together and votes.cluster is not None else units
    alignment = value_similarity(votes, metric)
    tests = [
        _tests_of(votes, judge, alignment, cluster, given, least)
        for judge in range(len(votes.judges))
    ]
    _check_tested(tests, votes, least)
    _warn_of_different_items(votes)
    people = people_table(tests, votes, alpha=alpha, least=least, across=across_models)
    return AlternativeAnnotator(
        models_table(tests, votes, people, level=level, least=least),
        people,
        given,
        alpha,
        level,
        name,
        "query" if together else None,
        least,
        across_models,
        n_alone,
    )


def _number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        raise OptionError(f"{name}={shown(value)}: must be a number")
    return option_number(name, value)


def _with_company(votes: MatchedVotes) -> tuple[MatchedVotes, int]:
    """Only units that two people or more judged, and how many others there are."""
    kept: Bools = votes.voters >= 2
    n_alone = int((~kept).sum())
    if not n_alone:
        return votes, 0
    if not kept.any():
        raise DataError(
            "human: no item was judged by two people; the test holds each person against the others"
        )
    warn(
        f"alternative_annotator: {counted(n_alone, 'item is', 'items are')} left out, which one "
        "person alone judged",
        LeftOutWarning,
    )
    return votes.restrict(kept), n_alone


def _tests_of(
    votes: MatchedVotes,
    judge: int,
    similarity: Any,
    cluster: Ints,
    epsilon: float,
    least: int,
) -> PersonTests:
    """Tests of one model against each person, on the units that it judged."""
    answer = np.full(votes.n_units, -1)
    of_model = votes.models.of(judge)
    answer[of_model.unit] = of_model.value
    people: VoteRows = votes.people.select(answer[votes.people.unit] >= 0)
    rival = answer[people.unit]
    if similarity == "rmse":
        grades: Floats = np.asarray(votes.grades)
        gap = squared_error_gaps(people.unit, grades[people.value], votes.n_units, grades[rival])
    else:
        gap = similarity_gaps(people.unit, people.value, votes.n_units, rival, similarity)
    n = len(votes.subjects)
    return person_tests(
        gap,
        people.who,
        cluster[people.unit],
        n_people=n,
        epsilon=epsilon,
        tested=np.bincount(people.who, minlength=n) >= least,
    )


def _warn_of_clusters(n: int) -> None:
    if n < FEW_CLUSTERS:
        warn(
            f"alternative_annotator: there are {n} queries; below {FEW_CLUSTERS}, a single test "
            "may find false wins twice as often as its level says",
            ClusterWarning,
        )


def _warn_of_different_items(votes: MatchedVotes) -> None:
    """Warn where models left out items that others judged: their advantages are of other items."""
    n = np.bincount(votes.models.who, minlength=len(votes.judges))
    if n.min() < votes.n_units and len(n) > 1:
        fewest = votes.judges[int(n.argmin())]
        warn(
            "alternative_annotator: models judged different items, and one that leaves out what is "
            f"hard seems better; the fewest: {fewest!r}, {n.min():,} of {votes.n_units:,}",
            LeftOutWarning,
        )


def _check_tested(tests: list[PersonTests], votes: MatchedVotes, least: int) -> None:
    """Warn of people and differences that cannot be tested; raise if nobody can."""
    n_items = np.array([test.n_items for test in tests])  # (models, people)
    enough = n_items >= least
    if not enough.any(axis=1).all():
        judge = int(np.flatnonzero(~enough.any(axis=1))[0])
        raise DataError(
            f"alternative_annotator: no person shares {least} items with the model "
            f"{votes.judges[judge]!r} (at most {int(n_items[judge].max())}); judge more items, or "
            "lower min_items=, below 30 of which Student's t is not safe"
        )
    everywhere: list[bool] = np.all(enough, axis=0).tolist()
    few = [name for name, ok in zip(votes.subjects, everywhere, strict=True) if not ok]
    if few:
        warn(
            f"alternative_annotator: {counted(len(few), 'person is', 'people are')} not tested, "
            f"having fewer than {least} items with a model: {first_few(few)}",
            LeftOutWarning,
        )
    constant = int((np.array([test.std_error for test in tests])[enough] == 0).sum())
    if constant:
        warn(
            f"alternative_annotator: {counted(constant, 'test has', 'tests have')} differences "
            "without spread, which have no t; p is the most that a mean of epsilon allows",
            DegenerateWarning,
        )
