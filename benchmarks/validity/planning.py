"""Predictions of `plan`: half-widths and power of intervals of data that are then simulated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.optimize import brentq

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells
from fuzzytruth.stats.observations import Observations, all_pairs, each_system
from fuzzytruth.stats.world_estimates import estimate
from validity.crossed import OVER, QUERIES, SUBJECTS, VARIANCES, table
from validity.families import LEVEL, default
from validity.rates import Counts, add

BOTH, FAMILY = "both", "queries, all pairs"
EFFECTS = ("normal", "exponential")
POWER = 0.8
SYSTEMS = 8
TESTS = SYSTEMS * (SYSTEMS - 1) // 2


def settings() -> Iterator[dict[str, Any]]:
    """All cells."""
    for variances in VARIANCES:
        for n_q in QUERIES:
            for n_s in SUBJECTS:
                yield {
                    "effects": "normal",
                    "random": BOTH,
                    "variances": list(variances),
                    "n_queries": n_q,
                    "n_subjects": n_s,
                }
    for effects in EFFECTS:
        for n_q in QUERIES:
            yield {
                "effects": effects,
                "random": FAMILY,
                "variances": [1.0],
                "n_queries": n_q,
                "n_subjects": 1,
            }


def planning(
    effects: str,
    random: str,
    variances: list[float],
    n_queries: int,
    n_subjects: int,
    *,
    sets: int,
    seed: np.random.SeedSequence,
) -> Counts:
    """Half-widths over those predicted, and rejections of a difference with predicted power."""
    if random == FAMILY:
        return _families(effects, n_queries, sets // 5, seed)
    rng = np.random.default_rng(seed)
    y = table(effects, (*variances,), (sets, n_queries, n_subjects), rng)
    cells = Cells.complete(n_queries, n_subjects)
    found = estimate(Observations(cells.of_dense(y), cells), each_system(sets), OVER["default"])
    total: Counts = {}
    half = {}
    for name, tests in (("one", 1), ("28 pairs", TESTS)):
        lower, upper = found.interval(1 - (1 - LEVEL) / tests)
        half[name] = (upper - lower) / 2
        of_pair = _plan(variances, n_queries, n_subjects, tests).predict(n_queries, n_subjects)
        add(total, f"ratio: {name}", half[name] / of_pair["half_width"])
    one = _plan(variances, n_queries, n_subjects, 1)

    def missing_power(difference: float) -> float:
        return one.predict(n_queries, n_subjects, difference=difference)["power"] - POWER

    width = one.predict(n_queries, n_subjects)["half_width"]
    gap = float(brentq(missing_power, 1e-6, 20 * width))
    add(total, "reject", np.abs(found.value + gap) > half["one"])
    return total


def _plan(variances: list[float], n_queries: int, n_subjects: int, tests: int) -> ft.results.Plan:
    """Of differences with these variances, which are twice the components; one size is enough."""
    q, s, e = (variance / 2 for variance in variances)
    components = {"system:query": q, "system:subject": s, "residual": e}
    sizes = {"queries": n_queries, "subjects": n_subjects}
    return ft.plan(components=components, half_width=1e9, family=tests, **sizes)


def _families(effects: str, n_queries: int, sets: int, seed: np.random.SeedSequence) -> Counts:
    """All pairs of eight equal systems over queries: max-t, which the plan takes as Bonferroni."""
    total: Counts = {}
    found = ft.plan(components={"residual": 1.0}, half_width=1e9, n_systems=SYSTEMS)
    width = found.predict(n_queries)["half_width"]
    contrasts = all_pairs(SYSTEMS)
    for child in seed.spawn(sets):
        first, second = child.spawn(2)
        x = table(effects, (0.0, 0.0, 1.0), (1, n_queries, SYSTEMS), np.random.default_rng(first))
        lower, upper = default(x, contrasts, second)
        add(total, "ratio: 28 pairs", ((upper - lower) / 2).mean() / width)
    return total
