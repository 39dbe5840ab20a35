"""Systems with several runs: errors and power over queries and runs, and with subjects.

A run's score on a query is .7 query × system + run + .3 run × query, so that without runs the
difference of two systems has the standard deviation 1. A system of a single run is deterministic:
another run would give the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.stats.multiplicity import significant
from fuzzytruth.stats.observations import Observations, Pooling, RunValues, all_pairs
from fuzzytruth.stats.settings import Over
from fuzzytruth.stats.world_estimates import estimate
from validity.families import LEVEL
from validity.rates import Counts, add
from validity.synthetic import noise

_QUERY, _WITHIN = np.sqrt(0.5), 0.3  # of queries, and of runs in queries
_SUBJECTS = 0.5  # of queries × subjects
_PAIR_ERRORS, _FAMILY_ERRORS = 3.5, 4.0  # known standard errors, of a true difference
_COLLAPSE, _DEPTH = 0.1, 10.0  # probability, and by how many deviations of the other runs

#: deviations of runs of families: of all, or of one and the others, or a law of them
EQUAL, UNSTABLE = (".3", "1", "0"), ("one 1, others .2", "one 1.5, others .1")
LOGNORMAL = {"lognormal .5": 0.5, "lognormal 1": 1.0}
SHAPES = ("t3", "exponential", "one in ten collapses", "half 0")

#: what is random, and whose variance of runs is used
METHODS: dict[str, tuple[Over, Pooling]] = {
    "separate": (("query", "replicate"), "separate"),
    "moderated": (("query", "replicate"), "moderated"),
    "pooled": (("query", "replicate"), "pooled"),
    "queries only": (("query",), "separate"),
}
WITH_SUBJECTS: dict[str, tuple[Over, Pooling]] = {
    "separate": (("query", "subject", "replicate"), "separate"),
    "pooled": (("query", "subject", "replicate"), "pooled"),
    "runs ignored": (("query", "subject"), "separate"),
    "subjects ignored": (("query", "replicate"), "separate"),
}


def settings() -> Iterator[dict[str, Any]]:
    """Two systems: deviations equal, unequal, exponential effects, a deterministic baseline."""
    for runs in ([2, 2], [3, 3], [5, 5], [10, 10], [2, 10]):
        for queries in (10, 50):
            for deviation in (0.0, 0.1, 0.3, 1.0):
                yield _pair(runs, queries, [deviation, deviation])
    for runs, deviations in (
        ([3, 3], [0.05, 1.0]),
        ([5, 5], [0.05, 1.0]),
        ([10, 10], [0.05, 1.0]),
        ([2, 10], [1.0, 0.1]),
        ([2, 10], [0.1, 1.0]),
        ([3, 5], [0.6, 0.2]),
    ):
        yield _pair(runs, 50, deviations)
    for runs in ([3, 3], [5, 5], [2, 10]):
        for deviation in (0.3, 1.0):
            yield _pair(runs, 25, [deviation, deviation], "exponential")
    for number in (2, 3, 5, 10):
        for deviation in (0.3, 1.0):
            yield _pair([number, 1], 50, [deviation, 0.0])


def _pair(
    runs: list[int], queries: int, deviations: list[float], effects: str = "normal"
) -> dict[str, Any]:
    return {"effects": effects, "runs": runs, "queries": queries, "deviations": deviations}


def family_settings() -> Iterator[dict[str, Any]]:
    """All pairs of several systems over 50 queries; runs are given to systems in turn."""
    for systems in (3, 5):
        for runs in ([3], [5], [2, 3, 10]):
            for deviations in (".3", "0", "lognormal .5", *UNSTABLE):
                yield _family(systems, runs, deviations)
    for deviations in (".3", "lognormal .5", UNSTABLE[1]):
        yield _family(10, [3], deviations)
    for runs, deviations in (([3], "1"), ([2], ".3")):
        yield _family(5, runs, deviations)
    for systems in (4, 6):
        for deviations in ("lognormal 1", "half 0"):
            yield _family(systems, [4], deviations)
    for deviations in SHAPES[:3]:
        yield _family(4, [4], deviations)
    yield _family(4, [10], SHAPES[2])
    yield _family(4, [2, 5, 3, 4], "lognormal 1")


def _family(systems: int, runs: list[int], deviations: str) -> dict[str, Any]:
    return {"systems": systems, "runs": runs, "deviations": deviations}


def subject_settings() -> Iterator[dict[str, Any]]:
    """Two systems; deviations of subjects, of runs, and of both."""
    sizes = ((2, 10, 3), (3, 25, 3), (3, 50, 5), (5, 25, 3), (5, 50, 2), (10, 50, 5))
    for runs, queries, subjects in sizes:
        for deviations in ([0.2, 0.2, 0.1], [0.1, 0.7, 0.0], [0.0, 0.0, 0.0], [0.5, 0.5, 0.3]):
            if runs == 2 and deviations[1] in (0.0, 0.5):  # slow
                continue
            yield {
                "runs": runs,
                "queries": queries,
                "subjects": subjects,
                "deviations": deviations,
            }


def two_systems(
    effects: str,
    runs: list[int],
    queries: int,
    deviations: list[float],
    *,
    sets: int,
    seed: np.random.SeedSequence,
) -> Counts:
    """Of equal systems, of one that is better, and how wide intervals are.

    The width is in units of an interval with a known variance.
    """
    total, pairs = Counts(), all_pairs(2)
    of_runs = np.divide(np.square(deviations), runs).sum()
    within = _WITHIN**2 * np.divide(1.0, runs).sum()
    known = float(np.sqrt((2 * _QUERY**2 + within) / queries + of_runs))
    for child in seed.spawn(sets):
        rng = np.random.default_rng(child)
        tables = [
            _table(sd * noise(effects, (n, 1), rng), effects, queries, rng)
            for sd, n in zip(deviations, runs, strict=True)
        ]
        for name, (over, pooling) in METHODS.items():
            if name == "moderated":  # two systems have nothing to moderate by
                continue
            found = estimate(observed(tables, pooling), pairs, over)
            for what, value in (
                ("miss", found.value),
                ("power", found.value + _PAIR_ERRORS * known),
            ):
                p = found.law.p_value(value, "two-sided")
                add(total, f"{what}: {name}", significant(p, LEVEL))
            half = found.law.half(LEVEL, "two-sided")
            add(total, f"width: {name}", half / (1.96 * known))
    return total


def families(
    systems: int, runs: list[int], deviations: str, *, sets: int, seed: np.random.SeedSequence
) -> Counts:
    """Any pair of equal systems, and up to three pairs of one that is better."""
    total, pairs, queries = Counts(), all_pairs(systems), 50
    numbers = np.resize(runs, systems)
    assert pairs.second is not None
    last = np.flatnonzero(pairs.second == systems - 1)[-3:]
    for child in seed.spawn(sets):
        rng = np.random.default_rng(child)
        sd = _deviations(deviations, systems, rng)
        of_runs = 2 * np.mean(sd[1:] ** 2 / numbers[1:])
        within = 2 * _WITHIN**2 / numbers.mean()
        shift = _FAMILY_ERRORS * np.sqrt((2 * _QUERY**2 + within) / queries + of_runs)
        tables = [
            _table(each * _shape(deviations, n, rng), "normal", queries, rng)
            for each, n in zip(sd, numbers.tolist(), strict=True)
        ]
        for name, (over, pooling) in METHODS.items():
            found = estimate(observed(tables, pooling), pairs, over)
            p, better = (
                found.law.p_value(value, "two-sided") * len(pairs)
                for value in (found.value, found.value - shift)
            )
            add(total, f"miss: {name}", significant(p, LEVEL).any())
            add(total, f"power: {name}", significant(better[last], LEVEL).mean())
    return total


def with_subjects(
    runs: int,
    queries: int,
    subjects: int,
    deviations: list[float],
    *,
    sets: int,
    seed: np.random.SeedSequence,
) -> Counts:
    """Of equal systems, queries, subjects and runs being random."""
    total, pairs = Counts(), all_pairs(2)
    of_subjects, of_runs, of_both = deviations
    for child in seed.spawn(sets):
        normal = np.random.default_rng(child).standard_normal
        tables = [
            _QUERY * normal((queries, 1))
            + of_subjects * normal(subjects)
            + _SUBJECTS * normal((queries, subjects))
            + of_runs * normal((runs, 1, 1))
            + of_both * normal((runs, 1, subjects))
            + _WITHIN * normal((runs, queries, 1))
            + _WITHIN * normal((runs, queries, subjects))
            for _ in range(2)
        ]
        for name, (over, pooling) in WITH_SUBJECTS.items():
            found = estimate(observed(tables, pooling), pairs, over)
            add(total, f"miss: {name}", significant(found.p_value(), LEVEL))
    return total


def _table(of_runs: Floats, effects: str, queries: int, rng: np.random.Generator) -> Floats:
    """Scores of one system (runs, queries, 1), from its runs' effects (runs, 1)."""
    of_queries = _QUERY * noise(effects, (queries,), rng)
    within = _WITHIN * noise(effects, (len(of_runs), queries), rng)
    return np.asarray((of_runs + of_queries + within)[:, :, None])


