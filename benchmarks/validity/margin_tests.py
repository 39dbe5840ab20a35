"""Equivalence and non-inferiority where the true difference is just at the margin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fuzzytruth.core.cells import Cells
from fuzzytruth.stats.multiplicity import not_inferior, two_one_sided
from fuzzytruth.stats.observations import Observations, each_system
from fuzzytruth.stats.settings import Over
from fuzzytruth.stats.world_estimates import estimate
from validity.crossed import table
from validity.families import LEVEL
from validity.rates import Counts, add

#: what is random, and the sizes
OVER: dict[str, tuple[Over, tuple[tuple[int, int], ...]]] = {
    "queries": (("query",), ((10, 3), (25, 3), (50, 3))),
    "subjects": (("subject",), ((25, 3), (25, 5), (25, 10))),
    "both": (("query", "subject"), ((25, 3), (25, 5), (25, 10), (50, 3), (50, 5), (50, 10))),
}
EFFECTS = ("normal", "exponential")
#: margin over the standard error of the difference
MARGINS = (2.0, 6.0)
_VARIANCES = (1.0, 0.2, 1.0)


def settings() -> Iterator[dict[str, Any]]:
    """All cells."""
    for effects in EFFECTS:
        for over, (_, sizes) in OVER.items():
            for n_q, n_s in sizes:
                for margin in MARGINS:
                    yield {
                        "effects": effects,
                        "over": over,
                        "n_queries": n_q,
                        "n_subjects": n_s,
                        "margin": margin,
                    }


def margin_tests(
    effects: str,
    over: str,
    n_queries: int,
    n_subjects: int,
    margin: float,
    *,
    sets: int,
    seed: np.random.SeedSequence,
) -> Counts:
    """Share of false claims, the difference being at either margin."""
    total: Counts = {}
    rng = np.random.default_rng(seed)
    axes = OVER[over][0]
    q, s, e = _VARIANCES
    variances = (q if "query" in axes else 0.0, s if "subject" in axes else 0.0, e)
    error = np.sqrt(
        variances[0] / n_queries + variances[1] / n_subjects + e / (n_queries * n_subjects)
    )
    cells = Cells.of_mask(np.ones((n_queries, n_subjects), dtype=bool))
    y = table(effects, variances, (sets, n_queries, n_subjects), rng)
    limit = float(margin * error)
    for sign in (1, -1):
        observed = Observations(cells.of_dense(y + sign * limit), cells)
        fitted = estimate(observed, each_system(sets), axes)
        p = two_one_sided(fitted, limit, LEVEL).p
        add(total, f"claim: equivalence, at {sign:+d} margin", p <= 1 - LEVEL)
        if sign < 0:
            p = not_inferior(fitted, limit, LEVEL).p
            add(total, "claim: non-inferiority", p <= 1 - LEVEL)
    return total
