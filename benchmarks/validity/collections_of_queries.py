"""Several collections: the mean over more of them, another one, and on how many of these."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.stats.collections import CollectionDifferences
from fuzzytruth.stats.observations import Observations, QueryGroups, each_system
from fuzzytruth.stats.world_estimates import estimate
from validity.families import LEVEL
from validity.rates import Counts, add
from validity.synthetic import noise

NUMBERS = (2, 3, 5, 8)
#: standard deviation between collections, and law of their effects
EFFECTS = (
    (0.0, "normal"),
    (0.02, "normal"),
    (0.05, "normal"),
    (0.2, "normal"),
    (0.05, "exponential"),
    (0.05, "grows with queries"),
)
_SD = 0.2  # of differences, times a lognormal factor
_LAYOUTS = 50  # numbers of queries in a run of a cell
_QUERIES = 50  # of each collection, for counts
_SIZE = 3.0  # standard errors, of a true difference


def settings() -> Iterator[dict[str, Any]]:
    """Cells of intervals."""
    for number in NUMBERS:
        for deviation, effects in EFFECTS:
            yield {"collections": number, "deviation": deviation, "effects": effects}


def count_settings() -> Iterator[dict[str, Any]]:
    """Cells of counts: how many true differences there are."""
    for number in (3, 5, 8):
        for true in sorted({0, 1, number // 2, number - 1, number}):
            yield {"collections": number, "true": true}


def collections(
    collections: int, deviation: float, effects: str, *, sets: int, seed: np.random.SeedSequence
) -> Counts:
    """Coverage of 95 % intervals for a mean of 0, and for another collection's difference."""
    total: Counts = {}
    layouts = min(_LAYOUTS, sets)
    for child in seed.spawn(layouts):
        rng, rows = np.random.default_rng(child), sets // layouts
        n = np.exp(rng.uniform(np.log(10), np.log(100), collections)).astype(np.int64)
        true, new = _effects(effects, n, rows, rng)
        sd = _SD * np.exp(rng.normal(0, 0.4, true.shape))
        observed, found = _observed(deviation * true, sd, n, rng)
        pairs = each_system(rows)
        for name, one in (("t", observed), ("these alone", observed.in_strata())):
            lower, upper = estimate(one, pairs, ("query",)).interval(LEVEL)
            add(total, f"cover: {name}", (lower <= 0) & (upper >= 0))
        lower, upper = found.on_another().interval(LEVEL)
        add(total, "cover: another", (lower <= deviation * new) & (deviation * new <= upper))
        _, lower, upper = found.deviations(LEVEL)
        add(total, "cover: deviation", (lower <= deviation) & (deviation <= upper))
    return total


def counts(collections: int, true: int, *, sets: int, seed: np.random.SeedSequence) -> Counts:
    """How often more collections are claimed than have a difference above 0, and how many are.

    The direction is given, or that of the mean; then a claim of the other one is wrong, too.
    """
    total: Counts = {}
    rng, n = np.random.default_rng(seed), np.full(collections, _QUERIES)
    mean = np.zeros((sets, collections))
    mean[:, :true] = _SIZE / np.sqrt(_QUERIES)
    _, found = _observed(mean, np.ones(mean.shape), n, rng)
    given, chosen = (found.at_least(LEVEL, side) for side in ("greater", "two-sided"))
    add(total, "wrong: direction given", given > true)
    add(total, "wrong: direction chosen", chosen > np.where(found.between.mean > 0, true, 0))
    add(total, "count: direction given", given)
    add(total, "count: direction chosen", chosen)
    return total


def _effects(effects: str, n: Ints, rows: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Effects (rows, collections), and of another one (rows,), of mean 0 and variance 1."""
    if effects == "grows with queries":  # of log-uniform numbers
        middle = np.log(10) * 1.5
        size = (np.log(n) - middle) / (np.log(10) / np.sqrt(12))
        return np.tile(size, (rows, 1)), rng.uniform(-np.sqrt(3), np.sqrt(3), rows)
    return noise(effects, (rows, len(n)), rng), noise(effects, (rows,), rng)


def _observed(
    mean: Floats, sd: Floats, n: Ints, rng: np.random.Generator
) -> tuple[Observations, CollectionDifferences]:
    """Differences of queries, of mean and deviation (rows, collections)."""
    code = np.repeat(np.arange(len(n)), n)
    y = mean[:, code] + sd[:, code] * rng.standard_normal((len(mean), len(code)))
    groups = QueryGroups("collections", code, len(n))
    observed = Observations(y, Cells.of_queries(len(code)), groups=groups)
    return observed, CollectionDifferences.of(observed, each_system(len(y)))
