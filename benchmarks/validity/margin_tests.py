"""Equivalence and non-inferiority where the true difference is just at the margin."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.comparison.margin_tests import Skew
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


# Skewed differences, and the warning of `Skew`.

Draw = Callable[[np.random.Generator, tuple[int, int]], Floats]


def _steps(values: list[float], chances: list[float]) -> tuple[Draw, float]:
    return lambda rng, shape: rng.choice(values, shape, p=chances), float(np.dot(values, chances))


#: differences and their means; losses: the long tail is of losses
SKEWED: dict[str, tuple[Draw, float]] = {
    "normal": (lambda rng, shape: rng.normal(size=shape), 0.0),
    "exponential, losses": (lambda rng, shape: -rng.exponential(size=shape), -1.0),
    "exponential, gains": (lambda rng, shape: rng.exponential(size=shape), 1.0),
    "lognormal, losses": (lambda rng, shape: -rng.lognormal(0, 0.5, shape), -np.exp(0.125)),
    "very lognormal, losses": (lambda rng, shape: -rng.lognormal(0, 1, shape), -np.exp(0.5)),
    "like RR": _steps([0, 0.5, -0.5, 0.75, -0.75], [0.7, 0.1, 0.1, 0.05, 0.05]),
    "like RR, losses": _steps([0, 0.5, -0.5, -0.75, -0.9], [0.8, 0.03, 0.1, 0.05, 0.02]),
}
SKEWED_QUERIES = (10, 15, 25, 50, 100, 200)
_WIDE = 6.0  # margin in standard errors


def skew_settings() -> Iterator[dict[str, Any]]:
    """All cells of skewed differences."""
    for effects in SKEWED:
        for n in SKEWED_QUERIES:
            yield {"effects": effects, "n": n}


def under_skew(effects: str, n: int, *, sets: int, seed: np.random.SeedSequence) -> Counts:
    """Claims, all false, and those of them that come without a warning."""
    rng, total = np.random.default_rng(seed), Counts()
    draw, mean = SKEWED[effects]
    gaps = draw(rng, (sets, n)) - mean
    deviation = float(draw(rng, (1000, 100)).std())
    limit = _WIDE * deviation / np.sqrt(n)
    fitted = estimate(
        Observations(gaps - limit, Cells.of_queries(n)), each_system(sets), ("query",)
    )
    claimed = not_inferior(fitted, limit, LEVEL).p <= 1 - LEVEL
    warned = np.array([Skew.of(row).harms() for row in gaps])
    add(total, "claim: non-inferiority", claimed)
    add(total, "claim: no warning", claimed & ~warned)
    add(total, "skewed", warned)
    return total
