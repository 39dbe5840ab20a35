"""Ratings as `annotators` reads them: with thresholds of grades, and a warning of short scales."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.grading import split_by_subject
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.ratings import Ratings, make_ratings
from fuzzytruth.data.reading import as_judgments
from fuzzytruth.errors import OptionError
from fuzzytruth.evaluation.validation import THRESHOLDS, report_scales, report_unreached


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
    if any(isinstance(each, Assignments) for each in votes):
        raise OptionError("rel: is for grades, and these votes have categories; leave it out")
    given = [as_judgments(each, argument="votes").select(subjects=subjects) for each in votes]
    parts = split_by_subject("rel", rel, *(each.subjects or () for each in given))
    low = [each.binary(part) for each, part in zip(given, parts, strict=True)]
    report_unreached(rel, *given)
    # negative grades are 0 too; of counts, binary adds up what then has one grade
    return [replace(each, grade=np.maximum(each.grade, 0.0)).binary(1) for each in low]


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
