"""`alternative_annotator`: whether a model judge may stand in for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fuzzytruth import errors
from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Bools, Floats, Ints
from fuzzytruth.annotators.model_judges import matched_votes
from fuzzytruth.annotators.model_judges.matched_votes import MatchedVotes, VoteRows
from fuzzytruth.annotators.ratings import COLUMNS, interval_axis
from fuzzytruth.core import validation
from fuzzytruth.errors import counted, first_few, plural, require, shown, warn
from fuzzytruth.evaluation.scores.summary import FEW_CLUSTERS
from fuzzytruth.plots.frames import PlotData, Title
from fuzzytruth.show.answer import Parts, Result, Sentences, printed_table
from fuzzytruth.show.number_text import level_text
from fuzzytruth.stats.alternative_annotator import (
    PersonTests,
    Similarity,
    person_tests,
    similarity_gaps,
    squared_error_gaps,
)
from fuzzytruth.stats.multiplicity import adjust

_MOST_MODELS = 10

_SHORT = ["judge", *COLUMNS, "winning_rate", "passes"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AlternativeAnnotator(Result):
    """Whether model judges may stand in for people.

    Parameters
    ----------
    judges : DataFrame
        One row a judge: judge, winning_rate (share of the people that it wins against), passes
        (a rate of .5 or more), advantage (average advantage probability: the mean over people of
        the share of items on which the judge is at least as close to the other people as the person
        is), lower and upper (its interval), n_people (who were tested), n_units.
    people : DataFrame
        One row a judge and person: judge, subject, n_items, n_clusters, model_share and
        person_share (of the items on which the judge, or the person, is at least as close to the
        others as the other one), difference (person_share - model_share), std_error, df, p,
        p_adjusted, wins. NaN, and no win, where a person has fewer than `min_items` items.
    epsilon, alpha, level : float
    metric : str
    over : {"query", "item"}
        What intervals and tests are over.
    min_items : int
    across_models : bool
        Whether the tests of all models are one family.
    n_alone : int
        Items that only one person judged, which were left out.
    """

    judges: pd.DataFrame
    people: pd.DataFrame
    epsilon: float
    alpha: float
    level: float
    metric: str
    over: Literal["query", "item"]
    min_items: int
    across_models: bool
    n_alone: int

    def __repr__(self) -> str:
        passed = int(self.judges["passes"].sum())
        return (
            f"AlternativeAnnotator({counted(len(self.judges), 'model')}, {passed} passed, "
            f"{counted(self.people['subject'].nunique(), 'person', 'people')}, "
            f"epsilon={self.epsilon:g})"
        )

    _more = ".to_frame(), .to_frame(full=True), .people"

    def _title(self) -> str:
        people = self.people["subject"].nunique()
        return (
            f"Alternative annotator test of {counted(len(self.judges), 'model')} beside "
            f"{counted(people, 'person', 'people')} (epsilon {self.epsilon:g}, {self.metric})"
        )

    def _parts(self) -> Parts:
        """Who passes, then one row a model, the largest advantage first."""
        table = printed_table(
            self.judges.sort_values("advantage", ascending=False, kind="stable"),
            {
                "judge": "judge",
                ("winning_rate", "n_people"): ("wins", lambda rate, n: f"{round(rate * n)} of {n}"),
                "winning_rate": ("rate", ".2f", "extra"),
                "passes": ("passes", lambda ok: "yes" if ok else "no", "extra"),
                "advantage": ("advantage", ".3f"),
                ("lower", "upper"): (level_text(self.level), ".3f"),
            },
            limit=_MOST_MODELS,
            cut="the first {shown} of {rows:,} judges",
        )
        return [self._verdict(), table, self._legend()]

    def _verdict(self) -> str:
        """Who passes."""
        models = self.judges
        passed = [*models.loc[models["passes"], "judge"]]
        if len(models) == 1:
            word = "passes" if passed else "does not pass"
            rate, n = float(models["winning_rate"].iloc[0]), int(models["n_people"].iloc[0])
            people = counted(n, "person", "people")
            if n < len(self.people):
                people = f"the {people} tested ({len(self.people) - n} not tested)"
            return (
                f"{models['judge'].iloc[0]} {word}: it wins against {round(rate * n)} of {people}."
            )
        if not passed:
            return "No model passes: none wins against half of the people."
        does = "passes" if len(passed) == 1 else "pass"
        return f"{len(passed)} of {len(models)} models {does}: {first_few(passed, 3)}."

    def _legend(self) -> Sentences:
        """What the numbers are."""
        over = "queries" if self.over == "query" else "items, taken as independent"
        family = "the people and models together" if self.across_models else "the people of a model"
        return Sentences.of(
            "Wins: people against whom the model is closer to the other people, or as close, on a "
            f"significantly larger share of items than the person's minus {self.epsilon:g}; it "
            f"passes with half or more of the people tested, who share {self.min_items} items or "
            "more with it.",
            f"Tests: Student's t over {over}; Benjamini-Yekutieli over {family}, at a false "
            f"discovery rate of {self.alpha:g}: not the chance of any false win.",
            "Advantage: share of items on which the model is closer to the other people than a "
            "person, or as close, averaged over people.",
            f"Brackets: {level_text(self.level)} intervals of the advantage over {over}, one model "
            "at a time.",
        )

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row a judge, or with ``full=True`` one row a judge and person; a copy.

        Columns: judge, coefficient ("advantage"), value, lower, upper, n_units, winning_rate,
        passes.
        """
        if validation.option_flag("full", full):
            return self.people.copy()
        rows = self.judges.rename(columns={"advantage": "value"}).assign(coefficient="advantage")
        return rows[_SHORT]

    def plot(self, ax: Axes | None = None, *, title: Title = True) -> Axes:
        """Draw each model's advantage with its interval, and below it the people on these items.

        A model's advantage is the mean, over the people who were tested, of the share of items on
        which it is at least as close to the others as the person is; a person's mark is the share
        on which the person is at least as close as the model.

        Parameters
        ----------
        ax, title
            As in `plots.means`.

        Examples
        --------
        >>> import numpy as np, fuzzytruth as ft
        >>> query, item = np.repeat(np.arange(30), 2), np.arange(60)
        >>> votes = np.random.default_rng(0).integers(0, 2, (4, 60))
        >>> human = ft.Judgments.from_columns(
        ...     np.tile(query, 3), np.tile(item, 3), votes[:3].ravel(),
        ...     subject=np.repeat(["ann", "bob", "cat"], 60))
        >>> model = ft.Judgments.from_columns(query, item, votes[3])
        >>> ax = ft.alternative_annotator(human, model).plot()
        >>> [text.get_text() for text in ax.get_legend().get_texts()]
        ['model, mean over people', 'ann', 'bob', 'cat']
        """
        from fuzzytruth.plots import means

        return means(self, ax, title=title)

    _figures: ClassVar[tuple[str, ...]] = ("means",)

    def _plot_data(self, figure: str, measure: Any = None) -> PlotData:
        """Advantage of each model, and each person's own share of the same items."""
        people = self.people.dropna(subset="p")
        rows = self.judges.rename(columns={"judge": "system", "advantage": "mean"})
        each = people.rename(columns={"judge": "system", "person_share": "mean"})
        return PlotData(
            rows[["system", "mean", "lower", "upper"]].assign(measure="advantage"),
            f"Alternative annotator test of {counted(len(rows), 'model')} beside "
            f"{counted(people['subject'].nunique(), 'person', 'people')} (epsilon "
            f"{self.epsilon:g}, {self.metric})\n"
            f"Bars: {level_text(self.level)} intervals over {plural(self.over)}, one model at a "
            "time\n"
            "Small marks: the people, on the same items",
            each[["system", "subject", "mean"]].assign(measure="advantage"),
            {
                "axis": "share of items at least as close to the other people",
                "mean": "model, mean over people",
                "subject": "each person",
            },
        )


