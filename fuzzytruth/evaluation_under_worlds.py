"""From a truth with uncertain grades to scores with their spread."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth.alignment import Placement, Pool
from fuzzytruth.checks import entropy_of
from fuzzytruth.core.segments import segment_sum
from fuzzytruth.errors import LostVotesWarning, UndefinedMeasureWarning
from fuzzytruth.judgments import Design
from fuzzytruth.measures import Measure
from fuzzytruth.preparation import some
from fuzzytruth.scores import Scores
from fuzzytruth.simulation import INNER, Found, Setting, simulate
from fuzzytruth.uncertainty import Uncertainty
from fuzzytruth.worlds import Kind, OuterWorlds, outer_worlds

_STACK = 4  # frames from here to the user's call
_NEVER = 1e-6  # a query that has no relevant item in fewer worlds is not worth a word


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
    """

    n_worlds: int
    rng: Any = None
    n_jobs: int = 1
    keep: bool = False


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
    n_inner = sampling.n_worlds
    if kind == "population":  # in all, at least as many as were asked for
        n_inner = max(INNER, -(-n_inner // len(outer)))
    setting = Setting(
        outer,
        tuple(placements.values()),
        measures,
        n_inner,
        entropy,
        exclude,
        sampling.keep or kind == "subject",
    )
    found = simulate(setting, n_jobs=sampling.n_jobs)
    if kind == "population":
        _report_lost(outer)
    _report_undefined(found, measures, pool.queries, exclude)
    return _scores(pool, tuple(placements), measures, setting, found, kind, design)


def _scores(
    pool: Pool,
    systems: tuple[str, ...],
    measures: tuple[Measure, ...],
    setting: Setting,
    found: Found,
    kind: Kind,
    design: Design,
) -> Scores:
    outer = setting.outer
    n_worlds = setting.n_worlds
    weight = outer.weight if len(outer) > 1 else np.full(n_worlds, 1 / n_worlds)
    with np.errstate(invalid="ignore"):  # a world in which no query has a value has no mean
        means = found.total / found.count
    uncertainty = Uncertainty(
        worlds=kind,
        std=np.sqrt(found.variance),
        exact=found.exact,
        mc_error=np.sqrt(found.error),
        world_means=means,
        weight=weight,
        inflation=_inflation(outer),
        drawn=outer.drawn or len(outer) == 1,
        n_worlds=n_worlds,
        entropy=setting.entropy,
        setting=setting,
        kept=found.kept,
    )
    values, subjects = found.mean[:, :, None, :], None
    judged: NDArray[np.bool_] = np.ones((1, len(pool.queries)), dtype=bool)
    if kind == "subject":
        assert found.kept is not None
        values, subjects = found.kept.transpose(1, 2, 0, 3).copy(), pool.subjects
        judged = np.asarray(segment_sum(~np.isnan(pool.grade), pool.offsets) > 0)
        values[:, :, ~judged] = np.nan
    return Scores(
        systems=systems,
        queries=pool.queries,
        measures=tuple(map(str, measures)),
        values=values,
        judged=judged,
        subjects=subjects,
        design=design,
        higher_is_better=tuple(m.higher_is_better for m in measures),
        uncertainty=uncertainty,
    )


def _inflation(outer: OuterWorlds) -> float:
    """The largest of all queries: nested subjects may be fewer in some."""
    return float(outer.inflation(slice(0, len(outer.pool.queries))).max())


def _report_lost(outer: OuterWorlds) -> None:
    lost = outer.lost()
    if lost:
        total = len(outer) * len(outer.pool.item)
        warnings.warn(
            f"{lost:,} of {total:,} pairs of a resample and an item have no vote left, as few "
            "subjects judged the item; there it keeps its share of all votes",
            LostVotesWarning,
            stacklevel=_STACK,
        )


def _report_undefined(
    found: Found, measures: tuple[Measure, ...], queries: tuple[str, ...], exclude: bool
) -> None:
    notes: dict[str, list[str]] = {}
    for m, measure in enumerate(measures):
        none = found.chance_of_none[m]
        at = np.flatnonzero(none > _NEVER)
        if len(at):
            names = some(queries[j] for j in at)
            share = none[at].mean()
            where = f"{len(at):,} of {len(queries):,} queries ({names}), in {share:.2g} of worlds"
            notes.setdefault(where, []).append(str(measure))
    if notes:
        consequence = "are left out" if exclude else "count as nothing found"
        text = "; ".join(f"{', '.join(names)}: {where}" for where, names in notes.items())
        warnings.warn(
            f"no relevant item, so that these are undefined and {consequence}: {text}",
            UndefinedMeasureWarning,
            stacklevel=_STACK,
        )
