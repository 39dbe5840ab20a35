"""`alternative_annotator`: whether a model judge may stand in for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.annotators.model_judges.judge_result import AlternativeAnnotator, Clusters
from fuzzytruth.annotators.model_judges.matched_votes import (
    MatchedVotes,
    VoteRows,
    binary_both,
    match_votes,
)
from fuzzytruth.core.arithmetic import ROUNDING
from fuzzytruth.core.segments import ragged
from fuzzytruth.core.validation import between_zero_and_one, option_number, whole_number
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
from fuzzytruth.evaluation.scores.query_groups import FEW_CLUSTERS
from fuzzytruth.stats.alternative_annotator import PersonTests, person_tests
from fuzzytruth.stats.corrections import adjust

# Tables of the alternative annotator test: one row a model, and one row a model and person.


#: column -> attribute of the tests
_COLUMNS = {
    "n_items": "n_items",
    "n_clusters": "n_clusters",
    "model_share": "model",
    "person_share": "person",
    "difference": "difference",
    "std_error": "std_error",
    "df": "df",
    "p": "p",
}


def people_table(
    tests: list[PersonTests], votes: MatchedVotes, *, alpha: float, least: int, across: bool
) -> pd.DataFrame:
    """One row a model and person; `across`: the tests of all models are one family."""
    n_models, n_people = len(tests), len(votes.subjects)
    people = pd.DataFrame(
        {
            "model": np.repeat(np.array(votes.judges, dtype=object), n_people),
            "subject": np.tile(np.array(votes.subjects, dtype=object), n_models),
        }
        | {name: np.concatenate([getattr(t, own) for t in tests]) for name, own in _COLUMNS.items()}
    )
    people.loc[people["n_items"] < least, ["std_error", "df", "p"]] = np.nan
    p: Floats = people["p"].to_numpy().reshape(n_models, n_people)
    families = [p.ravel()] if across else list(p)
    people["p_adjusted"] = np.concatenate([adjust(f, "fdr_by", level=1 - alpha) for f in families])
    people["wins"] = people["p_adjusted"] <= alpha
    return people


def models_table(
    tests: list[PersonTests], votes: MatchedVotes, people: pd.DataFrame, *, level: float, least: int
) -> pd.DataFrame:
    """One row a model."""
    shape = len(tests), len(votes.subjects)
    tested: Bools = (people["n_items"] >= least).to_numpy().reshape(shape)
    rate = people["wins"].to_numpy().reshape(shape).sum(axis=1) / tested.sum(axis=1)
    ends = [test.interval(level) for test in tests]
    return pd.DataFrame(
        {
            "model": list(votes.judges),
            "winning_rate": rate,
            "passes": rate >= 0.5,
            "advantage": [test.advantage for test in tests],
            "lower": [lower for lower, _ in ends],
            "upper": [upper for _, upper in ends],
            "n_people": tested.sum(axis=1),
            "n_items": np.bincount(votes.models.who, minlength=len(tests)),
        }
    )


# Who is closer to the other people: a person or somebody else, unit by unit.
#
# A vote's alignment with the other people who judged a unit is the mean similarity of its value and
# theirs, or minus the root mean squared difference. Only its order matters here, and all compared
# votes of a unit have the same others.
#
# References
# ----------
# Calderon, N., Reichart, R. & Dror, R. (2025), The alternative annotator test for LLM-as-a-judge,
# ACL.


#: similarity of values, by their codes, element by element
Similarity = Callable[[Ints, Ints], Floats]


def similarity_gaps(
    unit: Ints, value: Ints, n_units: int, rival: Ints, similarity: Similarity | None = None
) -> NDArray[np.int8]:
    """Sign of each vote's similarity to the others minus that of a rival's value: (votes,).

    Parameters
    ----------
    unit, value : (votes,) int
        Votes of people, units ascending.
    n_units : int
    rival : (votes,) int
        The value that is compared with each vote.
    similarity : callable, optional
        By default 1 for equal values, else 0.
    """
    if similarity is None:
        counts = _Counts(unit, value, max(int(value.max(initial=0)), int(rival.max(initial=0))) + 1)
        more = counts.of(unit, value) - 1 - counts.of(unit, rival) + (rival == value)
        return np.asarray(np.sign(more)).astype(np.int8)
    totals = [_sums(unit, value, n_units, one, similarity) for one in (value, rival)]
    own = totals[0] - similarity(value, value)
    other = totals[1] - similarity(rival, value)
    largest = np.maximum(np.abs(totals[0]), np.abs(totals[1]))
    gap = own - other
    out: NDArray[np.int8] = np.where(np.abs(gap) <= ROUNDING * largest, 0, np.sign(gap)).astype(
        np.int8
    )
    return out


def squared_error_gaps(unit: Ints, grade: Floats, n_units: int, rival: Floats) -> NDArray[np.int8]:
    """Sign of a rival's mean squared difference from the others minus that of each vote: (votes,).

    Positive where the vote is closer. The parameters are those of `similarity_gaps`, as numbers.
    """
    n = np.bincount(unit, minlength=n_units)[unit] - 1.0  # others
    others: Any = np.bincount(unit, grade, n_units)[unit] - grade
    between = n * (rival + grade) - 2 * others
    largest = n * np.maximum(np.abs(rival), np.abs(grade)) + np.abs(others)
    between = np.where(np.abs(between) <= ROUNDING * largest, 0.0, between)
    return np.asarray(np.sign(rival - grade) * np.sign(between)).astype(np.int8)


class _Counts:
    """How many people gave each value to each unit."""

    def __init__(self, unit: Ints, value: Ints, n_values: int) -> None:
        self.n_values = n_values
        self.key, self.count = np.unique(unit * n_values + value, return_counts=True)

    def of(self, unit: Ints, value: Ints) -> Ints:
        """Of some units and values."""
        key = unit * self.n_values + value
        place = np.minimum(np.searchsorted(self.key, key), len(self.key) - 1)
        out: Ints = np.where(self.key[place] == key, self.count[place], 0)
        return out


def _sums(unit: Ints, value: Ints, n_units: int, compared: Ints, similarity: Similarity) -> Floats:
    """Sum of the similarities of each compared value and all votes of its unit: (votes,)."""
    offsets = np.searchsorted(unit, np.arange(n_units + 1))
    owner, vote = ragged(offsets, unit)
    each = similarity(compared[owner], value[vote])
    return np.bincount(owner, each, len(unit)).astype(np.float64)


# Similarity of two votes: equal, alike in a taxonomy, or as a function says.


Metric = Literal["accuracy", "rmse", "taxonomy"] | Callable[[Any, Any], float]

_NAMES = ("accuracy", "rmse", "taxonomy")


def check_metric(metric: object) -> str:
    """The name of a metric.

    Raises
    ------
    OptionError
        It is neither a name nor a function.
    """
    if callable(metric):
        return str(getattr(metric, "__name__", "function"))
    if isinstance(metric, str) and metric in _NAMES:
        return metric
    listed = ", ".join(map(repr, _NAMES))
    raise OptionError(
        f"metric={shown(metric)}: must be one of {listed}, or a function of two votes"
    )


def value_similarity(votes: MatchedVotes, metric: Metric) -> Similarity | Literal["rmse"] | None:
    """The similarity of values by their codes; None for equality.

    Raises
    ------
    DataError
        The votes have no grades or no taxonomy, as the metric needs.
    """
    if metric == "accuracy":
        return None
    if metric == "rmse":
        if votes.grades is None:
            raise DataError(
                "metric='rmse': these votes are categories, which have no differences; take "
                "'accuracy' or 'taxonomy'"
            )
        return "rmse"
    if metric == "taxonomy":
        return _of_taxonomy(votes)
    assert callable(metric)
    values = votes.names if votes.grades is None else votes.grades.tolist()
    return _of_function(metric, values)


def _of_taxonomy(votes: MatchedVotes) -> Similarity:
    """Path similarity of single categories."""
    if votes.grades is not None or votes.taxonomy is None:
        raise DataError(
            "metric='taxonomy': these votes are grades, of which there is no taxonomy; take "
            "'accuracy' or 'rmse'"
        )
    number = {name: code for code, name in enumerate(votes.taxonomy.nodes)}
    unknown = [name for name in votes.names if name not in number]
    if unknown:
        raise DataError(
            f"metric='taxonomy': {shown(unknown[0])} is no single category of the people's "
            "taxonomy; take 'accuracy', or a function of two votes"
        )
    node = np.array([number[name] for name in votes.names])
    table = votes.taxonomy.similarities()[np.ix_(node, node)]
    return lambda a, b: np.asarray(table[a, b])


def _of_function(function: Callable[[Any, Any], float], values: Any) -> Similarity:
    """A function of two votes, asked once for each pair of values that occurs."""

    def similarity(a: Ints, b: Ints) -> Floats:
        pairs, which = np.unique(a * len(values) + b, return_inverse=True)
        out = np.empty(len(pairs))
        for place, pair in enumerate(pairs.tolist()):
            first, second = values[pair // len(values)], values[pair % len(values)]
            try:
                out[place] = function(first, second)
            except (TypeError, ValueError) as error:
                raise DataError(
                    f"metric({shown(first)}, {shown(second)}): gives no number ({error})"
                ) from error
            if not np.isfinite(out[place]):
                raise DataError(
                    f"metric({shown(first)}, {shown(second)}) = {out[place]:g}: must be finite"
                )
        return np.asarray(out[which.reshape(-1)])

    return similarity


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
