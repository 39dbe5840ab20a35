"""Scores under an uncertain truth, with their spread over worlds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.randomness import entropy_of
from fuzzytruth.errors import DataError, LostVotesWarning, OptionError, counted, warn
from fuzzytruth.evaluation.scores import Scores
from fuzzytruth.evaluation.simulation import (
    Setting,
    SimulatedScores,
    run_blocks,
    run_outer,
    simulate,
    without_noise,
)
from fuzzytruth.evaluation.sources import Sources
from fuzzytruth.evaluation.uncertainty import Uncertainty
from fuzzytruth.evaluation.undefined import report_undefined_worlds
from fuzzytruth.measures import Measure
from fuzzytruth.truth import AlignedTruth, Worlds
from fuzzytruth.truth.vote_weights import (
    VoteWeights,
    as_given,
    resampled_subjects,
    resampled_within_queries,
    single_subjects,
)

#: worlds drawn in each outer world, to estimate its expected value
_INNER = 16


@dataclass(frozen=True, slots=True)
class Sampling:
    """How worlds are drawn.

    Parameters
    ----------
    n_worlds : int
    rng : int, SeedSequence, Generator or None
        None: fresh entropy, kept with the scores.
    n_jobs : int
        Workers; they change nothing but the time.
    keep : bool
        Whether to keep the values of single queries in all worlds.
    progress : callable, optional
        Progress callback, given the finished fraction.
    """

    n_worlds: int
    rng: Any = None
    n_jobs: int = 1
    keep: bool = False
    progress: Callable[[float], object] | None = None


def score_worlds(
    aligned: AlignedTruth,
    measures: tuple[Measure, ...],
    kind: Worlds,
    *,
    sampling: Sampling,
    exclude: bool,
) -> Scores:
    """Scores under independent or population worlds.

    Parameters
    ----------
    exclude : bool
        Whether worlds without relevant items have no value, where a measure needs some.
    """
    entropy = entropy_of(sampling.rng)
    votes = _vote_weights(aligned, kind, sampling.n_worlds, entropy)
    n_inner = sampling.n_worlds
    if kind == "population":  # in all, at least as many as were asked for
        n_inner = max(_INNER, -(-n_inner // len(votes)))
    setting = Setting(aligned, kind, votes, measures, n_inner, entropy, exclude, sampling.keep)
    simulated = simulate(setting, n_jobs=sampling.n_jobs, progress=sampling.progress)
    chance = dict(zip(map(str, measures), simulated.chance_of_none, strict=True))
    report_undefined_worlds(chance, aligned.queries, exclude=exclude)
    cells = Cells.of_queries(len(aligned.queries))
    scores = _scores(aligned, measures, simulated.mean, cells, _uncertainty(setting, simulated))
    if kind == "population":
        _report_lost_votes(aligned, votes)
    return scores


def _vote_weights(
    aligned: AlignedTruth, kind: Worlds, n_worlds: int, entropy: tuple[int, ...]
) -> VoteWeights:
    """The outer worlds."""
    if kind == "independent":
        return as_given()
    if n_worlds < 2:
        raise OptionError("n_worlds=1: worlds='population' needs 2 resamples or more")
    seed = np.random.SeedSequence(entropy, spawn_key=(0,))
    if aligned.design == "crossed":
        return resampled_subjects(len(aligned.subjects or ()), n_worlds, seed)
    size = np.diff(aligned.cells.offsets)
    if (size < 2).any():
        query = aligned.queries[int(np.argmax(size < 2))]
        raise DataError(
            f"worlds='population': query {query!r} has a single subject, and the judgments are "
            "nested; resampling needs at least two subjects a query"
        )
    return resampled_within_queries(aligned.cells, n_worlds, seed)


def score_pooled(
    aligned: AlignedTruth,
    measures: tuple[Measure, ...],
    *,
    sampling: Sampling,
    exclude: bool,
) -> Scores:
    """Each subject's expected scores where missing judgments are drawn from the other subjects."""
    cells = aligned.cells
    assert cells.subject is not None
    tasks, outer_of = [], []
    setting = Setting(
        aligned,
        "subject",
        as_given(),
        measures,
        sampling.n_worlds,
        entropy_of(sampling.rng),
        exclude,
        keep=True,
    )
    for block in setting.blocks:
        subjects, outer = np.unique(cells.subject[_rows(cells, block)], return_inverse=True)
        votes = single_subjects(subjects, cells.n_subjects)
        tasks.append((replace(setting, votes=votes), block))
        outer_of.append(outer)
    shape = (len(aligned.systems), len(measures), len(cells))
    values, variance = np.empty(shape), np.empty(shape)
    chance = np.zeros((len(measures), len(aligned.queries)))
    results = run_blocks(run_outer, tasks, sampling.n_jobs, sampling.progress)
    for (_, block), outer, simulated in zip(tasks, outer_of, results, strict=True):
        rows = _rows(cells, block)
        query = cells.query[rows] - block.start
        assert simulated.kept is not None
        assert simulated.kept_noise is not None
        # (worlds, systems, measures, queries) → (systems, measures, cells)
        values[:, :, rows] = np.moveaxis(simulated.kept[outer, :, :, query], 0, -1)
        variance[:, :, rows] = np.moveaxis(simulated.kept_noise[outer, :, :, query], 0, -1)
        chance[:, block] = simulated.chance_of_none
    by_measure = dict(zip(map(str, measures), chance, strict=True))
    report_undefined_worlds(by_measure, aligned.queries, exclude=exclude)
    return _scores(aligned, measures, values, cells, _of_pooled(setting, np.sqrt(variance)))


