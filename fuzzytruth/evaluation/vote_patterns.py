"""Who gave which vote, of judgments and of votes for categories."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from fuzzytruth._typing import Bools, Ints
from fuzzytruth.core.arithmetic import begins, padded
from fuzzytruth.core.randomness import generator
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.grading import codes_of
from fuzzytruth.data.ratings import Ratings, make_ratings
from fuzzytruth.errors import DataError
from fuzzytruth.show.number_text import number_text
from fuzzytruth.stats.multiplicity import significant
from fuzzytruth.stats.vote_structure import StructureTests, VotePattern, structure_tests

_PERMUTATIONS = 199
_LEVEL = 0.95


def pattern_of(truth: Any) -> tuple[Ratings, VotePattern]:
    """The ratings of votes, and the votes on units on which people disagree.

    Several votes of a subject on a unit are one value, exchanged among those with as many, who form
    a unit of their own. `vote` is the first of their places among the ratings.

    Parameters
    ----------
    truth : Judgments, Assignments, Ratings, or a truth that has `votes`

    Raises
    ------
    DataError
        Nobody is named, or only one; or named votes have different weights.
    """
    votes = getattr(truth, "votes", truth)
    ratings = make_ratings(votes)
    if ratings.subjects is None:
        raise DataError(
            "votes: whether disagreement is structural cannot be told from counts, which do not "
            "say who gave which vote; give votes with a column that names who voted (subject, "
            "annotator, ...)"
        )
    if len(ratings.subjects) < 2:
        raise DataError(
            "votes: there is one subject, and structure is about who of several people gave which "
            "vote; give the votes of two or more"
        )
    has_weights = isinstance(votes, Assignments) and votes.repeats is None
    if has_weights and (votes.weight != votes.weight[:1]).any():
        raise DataError(
            "votes: they have different weights, and structure is about who gave which vote, each "
            "counting alike; leave the weights out"
        )
    first, value = _values(ratings)
    # who voted how often is not opinion: bundles are exchanged among those who voted as often
    size = np.diff(np.append(first, len(ratings.unit)))
    unit = codes_of(ratings.unit[first] * (size.max(initial=0) + 1) + size)
    pattern = VotePattern.of(unit, ratings.subject[first], value, len(ratings.subjects))
    return ratings, replace(pattern, vote=first[pattern.vote])


def pair_agreement(ratings: Ratings) -> float:
    """Share of agreements among all pairs of people with votes on the same unit; NaN: no pairs.

    Of people who voted repeatedly, between one vote of each, on average.
    """
    n_values, weight = len(ratings.names), ratings.weight  # repeats share a weight of 1
    cell = (ratings.unit * ratings.n_subjects + ratings.subject) * n_values + ratings.value
    cells, place = np.unique(cell, return_inverse=True)
    own = np.bincount(place, weight)
    option = cells // (ratings.n_subjects * n_values) * n_values + cells % n_values
    together = np.bincount(np.unique(option, return_inverse=True)[1], own)
    m = np.bincount(ratings.unit, weight)
    pairs = float((m * (m - 1.0)).sum())
    return float((together**2).sum() - (own**2).sum()) / pairs if pairs > 0.5 else float("nan")


def undisputed(ratings: Ratings) -> Bools:
    """Units of two voters or more who all gave one value: (units,)."""
    n_voters, n_values = (
        np.bincount(np.unique(ratings.unit * size + code) // size, minlength=ratings.n_units)
        for code, size in (
            (ratings.subject, ratings.n_subjects),
            (ratings.value, len(ratings.names)),
        )
    )
    return np.asarray((n_voters > 1) & (n_values == 1))


def shared_units(ratings: Ratings, subjects: Ints, units: Bools | None = None) -> Any:
    """Units, of all or some, that two of some subjects both voted on: sparse (s, s)."""
    first, _ = _values(ratings)
    first = first if units is None else first[units[ratings.unit[first]]]
    shape = (ratings.n_subjects, ratings.n_units)
    entries = (np.ones(len(first)), (ratings.subject[first], ratings.unit[first]))
    voted = csr_array(entries, shape=shape)[subjects]
    return voted @ voted.T


def pair_variation(ratings: Ratings, tests: StructureTests) -> float:
    """Standard deviation over pairs of how often two people agree, beyond chance."""
    shared = shared_units(ratings, tests.subjects)
    squares = float((shared.data**2).sum() - (shared.diagonal() ** 2).sum())
    return float(np.sqrt(max(tests.beyond_chance, 0.0) / max(squares, 1.0)))


def _values(ratings: Ratings) -> tuple[Ints, Ints]:
    """The first vote of each subject on each unit, and a number for all that it gave."""
    first = np.flatnonzero(begins(ratings.subject, ratings.unit))
    value = ratings.value[first]
    if len(first) < len(ratings.unit):
        bundles = padded(ratings.value, np.append(first, len(ratings.unit)), fill=-1)
        value = np.unique(bundles, axis=0, return_inverse=True)[1].reshape(-1)
    return first, value


def structure_sentence(truth: Any, rng: Any) -> str:
    """Whether it matters who gave which vote, so that memberships alone do not say what people get.

    Raises
    ------
    DataError
        As `pattern_of`.
    """
    tests = structure_tests(pattern_of(truth)[1], _PERMUTATIONS, 0, _LEVEL, generator(rng))
    p = float(tests.p_adjusted.min(initial=1.0))
    how = f"p = {number_text(p, 3)}, {_PERMUTATIONS} permutations of each item's votes"
    if significant(p, _LEVEL):
        return f"It matters who gave which vote ({how}): see `structure`."
    return f"That it matters who gave which vote is not shown ({how})."
