"""Queries and subjects both random: coverage of intervals for one mean of crossed scores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.clusters import counts, drawn_units
from fuzzytruth.core.crossed import crossed_layout, variance_components
from fuzzytruth.stats.intervals import pigeonhole_means
from fuzzytruth.stats.laws import student_fit
from fuzzytruth.stats.observations import Observations, each_system
from fuzzytruth.stats.settings import Over
from fuzzytruth.stats.world_estimates import estimate
from validity.families import LEVEL, RESAMPLES
from validity.rates import Counts, add
from validity.synthetic import noise

QUERIES = (10, 25, 50)
SUBJECTS = (2, 3, 5, 10)
Variances = tuple[float, float, float]
#: variances of queries, subjects and the rest
VARIANCES: tuple[Variances, ...] = (
    *((q, s, 1.0) for q in (0.0, 0.2, 1.0) for s in (0.0, 0.2, 1.0)),
    (1.0, 1.0, 0.0),
    (0.2, 1.0, 0.0),
)
#: of which only these have effects that are not normal, or unequal work
_SOME: tuple[Variances, ...] = ((1.0, 0.2, 1.0), (1.0, 1.0, 1.0), (0.2, 1.0, 1.0))
COMPLETE, MISSING, ONE_JUDGE, UNEQUAL = (
    "complete",
    "30 % missing",
    "one judged everything",
    "unequal work",
)
_LAYOUTS = 20  # different tables in a run of a cell, where cells are missing
_PIGEONHOLE = 10  # one in so many data sets is resampled by the pigeonhole bootstrap


def settings() -> Iterator[dict[str, Any]]:
    """All cells."""

    def each(effects: str, work: str, variances: tuple[Variances, ...]) -> Iterator[dict[str, Any]]:
        for given in variances:
            for n_q in QUERIES:
                for n_s in SUBJECTS:
                    if work in (ONE_JUDGE, UNEQUAL) and n_s == 2:
                        continue
                    yield {
                        "effects": effects,
                        "work": work,
                        "variances": list(given),
                        "n_queries": n_q,
                        "n_subjects": n_s,
                    }

    yield from each("normal", COMPLETE, VARIANCES)
    yield from each("normal", MISSING, VARIANCES)
    yield from each("normal", ONE_JUDGE, _SOME)
    yield from each("normal", UNEQUAL, _SOME)
    yield from each("exponential", COMPLETE, _SOME)
    yield from each("exponential", MISSING, _SOME)


def crossed(
    effects: str,
    work: str,
    variances: Variances,
    n_queries: int,
    n_subjects: int,
    *,
    sets: int,
    seed: np.random.SeedSequence,
) -> Counts:
    """Coverage of 95 % intervals for a mean of 0."""
    total: Counts = {}
    layouts = 1 if work == COMPLETE else min(_LAYOUTS, sets)
    for child in seed.spawn(layouts):
        first, second = child.spawn(2)
        rng = np.random.default_rng(first)
        cells = Cells.of_mask(judged(work, n_queries, n_subjects, rng))
        y = table(effects, variances, (sets // layouts, n_queries, n_subjects), rng)
        _cover_all(total, cells.of_dense(y), cells, second)
    return total


def table(
    effects: str, variances: Variances, shape: tuple[int, int, int], rng: np.random.Generator
) -> Floats:
    """Scores of shape (sets, queries, subjects)."""
    sets, n_q, n_s = shape
    q, s, e = np.sqrt(variances)
    return np.asarray(
        q * noise(effects, (sets, n_q, 1), rng)
        + s * noise(effects, (sets, 1, n_s), rng)
        + e * noise(effects, shape, rng)
    )


def judged(work: str, n_q: int, n_s: int, rng: np.random.Generator) -> Bools:
    """Which queries each subject judged: every query and every subject has a judgment.

    "one judged everything": the others judged a fifth each, but no query is another's alone.
    "unequal work": shares of the queries fall from all to a fifth.
    """
    share = {
        COMPLETE: np.ones(n_s),
        MISSING: np.full(n_s, 0.7),
        ONE_JUDGE: np.array([1.0, *np.full(n_s - 1, 0.2)]),
        UNEQUAL: np.geomspace(1.0, 0.2, n_s),
    }[work]
    present = rng.random((n_q, n_s)) < share
    present[np.flatnonzero(~present.any(axis=1)), rng.integers(n_s)] = True
    present[rng.integers(n_q), np.flatnonzero(~present.any(axis=0))] = True
    return present


def _cover_all(total: Counts, y: Floats, cells: Cells, seed: np.random.SeedSequence) -> None:
    """Coverage of each method by tables (sets, cells)."""
    first, second = seed.spawn(2)
    for name, over in OVER.items():
        lower, upper = crossed_intervals(y, cells, over)
        _cover(total, name, lower, upper)
    parts = variance_components(y, crossed_layout(cells))
    fit = student_fit(parts.mean, np.sqrt(parts.variance), parts.df, pairs=False)
    _cover(total, "Satterthwaite", *fit.law.interval(fit.value, LEVEL, "two-sided"))
    by_query = cells.mean_by_query(y)
    weight = counts(drawn_units(first, RESAMPLES, cells.n_queries)) / cells.n_queries
    cut = int((1 - LEVEL) / 2 * (RESAMPLES + 1))
    drawn = np.partition(by_query @ weight.T, (cut - 1, RESAMPLES - cut), axis=1)
    _cover(total, "percentile bootstrap", drawn[:, cut - 1], drawn[:, RESAMPLES - cut])
    few = -(-len(y) // _PIGEONHOLE)
    spread = _pigeonhole(y[:few], cells, second)
    smaller = min(cells.n_queries, cells.n_subjects)
    error = spread * np.sqrt(smaller / (smaller - 1))
    fit = student_fit(parts.mean[:few], error, np.full(few, smaller - 1.0), pairs=False)
    _cover(total, "pigeonhole", *fit.law.interval(fit.value, LEVEL, "two-sided"))


#: what is random in an interval of the library
OVER: dict[str, Over] = {
    "default": ("query", "subject"),
    "queries only": ("query",),
    "subjects only": ("subject",),
}


def crossed_intervals(y: Floats, cells: Cells, over: Over) -> tuple[Floats, Floats]:
    """The library's intervals for tables (sets, cells): (sets,) each."""
    return estimate(Observations(y, cells), each_system(len(y)), over).interval(LEVEL)


def _pigeonhole(y: Floats, cells: Cells, seed: np.random.SeedSequence) -> Floats:
    first, second = seed.spawn(2)
    queries = counts(drawn_units(first, RESAMPLES, cells.n_queries))
    subjects = counts(drawn_units(second, RESAMPLES, cells.n_subjects))
    return np.asarray(np.nanstd(pigeonhole_means(y, cells, queries, subjects), axis=1))


def _cover(total: Counts, name: str, lower: Floats, upper: Floats) -> None:
    add(total, f"cover: {name}", (lower <= 0) & (upper >= 0))
