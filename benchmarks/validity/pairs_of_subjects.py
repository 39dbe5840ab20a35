"""Pairs of subjects: coverage of kappa, false near-duplicates, the effective number of subjects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core import student
from fuzzytruth.core.votes.value_distances import PairDesign
from fuzzytruth.stats.agreement import chance_corrected_intervals
from fuzzytruth.stats.pair_agreement import (
    agreement_of,
    duplicate_clusters,
    effective_number,
    pair_counts,
    spread_of,
    sure_agreement,
)
from validity.rates import Counts, add

LEVEL = 0.95
KAPPAS = (0.0, 0.3, 0.6, 0.9, 0.97)
UNITS = (50, 200, 1000)
SHARES = {"even": (0.5, 0.5), "one in ten": (0.9, 0.1), "four grades": (0.4, 0.3, 0.2, 0.1)}
_QUERIES = 25
_THRESHOLD = 0.95  # of near-duplicates, by default

#: what a panel is, and how many independent subjects it is worth
PANELS = {
    "10 alike": 10.0,
    "10 of accuracy .98": 10.0,
    "10 of accuracy .5 to .97": 10.0,
    "7 of accuracy .98, 3 who guess": 10.0,
    "10, of 30 % hard units": 10.0,
    "3 copies of each of 4": 4.0,
    "5 copies of each of 2": 2.0,
    "families of 3, half of the votes shared": None,
}


def kappa_settings() -> Iterator[dict[str, Any]]:
    """Cells of coverage."""
    for shares in SHARES:
        for kappa in KAPPAS:
            for units in UNITS:
                yield {"shares": shares, "kappa": kappa, "units": units, "over": "items"}
    for kappa in KAPPAS[:4]:
        yield {"shares": "four grades", "kappa": kappa, "units": 500, "over": "queries"}


def kappas(
    shares: str, kappa: float, units: int, over: str, *, sets: int, seed: np.random.SeedSequence
) -> Counts:
    """Coverage of 95 % intervals for kappa; data sets are pairs of subjects of one panel.

    Over queries, each of 25 has its own kappa (the mean ± .1, or less at 0 and 1) and its own
    shares of grades (Dirichlet), which the two subjects have in common.
    """
    rng = np.random.default_rng(seed)
    total: Counts = {}
    p = np.array(SHARES[shares])
    k = len(p)
    distance = 1 - np.eye(k)
    block = 100
    truth = kappa if over == "items" else _kappa_of_mixture(p, kappa)
    for _ in range(sets // block):
        table = (
            _pairs(p, kappa, units, block, rng)
            if over == "items"
            else _clustered_pairs(p, kappa, units, block, rng)
        )
        cluster = np.arange(units) if over == "items" else np.arange(units) % _QUERIES
        design = _paired_design(table, cluster, k)
        counts = pair_counts(design, distance)
        found = agreement_of(counts, distance, "kappa")
        spread = spread_of(design, counts, found, distance)
        known = ~np.isnan(found.value)
        ends = chance_corrected_intervals(
            found.value, spread.std_error, found.chance, spread.clusters, LEVEL
        )
        # a subject with a single grade has no interval
        add(total, "no interval", np.isnan(ends[0]))
        _cover(total, "default", *ends, truth, ~np.isnan(ends[0]))
        half = student.quantile(LEVEL, spread.clusters - 1.0) * spread.std_error
        _cover(total, "symmetric", found.value - half, found.value + half, truth, known)
    return total


def _cover(
    total: Counts, name: str, lower: Floats, upper: Floats, truth: float, known: Any
) -> None:
    holds = (lower <= truth + 1e-12) & (upper >= truth - 1e-12)
    add(total, f"cover: {name}", np.where(known, holds, np.nan))


def _pairs(p: Floats, kappa: float, units: int, block: int, rng: np.random.Generator) -> Ints:
    """(units, 2·block) grades: the second of each pair copies the first with probability kappa."""
    first = rng.choice(len(p), (units, block), p=p)
    second = np.where(rng.random(first.shape) < kappa, first, rng.choice(len(p), first.shape, p=p))
    return np.stack((first, second), axis=2).reshape(units, -1)


def _clustered_pairs(
    p: Floats, kappa: float, units: int, block: int, rng: np.random.Generator
) -> Ints:
    """The same with shares and kappa of each query."""
    own = rng.dirichlet(_CONCENTRATION * p, (_QUERIES, block)).cumsum(axis=2)
    query = np.arange(units) % _QUERIES
    spread = min(0.1, kappa, 1 - kappa)
    copies = rng.uniform(kappa - spread, kappa + spread, (_QUERIES, block))[query]
    edges = own[query]  # (units, block, grades)
    first, second = (
        (rng.random((units, block, 1)) > edges[:, :, :-1]).sum(axis=2) for _ in range(2)
    )
    second = np.where(rng.random(first.shape) < copies, first, second)
    return np.stack((first, second), axis=2).reshape(units, -1)


_CONCENTRATION = 8.0


def _kappa_of_mixture(p: Floats, kappa: float) -> float:
    """Kappa over all queries: E[p_q²] = p² + p (1 - p) / (concentration + 1)."""
    same = (p**2 + p * (1 - p) / (_CONCENTRATION + 1)).sum()
    observed = kappa + (1 - kappa) * same
    return float((observed - (p**2).sum()) / (1 - (p**2).sum()))


def _paired_design(table: Ints, cluster: Ints, n_values: int) -> PairDesign:
    """Pairs (0, 1), (2, 3), ... only: their units are others than those of other pairs."""
    units, subjects = table.shape
    pair, unit, side = (axis.ravel() for axis in np.indices((subjects // 2, units, 2)))
    value = table[unit, 2 * pair + side]
    own = pair * units + unit
    groups = int(cluster.max()) + 1
    of_unit = (np.arange(subjects // 2)[:, None] * groups + cluster[None, :]).ravel()
    return PairDesign(
        own,
        2 * pair + side,
        value,
        np.ones(len(own)),
        of_unit[own],
        np.arange(0, subjects, 2),
        np.arange(1, subjects, 2),
        subjects,
        n_values,
    )


def panel_settings() -> Iterator[dict[str, Any]]:
    """Cells of the effective number."""
    for name in PANELS:
        for units in UNITS:
            yield {"panel": name, "units": units}


def panels(panel: str, units: int, *, sets: int, seed: np.random.SeedSequence) -> Counts:
    """Effective number, its interval, and subjects in clusters of near-duplicates."""
    rng = np.random.default_rng(seed)
    total: Counts = {}
    distance = 1 - np.eye(4)
    worth = PANELS[panel]
    for _ in range(sets):
        table = _panel(panel, units, rng)
        unit, subject = (axis.ravel() for axis in np.indices(table.shape))
        design = PairDesign.of(
            unit, subject, table.ravel(), np.ones(table.size), np.arange(units), table.shape[1]
        )
        found = effective_number(design, distance, LEVEL)
        add(total, "n", found.value)
        if worth is not None:
            inside = found.lower <= worth * 1.005 and worth * 0.995 <= found.upper
            add(total, "cover", np.nan if np.isnan(found.value) else inside)
        counts = pair_counts(design, distance)
        chance = agreement_of(counts, distance, "kappa").chance
        sure = sure_agreement(counts.disagreement, counts.n, chance, found.expected, LEVEL)
        alike = np.fmin(*sure)
        clusters = duplicate_clusters(design.first, design.second, alike, _THRESHOLD)
        add(total, "duplicates", sum(map(len, clusters)) / table.shape[1])
    return total


def _panel(panel: str, units: int, rng: np.random.Generator) -> Ints:
    """Votes of a panel: (units, subjects)."""
    accuracy = {
        "10 of accuracy .98": np.full(10, 0.98),
        "10 of accuracy .5 to .97": np.linspace(0.5, 0.97, 10),
        "7 of accuracy .98, 3 who guess": np.array([0.98] * 7 + [0.25] * 3),
        "3 copies of each of 4": np.full(4, 0.8),
        "5 copies of each of 2": np.full(2, 0.8),
        "families of 3, half of the votes shared": np.full(16, 0.8),
    }.get(panel, np.full(10, 0.8))
    each = np.broadcast_to(accuracy, (units, len(accuracy)))
    if "hard" in panel:
        each = np.where(rng.random((units, 1)) < 0.3, 0.4, 0.95) * np.ones((1, 10))
    truth = rng.integers(0, 4, (units, 1))
    wrong = (truth + rng.integers(1, 4, each.shape)) % 4
    votes = np.where(rng.random(each.shape) < each, truth, wrong)
    if panel == "3 copies of each of 4":
        return np.repeat(votes, 3, axis=1)
    if panel == "5 copies of each of 2":
        return np.repeat(votes, 5, axis=1)
    if "families" in panel:
        shared, own = np.repeat(votes[:, :4], 3, axis=1), votes[:, 4:]
        return np.where(rng.random(own.shape) < 0.5, shared, own)
    return votes
