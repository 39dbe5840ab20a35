"""Families of eight simulated systems: kinds of errors, unequal variances, ablations, gaps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.stats.observations import Contrasts, against, all_pairs
from validity.families import (
    PEERS,
    bonferroni_t,
    default,
    differences,
    permuted_labels,
    tally,
    tally_both,
)
from validity.rates import Counts
from validity.real_matrices import least_quarter

SYSTEMS = 8
ERRORS = ("normal", "t5", "exponential", "lognormal")
QUERIES = (10, 25, 50, 100)
#: deviations of the systems' errors; "ablations" are three systems that hardly differ
DEVIATIONS = {
    "equal": np.ones(SYSTEMS),
    "unequal": np.geomspace(0.5, 2.0, SYSTEMS),
    "one noisy": np.array([*np.ones(SYSTEMS - 1), 10.0]),
    "ablations": np.array([0.01, 0.01, 0.01, *np.geomspace(0.5, 2.0, SYSTEMS - 3)]),
}
#: true differences of the first system, over their standard error for two of its kind
_SHIFT = 5.0


def settings() -> Iterator[dict[str, Any]]:
    """All pairs, complete."""
    for errors in ERRORS:
        for deviations in DEVIATIONS:
            for n in QUERIES:
                for truth in ("equal", "shifted"):
                    yield {"errors": errors, "deviations": deviations, "n": n, "truth": truth}


def missing_settings() -> Iterator[dict[str, Any]]:
    """All pairs, 30 % of the queries of each system missing."""
    for errors in ("normal", "exponential"):
        for deviations in ("equal", "unequal", "one noisy"):
            for n in (25, 50):
                yield {"errors": errors, "deviations": deviations, "n": n}


def label_settings() -> Iterator[dict[str, Any]]:
    """All pairs, labels permuted."""
    for errors in ERRORS:
        for deviations in ("equal", "unequal", "one noisy"):
            for truth in ("equal", "shifted"):
                yield {"errors": errors, "deviations": deviations, "n": 25, "truth": truth}


def one_sided_settings() -> Iterator[dict[str, Any]]:
    """Seven systems against one baseline."""
    for errors in ERRORS:
        for n in QUERIES:
            yield {"errors": errors, "n": n}


def scores(
    errors: str, deviations: str, n: int, truth: str, sets: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Scores (sets, queries, systems) and true means (systems,).

    "shifted": the first system is better by 5 / √n of its error's deviation times √2, so that its
    difference from one of its kind is 5 standard errors. A query's difficulty is common to all, and
    cancels.
    """
    scale = DEVIATIONS[deviations]
    mean = np.zeros(SYSTEMS)
    if truth == "shifted":
        mean[0] = _SHIFT / np.sqrt(n) * scale[0] * np.sqrt(2)
    difficulty = rng.standard_normal((sets, n, 1))
    return mean + scale * noise(errors, (sets, n, SYSTEMS), rng) + difficulty, mean


def noise(errors: str, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Errors of mean 0 and variance 1."""
    if errors == "normal":
        return rng.standard_normal(shape)
    if errors == "t5":
        return np.asarray(rng.standard_t(5, shape) / np.sqrt(5 / 3))
    if errors == "exponential":  # skewness 2
        return rng.exponential(size=shape) - 1
    # lognormal: skewness 6.2
    skewed = np.exp(rng.standard_normal(shape)) - np.exp(0.5)
    return np.asarray(skewed / np.sqrt((np.e - 1) * np.e))


def synthetic(
    errors: str, deviations: str, n: int, truth: str, *, sets: int, seed: np.random.SeedSequence
) -> Counts:
    """Misses and power of each method; peers' on half of the sets."""
    total: Counts = {}
    first, *others = seed.spawn(2 + len(PEERS))
    x, mean = scores(errors, deviations, n, truth, sets, np.random.default_rng(first))
    contrasts = all_pairs(SYSTEMS)
    gap, quiet = _gaps(mean, contrasts, sets), least_quarter(_spreads(deviations, sets, contrasts))
    ours = default(x, contrasts, others[0])
    tally_both(total, ours, bonferroni_t(x, contrasts, alternative="two-sided"), gap, quiet)
    half = -(-sets // 2)
    for (name, method), child in zip(PEERS.items(), others[1:], strict=True):
        tally(total, name, method(x[:half], contrasts, child), gap[:half], quiet[:half])
    return total


def with_missing(
    errors: str, deviations: str, n: int, *, sets: int, seed: np.random.SeedSequence
) -> Counts:
    """Equal systems, each lacking 30 % of the queries."""
    total: Counts = {}
    first, second = seed.spawn(2)
    rng = np.random.default_rng(first)
    x, mean = scores(errors, deviations, n, "equal", sets, rng)
    x[rng.random(x.shape) < 0.3] = np.nan
    contrasts = all_pairs(SYSTEMS)
    gap = _gaps(mean, contrasts, sets)
    ours = default(x, contrasts, second)
    tally_both(total, ours, bonferroni_t(x, contrasts, alternative="two-sided"), gap)
    return total


def labels(
    errors: str, deviations: str, n: int, truth: str, *, sets: int, seed: np.random.SeedSequence
) -> Counts:
    """Permuted labels: misses among equal systems, and power for the others."""
    total: Counts = {}
    first, second = seed.spawn(2)
    x, mean = scores(errors, deviations, n, truth, sets, np.random.default_rng(first))
    contrasts = all_pairs(SYSTEMS)
    tally(
        total,
        "permuted labels",
        permuted_labels(x, contrasts, second),
        _gaps(mean, contrasts, sets),
    )
    return total


def one_sided(errors: str, n: int, *, sets: int, seed: np.random.SeedSequence) -> Counts:
    """Whether any of seven systems is better than the baseline, all being equal."""
    total: Counts = {}
    first, second = seed.spawn(2)
    x, mean = scores(errors, "equal", n, "equal", sets, np.random.default_rng(first))
    contrasts = against([0], SYSTEMS)
    gap = _gaps(mean, contrasts, sets)
    ours = default(x, contrasts, second, alternative="greater")
    tally_both(total, ours, bonferroni_t(x, contrasts, alternative="greater"), gap)
    return total


def _gaps(mean: Floats, contrasts: Contrasts, sets: int) -> Floats:
    return np.tile(differences(mean, contrasts), (sets, 1))


def _spreads(deviations: str, sets: int, contrasts: Contrasts) -> Floats:
    assert contrasts.second is not None
    variance = DEVIATIONS[deviations] ** 2
    return np.tile(variance[contrasts.first] + variance[contrasts.second], (sets, 1))