def _rows(cells: Cells, block: slice) -> slice:
    """The cells of some whole queries."""
    return slice(int(cells.offsets[block.start]), int(cells.offsets[block.stop]))


def _scores(
    aligned: AlignedTruth,
    measures: tuple[Measure, ...],
    values: Floats,
    cells: Cells,
    uncertainty: Uncertainty,
) -> Scores:
    return Scores(
        systems=aligned.systems,
        queries=aligned.queries,
        measures=tuple(map(str, measures)),
        values=values,
        cells=cells,
        subjects=None if cells.subject is None else aligned.subjects,
        design=aligned.design,
        higher_is_better=tuple(m.higher_is_better for m in measures),
        uncertainty=uncertainty,
    )


def _of_pooled(setting: Setting, error: Floats) -> Uncertainty:
    """Monte Carlo errors of values whose worlds are single subjects."""
    n_systems, n_measures, _ = error.shape
    return Uncertainty(
        worlds="subject",
        std=None,
        exact=error == 0,
        mc_error=error,
        world_means=np.zeros((0, n_systems, n_measures)),
        weight=np.zeros(0),
        inflation=1.0,
        drawn=False,
        n_worlds=len(setting.aligned.subjects or ()),
        entropy=setting.entropy,
    )


def _uncertainty(setting: Setting, simulated: SimulatedScores) -> Uncertainty:
    """How values vary over independent or population worlds."""
    votes, n_worlds = setting.votes, setting.n_worlds
    # A world in which no query has a value has no mean.
    means = divide(simulated.total, simulated.count, fill=np.nan)
    noise = divide(simulated.noise, simulated.count**2, fill=np.nan)
    kept, blurred = simulated.kept, False
    if setting.kind == "population":
        means = without_noise(means, noise, votes.weight)
        blurred = bool(simulated.noise.any())
        if kept is not None and simulated.kept_noise is not None:
            kept = without_noise(kept, simulated.kept_noise, votes.weight)
    several = len(votes) > 1
    return Uncertainty(
        worlds=setting.kind,
        std=np.sqrt(simulated.variance),
        exact=simulated.exact,
        mc_error=np.sqrt(simulated.error),
        world_means=means,
        weight=votes.weight if several else np.full(n_worlds, 1 / n_worlds),
        # The largest of all queries: nested subjects may be fewer in some.
        inflation=float(votes.inflation.max()),
        drawn=votes.drawn or not several,
        n_worlds=n_worlds,
        entropy=setting.entropy,
        sources=Sources.of(setting),
        kept=kept,
        kept_is_joint=not blurred,
    )


def _report_lost_votes(aligned: AlignedTruth, votes: VoteWeights) -> None:
    """Warn of pairs of a resample and an item that have no vote."""
    lost = aligned.lost_votes(votes)
    if lost:
        warn(
            f"no vote left in {lost:,} of "
            f"{counted(len(votes) * aligned.n_items, 'pair')} of a resample and an item, "
            "as few subjects judged the item; there it keeps its share of all votes",
            LostVotesWarning,
        )
