"""Queries and subjects both random: coverage of intervals for the mean of crossed scores."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core import student
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.crossed import crossed_layout, variance_components
from fuzzytruth.core.pigeonhole import pigeonhole_means
from fuzzytruth.core.resamples import counts, drawn_units
from fuzzytruth.core.samples import samples
from validity.rates import Counts, add

_BATCH = 100


def crossed(
    variances: tuple[float, float, float],
    n_queries: int,
    n_subjects: int,
    *,
    missing: float,
    sets: int,
    pigeonhole_sets: int,
    resamples: int,
    seed: list[int],
) -> Counts:
    """Coverage of 95 % intervals for a mean of 0; `variances` of queries, subjects and the rest."""
    total: Counts = {}
    for number in range(-(-sets // _BATCH)):
        first, second = np.random.SeedSequence([*seed, number]).spawn(2)
        rng = np.random.default_rng(first)
        present = present_cells(n_queries, n_subjects, missing, rng)
        y = table(variances, n_queries, n_subjects, _BATCH, rng)
        cells = Cells.of_mask(present)
        y = cells.of_dense(y)
        estimate = variance_components(y, crossed_layout(cells))
        _cover(total, "both", estimate.mean, np.sqrt(estimate.variance), estimate.df)
        per_query = samples(cells.mean_by_query(y).T)
        df = per_query.n - 1.0
        _cover(total, "queries only", per_query.mean, per_query.std_error, df)
        _cover(
            total,
            "subjects only",
            estimate.mean,
            np.sqrt(estimate.subject_variance),
            estimate.subject_df,
        )
        if missing and number * _BATCH < pigeonhole_sets:
            smaller = min(n_queries, n_subjects)
            spread = _pigeonhole(y, cells, resamples, second) * np.sqrt(smaller / (smaller - 1))
            _cover(total, "pigeonhole", estimate.mean, spread, np.full(_BATCH, smaller - 1.0))
    return total


def table(
    variances: tuple[float, float, float], n_q: int, n_s: int, sets: int, rng: np.random.Generator
) -> Floats:
    """Scores (sets, queries, subjects)."""
    q, s, e = np.sqrt(variances)
    out: Floats = (
        q * rng.standard_normal((sets, n_q, 1))
        + s * rng.standard_normal((sets, 1, n_s))
        + e * rng.standard_normal((sets, n_q, n_s))
    )
    return out


def present_cells(n_q: int, n_s: int, missing: float, rng: np.random.Generator) -> Bools:
    """Cells present: each is missing at random, but every query and subject keeps one."""
    present = rng.random((n_q, n_s)) >= missing
    present[np.flatnonzero(~present.any(axis=1)), rng.integers(n_s)] = True
    present[rng.integers(n_q), np.flatnonzero(~present.any(axis=0))] = True
    return present


def _pigeonhole(y: Floats, cells: Cells, resamples: int, seed: np.random.SeedSequence) -> Floats:
    first, second = seed.spawn(2)
    queries = counts(drawn_units(first, resamples, cells.n_queries))
    subjects = counts(drawn_units(second, resamples, cells.n_subjects))
    drawn = pigeonhole_means(y, cells, queries, subjects)
    return np.asarray(np.nanstd(drawn, axis=1))


def _cover(total: Counts, name: str, mean: Floats, std_error: Floats, df: Floats) -> None:
    low, high = student.ends(mean, std_error, student.quantile(0.95, df))
    add(total, f"cover: {name}", (low <= 0) & (high >= 0))
