"""Each subject's expected scores, where its truth is not one crisp truth.

So it is where its missing judgments are drawn from those of the other subjects, or where it judged
items several times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.core.randomness import entropy_of
from fuzzytruth.errors import OptionError, counted
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.subject_scores import subject_values
from fuzzytruth.evaluation.undefined import report_undefined_worlds
from fuzzytruth.evaluation.world_scores import scores_of
from fuzzytruth.evaluation.worlds.exact_moments import chances_of_none
from fuzzytruth.evaluation.worlds.parts import cells_side_by_side, whole
from fuzzytruth.evaluation.worlds.setting import EXACT_PART, Sampling, Setting, after, run_blocks
from fuzzytruth.evaluation.worlds.simulation import run_outer
from fuzzytruth.evaluation.worlds.uncertainty import Uncertainty, WorldValues
from fuzzytruth.measures import Measure
from fuzzytruth.truth import AlignedTruth, Missing
from fuzzytruth.truth.vote_weights import as_given, single_subjects


@dataclass(frozen=True, slots=True, eq=False)
class _Pooled:
    """Expected values of all cells.

    Parameters
    ----------
    values, variance : (systems, measures, cells) float
        And the variance of each as a Monte Carlo estimate.
    exact : (systems, measures, cells) bool
        Whether no world was drawn for a value; equal values in all drawn worlds do not show that.
    chance_of_none : (measures, cells) float
        Probability that a cell has no relevant item (0 for measures that need none).
    """

    values: Floats
    variance: Floats
    exact: Bools
    chance_of_none: Floats

    @classmethod
    def of_parts(cls, aligned: AlignedTruth, parts: Sequence[_Pooled]) -> _Pooled:
        """Those of a truth in parts."""
        join = partial(cells_side_by_side, aligned)
        return cls(
            join([part.values for part in parts]),
            join([part.variance for part in parts]),
            join([part.exact for part in parts]),
            join([part.chance_of_none for part in parts]),
        )


def score_pooled(
    aligned: AlignedTruth,
    measures: tuple[Measure, ...],
    *,
    sampling: Sampling,
    exclude: bool,
    missing: Missing = "pooled",
) -> tuple[Scores, int]:
    """Each subject's expected scores; those by one crisp truth are as `score_subjects` gives them.

    With them, the `n_worlds` that gives them again.
    """
    if missing == "nonrelevant":
        aligned, missing = _filled(aligned), "error"
    elif missing == "exclude":
        _check_exclude(aligned)
    setting = Setting(
        aligned, "subject", as_given(), measures, 1, entropy_of(sampling.rng), exclude, keep=True
    )
    work = partial(_pooled, missing=missing)

    def draw(number: int) -> tuple[_Pooled, Floats, Floats]:
        pooled = whole(work, _Pooled.of_parts, replace(setting, n_inner=number), sampling)
        by_query = aligned.facts.cells.mean_by_query(pooled.values)
        return pooled, by_query, _error_of_means(pooled.variance, aligned.facts.cells)

    pooled, number = sampling.until_enough(draw, aligned.facts.systems, measures)
    chance = aligned.facts.cells.mean_by_query(pooled.chance_of_none)
    by_measure = dict(zip(map(str, measures), chance, strict=True))
    report_undefined_worlds(by_measure, aligned.facts.queries, exclude=exclude)
    spread = _uncertainty(setting, np.sqrt(pooled.variance), pooled.exact)
    return scores_of(aligned, measures, pooled.values, aligned.facts.cells, spread), number


def _filled(aligned: AlignedTruth) -> AlignedTruth:
    """The same with missing judgments as grade 0."""
    if not aligned.facts.n_missing:
        return aligned
    complete = aligned.filled()
    if isinstance(complete, str):
        raise OptionError(f"missing='nonrelevant': {complete}; use missing='pooled'")
    return complete


def _check_exclude(aligned: AlignedTruth) -> None:
    """Lists without a subject's missing items are known for one crisp truth only."""
    both = aligned.facts.uncertain & (aligned.facts.missing > 0)
    if both.any():
        raise OptionError(
            "missing='exclude': cannot be told for subjects who judged items several times with "
            f"different grades and left out others, as in {counted(int(both.sum()), 'case')} of a "
            "query and a subject; use missing='nonrelevant' or missing='pooled'"
        )


