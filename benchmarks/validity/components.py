"""Variance components: coverage of the intervals of each, and of generalizability coefficients."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.annotators.planning.estimated_components import balanced_draws, estimated_components
from fuzzytruth.annotators.planning.measure_components import coefficients_of
from fuzzytruth.core.crossed import (
    QUERY,
    SUBJECT,
    SYSTEM,
    EffectsLayout,
    variance_of_mean,
)
from validity.rates import Counts, add
from validity.real_matrices import COLLECTIONS, matrix
from validity.synthetic import noise

QUERIES = (10, 25, 50)
SUBJECTS = (3, 5, 10)
COMPLETE, MISSING = "complete", "30 % missing"
SYSTEMS = 5
#: effects, their names and their variances, in about the proportions of real scores
EFFECTS = (SYSTEM, QUERY, SUBJECT, SYSTEM | QUERY, SYSTEM | SUBJECT, QUERY | SUBJECT)
EFFECTS += (SYSTEM | QUERY | SUBJECT,)
NAMES = ("system", "query", "subject", "system:query", "system:subject", "query:subject")
NAMES += ("residual",)
VARIANCES = np.array([0.2, 1.0, 0.1, 0.5, 0.05, 0.1, 0.3])
_LEVEL = 0.95
REAL_SIZE = (12, 8)
REAL_NAMES = ("system", "query", "residual")


def settings() -> Iterator[dict[str, Any]]:
    """All cells: the more costly ones with values missing are fewer."""
    for n_queries in QUERIES:
        for n_subjects in SUBJECTS:
            yield _cell("normal", COMPLETE, n_queries, n_subjects)
    for n_queries in QUERIES:
        yield _cell("exponential", COMPLETE, n_queries, 5)
    for n_queries in QUERIES[:2]:
        for n_subjects in SUBJECTS[:2]:
            yield _cell("normal", MISSING, n_queries, n_subjects)


def _cell(effects: str, work: str, n_queries: int, n_subjects: int) -> dict[str, Any]:
    return {"effects": effects, "work": work, "n_queries": n_queries, "n_subjects": n_subjects}


def components(
    effects: str,
    work: str,
    n_queries: int,
    n_subjects: int,
    *,
    sets: int,
    seed: np.random.SeedSequence,
) -> Counts:
    """Coverage of 95 % intervals."""
    total: Counts = {}
    rng = np.random.default_rng(seed)
    shape = (SYSTEMS, n_queries, n_subjects)
    for _ in range(sets if work == COMPLETE else sets // 4):
        present = rng.random(shape) >= (0.0 if work == COMPLETE else 0.3)
        layout, panel = _layout(present)
        y = np.zeros(layout.n)
        for code, levels, variance in zip(layout.codes, layout.n_levels, VARIANCES, strict=True):
            y += np.sqrt(variance) * noise(effects, (int(levels),), rng)[code]
        found, draws = estimated_components(layout, y, layout.mean_squares(y))
        low, high = np.quantile(draws, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2], axis=0)
        for name, a, b, true in zip(NAMES, low, high, VARIANCES, strict=True):
            add(total, f"cover: {name}", a <= true <= b)
        truth = coefficients_of(EFFECTS, VARIANCES, VARIANCES[None], panel, _LEVEL)
        given = coefficients_of(EFFECTS, np.maximum(found, 0.0), draws, panel, _LEVEL)
        for name, (_, lower, upper) in given.items():
            add(total, f"cover: {name}", lower <= truth[name][0] <= upper)
    return total


def real_settings() -> Iterator[dict[str, Any]]:
    """All collections of real systems."""
    for collection, measure in COLLECTIONS:
        yield {"collection": collection, "measure": measure}


def real_components(
    collection: str, measure: str, *, sets: int, seed: np.random.SeedSequence
) -> Counts:
    """Coverage in samples of 8 systems and 12 queries; the truth is that of the collection."""
    total: Counts = {}
    rng = np.random.default_rng(seed)
    table = matrix(collection, measure)  # (queries, systems)
    whole = _two_factors(*table.shape)
    true = np.linalg.solve(whole.expected(), whole.mean_squares(table.ravel()))
    layout = _two_factors(*REAL_SIZE)
    for _ in range(sets):
        queries, systems = (
            rng.choice(n, size, replace=False)
            for n, size in zip(table.shape, REAL_SIZE, strict=True)
        )
        y = table[np.ix_(queries, systems)].ravel()
        squares = layout.mean_squares(y)
        normal = balanced_draws(layout, squares, layout.df)
        for name, draws in (
            ("default", estimated_components(layout, y, squares)[1]),
            ("normal", normal),
        ):
            low, high = np.quantile(draws, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2], axis=0)
            for effect, a, b, value in zip(REAL_NAMES, low, high, true, strict=True):
                add(total, f"cover: {name}, {effect}", a <= value <= b)
    return total


def _two_factors(n_queries: int, n_systems: int) -> EffectsLayout:
    """A complete table of queries and systems."""
    query, system = np.divmod(np.arange(n_queries * n_systems), n_systems)
    both = np.arange(n_queries * n_systems)
    return EffectsLayout.of({SYSTEM: system, QUERY: query, SYSTEM | QUERY: both})


def _layout(present: Bools) -> tuple[EffectsLayout, Floats]:
    """The layout of the values that are present, and the panel's factors."""
    system, query, subject = np.nonzero(present)
    _, n_queries, n_subjects = present.shape
    of_system = system * n_queries + query
    levels = (
        system,
        query,
        subject,
        of_system,
        system * n_subjects + subject,
        query * n_subjects + subject,
        np.arange(len(system)),
    )
    layout = EffectsLayout.of(dict(zip(EFFECTS, levels, strict=True)))
    size = np.bincount(of_system, minlength=present[..., 0].size)
    queries = (size.reshape(len(present), -1) > 0).sum(axis=1)
    return layout, variance_of_mean(layout, 1 / (size[of_system] * queries[system]), system)
