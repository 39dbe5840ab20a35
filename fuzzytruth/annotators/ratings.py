"""Ratings as `annotators` reads them: with thresholds and warnings; estimated shares of votes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.grading import split_by_subject
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.ratings import Ratings, make_ratings
from fuzzytruth.data.votes_without_queries import as_votes
from fuzzytruth.errors import OptionError, choice
from fuzzytruth.evaluation.validation import THRESHOLDS, floored, report_scales, report_unreached

#: columns of every table of agreement, after those that say of whom it is
COLUMNS = ["coefficient", "value", "lower", "upper", "n_units"]


def interval_axis(over: Any, n_queries: int) -> Literal["item", "query"]:
    """What intervals of agreement are over; by default queries where there are several.

    Raises
    ------
    OptionError
        `over` is something else, or "query" where there are fewer than two.
    """
    if over is None:
        return "query" if n_queries > 1 else "item"
    choice("over", over, ("item", "query"))
    if over == "query" and n_queries < 2:
        raise OptionError(
            "over='query': intervals over queries take two or more queries, but there "
            f"{'is one' if n_queries else 'are none'}; use over='item'"
        )
    return "query" if over == "query" else "item"


def with_others(short: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """The columns that are shown, then the others of a table with the same rows."""
    return short.join(rows.drop(columns={*rows} & {*short}))


def binary_votes(
    rel: Any, *votes: Any, subjects: Iterable[str] | str | None = None
) -> list[Judgments]:
    """Judgments with grades 1 from `rel` on, else 0: one threshold, or each subject's own.

    By default of all subjects.

    Raises
    ------
    OptionError
        They have categories, `rel` does not go with their subjects, or no grade reaches it.

    Warns
    -----
    ScaleWarning
        The grades of some subjects never reach it.
    """
    read = [as_votes(each) for each in votes]
    if any(isinstance(each, Assignments) for each in read):
        raise OptionError("rel: is for grades, and these votes have categories; leave it out")
    given = [each.select(subjects=subjects) for each in read]
    parts = split_by_subject("rel", rel, *(each.subjects or () for each in given))
    low = [each.binary(part) for each, part in zip(given, parts, strict=True)]
    report_unreached(rel, *given)
    return [floored(each).binary(1) for each in low]  # adds up counts that then have one grade


def ratings_of(votes: Any, rel: Any = None, subjects: Iterable[str] | str | None = None) -> Ratings:
    """The ratings of votes.

    Parameters
    ----------
    votes : Judgments, Assignments, Ratings, or what `as_judgments` takes
    rel : number or mapping of subject to number, optional
        Makes grades 0 and 1, of some subjects; see `binary_votes`.
    subjects : str or iterable of str, optional
        Whose grades `rel` divides.

    Raises
    ------
    DataError
        They are probabilities, which nobody gave, or a single truth by an unknown author.
    """
    return make_ratings(votes if rel is None else binary_votes(rel, votes, subjects=subjects)[0])


def report_rating_scales(
    ratings: Ratings, remedy: str = THRESHOLDS, *, metric: object = "nominal"
) -> None:
    """Warn of subjects whose grades keep to a shorter scale, as `evaluate` does."""
    if isinstance(metric, str) and metric != "nominal":  # grades have distances
        remedy += ", or use votes.rescaled()"
    names, grades = ratings.subjects, ratings.grades
    if names is not None and grades is not None and not ratings.nested:
        report_scales(ratings.unit, grades[ratings.value], ratings.subject, names, remedy)


#: How many votes a base rate is worth where there are none. As a guess at one item, it is worth
#: more, but its errors are much the same from item to item, and add up.
_WORTH_OF_RATE = 0.5


@dataclass(frozen=True, eq=False, kw_only=True)
class ShareEstimates:
    """Estimated shares of votes on units: pairs of a query and an item, or items.

    Parameters
    ----------
    counts : (units, options) float
        Votes for each option: a grade, or a set of categories.
    rate : (units, options) float
        Base rate of each option: expected shares before any vote.
    worth : float or None
        How many votes the base rates count as, in estimates; None: they stand in for the votes of
        units that have none, and count for nothing else.
    concentration : float
        How closely units keep to their base rates: shares of votes on a unit vary as if they were
        of this number of votes, drawn by the base rates.
    is_given : bool
        Whether base rates and concentration were given, so that this is an exact posterior.
    """

    counts: Floats
    rate: Floats
    worth: float | None
    concentration: float
    is_given: bool

    @cached_property
    def n_votes(self) -> Floats:
        """Number of votes on each unit: (units,)."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def estimate(self) -> Floats:
        """Estimated share of each option: (units, options)."""
        worth = (self.n_votes == 0).astype(float) if self.worth is None else self.worth
        return self._shares(worth)

    @property
    def next_vote(self) -> Floats:
        """Probability of each option in the next vote, which is not always the estimate.

        (units, options)
        """
        return self._shares(self.concentration)

    @property
    def expected_vote(self) -> Floats:
        """Probability of each option in a vote, by all but the votes on the unit itself.

        What is chosen by this is not chosen for the votes it happened to get, so that its share of
        votes stays unbiased. An exact posterior needs no such care. (units, options)
        """
        return self.next_vote if self.is_given else self.rate

    def _shares(self, worth: float | Floats) -> Floats:
        weight = np.broadcast_to(worth, self.n_votes.shape)[:, None]
        return np.asarray((weight * self.rate + self.counts) / (weight + self.n_votes[:, None]))

    def variance(self, k: int) -> Floats:
        """Of the estimated shares after `k` more votes, relative to `expected_vote`: (units,)."""
        seen = self.concentration + (self.n_votes if self.is_given else 0.0)
        of_votes = seen / (seen + 1)  # the rest of a vote's variance is between units
        n = (self.worth or 0.0) + self.n_votes + k
        return np.where(n > 0, of_votes / np.where(n > 0, n, 1.0), 1 / _WORTH_OF_RATE)

    def narrowing(self, k: int) -> Floats:
        """Share of that variance which `k` more votes are expected to remove: (units,)."""
        return 1 - self.variance(k) / self.variance(0)
