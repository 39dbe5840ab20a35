"""The outer worlds of a truth: votes as given, or resamples of its subjects."""

from __future__ import annotations

import numpy as np

from fuzzytruth.core.keyed import Entropy
from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.truth import AlignedTruth, Worlds
from fuzzytruth.truth.vote_weights import (
    VoteWeights,
    as_given,
    resampled_subjects,
    resampled_within_queries,
)


def outer_worlds(
    aligned: AlignedTruth, kind: Worlds, n_worlds: int, entropy: Entropy
) -> VoteWeights:
    """As many outer worlds as asked for, or fewer where all are enumerated.

    Raises
    ------
    OptionError, DataError
        There are too few worlds or subjects for resamples.
    """
    if kind == "independent":
        return as_given()
    if n_worlds < 2:
        raise OptionError("n_worlds=1: worlds='population' needs 2 resamples or more")
    seed = np.random.SeedSequence(entropy, spawn_key=(0,))
    if aligned.design == "crossed":
        return resampled_subjects(aligned.subjects or (), n_worlds, seed)
    size = np.diff(aligned.cells.offsets)
    if (size < 2).any():
        query = aligned.queries[int(np.argmax(size < 2))]
        raise DataError(
            f"worlds='population': query {query!r} has a single subject, and the judgments are "
            "nested; resampling needs at least two subjects a query"
        )
    names = aligned.subjects or ()
    return resampled_within_queries(aligned.cells, aligned.queries, names, n_worlds, entropy)
