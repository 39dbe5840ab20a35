"""`annotate_next`: which items more votes would tell most about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, get_args

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.annotators.planning import category_votes, vote_posterior
from fuzzytruth.annotators.planning.next_votes import NextVotes, next_votes
from fuzzytruth.annotators.ratings import ShareEstimates, ratings_of
from fuzzytruth.core.arithmetic import ROUNDING, divide
from fuzzytruth.core.randomness import entropy_of
from fuzzytruth.core.validation import MOST, option_flag, option_number, whole_number
from fuzzytruth.data.by_example import ByExample, ByItem
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.ranking import Ties
from fuzzytruth.data.ratings import Ratings
from fuzzytruth.data.reading import as_runs
from fuzzytruth.data.runs import Runs
from fuzzytruth.data.votes_without_queries import as_votes, votes_for_runs
from fuzzytruth.errors import counted, first_few, nearest, plural, printable, require, shown, warn
from fuzzytruth.evaluation.validation import binary_truth, check_truth, report_grades
from fuzzytruth.measures import Measure, parse_measure
from fuzzytruth.show.answer import FrameColumns, Parts, Result, Sentences, Table, printed_table
from fuzzytruth.show.answer_rows import short_id
from fuzzytruth.show.number_text import numbers_format, values_format, written
from fuzzytruth.truth import align

_ROWS = 10
_LONG = 24  # characters of an id, beyond which it takes several lines
_NOTED = 0.01  # share of the variance, from which interactions are worth a sentence
_MOST_GRADES = 12
_FIRST = ["query", "item", "n_votes", "grade", "category", "share", "narrowing", "cumulative"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AnnotationOrder(Result):
    """Which items to annotate next, for the difference of two systems.

    Three things make a difference of two systems uncertain, and only the first becomes smaller by
    more votes: `std_error` is because items have few votes; `disagreement` is because people
    disagree, however many are asked; `std_error_queries` is because there are few queries.

    Parameters
    ----------
    items : DataFrame
        One row for each item of a query, those first of which `k` more votes are expected to remove
        most: query, item; n_votes (0: unjudged); grade, its estimated mean; share of the variance
        of the difference that comes from this item's votes being few (of all items, these add up to
        1); narrowing, the share of the variance that `k` more votes on it are expected to remove;
        cumulative, the same for this item and all above it; rank_a and rank_b, its rank in the
        list of each system (0: not retrieved); mc_error, the Monte Carlo error of the share (0
        where it is exact); std_error, that of the difference after `k` more votes on this item and
        all above it. Of votes for categories, one row for each item, with its most probable
        category instead of query, grade and ranks; mc_error is the most it may be.
    systems : tuple of str
    measure : str
    k : int
        Further votes on each item.
    difference : float
        Mean over queries of the first system's value minus the second one's, in expectation over
        shares of votes; that of `evaluate`, if all retrieved items are judged.
    std_error, std_error_after : float
        Of the difference, as far as it comes from few votes: now, and after `k` more votes on each
        of `items`.
    disagreement : float
        Standard deviation of the difference over worlds, in which each item draws one vote to come.
    std_error_queries : float
        Standard error of the difference, queries being a sample, apart from `std_error`: the
        squares of both add up to the variance of the mean over queries. 0 where that is less than
        few votes explain; NaN for a single query. Queries by example share items, so that what few
        votes add to it is not taken off.
    interactions : float
        What `std_error` leaves out: variance that several items have only together, as a share of
        that of `std_error`. This is the most it may be; 0 for measures that add up items.
    correlation : float
        Of two votes on the same item, given its base rate: from 0 (votes say nothing about the
        item) to 1 (all agree).
    n_queries, n_items, n_unjudged : int
        Queries; items of a query (of votes for categories, items), each counted once; and those of
        them that nobody judged.
    """

    items: pd.DataFrame
    systems: tuple[str, str]
    measure: str
    k: int
    difference: float
    std_error: float
    std_error_after: float
    disagreement: float
    std_error_queries: float
    interactions: float
    correlation: float
    n_queries: int
    n_items: int
    n_unjudged: int

    def __repr__(self) -> str:
        a, b = map(short_id, self.systems)
        return printable(
            f"AnnotationOrder({a} - {b} by {self.measure}: {self.difference:+.4f}, standard error "
            f"{self.std_error:.4f}; {counted(len(self.items), 'item')})"
        )

    def _title(self) -> str:
        a, b = map(short_id, self.systems)
        size = f"{counted(self.n_items, 'item')} of {counted(self.n_queries, 'query')}"
        return f"What to annotate next: {a} - {b} by {self.measure}, {size}"

    def _parts(self) -> Parts:
        """How uncertain the difference is, and the items that come first."""
        style = numbers_format([self.difference, self.disagreement])
        error = written(self.std_error, style)
        found = (
            f"Difference {written(self.difference, style, signed=True)}, standard error {error} "
            "due to few votes"
        )
        if self.n_unjudged:
            found += f" ({counted(self.n_unjudged, 'item has', 'items have')} none)"
        if not self.std_error > 0:
            why = (
                "No item's votes matter to this difference: the systems list the same items in the "
                "same places, or no judged item at all, or all votes have one grade."
            )
            return [Sentences.of(f"{found}.", why)]
        return [
            Sentences.of(f"{found}.", self._first_items(style)),
            self._table(),
            self._legend(style),
            "More: .to_frame(), .to_frame(full=True)",
        ]

    @property
    def _more_votes(self) -> str:
        return "one more vote" if self.k == 1 else f"{self.k:,} more votes"

    def _first_items(self, style: str) -> str:
        """The items that carry half of the variance, or what all that are listed carry."""
        rows = self.items
        total = np.cumsum(rows["share"].to_numpy())
        half = total[-1] >= 0.5 - 1e-9
        n = int(np.argmax(total >= 0.5 - 1e-9)) + 1 if half else len(rows)
        share = "half" if half else f"{100 * total[-1]:.0f} %"
        which = "first" if half or n < self.n_items else "listed"
        error = float(rows["std_error"].iloc[n - 1])
        after = f"bring the standard error to {written(error, style)}"
        if written(error, style) == written(self.std_error, style):  # would seem to change nothing
            change = 100 * (1 - error / self.std_error)
            lowered = written(change, values_format([change], 2))
            after = f"lower the standard error by {lowered} %"
        what, verb, on = ("item", "carries", "it") if n == 1 else (f"{n:,} items", "carry", "each")
        if "query" in rows:
            what += f", of {counted(rows['query'].iloc[:n].nunique(), 'query')},"
        return (
            f"The {which} {what} {verb} {share} of its variance; "
            f"{self._more_votes} on {on} would {after}."
        )

    def _table(self) -> Table:
        """The first items."""
        n, rows = len(self.items), self.items.head(_ROWS)
        ids = [name for name in ("query", "item") if name in rows]
        if n > _ROWS and max(rows[ids].map(len).max()) > _LONG:
            rows = rows.head(_ROWS // 2)
        columns: FrameColumns = {
            "query": ("query", short_id, "label"),
            "item": ("item", short_id, "label"),
            "category": ("category", short_id, "label"),
            "n_votes": ("votes", values_format(rows["n_votes"].tolist(), 2)),
            "grade": ("grade", numbers_format(rows.get("grade", []), 2)),
            "share": ("share", lambda share: f"{100 * share:.1f} %"),
            "std_error": ("std. error", numbers_format([self.difference, self.disagreement], 5)),
        }
        return printed_table(
            rows,
            {name: how for name, how in columns.items() if name in rows},
            title=f"The first {len(rows)} of {n:,} items" if n > len(rows) else "",
        )

    def _legend(self, style: str) -> Sentences:
        """What the columns are, and what more votes do not change."""
        queries = self.std_error_queries
        error = f"standard error of the difference {written(queries, style)}"
        if queries == 0:
            error = "which is estimated to add no error to that of few votes"
        sample = "" if queries != queries else f", nor that queries are a sample ({error})"
        estimate = "Grade: estimated mean."
        if "category" in self.items:
            estimate = "Category: the most probable one."
        together = ""
        if self.interactions > _NOTED:
            together = (
                "What several items change only together adds at most "
                f"{100 * self.interactions:.0f} % to the variance."
            )
        return Sentences.of(
            f"Ordered by the variance that {self._more_votes} would remove. {estimate} Share: of "
            "the variance of the difference, because the item has few votes. Std. error: after "
            f"{self._more_votes} on the item and on all above it.",
            "More votes do not change the disagreement itself (with one vote to come drawn for "
            "each item, the difference has standard deviation "
            f"{written(self.disagreement, style)}){sample}.",
            together,
        )

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """A copy of `items`; all of its columns if `full`, else the first seven."""
        first = [name for name in _FIRST if name in self.items]
        return self.items.copy() if option_flag("full", full) else self.items[first].copy()


# Checks of what is given to `annotate_next`.


def measure_of(given: Any) -> Measure:
    """One measure that scores lists against grades."""
    if given is None:
        raise errors.OptionError("measure: name the measure of the difference, such as 'AP'")
    if isinstance(given, (list, tuple, set)):
        raise errors.OptionError(f"measure={shown(given)}: name one measure, such as 'AP'")
    measure = parse_measure(given)
    if measure.compares_lists or measure.needs_intents:
        what = "whole lists of subjects" if measure.compares_lists else "judgments by intent"
        raise errors.MeasureError(
            f"{measure}: is of {what}, and the grades of single items are what is to be annotated; "
            "use a measure such as AP or nDCG@10"
        )
    return measure


def relevance_level(measure: Measure) -> float | None:
    """The grade that all depends on whether items reach it; None: other grades may matter.

    Of somebody else's measure that is not known: `rel` may be one of several things it uses.
    """
    ours = type(measure).__module__.startswith("fuzzytruth.measures.")
    rel = getattr(measure, "rel", None) if ours else None
    return None if rel is None else float(rel)


def _as_votes(votes: Any, runs: Runs) -> Any:
    """Judgments, or votes for categories."""
    if isinstance(votes, ByExample | ByItem):
        return votes
    read = as_votes(votes, also="votes.by_example(), votes.by_item(), ")
    return votes_for_runs(read, runs)


def graded_ratings(truth: Judgments, measure: Measure, rel: Any) -> tuple[Judgments, Ratings]:
    """Grades of items, and who gave them."""
    if rel is not None:
        truth = binary_truth(truth, (measure,), rel)
    ratings = ratings_of(truth)
    if "intent" in ratings.units:
        raise errors.DataError(
            "votes: items are judged for several intents of a query; keep one, or merge them first"
        )
    if len(ratings.names) > _MOST_GRADES:
        raise errors.DataError(
            f"votes: there are {len(ratings.names)} different grades ({first_few(ratings.names)}), "
            f"and the votes for each are counted; merge them to {_MOST_GRADES} at most, such as by "
            "rel=, the lowest grade that is relevant"
        )
    return truth, ratings


def two_systems(runs: Runs, systems: Any) -> Runs:
    """The two runs that are compared, the first minus the second."""
    if systems is None:
        if len(runs) != 2:
            raise errors.OptionError(
                f"systems: name the two that are compared, systems=(a, b); the runs have "
                f"{counted(len(runs), 'system')}: {first_few(runs.systems, show=shown)}"
            )
        return runs
    listed = None if isinstance(systems, str) or not isinstance(systems, Iterable) else [*systems]
    if listed is None or len(listed) != 2 or listed[0] == listed[1]:
        raise errors.OptionError(f"systems={shown(systems)}: must be two different names")
    for name in listed:
        if not isinstance(name, str) or name not in runs.systems:
            raise errors.OptionError(
                f"systems: {shown(name)} is not among the runs: "
                f"{first_few(runs.systems, 20, show=shown)}{nearest(str(name), runs.systems)}"
            )
    return Runs({name: runs[name] for name in listed})


def checked_prior(prior: Any, options: list[Any], option: str) -> Any:
    """How many votes the prior is worth, or how many for each option: a grade or a category."""
    if prior is None:
        return None
    if not isinstance(prior, Mapping):
        votes = option_number("prior", prior)
        require("prior", prior, votes > 0, "must be above 0, a number of votes")
        return votes
    name: Callable[[Any], Any] = str if option == "category" else partial(option_number, "prior")
    listed = {name(one): option_number("prior", number) for one, number in prior.items()}
    require("prior", prior, all(n > 0 for n in listed.values()), "must be votes above 0")
    lacking = [one if isinstance(one, str) else f"{one:g}" for one in options if one not in listed]
    require(
        "prior", prior, not lacking, f"must have votes for each {option}; not {first_few(lacking)}"
    )
    require("prior", prior, len(listed) > 1, f"must be for two {plural(option)} or more")
    return listed


def annotate_next(
    votes: Judgments | Any,
    runs: Runs | Any = None,
    measure: str | Measure | Any = None,
    *,
    systems: Iterable[str] | None = None,
    k: int = 1,
    prior: float | Mapping[float, float] | None = None,
    unjudged: bool = True,
    limit: int | None = None,
    rel: float | Mapping[str, float] | None = None,
    ties: Ties = "trec",
    n_worlds: int = 1000,
    rng: Any = 0,
    category: str | None = None,
) -> AnnotationOrder | NextVotes:
    """Which items more votes would tell most about, for the difference of two systems.

    Without runs: whose votes on which items would tell most about the panel's answers, or about the
    size of a `category`. A vote's gain is the mutual information of it and the answer, by the model
    that `reliability` chooses; an item gets `k` votes at most, nobody is asked for more than twice
    the mean, and one vote in ten is at random.

    The difference is the mean over queries of the measure's expected value, each item's grade being
    drawn from its share of votes. It is linear in the shares of each single item. So, as shares of
    votes have no bias, the difference has none, whatever the measure; and the variance that comes
    from few votes is a sum over the items (and over what they change only together, see
    `interactions`): an item's part is the variance of the expected difference, given its grade,
    over one vote to come, divided by its number of votes. This is a first order effect (Sobol'
    1993): exact for measures that add up items (P, DCG, RBP), and else estimated from worlds. `k`
    more votes on an item with n are expected to remove the share k / (n + k) of its part, so that
    the items in the order of what they remove are the best choice of any number of them.

    An item's own votes have no say in its place in the list, but for their number: items that got
    more votes because the first ones differed, or agreed, would have biased shares. The vote to
    come is predicted from a base rate instead, which is estimated from the votes on all items, by
    the ranks in both lists and by query (logistic regression), and from how closely items keep to
    base rates (Dirichlet-multinomial). So a unanimous item is not certain.

    Parameters
    ----------
    votes : Judgments, ByExample, ByItem or Assignments
        Votes of several people, with names or as counts; binary or graded (12 grades at most). Also
        what `as_judgments` takes. A subject who judged an item repeatedly has one vote on it.
        Votes for categories are taken by item where runs list categories, else by example, unless
        ``votes.by_example()`` or ``votes.by_item()`` says so; their weights do not count. A table
        without queries is what its answers are: words are votes for categories, and numbers grades
        of one query, the only one of the runs if these have one.
    runs : Runs, optional
        Also what `as_runs` takes.
    measure : str or Measure
        One that scores lists against grades.
    systems : (str, str), optional
        The two systems; the difference is the first one's value minus the second one's. May be
        left out where there are two runs.
    k : int
        How many more votes each item is to get.
    prior : float or mapping of grade to votes, optional
        By default the share of an item is that of its votes, and its base rate serves only where
        there are none. A number, above 0: how many votes the base rate counts as for every item,
        which biases the difference, as base rates never fit quite. A mapping ``{0: 1, 1: .5}``
        replaces all that is estimated from the votes by a Dirichlet distribution, the same for all
        items: what is computed is then its posterior, by which items are ordered, too, and
        narrowing is exact. Of votes for categories: ``{"cat": 1, "dog": .5}``.
    unjudged : bool
        Whether items that a system retrieved and nobody judged are part of it: they have their base
        rate, which is taken to be as uncertain as half a vote. False: they are not relevant, as in
        `evaluate`.
        Only ranks that matter to the measure count. Base rates of ranks at which nobody judged are
        extrapolated. Of votes for categories, items without votes are never part of it.
    limit : int, optional
        How many items to list; by default all.
    rel : number or mapping of subject to number, optional
        The lowest grade that is relevant; see `evaluate`.
    ties : {"trec", "order", "expected"}
        See `evaluate`.
    n_worlds : int
        Worlds drawn where effects are not known exactly, 16 or more.
    rng : int, SeedSequence, Generator or None
    category : str, optional
        Without runs: the answer whose number of items is to be known.

    Returns
    -------
    AnnotationOrder or NextVotes
        The latter without runs.

    Raises
    ------
    DataError
        Nobody's votes: probabilities, or a single truth; votes by intent; too many grades; or a
        system and the votes have no query in common.
    OptionError
        An option has a value that it does not take; or it is not said which two systems.
    MeasureError
        The measure compares lists, or needs intents.

    Warns
    -----
    DegenerateWarning
        No item has two votes, so that it is unknown how much people agree.
    MissingQueryWarning, UnjudgedQueryWarning, UnjudgedRunWarning, AllRelevantWarning, \
