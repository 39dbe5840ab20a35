"""`crowd`: what votes alone tell of people, items, and the next study."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from fuzzytruth.analysis.crowd_result import Crowd
from fuzzytruth.analysis.data_check import Reason, or_why
from fuzzytruth.annotators.coefficients.agreement import agreement
from fuzzytruth.annotators.coefficients.agreement_metrics import unit_word
from fuzzytruth.annotators.coefficients.pairwise_agreement import PairMetric, pairwise_agreement
from fuzzytruth.annotators.influences.reliability import reliability
from fuzzytruth.annotators.influences.reliability_result import Reliability
from fuzzytruth.annotators.planning import vote_plans
from fuzzytruth.annotators.planning.next_votes import next_votes_by
from fuzzytruth.annotators.ratings import ratings_of
from fuzzytruth.annotators.structure.communities import communities
from fuzzytruth.annotators.structure.structure import structure as structure_of
from fuzzytruth.core import validation
from fuzzytruth.core.randomness import entropy_of, seeded
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.judgments import taken
from fuzzytruth.data.pseudonyms import Names, named_as
from fuzzytruth.data.ratings import Ratings
from fuzzytruth.data.votes_without_queries import as_votes
from fuzzytruth.errors import ScaleWarning, counted, first_few
from fuzzytruth.stats.votes.checks import some_units

T = TypeVar("T")

_SAMPLED = 20_000  # votes of the items on which structure and groups are looked for
_MOST_CELLS = 2**22  # of tables of errors: models take minutes beyond
_NEXT = 20  # votes to ask for, as on the command line
#: sections of the page that may lack
_WORDS = {
    "agreement": "agreement",
    "pairs": "pairs of people",
    "people": "reliability",
    "next": "what to ask next",
    "size": "the size of the next study",
    "structure": "structure",
    "groups": "groups of people",
}


def crowd(
    votes: Any,
    *,
    gold: Any = None,
    names: Names = "show",
    structure: bool = True,
    half_width: float | None = None,
    level: float = 0.95,
    n_permutations: int = 199,
    rng: Any = 0,
    progress: Callable[[float], object] | None = None,
) -> Crowd:
    """Show what votes alone tell: agreement, people, items, what to ask next, how many to ask.

    One screen, and one page (`Crowd.report`), of what `agreement`, `pairwise_agreement`,
    `structure`, `communities`, `reliability`, `annotate_next` and `plan` say, each with its
    defaults.

    Parameters
    ----------
    votes : Judgments, Assignments, or what `as_judgments` takes
        Of a table without queries, words are votes for categories, and numbers grades of one query.
    gold : mapping of item to answer, table or path, optional
        Known answers of some items; see `reliability`.
    names : {"show", "hide"}
        "hide" calls people P01, P02, ..., in an order that does not give them away;
        ``Crowd.pseudonyms`` says who is who.
    structure : bool
        Whether to look for structure of disagreement and groups of people, which takes longest.
        With more than 20,000 votes it is done on a random sample of whole items.
    half_width : float, optional
        Of the interval of agreement that the next study is to have; by default half of today's.
    level : float
        Confidence level of intervals and tests.
    n_permutations : int
        Of votes, in tests of structure and groups.
    rng : int, SeedSequence or Generator
        Seed of all.
    progress : callable, optional
        Progress callback, given the finished fraction.

    Returns
    -------
    Crowd
        What the votes do not allow is left out, with a line that says why.

    Raises
    ------
    DataError
        There are no votes, or they are probabilities or one truth, whose author is not known; or
        too few items of `gold` were voted on.
    OptionError
        An option is out of range.

    Warns
    -----
    FuzzytruthWarning
        What the functions above warn of, once each.

    Notes
    -----
    Agreement is Krippendorff's alpha: of grades ordinal, of more than 20 different numbers
    interval, of sets of categories by MASI. More than 20 different numbers are measurements, of
    which reliability as a model of answers, and what follows from it, is left out.

    References
    ----------
    Krippendorff 2018, Content Analysis; Passonneau 2006 (MASI). Others: see the functions above.

    Examples
    --------
    >>> import fuzzytruth as ft, pandas as pd
    >>> votes = pd.DataFrame({
    ...     "worker": ["ann", "bob", "cat"] * 20, "item": [f"i{n // 3}" for n in range(60)],
    ...     "label": [*"xxyxxxyyyyyxxxx"] * 4})
    >>> import warnings; warnings.simplefilter("ignore", ft.FuzzytruthWarning)
    >>> found = ft.crowd(votes, structure=False)
    >>> found
    Crowd(3 subjects, 20 items, 60 votes)
    >>> found.people()[["subject", "n_votes", "agreement"]].round(2).values.tolist()
    [['cat', 20, 0.17], ['ann', 20, 0.58], ['bob', 20, 0.58]]
    """
    level = validation.between_zero_and_one("level", level)
    validation.whole_number("n_permutations", n_permutations, 1, validation.MOST)
    structure = validation.option_flag("structure", structure)
    half_width = vote_plans.checked_half_width(half_width)
    validation.progress_callback(progress)
    tell = progress or (lambda share: None)
    given, pseudonyms = named_as(as_votes(votes), names)
    ratings = ratings_of(given)
    seed = seeded(rng)
    if isinstance(seed, np.random.Generator):  # from which everything may start
        seed = np.random.SeedSequence(entropy_of(seed))
    reasons: list[Reason] = []

    lacking, few = _shortage(ratings)
    if few:
        what = f"{first_few([_WORDS[name] for name in lacking], len(lacking))} ({few})"
        reasons.append((lacking, what))

    def part(name: str, compute: Callable[[], T]) -> T | None:
        def note(why: str) -> None:
            reasons.append(((name,), f"{_WORDS[name]} ({why.partition(': ')[2] or why})"))

        return None if name in lacking else or_why(compute, note)

    def model_of() -> Reliability:
        return reliability(given, gold=gold, level=level, rng=seed)

    metric = vote_plans.usual_metric(ratings)
    between: PairMetric = "nominal" if metric == "masi" else metric
    of_all = part("agreement", lambda: agreement(ratings, metric=metric, level=level))
    tell(0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ScaleWarning)  # agreement has warned
        pairs = part("pairs", lambda: pairwise_agreement(ratings, metric=between, level=level))
        tell(0.2)
        model = part("people", model_of) if gold is None or "people" in lacking else model_of()
        tell(0.5)
        size = part("size", lambda: vote_plans.agreement_plan(ratings, half_width, level))
    ask = found = groups = None
    if model is not None:
        fitted = model
        where: dict[str, Any] = {"category": None, "limit": _NEXT, "k": 1, "rng": seed}
        ask = part("next", lambda: next_votes_by(fitted, **where))
    tell(0.6)
    n_sampled = 0
    if structure:
        some, n_sampled = _sample(given, ratings, np.random.default_rng(seed))
        how: dict[str, Any] = {"level": level, "n_permutations": n_permutations, "rng": seed}
        found = part("structure", lambda: structure_of(some, **how))
        tell(0.8)
        groups = part("groups", lambda: communities(some, **how))
    tell(1.0)
    return Crowd(
        votes=given,
        ratings=ratings,
        agreement=of_all,
        pairs=pairs,
        reliability=model,
        structure=found,
        communities=groups,
        next_votes=ask,
        size=size,
        n_sampled=n_sampled,
        level=level,
        pseudonyms=pseudonyms,
        reasons=tuple(reasons),
    )


def _shortage(ratings: Ratings) -> tuple[tuple[str, ...], str]:
    """What cannot be told of such votes at all, and why; "" where nothing lacks."""
    every, of_names = tuple(_WORDS), tuple(name for name in _WORDS if name != "agreement")
    if ratings.subjects is None:
        return of_names, "nobody is named in these votes"
    if ratings.n_subjects == 1:
        return every, f"all votes are of one person, {ratings.subjects[0]}"
    if len(np.unique(ratings.unit)) == len(np.unique([ratings.unit, ratings.subject], axis=1).T):
        return every, f"no {unit_word(ratings)} has votes of two people"
    if ratings.are_measured:
        many = counted(len(ratings.names), "different number")
        why = f"{many} are measurements, and models are of answers; round them to a few grades"
        return ("people", "next"), why
    n, k = ratings.n_subjects, len(ratings.names)
    if n * k * k > _MOST_CELLS:
        why = f"{k:,} different answers of {n:,} people make too large a model; make them coarser"
        return ("people", "next"), why
    return (), ""


def _sample(votes: Any, ratings: Ratings, rng: np.random.Generator) -> tuple[Any, int]:
    """Whole units with as many votes as structure is looked for in; their number, 0 for all."""
    if len(ratings.unit) <= _SAMPLED:
        return votes, 0
    kept = some_units(ratings.unit, ratings.n_units, _SAMPLED, rng)
    rows = np.sort(ratings.row[np.isin(ratings.unit, kept)])
    some = votes._taken(rows) if isinstance(votes, Assignments) else taken(votes, rows)
    return some, len(kept)
