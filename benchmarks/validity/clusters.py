"""Clusters of queries that vary together: coverage of one interval, and families."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.stats.observations import Observations, QueryGroups, all_pairs, each_system
from fuzzytruth.stats.world_estimates import estimate
from validity.families import LEVEL, bonferroni_t, default, tally
from validity.rates import Counts, add
from validity.synthetic import noise

CLUSTERS = (10, 25)
SIZES = ("five", "1 to 9")
EFFECTS = ("normal", "exponential")
SYSTEMS = 8
#: share of the variance that queries of a cluster have in common
_COMMON = 0.5
_LAYOUTS = 20  # different sizes of clusters in a run of a cell


def settings() -> Iterator[dict[str, Any]]:
    """All cells, of one mean and of families."""
    for effects in EFFECTS:
        for sizes in SIZES:
            for n in CLUSTERS:
                yield {"effects": effects, "sizes": sizes, "clusters": n}


def clusters(
    effects: str, sizes: str, clusters: int, *, sets: int, seed: np.random.SeedSequence
) -> Counts:
    """Coverage of 95 % intervals for a mean of 0."""
    total: Counts = {}
    layouts = min(_LAYOUTS, sets)
    for child in seed.spawn(layouts):
        rng = np.random.default_rng(child)
        code = codes(sizes, clusters, rng)
        y = _scores(effects, code, sets // layouts, rng)
        for name, groups in (
            ("default", QueryGroups("clusters", code, clusters)),
            ("clusters ignored", None),
        ):
            observed = Observations(y, Cells.of_queries(len(code)), groups=groups)
            lower, upper = estimate(observed, each_system(len(y)), ("query",)).interval(LEVEL)
            add(total, f"cover: {name}", (lower <= 0) & (upper >= 0))
    return total


def cluster_families(
    effects: str, sizes: str, clusters: int, *, sets: int, seed: np.random.SeedSequence
) -> Counts:
    """All pairs of eight equal systems."""
    total: Counts = {}
    contrasts = all_pairs(SYSTEMS)
    gap = np.zeros((1, len(contrasts)))
    for child in seed.spawn(sets):
        first, second = child.spawn(2)
        rng = np.random.default_rng(first)
        code = codes(sizes, clusters, rng)
        x = _scores(effects, code, SYSTEMS, rng).T[None]
        groups = QueryGroups("clusters", code, clusters)
        tally(total, "default", default(x, contrasts, second, groups=groups), gap)
        ends = bonferroni_t(x, contrasts, alternative="two-sided")
        tally(total, "clusters ignored, Bonferroni t", ends, gap)
    return total


def codes(sizes: str, clusters: int, rng: np.random.Generator) -> Ints:
    """Cluster of each query."""
    size = np.full(clusters, 5) if sizes == "five" else rng.integers(1, 10, clusters)
    return np.repeat(np.arange(clusters), size)


def _scores(effects: str, code: Ints, rows: int, rng: np.random.Generator) -> Floats:
    """Scores (rows, queries) of mean 0."""
    common = noise(effects, (rows, int(code.max()) + 1), rng)[:, code]
    own = noise(effects, (rows, len(code)), rng)
    return np.asarray(np.sqrt(_COMMON) * common + np.sqrt(1 - _COMMON) * own)
