"""What only the data behind scores tell: agreement of the subjects, and ties of the runs."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from fuzzytruth.annotators.coefficients.agreement import Agreement, agreement
from fuzzytruth.annotators.coefficients.pairwise_agreement import (
    PairwiseAgreement,
    pairwise_agreement,
)
from fuzzytruth.annotators.ratings import Ratings, ratings_of
from fuzzytruth.data.ranking import Ranking
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import FuzzytruthError, FuzzytruthWarning


@dataclass(frozen=True, slots=True, eq=False)
class Sources:
    """What the data behind scores tell.

    Parameters
    ----------
    agreement : Agreement or None
        Of all subjects, ordinal where they gave more than two grades; None where a single one
        judged, or nobody knows who.
    pairs : PairwiseAgreement or None
        Of each two named subjects, with ordinal weights where they gave more than two grades.
    notes : tuple of str
        Warnings about agreement, and why it is unknown.
    tied : tuple of (system, share)
        Share of retrieved items that have the score of another one in their list.
    """

    agreement: Agreement | None
    pairs: PairwiseAgreement | None
    notes: tuple[str, ...]
    tied: tuple[tuple[str, float], ...]


def check_sources(truth: Any, runs: Runs) -> Sources:
    """Agreement in a truth, as far as it has one, and ties in runs."""
    tied = tuple((system, _tied(ranking)) for system, ranking in runs.items())
    if len(getattr(truth, "subjects", None) or ()) < 2:
        return Sources(None, None, (), tied)
    votes = getattr(truth, "votes", truth)
    notes: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", FuzzytruthWarning)
        rated = _or_why(lambda: ratings_of(votes), notes)
        of_all = of_pairs = None
        if rated is not None:
            metric = metric_of(rated)
            of_all = _or_why(lambda: agreement(rated, metric=metric), notes)
            of_pairs = _or_why(lambda: pairwise_agreement(rated, metric=metric), notes)
    notes += [str(one.message) for one in caught]
    return Sources(of_all, of_pairs, tuple(dict.fromkeys(notes)), tied)


def metric_of(votes: Ratings) -> Literal["nominal", "ordinal"]:
    """How far votes differ: grades by their order, two levels and categories as equal or not."""
    graded = votes.grades is not None and len(votes.grades) > 2
    return "ordinal" if graded else "nominal"


def _or_why(compute: Any, notes: list[str]) -> Any:
    """The result, or None and a note that says why there is none."""
    try:
        return compute()
    except FuzzytruthError as error:
        notes.append(str(error))
        return None


def _tied(ranking: Ranking) -> float:
    """Share of rows with the score, as a 32-bit number, of another row of the same query."""
    if not len(ranking):
        return 0.0
    with np.errstate(over="ignore", under="ignore"):  # as in trec_eval
        score = ranking.score.astype(np.float32)
    order = np.lexsort((score, ranking.query))
    query, score = ranking.query[order], score[order]
    same = (query[1:] == query[:-1]) & (score[1:] == score[:-1])
    tied = np.append(same, False) | np.insert(same, 0, False)
    return float(tied.mean())
