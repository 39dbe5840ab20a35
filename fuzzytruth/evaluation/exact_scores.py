"""Exact expected values of all scores, where mathematics gives them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.evaluation.exact_moments import chances_of_none, exact_moments
from fuzzytruth.evaluation.parts import side_by_side, whole
from fuzzytruth.evaluation.sampling import EXACT_PART, Sampling, up_to
from fuzzytruth.evaluation.setting import Setting, run_blocks
from fuzzytruth.truth import AlignedTruth
from fuzzytruth.truth.vote_weights import as_given


@dataclass(frozen=True, slots=True, eq=False)
class ExactScores:
    """Exact moments of scores over worlds.

    Parameters
    ----------
    mean, variance : (systems, measures, queries) float
        NaN where not known, or where no world has a value.
    known : (systems, measures, queries) bool
        Which means are known.
    chance_of_none : (measures, queries) float
        Probability that a query has no relevant item (0 for measures that need none).
    """

    mean: Floats
    variance: Floats
    known: Bools
    chance_of_none: Floats


def exact_scores(setting: Setting, sampling: Sampling) -> ExactScores:
    """Those of one outer world, in which all votes count as given."""
    begun = replace(sampling, progress=up_to(sampling.progress, EXACT_PART))
    return whole(_of_blocks, _of_parts, setting, begun)


def _of_blocks(setting: Setting, sampling: Sampling) -> ExactScores:
    tasks = [(setting, block) for block in setting.blocks]
    blocks = list(run_blocks(_of_block, tasks, sampling.n_jobs, sampling.progress))
    return _joined(blocks, partial(np.concatenate, axis=-1))


def _of_parts(aligned: AlignedTruth, parts: Sequence[ExactScores]) -> ExactScores:
    return _joined(parts, partial(side_by_side, aligned))


def _joined(parts: Sequence[ExactScores], join: Callable[[Any], Any]) -> ExactScores:
    """Those of all queries; `join` puts values of the queries of each part side by side."""
    return ExactScores(
        join([p.mean for p in parts]),
        join([p.variance for p in parts]),
        join([p.known for p in parts]),
        join([p.chance_of_none for p in parts]),
    )


def unbiased_scores(setting: Setting, sampling: Sampling) -> ExactScores:
    """Means over resamples of the subjects, where these are the values under the votes as given.

    They are so for a measure that is linear in the probabilities of single items, since the
    expected share of an item's votes in a resample is its share of the votes.
    """
    aligned, measures = setting.aligned, setting.measures
    shape = (len(aligned.systems), len(measures), len(aligned.queries))
    mean, known = np.full(shape, np.nan), np.zeros(shape, dtype=bool)
    linear = [m for m, measure in enumerate(measures) if measure.linear]
    if linear and aligned.resampling_is_unbiased:
        only = replace(setting, votes=as_given(), measures=tuple(measures[m] for m in linear))
        exact = exact_scores(only, sampling)
        mean[:, linear], known[:, linear] = exact.mean, exact.known
    chance = np.zeros(shape[1:])
    return ExactScores(mean, np.full(shape, np.nan), known, chance)


def _of_block(setting: Setting, queries: slice) -> ExactScores:
    outcomes = setting.aligned.outcomes(queries, setting.votes)
    chance = chances_of_none(outcomes, setting.measures, queries.stop - queries.start)
    exact = exact_moments(
        outcomes, setting.scored, setting.measures, chance, exclude=setting.exclude
    )
    return ExactScores(exact.mean[0], exact.variance[0], exact.known, chance[0])
