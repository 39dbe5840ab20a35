"""A new kind of truth: a function grades each retrieved pair for each subject."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from fuzzytruth.data.ranking import Ties
from fuzzytruth.data.runs import Runs
from fuzzytruth.truth import align
from fuzzytruth.truth.pairs.aligned import AlignedPairs, aligned_pairs
from fuzzytruth.truth.pairs.pool import pool_of, votes_of


@dataclass(frozen=True, slots=True)
class GradedByFunction:
    """Grades of retrieved items, given by a function.

    Parameters
    ----------
    grade : callable
        ``grade(query, item, subject)``; None where the subject does not judge the item.
    subjects : tuple of str
    """

    grade: Callable[[str, str, str], float | None]
    subjects: tuple[str, ...]


@align.register
def align_graded(truth: GradedByFunction, runs: Runs, *, ties: Ties) -> AlignedPairs:
    """Grade every retrieved pair, and align the pairs like judged ones."""
    pairs = sorted(
        {
            (ranking.queries[query], item)
            for ranking in runs.values()
            for query, item in zip(ranking.query.tolist(), ranking.item.to_pylist(), strict=True)
        }
    )
    votes = [
        (pair, subject, grade)
        for pair, (query, item) in enumerate(pairs)
        for subject, name in enumerate(truth.subjects)
        if (grade := truth.grade(query, item, name)) is not None
    ]
    judged = sorted({pair for pair, _, _ in votes})
    place = {pair: number for number, pair in enumerate(judged)}
    queries = tuple(dict.fromkeys(pairs[pair][0] for pair in judged))
    pool = pool_of(
        queries,
        np.array([queries.index(pairs[pair][0]) for pair in judged]),
        pa.array([pairs[pair][1] for pair in judged], pa.large_string()),
        votes_of(
            np.array([place[pair] for pair, _, _ in votes]),
            np.array([subject for _, subject, _ in votes]),
            np.array([float(grade) for _, _, grade in votes]),
            n_pairs=len(judged),
        ),
        truth.subjects,
    )
    return aligned_pairs(pool, runs, ties)