# Tables of the alternative annotator test: one row a model, and one row a model and person.


#: fields of the tests that are columns
_TESTED = (
    *("n_items", "n_clusters", "model_share", "person_share"),
    *("difference", "std_error", "df", "p"),
)


def _tables(
    tests: list[PersonTests],
    votes: MatchedVotes,
    alpha: float,
    level: float,
    least: int,
    *,
    across: bool,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Models and people; `across`: the tests of all models are one family."""
    judges, subjects = (np.array(x, dtype=object) for x in (votes.judges, votes.subjects))
    shape = len(judges), len(subjects)
    people = pd.DataFrame(
        {"judge": np.repeat(judges, shape[1]), "subject": np.tile(subjects, shape[0])}
        | {name: np.concatenate([getattr(test, name) for test in tests]) for name in _TESTED}
    )
    tested = people["n_items"] >= least
    people.loc[~tested, ["std_error", "df", "p"]] = np.nan
    p: Floats = people["p"].to_numpy().reshape(shape)
    families = [p.ravel()] if across else list(p)
    people["p_adjusted"] = np.concatenate([adjust(f, "fdr_by", level=1 - alpha) for f in families])
    people["wins"] = people["p_adjusted"] <= alpha
    wins, n_people = (x.to_numpy().reshape(shape).sum(axis=1) for x in (people["wins"], tested))
    ends = np.array([test.interval(level) for test in tests])
    models = pd.DataFrame(
        {
            "judge": list(votes.judges),
            "winning_rate": wins / n_people,
            "passes": wins / n_people >= 0.5,
            "advantage": [test.advantage for test in tests],
            "lower": ends[:, 0],
            "upper": ends[:, 1],
            "n_people": n_people,
            "n_units": np.bincount(votes.models.who, minlength=len(tests)),
        }
    )
    return models, people


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
    raise errors.OptionError(
        f"metric={shown(metric)}: must be one of {listed}, or a function of two votes"
    )


#: who is closer, of votes by unit and value and a rival value each: (unit, value, units, rival)
Gaps = Callable[[Ints, Ints, int, Ints], NDArray[np.int8]]


def gaps_by(metric: Metric, votes: MatchedVotes) -> Gaps:
    """Who is closer to the other people by a metric, for values by their codes.

    Raises
    ------
    DataError
        The votes have no grades or no taxonomy, as the metric needs.
    """
    grades = votes.grades
    if metric == "accuracy":
        return similarity_gaps
    if metric == "taxonomy":
        return partial(similarity_gaps, similarity=_of_taxonomy(votes))
    if callable(metric):
        values = votes.names if grades is None else grades.tolist()
        return partial(similarity_gaps, similarity=_of_function(metric, values))
    if grades is None:
        raise errors.DataError(
            "metric='rmse': these votes are categories, which have no differences; take "
            "'accuracy' or 'taxonomy'"
        )
    return lambda unit, value, n_units, rival: squared_error_gaps(
        unit, grades[value], n_units, grades[rival]
    )


def _of_taxonomy(votes: MatchedVotes) -> Similarity:
    """Path similarity of single categories."""
    if votes.grades is not None or votes.taxonomy is None:
        raise errors.DataError(
            "metric='taxonomy': these votes are grades, of which there is no taxonomy; take "
            "'accuracy' or 'rmse'"
        )
    number = {name: code for code, name in enumerate(votes.taxonomy.nodes)}
    unknown = [name for name in votes.names if name not in number]
    if unknown:
        raise errors.DataError(
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
                raise errors.DataError(
                    f"metric({shown(first)}, {shown(second)}): gives no number ({error})"
                ) from error
            if not np.isfinite(out[place]):
                raise errors.DataError(
                    f"metric({shown(first)}, {shown(second)}) = {out[place]:g}: must be finite"
                )
        return np.asarray(out[which.reshape(-1)])

    return similarity


def alternative_annotator(
    votes: Any,
    model: Any,
    *,
    over: Literal["item", "query"] | None = None,
    epsilon: float = 0.2,
    metric: Metric = "accuracy",
    alpha: float = 0.05,
    level: float = 0.95,
    min_items: int = 30,
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
    votes : Judgments, Assignments, or what `as_judgments` takes
        Votes of three or more people with names, a row each.
    model : the same
        Votes of one or several model judges, on these items at least. Judgments without subjects
        are those of one judge, called "model".
    over : {"item", "query"}, optional
        What tests and intervals are over: items, as if all were independent, as the authors take
        them; or queries, whose items vary together (the tests are then Student's over queries, by
        the jackknife). By default queries, if there are two or more.
    epsilon : float
        How much worse than a person a model may be: .2 beside experts, .1 a crowd. It is a share of
        items, from 0 to 1; the authors recommend .15 beside skilled people, and less where people
        agree little.
    metric : {"accuracy", "rmse", "taxonomy"} or callable
        Closeness to the other people, in the test. The share who gave the same value; minus the
        root mean squared difference of grades; the mean similarity of categories in the taxonomy
        (path similarity); or the mean of ``metric(a, b)``, the similarity of two grades or two
        names of categories.
    alpha : float
        False discovery rate of the test.
    level : float
        Of the intervals of the advantage.
    min_items : int
        People with fewer items are not tested.
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
    own implementation: ``over="item"``); Benjamini & Yekutieli 2001, Annals of Statistics 29.

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
    >>> result.to_frame()[["judge", "value", "winning_rate", "passes"]].values.tolist()
    [['model', 0.9, 1.0, True]]
    """
    given = _number("epsilon", epsilon)
    require("epsilon", epsilon, 0 <= given <= 1, "must lie between 0 and 1, a share of items")
    alpha, level = (
        validation.between_zero_and_one("alpha", alpha),
        validation.between_zero_and_one("level", level),
    )
    least = validation.whole_number("min_items", min_items, 2)
    validation.option_flag("across_models", across_models)
    name = check_metric(metric)
    human, model = matched_votes.named_votes(votes, model, rel)
    distances = metric != "accuracy"
    matched = matched_votes.match_votes(human, model, "alternative_annotator", distances=distances)
    if len(matched.subjects) < 3:
        raise errors.DataError(
            f"votes: {counted(len(matched.subjects), 'person', 'people')} judged; the test takes "
            "three or more, since it holds each person against the others, of whom one alone has "
            "no agreement that both could be close to"
        )
    matched, n_alone = _with_company(matched)
    over = interval_axis(over, matched.n_queries)
    if over == "query" and matched.n_clusters < FEW_CLUSTERS:
        warn(
            f"alternative_annotator: there are {matched.n_clusters} queries; below {FEW_CLUSTERS}, "
            "a single test may find false wins twice as often as its level says",
            errors.ClusterWarning,
        )
    units = np.arange(matched.n_units)
    cluster = units if over == "item" or matched.cluster is None else matched.cluster
    gaps = gaps_by(metric, matched)
    tests = [
        _tests_of(matched, judge, gaps, cluster, given, least)
        for judge in range(len(matched.judges))
    ]
    _check_tested(tests, matched, least)
    _warn_of_different_items(matched)
    judges, people = _tables(tests, matched, alpha, level, least, across=across_models)
    return AlternativeAnnotator(
        judges, people, given, alpha, level, name, over, least, across_models, n_alone
    )


def _number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        raise errors.OptionError(f"{name}={shown(value)}: must be a number")
    return validation.option_number(name, value)


def _with_company(votes: MatchedVotes) -> tuple[MatchedVotes, int]:
    """Only units that two people or more judged, and how many others there are."""
    kept: Bools = votes.voters >= 2
    n_alone = int((~kept).sum())
    if not n_alone:
        return votes, 0
    if not kept.any():
        raise errors.DataError(
            "votes: no item was judged by two people; the test holds each person against the others"
        )
    warn(
        f"alternative_annotator: {counted(n_alone, 'item is', 'items are')} left out, which one "
        "person alone judged",
        errors.LeftOutWarning,
    )
    return votes.restrict(kept), n_alone


def _tests_of(
    votes: MatchedVotes, judge: int, gaps: Gaps, cluster: Ints, epsilon: float, least: int
) -> PersonTests:
    """Tests of one model against each person, on the units that it judged."""
    answer = np.full(votes.n_units, -1)
    of_model = votes.models.of(judge)
    answer[of_model.unit] = of_model.value
    people: VoteRows = votes.people.select(answer[votes.people.unit] >= 0)
    rival = answer[people.unit]
    n = len(votes.subjects)
    return person_tests(
        gaps(people.unit, people.value, votes.n_units, rival),
        people.who,
        cluster[people.unit],
        n_people=n,
        epsilon=epsilon,
        tested=np.bincount(people.who, minlength=n) >= least,
    )


def _warn_of_different_items(votes: MatchedVotes) -> None:
    """Warn where models left out items that others judged: their advantages are of other items."""
    n = np.bincount(votes.models.who, minlength=len(votes.judges))
    if n.min() < votes.n_units and len(n) > 1:
        fewest = votes.judges[int(n.argmin())]
        warn(
            "alternative_annotator: models judged different items, and one that leaves out what is "
            f"hard seems better; the fewest: {fewest!r}, {n.min():,} of {votes.n_units:,}",
            errors.LeftOutWarning,
        )


def _check_tested(tests: list[PersonTests], votes: MatchedVotes, least: int) -> None:
    """Warn of people and differences that cannot be tested; raise if nobody can."""
    n_items = np.array([test.n_items for test in tests])  # (models, people)
    enough = n_items >= least
    if not enough.any(axis=1).all():
        judge = int(np.flatnonzero(~enough.any(axis=1))[0])
        raise errors.DataError(
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
            errors.LeftOutWarning,
        )
    constant = int((np.array([test.std_error for test in tests])[enough] == 0).sum())
    if constant:
        warn(
            f"alternative_annotator: {counted(constant, 'test has', 'tests have')} differences "
            "without spread, which have no t; p is the most that a mean of epsilon allows",
            errors.DegenerateWarning,
        )
