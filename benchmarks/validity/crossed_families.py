"""Eight equal systems over queries and subjects: family-wise error of all 28 pairs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.crossed import crossed_layout, variance_components
from fuzzytruth.stats.laws import student_fit
from fuzzytruth.stats.multiplicity import Family, significant
from fuzzytruth.stats.observations import Observations, all_pairs
from fuzzytruth.stats.settings import Over, Resampling
from fuzzytruth.stats.world_estimates import estimate
from validity.crossed import COMPLETE, MISSING, judged, table
from validity.families import LEVEL, excludes_zero, unpaired_tukey
from validity.rates import Counts, add

SYSTEMS = 8
QUERIES = (25, 50)
SUBJECTS = (3, 5, 10)
#: of queries, subjects and the rest, of each system
VARIANCES = ((1.0, 0.2, 1.0), (0.2, 1.0, 1.0), (1.0, 0.0, 1.0))


def settings() -> Iterator[dict[str, Any]]:
    """All cells."""
    for variances in VARIANCES:
        for n_q in QUERIES:
            for n_s in SUBJECTS:
                for work in (COMPLETE, MISSING):
                    if work == MISSING and variances != VARIANCES[0]:
                        continue
                    yield {
                        "work": work,
                        "variances": list(variances),
                        "n_queries": n_q,
                        "n_subjects": n_s,
                    }


def crossed_families(
    work: str,
    variances: tuple[float, float, float],
    n_queries: int,
    n_subjects: int,
    *,
    sets: int,
    seed: np.random.SeedSequence,
) -> Counts:
    """Whether any pair differs significantly, by Bonferroni: each way over the same tables."""
    total: Counts = {}
    contrasts = all_pairs(SYSTEMS)
    for child in seed.spawn(sets):
        rng = np.random.default_rng(child)
        cells = Cells.of_mask(judged(work, n_queries, n_subjects, rng))
        y = cells.of_dense(table("normal", variances, (SYSTEMS, n_queries, n_subjects), rng))
        observed = Observations(y, cells)
        for name, over in _OVER.items():
            family = Family(
                ("",),
                (observed,),
                contrasts,
                None,
                over,
                "bonferroni",
                "two-sided",
                LEVEL,
                Resampling(),
            )
            (p,) = family.p_adjusted([estimate(observed, contrasts, over)])
            add(total, f"miss: {name}", significant(p, LEVEL).any())
        parts = variance_components(observed.of(contrasts), crossed_layout(cells))
        fit = student_fit(parts.mean, np.sqrt(parts.variance), parts.df, pairs=True)
        rejected = fit.law.p_value(fit.value, "two-sided") <= (1 - LEVEL) / len(contrasts)
        add(total, "miss: Satterthwaite", rejected.any())
        add(total, "miss: unpaired Tukey", _tukey(cells.mean_by_query(y)))
    return total


_OVER: dict[str, Over] = {"default": ("query", "subject"), "queries only": ("query",)}


def _tukey(by_query: Floats) -> bool:
    """Whether unpaired Tukey over queries rejects, from (systems, queries)."""
    lower, upper = unpaired_tukey(by_query.T[None], all_pairs(len(by_query)))
    return bool(excludes_zero(lower, upper).any())
