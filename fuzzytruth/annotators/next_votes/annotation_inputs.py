"""Checks of what is given to `annotate_next`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fuzzytruth.annotators.next_votes.vote_posterior import Prior
from fuzzytruth.annotators.ratings import Ratings, ratings_of
from fuzzytruth.core.validation import option_number
from fuzzytruth.data.conversion import as_judgments
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import (
    DataError,
    MeasureError,
    OptionError,
    counted,
    first_few,
    nearest,
    require,
    shown,
)
from fuzzytruth.evaluation.validation import binary_truth
from fuzzytruth.measures import Measure, parse_measure

_MOST_GRADES = 12


def measure_of(given: Any) -> Measure:
    """One measure that scores lists against grades."""
    if given is None:
        raise OptionError("measure: name the measure of the difference, such as 'AP'")
    if isinstance(given, (list, tuple, set)):
        raise OptionError(f"measure={shown(given)}: name one measure, such as 'AP'")
    measure = parse_measure(given)
    if measure.compares_lists or measure.needs_intents:
        what = "whole lists of subjects" if measure.compares_lists else "judgments by intent"
        raise MeasureError(
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


def graded_ratings(votes: Any, measure: Measure, rel: Any) -> tuple[Judgments, Ratings]:
    """Grades of items, and who gave them."""
    truth = as_judgments(votes, argument="votes")
    if rel is not None:
        truth = binary_truth(truth, (measure,), rel)
    ratings = ratings_of(truth)
    if "intent" in ratings.units:
        raise DataError(
            "votes: items are judged for several intents of a query; keep one intent, or merge "
            "them first"
        )
    if len(ratings.names) > _MOST_GRADES:
        raise DataError(
            f"votes: there are {len(ratings.names)} different grades ({first_few(ratings.names)}), "
            f"and the votes for each are counted; merge them to {_MOST_GRADES} at most, such as by "
            "rel=, the lowest grade that is relevant"
        )
    return truth, ratings


def two_systems(runs: Runs, systems: Any) -> Runs:
    """The two runs that are compared, the first minus the second."""
    if systems is None:
        if len(runs) != 2:
            raise OptionError(
                f"systems: name the two that are compared, systems=(a, b); the runs have "
                f"{counted(len(runs), 'system')}: {first_few(runs.systems, show=shown)}"
            )
        return runs
    listed = None if isinstance(systems, str) or not isinstance(systems, Iterable) else [*systems]
    if listed is None or len(listed) != 2 or listed[0] == listed[1]:
        raise OptionError(f"systems={shown(systems)}: must be two different names")
    for name in listed:
        if not isinstance(name, str) or name not in runs.systems:
            raise OptionError(
                f"systems: {shown(name)} is not among the runs: "
                f"{first_few(runs.systems, 20, show=shown)}{nearest(str(name), runs.systems)}"
            )
    return Runs({name: runs[name] for name in listed})


def checked_prior(prior: Any, ratings: Ratings) -> Prior:
    """How many votes the prior is worth, or how many of each grade."""
    assert ratings.grades is not None
    if prior is None:
        return None
    if not isinstance(prior, Mapping):
        votes = option_number("prior", prior)
        require("prior", prior, votes > 0, "must be above 0, a number of votes")
        return votes
    listed = {
        option_number("prior", grade): option_number("prior", number)
        for grade, number in prior.items()
    }
    require("prior", prior, all(n > 0 for n in listed.values()), "must be votes above 0")
    lacking = [f"{grade:g}" for grade in ratings.grades.tolist() if grade not in listed]
    require(
        "prior", prior, not lacking, f"must have votes for each grade; not {first_few(lacking)}"
    )
    require("prior", prior, len(listed) > 1, "must have two grades or more")
    return listed
