"""Work on a truth that is in memory, or on each of its parts where it is held elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.checksums import Entropy
from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.evaluation.worlds.setting import Sampling, Setting
from fuzzytruth.truth import AlignedTruth, Facts, Worlds
from fuzzytruth.truth.pairs.parted import PartedPairs
from fuzzytruth.truth.vote_weights import (
    VoteWeights,
    as_given,
    resampled_subjects,
    resampled_within_queries,
)

# The outer worlds of a truth: votes as given, or resamples of its subjects.


def outer_worlds(facts: Facts, kind: Worlds, n_worlds: int, entropy: Entropy) -> VoteWeights:
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
    if facts.design == "crossed":
        return resampled_subjects(facts.subjects or (), n_worlds, seed)
    size = np.diff(facts.cells.offsets)
    if (size < 2).any():
        query = facts.queries[int(np.argmax(size < 2))]
        raise DataError(
            f"worlds='population': query {query!r} has a single subject, and the judgments are "
            "nested; resampling needs at least two subjects a query"
        )
    names = facts.subjects or ()
    return resampled_within_queries(facts.cells, facts.queries, names, n_worlds, entropy)


Result = TypeVar("Result")
Work = Callable[[Setting, Sampling], Result]


def whole(
    function: Work[Result],
    join: Callable[[AlignedTruth, list[Result]], Result],
    setting: Setting,
    sampling: Sampling,
    *,
    merge: Callable[[Sequence[Result]], Result] | None = None,
    resamples: int | None = None,
) -> Result:
    """What a function gives for a setting; joined from its parts where the truth is in parts.

    Parameters
    ----------
    function : callable
        From a setting and how worlds are drawn.
    join : callable
        From the whole truth and what the function gave for each part.
    setting : Setting
    sampling : Sampling
    merge : callable, optional
        From what the function gave for neighbouring parts to what it gives for them together: for
        results that are large even if a part has few queries.
    resamples : int, optional
        How many outer worlds were asked for, where the setting has resamples of subjects.
    """
    aligned: Any = setting.aligned
    if not isinstance(aligned, PartedPairs):
        return function(setting, sampling)
    # Votes are drawn again for each part: the same from the seed, and nothing to send.
    unplaced = replace(setting, aligned=None, votes=as_given())  # type: ignore[arg-type]
    alone = replace(sampling, n_jobs=1, progress=None, rng=None)
    parts = aligned.each(partial(_on_part, function, unplaced, alone, resamples), merge)
    if sampling.progress is not None:
        sampling.progress(1.0)
    return join(setting.aligned, parts)


def _on_part(
    function: Work[Result],
    setting: Setting,
    sampling: Sampling,
    resamples: int | None,
    part: AlignedTruth,
) -> Result:
    setting = replace(setting, aligned=part)
    if resamples is not None:
        votes = outer_worlds(part.facts, setting.kind, resamples, setting.entropy)
        setting = replace(setting, votes=votes)
    return function(setting, sampling)


def side_by_side(aligned: AlignedTruth, parts: Sequence[Array]) -> Array:
    """Values of the queries of all parts, (..., queries), in the order of the queries."""
    assert isinstance(aligned, PartedPairs)
    joined: Array = np.concatenate(parts, axis=-1)
    return joined.take(aligned.query_order, axis=-1)  # unlike [...], in C order


def cells_side_by_side(aligned: AlignedTruth, parts: Sequence[Array]) -> Array:
    """Values of the cells of all parts, (..., cells), in the order of the cells."""
    assert isinstance(aligned, PartedPairs)
    joined: Array = np.concatenate(parts, axis=-1)
    return joined.take(aligned.cell_order, axis=-1)


def setting_of_query(setting: Setting, query: int) -> tuple[Setting, int]:
    """The setting of the part that has a query, in memory, and the query's number there."""
    aligned: Any = setting.aligned
    if not isinstance(aligned, PartedPairs):
        return setting, query
    part, queries, cells = aligned.part_of(query)
    votes = setting.votes
    if votes.by_cell and votes.counts is not None:
        votes = replace(
            votes,
            counts=votes.counts[:, np.argsort(aligned.cell_order)][:, cells],
            inflation=votes.inflation[np.argsort(aligned.query_order)][queries],
        )
    place = int(aligned.query_order[query]) - queries.start
    return replace(setting, aligned=part, votes=votes), place