FractionWarning, ScaleWarning
        As in `evaluate`.

    Notes
    -----
    Votes on an item are taken as those of people drawn at random: that some subjects are stricter
    than others is ignored, and so is that one subject votes on many items. If one person votes on
    all the items that come first, the difference moves with that person's strictness. Items are
    independent, given their base rates.

    Where the same few people judge everything and differ in strictness, the correlation of votes on
    an item comes out too small, and the standard error a little larger.

    Where items without votes matter much, errors of base rates that they have in common bias the
    difference, and their part of the variance is a rule of thumb (half a vote).

    For measures that depend only on whether grades reach their `rel`, others are not told apart.

    Systems of which nothing differs, and votes that all have one grade, have shares of 0.

    Of votes for categories, one vote on an item matters to every query whose list has the item, and
    as the category that the item itself asks for. Its part is therefore the variance of the
    expected sum over all queries, given the item's category. The base rate of all items is how
    often categories are named. Which part of a vote's variance is within items is estimated by what
    the votes on the same item are worth, so that the standard error fits the votes, while the order
    does not depend on an item's own votes. Measures that do not add up items need the pairs of all
    items, queries and categories: name fewer queries in `by_example` where these are many.

    References
    ----------
    Hoeffding 1948 and Sobol' 1993 (decomposition of variance); Mosimann 1962 (Dirichlet and
    multinomial); Carterette, Allan & Sitaraman 2006, Minimal test collections for retrieval
    evaluation, SIGIR (which documents to judge for a difference in average precision).

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> votes = pd.DataFrame(
    ...     [("q", item, subject, grade)
    ...      for item, grades in {"a": (1, 1), "b": (1, 0), "c": (0, 0)}.items()
    ...      for subject, grade in zip(("ann", "bob"), grades)],
    ...     columns=["query", "item", "subject", "grade"])
    >>> runs = {"x": {"q": ["a", "b", "c"]}, "y": {"q": ["c", "b", "a"]}}
    >>> order = ft.annotate_next(votes, runs, "P@1", prior={0: 1, 1: 1})
    >>> order.to_frame()[["item", "n_votes", "grade", "share"]]
      item  n_votes  grade  share
    0    a        2   0.75    0.5
    1    c        2   0.25    0.5
    2    b        2   0.50    0.0

    Of votes for categories, by which items are queries, too:

    >>> said = ["cat", "cat", "cat", "dog", "dog", "dog", "dog", "cat"]
    >>> votes = ft.Assignments.from_columns(list("st") * 4, [*"aabbccdd"], said)
    >>> runs = {"x": {"a": ["b"], "c": ["d"]}, "y": {"a": ["c"], "c": ["b"]}}
    >>> order = ft.annotate_next(votes.by_example(), runs, "P@1", prior={"cat": 1, "dog": 1})
    >>> order.to_frame().round(2)[["item", "n_votes", "category", "share"]].values.tolist()
    [['b', 2, 'cat', 0.62], ['d', 2, 'cat', 0.15], ['a', 2, 'cat', 0.12], ['c', 2, 'dog', 0.12]]
    """
    errors.choice("ties", ties, get_args(Ties))
    option_flag("unjudged", unjudged)
    k = whole_number("k", k, 1, MOST)
    n_worlds = whole_number("n_worlds", n_worlds, 16, MOST)
    limit = None if limit is None else whole_number("limit", limit, 1, MOST)
    if runs is None:
        rule = "is for the difference of two systems; give their runs, too"
        for name, value in (("measure", measure), ("systems", systems), ("prior", prior)):
            require(name, value, value is None, rule)
        return next_votes(votes, category=category, limit=limit, k=k, rng=rng)
    require("category", category, category is None, "is for votes without runs; leave it out")
    wanted, lists = measure_of(measure), as_runs(runs)
    votes, pair = _as_votes(votes, lists), two_systems(lists, systems)
    about = pair, wanted, prior, ties, {"n_worlds": n_worlds, "entropy": entropy_of(rng)}
    if not isinstance(votes, ByExample | ByItem):
        study = _of_grades(votes, *about, unjudged=unjudged, rel=rel)
    elif rel is None:
        study = _of_categories(votes, *about)
    else:
        raise errors.OptionError(
            "rel: is for grades, and these votes have categories; leave it out"
        )
    if not isinstance(prior, Mapping) and study.posterior.n_votes.max() < 2:
        warn(
            "votes: no item has two votes, so that it is not known how much people agree; the "
            "correlation of two votes on an item is taken as 1/2; a prior that has votes for each "
            f"{study.option} says otherwise",
            errors.DegenerateWarning,
        )
    return _ordered(study, pair.systems, wanted, k, limit)


@dataclass(frozen=True, slots=True, eq=False)
class _Study:
    """What is known of units, such as the items of a query, and what their votes would tell.

    Parameters
    ----------
    posterior : ShareEstimates
    effects : TruthEffects
    table : DataFrame
        One row a unit.
    offsets : (groups + 1,) int
        Where the units of each group start, of which several together change a difference.
    n_queries : int
    option : str
        What a vote is for.
    share_items : bool
        Whether queries share items.
    """

    posterior: ShareEstimates
    effects: vote_posterior.TruthEffects
    table: pd.DataFrame
    offsets: Ints
    n_queries: int
    option: str
    share_items: bool = False


def _of_grades(
    votes: Judgments,
    pair: Runs,
    measure: Measure,
    prior: Any,
    ties: Ties,
    drawn: Any,
    *,
    unjudged: bool,
    rel: Any,
) -> _Study:
    """Of judgments of items for queries."""
    truth, ratings = graded_ratings(votes, measure, rel)
    assert ratings.grades is not None
    known = checked_prior(prior, ratings.grades.tolist(), "grade")
    aligned = align(truth, pair, ties=ties)
    check_truth(aligned.facts, (measure,), worlds="independent", ties=ties, missing="error")
    report_grades(truth, (measure,))
    posterior = vote_posterior.vote_posterior(
        ratings, pair, ties=ties, prior=known, unjudged=unjudged, depth=measure.depth
    )
    level = relevance_level(measure)
    told = posterior if level is None else posterior.at_level(level)
    effects = vote_posterior.truth_effects(told, measure, **drawn)
    pairs = posterior.pairs
    columns = {
        "query": np.array(pairs.queries, dtype=object)[pairs.query_of],
        "item": pairs.item.to_pylist(),
        "n_votes": posterior.n_votes,
        "grade": posterior.estimate @ posterior.grades,
        "rank_a": posterior.rank[0],
        "rank_b": posterior.rank[1],
    }
    n_queries = len(pairs.queries)
    return _Study(posterior, effects, pd.DataFrame(columns), pairs.offsets, n_queries, "grade")


def _of_categories(
    truth: ByExample | ByItem, pair: Runs, measure: Measure, prior: Any, ties: Ties, drawn: Any
) -> _Study:
    """Of votes for categories of items."""
    ratings = category_votes.named_ratings(truth.votes)
    known = checked_prior(prior, list(ratings.names), "category")
    shares = category_votes.shares_of_items(ratings, known)
    if isinstance(truth, ByExample):
        found = category_votes.effects_of_examples(truth, pair, measure, shares, ties, drawn)
    else:
        found = category_votes.effects_of_items(truth, pair, measure, shares, ties)
    shares, effects = found
    best = np.array(ratings.names, dtype=object)[shares.estimate.argmax(axis=1)]
    columns = {"item": truth.votes.items.to_pylist(), "n_votes": shares.n_votes, "category": best}
    n, shared = len(effects.difference), isinstance(truth, ByExample)
    one = np.array([0, len(best)])
    return _Study(shares, effects, pd.DataFrame(columns), one, n, "category", shared)


def _ordered(
    study: _Study, systems: tuple[str, ...], measure: Measure, k: int, limit: int | None
) -> AnnotationOrder:
    """The items by how much is expected of `k` more votes on each."""
    effects, n_queries, effect = study.effects, study.n_queries, study.effects.effect
    effect = np.where(effect <= ROUNDING**2 * effect.max(), 0.0, effect)  # of squares
    left = study.posterior.variance(0)
    variance = left * effect / n_queries**2  # (units,)
    total = float(variance.sum())
    share = divide(variance, total)
    table = _table(study, share, k)
    table = table if limit is None else table.head(limit)
    after = total * max(1.0 - float(table["cumulative"].iloc[-1]), 0.0)
    joint = np.maximum(effects.joint, 0.0) * _largest_two(left, study.offsets)
    sampled = float("nan")
    if n_queries > 1:  # differences vary because votes are few, too: that part is taken off
        of_queries = effects.difference.var(ddof=1) / n_queries
        sampled = float(np.sqrt(max(of_queries - (0.0 if study.share_items else total), 0.0)))
    return AnnotationOrder(
        table.assign(std_error=np.sqrt(total * np.maximum(1 - table["cumulative"], 0.0))),
        (systems[0], systems[1]),
        str(measure),
        k,
        float(effects.difference.mean()),
        float(np.sqrt(total)),
        float(np.sqrt(after)),
        float(np.sqrt(effects.variance.sum())) / n_queries,
        sampled,
        float((joint / n_queries**2).sum() / total) if total > 0 else 0.0,
        1 / (1 + study.posterior.concentration),
        n_queries,
        len(share),
        int((study.posterior.n_votes == 0).sum()),
    )


def _largest_two(values: Floats, offsets: Ints) -> Floats:
    """Product of the two largest values of each query, 0 where there is one: (queries,)."""
    query = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    ordered = values[np.lexsort((-values, query))]
    out = np.zeros(len(offsets) - 1)
    several = np.flatnonzero(np.diff(offsets) > 1)
    first = offsets[several]
    out[several] = ordered[first] * ordered[first + 1]
    return out


def _table(study: _Study, share: Floats, k: int) -> pd.DataFrame:
    """One row for each unit, the one with most to be gained first."""
    narrowing = share * study.posterior.narrowing(k)
    table = study.table.assign(
        share=share,
        narrowing=narrowing,
        cumulative=0.0,
        mc_error=share * divide(study.effects.error, study.effects.effect),
    )
    table = table[
        [*(name for name in _FIRST if name in table), *table.columns.difference(_FIRST, sort=False)]
    ]
    if (table["n_votes"] % 1 == 0).all():
        table["n_votes"] = table["n_votes"].astype(int)
    ids = [name for name in ("query", "item") if name in table]
    ascending = [False, *(True for _ in ids)]
    table = table.sort_values(["narrowing", *ids], ascending=ascending, ignore_index=True)
    table["cumulative"] = np.minimum(table["narrowing"].cumsum(), 1.0)
    return table