def _pooled(setting: Setting, sampling: Sampling, *, missing: Missing) -> _Pooled:
    """Expected values of all cells."""
    aligned = setting.aligned
    is_open = aligned.facts.uncertain
    if missing == "pooled":
        is_open = is_open | (aligned.facts.missing > 0)
    known = _crisp(setting, "error" if missing == "pooled" else missing)
    return _drawn(setting, known, is_open, sampling)


def _crisp(setting: Setting, missing: Missing) -> _Pooled:
    """Crisp values, which are those of the cells that are not open."""
    found = subject_values(setting.aligned, setting.measures, missing)
    values, without = found.values, found.without
    chance = np.zeros(values.shape[1:])
    for m, measure in enumerate(setting.measures):
        if measure.needs_relevant:
            chance[m] = without[str(measure)]
            if setting.exclude:
                values[:, m, without[str(measure)]] = np.nan
    return _Pooled(values, np.zeros_like(values), np.ones(values.shape, dtype=bool), chance)


def _drawn(setting: Setting, known: _Pooled, is_open: Bools, sampling: Sampling) -> _Pooled:
    """The same with expected values of the open cells."""
    out = _Pooled(
        known.values.copy(), known.variance.copy(), known.exact.copy(), known.chance_of_none.copy()
    )
    each = (_part(setting, block, is_open) for block in setting.blocks)
    parts = [part for part in each if part is not None]
    tasks = [(part.setting, part.block) for part in parts]
    progress = after(sampling.progress, EXACT_PART)
    results = run_blocks(run_outer, tasks, sampling.n_jobs, progress)
    for part, simulated in zip(parts, results, strict=True):
        assert simulated.kept is not None
        assert simulated.kept_noise is not None
        at = part.outer, slice(None), slice(None), part.query
        # (worlds, systems, measures, queries) → (systems, measures, cells)
        out.values[:, :, part.cells] = np.moveaxis(simulated.kept[at], 0, -1)
        out.variance[:, :, part.cells] = np.moveaxis(simulated.kept_noise[at], 0, -1)
        out.exact[:, :, part.cells] = simulated.exact[:, :, part.query]
        out.chance_of_none[:, part.cells] = part.chances()
    return out


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """The open cells of a block.

    Parameters
    ----------
    setting : Setting
        Whose outer worlds are the subjects of these cells.
    block : slice
        Queries.
    cells, outer, query : (cells,) int
        Number of each cell, its outer world, and its query in the block.
    """

    setting: Setting
    block: slice
    cells: Ints
    outer: Ints
    query: Ints

    def chances(self) -> Floats:
        """Probability that a cell has no relevant item: (measures, cells)."""
        setting, n_queries = self.setting, self.block.stop - self.block.start
        outcomes = setting.aligned.outcomes(self.block, setting.votes)
        chance = chances_of_none(outcomes, setting.measures, n_queries)
        return chance[self.outer, :, self.query].T


def _part(setting: Setting, block: slice, is_open: Bools) -> _Part | None:
    """What is to be drawn in a block; None: nothing."""
    aligned = setting.aligned
    offsets = aligned.facts.cells.offsets
    rows = np.arange(offsets[block.start], offsets[block.stop])
    cells = rows[is_open[rows]]
    if not len(cells):
        return None
    subjects, outer = np.unique(aligned.facts.cells.subject_codes[cells], return_inverse=True)
    votes = single_subjects(subjects, aligned.facts.subjects or ())
    query = aligned.facts.cells.query[cells] - block.start
    return _Part(replace(setting, votes=votes), block, cells, outer, query)


def _error_of_means(variance: Floats, cells: Cells) -> Floats:
    """Monte Carlo errors of the means over queries and subjects: (systems, measures)."""
    has_value = ~np.isnan(variance)
    n = cells.sum_by_query(has_value.astype(np.float64))
    of_query = divide(cells.sum_by_query(np.nan_to_num(variance, posinf=np.inf)), n**2)
    return np.sqrt(divide(of_query.sum(axis=-1), (n > 0).sum(axis=-1) ** 2))


def _uncertainty(setting: Setting, error: Floats, exact: Bools) -> Uncertainty:
    """Monte Carlo errors of values whose worlds are single subjects."""
    n_systems, n_measures, _ = error.shape
    nothing = WorldValues(np.zeros((0, n_systems, n_measures)))
    return Uncertainty(
        worlds="subject",
        exact=exact,
        mc_error=error,
        weight=np.zeros(0),
        inflation=1.0,
        drawn=False,
        n_worlds=len(setting.aligned.facts.subjects or ()),
        entropy=setting.entropy,
        spread=Lazy.of(None),
        in_worlds=Lazy.of(nothing),
    )
