"""Leaving out one subject: how often a verdict changes if all subjects are alike, or one is not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.annotators.influences.influence_tables import leave_one_out
from fuzzytruth.core.cells import Cells
from fuzzytruth.stats.multiplicity import significant
from fuzzytruth.stats.observations import Observations, each_system
from fuzzytruth.stats.settings import Over
from fuzzytruth.stats.world_estimates import estimate
from validity.families import LEVEL
from validity.rates import Counts, add

QUERIES = 25
SUBJECTS = (3, 5, 10)
ALIKE, ONE_DIFFERS = "alike", "one differs"
_OVER: dict[str, Over] = {"queries": ("query",), "both": ("query", "subject")}
#: variances of queries, subjects and the rest
_VARIANCES = (0.5, 0.2, 1.0)
_SHIFT = 3.0  # of the one who differs, in standard deviations of subjects


def settings() -> Iterator[dict[str, Any]]:
    """All cells: the true difference is in standard errors over queries and subjects."""
    for over in _OVER:
        for subjects in (ALIKE, ONE_DIFFERS):
            for difference in (0.0, 2.5):
                for n in SUBJECTS:
                    yield {
                        "over": over,
                        "subjects": subjects,
                        "difference": difference,
                        "n_subjects": n,
                    }


def influence(
    over: str,
    subjects: str,
    difference: float,
    n_subjects: int,
    *,
    sets: int,
    seed: np.random.SeedSequence,
) -> Counts:
    """Verdicts about one difference that are lost or gained without some subject."""
    rng = np.random.default_rng(seed)
    cells = Cells.complete(QUERIES, n_subjects)
    y = _differences(subjects, difference, n_subjects, sets, rng)
    axes = _OVER[over]
    everyone = _verdicts(Observations(y, cells), axes)
    kept = [cells.subject_codes != s for s in range(n_subjects)]
    without = np.stack([_verdicts(_some(y, cells, stays), axes) for stays in kept])
    total: Counts = {}
    found, positive = everyone != 0, everyone > 0
    add(total, "significant", found)
    add(total, "lost", (without == 0).any(axis=0)[found])
    add(total, "gained", (without != 0).any(axis=0)[~found])
    add(total, "reversed", ((without < 0) & positive).any(axis=0)[found])
    left = leave_one_out(y, cells, cells.subject_codes, n_subjects)
    change = np.abs(left.without - left.mean[:, None])
    add(total, "most influential", change.argmax(axis=1) == 0)
    return total


def _some(y: Floats, cells: Cells, stays: Bools) -> Observations:
    return Observations(y[:, stays], cells.select(stays).compressed())


def _differences(
    subjects: str, difference: float, n_subjects: int, sets: int, rng: np.random.Generator
) -> Floats:
    """Differences of two systems: (sets, queries × subjects); the first subject may differ."""
    a, b, e = (np.sqrt(v) for v in _VARIANCES)
    of_query = a * rng.normal(size=(sets, QUERIES, 1))
    of_subject = b * rng.normal(size=(sets, 1, n_subjects))
    if subjects == ONE_DIFFERS:
        of_subject[:, :, 0] -= _SHIFT * b
    rest = e * rng.normal(size=(sets, QUERIES, n_subjects))
    v, n = _VARIANCES, n_subjects
    error = np.sqrt(v[0] / QUERIES + v[1] / n + v[2] / (QUERIES * n))
    y: Floats = (difference * error + of_query + of_subject + rest).reshape(sets, -1)
    return y


def _verdicts(observed: Observations, over: Over) -> Floats:
    """1 or -1 for means that differ significantly from 0, else 0: (sets,)."""
    found = estimate(observed, each_system(len(observed.values)), over)
    return np.where(significant(found.p_value(), LEVEL), np.sign(found.value), 0.0)