def _deviations(kind: str, systems: int, rng: np.random.Generator) -> Floats:
    """Of the runs of each system; the unstable one is the first."""
    if kind in LOGNORMAL:
        return np.asarray(0.3 * np.exp(LOGNORMAL[kind] * rng.standard_normal(systems)))
    sd = np.full(systems, float(kind) if kind in EQUAL else 0.3)
    if kind in UNSTABLE:
        one, others = (float(word.split()[-1]) for word in kind.split(","))
        sd[:], sd[0] = others, one
    elif kind == "half 0":
        sd[::2] = 0.0
    return sd


def _shape(kind: str, runs: int, rng: np.random.Generator) -> Floats:
    """Effects of runs of mean 0 and variance 1: (runs, 1)."""
    if kind == "t3":
        return np.asarray(rng.standard_t(3, (runs, 1)) / np.sqrt(3))
    if kind == "one in ten collapses":
        fallen = (rng.random((runs, 1)) < _COLLAPSE) - _COLLAPSE
        sd = np.sqrt(1 + _DEPTH**2 * _COLLAPSE * (1 - _COLLAPSE))
        return np.asarray((rng.standard_normal((runs, 1)) - _DEPTH * fallen) / sd)
    return noise("exponential" if kind == "exponential" else "normal", (runs, 1), rng)


def observed(tables: Sequence[Floats], pooling: Pooling) -> Observations:
    """Scores (runs, queries, subjects) of each system; those of a single run are deterministic."""
    numbers: Ints = np.array([len(table) for table in tables])
    _, queries, subjects = tables[0].shape
    cells = Cells.of_queries(queries)
    if subjects > 1:
        cells = Cells.of_mask(np.ones((queries, subjects), bool))
    values = np.concatenate([table.reshape(len(table), -1) for table in tables])
    means = np.stack([table.mean(axis=0).ravel() for table in tables])
    system = np.repeat(np.arange(len(tables)), numbers)
    runs = RunValues(values, system, numbers == 1, pooling)
    return Observations(means, cells, runs=runs)
