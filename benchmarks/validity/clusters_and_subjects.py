"""Clusters of queries crossed with random subjects: errors of the test of one true difference of 0.

Of a query of a cluster, judged by a subject, d = .7 κ_cluster + .7 α_query + β_subject + (κβ) + ε,
the residual ε of variance 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.stats.observations import Observations, QueryGroups, each_system
from fuzzytruth.stats.settings import Over
from fuzzytruth.stats.world_estimates import estimate
from validity.clusters import codes
from validity.families import LEVEL
from validity.rates import Counts, add
from validity.synthetic import noise

CLUSTERS, SUBJECTS = (5, 10, 25), (2, 3, 10)
#: standard deviations of subjects, and of subjects in clusters
SPREADS = ((0.0, 0.0), (0.3, 0.3), (1.0, 0.3), (0.0, 1.0))
_COMMON = 0.7  # of clusters, and of queries in them
_LAYOUTS = 100  # different sizes of clusters, and missing cells, in a run of a cell

#: whether the interval has clusters, and what is random
METHODS: dict[str, tuple[bool, Over]] = {
    "default": (True, ("query", "subject")),
    "clusters ignored": (False, ("query", "subject")),
    "subjects ignored": (True, ("query",)),
}


def settings() -> Iterator[dict[str, Any]]:
    """All cells: complete, incomplete, and with effects that are not normal."""
    for clusters in CLUSTERS:
        for subjects in SUBJECTS:
            for spreads in SPREADS:
                yield _cell(clusters, subjects, spreads, "five" if subjects == 3 else "1 to 9")
    for clusters, subjects in ((5, 5), (10, 3), (10, 10), (25, 5)):
        for spreads in SPREADS[:3]:
            yield _cell(clusters, subjects, spreads, missing=0.2)
    yield _cell(10, 5, SPREADS[1], missing=0.4)
    for clusters in (10, 25):
        yield _cell(clusters, 5, SPREADS[1], effects="exponential")


def _cell(
    clusters: int,
    subjects: int,
    spreads: tuple[float, float],
    sizes: str = "1 to 9",
    *,
    missing: float = 0.0,
    effects: str = "normal",
) -> dict[str, Any]:
    return {
        "effects": effects,
        "missing": missing,
        "sizes": sizes,
        "clusters": clusters,
        "subjects": subjects,
        "spreads": list(spreads),
    }


def clusters_and_subjects(
    effects: str,
    missing: float,
    sizes: str,
    clusters: int,
    subjects: int,
    spreads: tuple[float, float],
    *,
    sets: int,
    seed: np.random.SeedSequence,
) -> Counts:
    """Whether 95 % intervals miss a mean of 0."""
    total: Counts = {}
    layouts = min(_LAYOUTS, sets)
    for child in seed.spawn(layouts):
        rng = np.random.default_rng(child)
        code = codes(sizes, clusters, rng)
        judged = rng.random((len(code), subjects)) >= missing
        kept = judged.any(axis=1)
        code = np.unique(code[kept], return_inverse=True)[1]
        cells = Cells.of_mask(judged[kept])
        y = cells.of_dense(_scores(effects, code, (sets // layouts, subjects), spreads, rng))
        groups = QueryGroups("clusters", code, int(code.max()) + 1)
        for name, (grouped, over) in METHODS.items():
            observed = Observations(y, cells, groups=groups if grouped else None)
            lower, upper = estimate(observed, each_system(len(y)), over).interval(LEVEL)
            add(total, f"miss: {name}", (lower > 0) | (upper < 0))
    return total


def _scores(
    effects: str,
    code: Ints,
    shape: tuple[int, int],
    spreads: tuple[float, float],
    rng: np.random.Generator,
) -> Floats:
    """Differences (sets, queries, subjects) of mean 0."""
    sets, subjects = shape
    clusters, queries = int(code.max()) + 1, len(code)
    of_subjects, within = spreads
    of_clusters = _COMMON * noise(effects, (sets, clusters, 1), rng)
    of_clusters = of_clusters + within * noise(effects, (sets, clusters, subjects), rng)
    return np.asarray(
        of_clusters[:, code]
        + _COMMON * noise(effects, (sets, queries, 1), rng)
        + of_subjects * noise(effects, (sets, 1, subjects), rng)
        + noise(effects, (sets, queries, subjects), rng)
    )
