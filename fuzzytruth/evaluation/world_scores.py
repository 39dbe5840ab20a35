"""From a truth with uncertain grades to scores with their spread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._typing import Bools
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.randomness import entropy_of
from fuzzytruth.core.segments import segment_sum
from fuzzytruth.data.judgments import Design
from fuzzytruth.errors import LostVotesWarning, OptionError, UndefinedMeasureWarning, warn
from fuzzytruth.evaluation.scores import Scores
from fuzzytruth.evaluation.simulation import INNER, Found, Setting, simulate, without_noise
from fuzzytruth.evaluation.uncertainty import Uncertainty
from fuzzytruth.evaluation.validation import some
from fuzzytruth.measures import Measure
from fuzzytruth.truth.pool import Placement, Pool
from fuzzytruth.truth.pool_outcomes import PoolMeeting
from fuzzytruth.truth.protocol import Meeting
from fuzzytruth.truth.worlds import Kind, OuterWorlds, outer_worlds

_ROUNDING = 1e-9
_RARE = 0.01  # a query that has no relevant item in a smaller share of worlds is not worth a word


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
        Called with the systems' names, one by one as blocks of queries are done.
    """

    n_worlds: int
    rng: Any = None
    n_jobs: int = 1
    keep: bool = False
    progress: Callable[[str], Any] | None = None

    def steps(self, systems: tuple[str, ...]) -> Callable[[float], None] | None:
        """What is to be told the share that is done."""
        progress = self.progress
        if progress is None:
            return None
        waiting = list(reversed(systems))

        def step(share: float) -> None:
            told = int(share * len(systems) + _ROUNDING)
            while len(systems) - len(waiting) < told:
                progress(waiting.pop())

        return step


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """What the axes of scores are called.

    Parameters
    ----------
    systems, queries : tuple of str
    subjects : tuple of str or None
    design : {"crossed", "nested"}
    judged : (subjects, queries) bool
        Where a subject gave any judgment; of use only if worlds are subjects.
    """

    systems: tuple[str, ...]
    queries: tuple[str, ...]
    subjects: tuple[str, ...] | None
    design: Design
    judged: Bools


def evaluate_worlds(
    pool: Pool,
    placements: dict[str, Placement],
    measures: tuple[Measure, ...],
    *,
    kind: Kind,
    design: Design,
    sampling: Sampling,
    exclude: bool,
) -> Scores:
    """Scores under the worlds of `kind`; "subject" fills each subject's holes from the others."""
    entropy = entropy_of(sampling.rng)
    if kind == "subject":
        n_subjects = len(pool.grade)
        outer = OuterWorlds(pool, np.full(n_subjects, 1 / n_subjects), np.eye(n_subjects))
    else:
        seed = np.random.SeedSequence(entropy, spawn_key=(0,))
        nested = design == "nested"
        outer = outer_worlds(pool, kind, n_worlds=sampling.n_worlds, nested=nested, seed=seed)
    judged = np.asarray(segment_sum(~np.isnan(pool.grade), pool.offsets) > 0)
    labels = Labels(tuple(placements), pool.queries, pool.subjects, design, judged)
    meeting = PoolMeeting(outer, tuple(placements.values()))
    scores = scores_of(
        meeting, labels, measures, kind=kind, sampling=sampling, entropy=entropy, exclude=exclude
    )
    if kind == "population":
        report_lost(outer.lost(), len(outer) * len(pool.item))
    return scores


def scores_of(
    meeting: Meeting,
    labels: Labels,
    measures: tuple[Measure, ...],
    *,
    kind: Kind,
    sampling: Sampling,
    entropy: tuple[int, ...],
    exclude: bool,
) -> Scores:
    """Simulate, and lay out what was found as scores."""
    n_inner = sampling.n_worlds
    if kind == "population" and n_inner < 2:
        raise OptionError("n_worlds=1: worlds='population' needs 2 resamples or more")
    if kind == "population":  # in all, at least as many as were asked for
        n_inner = max(INNER, -(-n_inner // len(meeting.weight)))
    keep = sampling.keep or kind == "subject"
    setting = Setting(meeting, measures, n_inner, entropy, exclude, keep)
    found = simulate(setting, n_jobs=sampling.n_jobs, done=sampling.steps(labels.systems))
    _report_undefined(found, measures, labels.queries, exclude)
    values, subjects = found.mean, None
    cells = Cells.of_queries(len(labels.queries))
    if kind == "subject":
        assert found.kept is not None
        cells, subjects = Cells.of_mask(labels.judged.T), labels.subjects
        values = cells.of_dense(found.kept.transpose(1, 2, 3, 0))
    return Scores(
        systems=labels.systems,
        queries=labels.queries,
        measures=tuple(map(str, measures)),
        values=values,
        cells=cells,
        subjects=subjects,
        design=labels.design,
        higher_is_better=tuple(m.higher_is_better for m in measures),
        uncertainty=_uncertainty(setting, found, kind, cells),
    )


def _uncertainty(setting: Setting, found: Found, kind: Kind, cells: Cells) -> Uncertainty:
    meeting, n_worlds = setting.meeting, setting.n_worlds
    n_outer = len(meeting.weight)
    with np.errstate(invalid="ignore"):  # a world in which no query has a value has no mean
        means = found.total / found.count
        noise = found.noise / found.count**2
    kept = found.kept
    spread: dict[str, Any] = {"std": np.sqrt(found.variance), "exact": found.exact}
    spread["mc_error"] = np.sqrt(found.error)
    if kind == "population":
        means = without_noise(means, noise, meeting.weight)
        if kept is not None and found.kept_noise is not None:
            kept = without_noise(kept, found.kept_noise, meeting.weight)
    elif kind == "subject" and found.kept_noise is not None:
        kept, error = None, cells.of_dense(np.sqrt(found.kept_noise).transpose(1, 2, 3, 0))
        spread = {"std": None, "exact": error == 0, "mc_error": error}
    return Uncertainty(
        worlds=kind,
        **spread,
        world_means=means,
        weight=meeting.weight if n_outer > 1 else np.full(n_worlds, 1 / n_worlds),
        # The largest of all queries: nested subjects may be fewer in some.
        inflation=float(meeting.inflation(slice(0, cells.n_queries)).max()),
        drawn=meeting.drawn or n_outer == 1,
        n_worlds=n_worlds,
        entropy=setting.entropy,
        setting=setting,
        kept=kept,
    )


def report_lost(lost: int, total: int) -> None:
    """Warn that `lost` of all pairs of a resample and an item have no vote."""
    if lost:
        warn(
            f"{lost:,} of {total:,} pairs of a resample and an item have no vote left, as few "
            "subjects judged the item; there it keeps its share of all votes",
            LostVotesWarning,
        )


def _report_undefined(
    found: Found, measures: tuple[Measure, ...], queries: tuple[str, ...], exclude: bool
) -> None:
    """Warn of queries that have no relevant item in a hundredth of the worlds or more."""
    notes: dict[str, list[str]] = {}
    for m, measure in enumerate(measures):
        none = found.chance_of_none[m]
        at = np.flatnonzero(none >= _RARE)
        if len(at):
            names = some(queries[j] for j in at)
            share = none[at].mean()
            where = f"{len(at):,} of {len(queries):,} queries ({names}), in {share:.2g} of worlds"
            notes.setdefault(where, []).append(str(measure))
    if notes:
        consequence = "are left out" if exclude else "count as nothing found"
        text = "; ".join(f"{', '.join(names)}: {where}" for where, names in notes.items())
        warn(
            f"no relevant item, so that these are undefined and {consequence}: {text}",
            UndefinedMeasureWarning,
        )
