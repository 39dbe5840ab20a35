"""Gates that are asked again: several candidates on the same queries, or more and more queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.comparison.repeated import Repeats
from fuzzytruth.core.clusters import samples
from fuzzytruth.stats.laws import Fit, student_fit
from fuzzytruth.stats.multiplicity import not_inferior
from validity.families import LEVEL
from validity.rates import Counts, add
from validity.real_matrices import COLLECTIONS, matrix

QUERIES = 50
ATTEMPTS = (10, 50)
#: correlation of candidates, or that of each with the best one so far, from which it was made
CANDIDATES: dict[str, float] = {"independent": 0.0, "alike": 0.5, "very alike": 0.9, "tuned": 0.95}
_MARGIN = 1.0

Draw = Callable[[np.random.Generator, tuple[int, int]], Floats]


def passes(differences: Floats, margin: float, level: float) -> Bools:
    """Whether each of (queries, sets) differences is not inferior: (sets,)."""
    return np.asarray(not_inferior(_fit(differences), margin, level).p <= 1 - level)


def _fit(differences: Floats) -> Fit:
    one = samples(differences)
    return student_fit(one.mean, one.std_error, np.asarray(one.n - 1.0), pairs=True)


def attempt_settings() -> Iterator[dict[str, Any]]:
    """All cells of attempts."""
    for candidates in CANDIDATES:
        for n in ATTEMPTS:
            yield {"candidates": candidates, "attempts": n}


def attempts(candidates: str, attempts: int, *, sets: int, seed: np.random.SeedSequence) -> Counts:
    """Whether any of several candidates passes that all lose just the margin."""
    rng, total, tuned = np.random.default_rng(seed), Counts(), candidates == "tuned"
    levels: dict[str, Callable[[int], float]] = {
        "claim: each at .05": lambda k: LEVEL,
        "claim: attempts": lambda k: Repeats(attempts=attempts).level(LEVEL),
        "claim: attempt": lambda k: Repeats(attempt=k).level(LEVEL),
    }
    passed = {name: np.zeros(sets, dtype=bool) for name in levels}
    like = CANDIDATES[candidates] if tuned else np.sqrt(CANDIDATES[candidates])
    origin = rng.normal(size=(QUERIES, sets))
    for k in range(1, attempts + 1):
        own = rng.normal(size=origin.shape)
        candidate = like * origin + np.sqrt(1 - like**2) * own
        for name, level in levels.items():
            passed[name] |= passes(candidate - _MARGIN, _MARGIN, level(k))
        if tuned:  # the next one is a change of the best so far, on the queries of the gate
            origin = np.where(candidate.mean(axis=0) > origin.mean(axis=0), candidate, origin)
    for name, any_passed in passed.items():
        add(total, name, any_passed)
    return total


# Looks.


def _of_steps(values: list[float], chances: list[float]) -> Draw:
    return lambda rng, shape: rng.choice(values, shape, p=chances)


def _clipped(deviation: float, share: float = 1.0) -> Draw:
    """Normal differences in [-1, 1], of a share of the queries; the others are 0."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
        values = np.clip(rng.normal(0, deviation, shape), -1, 1)
        return np.where(rng.random(shape) < share, values, 0.0)

    return draw


#: differences with mean 0
DIFFERENCES: dict[str, Draw] = {
    "deviation .1": _clipped(0.1),
    "deviation .25": _clipped(0.25),
    "80 % zeros": _clipped(0.3, 0.2),
    "like RR": _of_steps(
        [0, 0.5, -0.5, 2 / 3, -2 / 3, 0.75, -0.75], [0.7, 0.08, 0.08, 0.04, 0.04, 0.03, 0.03]
    ),
}
#: planned queries, looks, margin
PLANS = ((100, 10, 0.05), (200, 20, 0.05), (500, 50, 0.05), (500, 10, 0.02))
REAL_PLANS = (50, 200)
_REAL_LOOKS, _REAL_MARGIN = 10, 0.02
#: at this many standard errors above the margin a single t test has a power of about .8
_FAR = 2.49


def look_settings() -> Iterator[dict[str, Any]]:
    """All cells of simulated differences."""
    for differences in DIFFERENCES:
        for planned, n, margin in PLANS:
            yield {"differences": differences, "planned": planned, "looks": n, "margin": margin}


def looks(
    differences: str,
    planned: int,
    looks: int,
    margin: float,
    *,
    sets: int,
    seed: np.random.SeedSequence,
) -> Counts:
    """Errors where the true difference is the margin, and power."""
    rng, draw, total = np.random.default_rng(seed), DIFFERENCES[differences], Counts()
    deviation = float(draw(rng, (1000, 100)).std())
    for truth, gain in (("claim", 0.0), ("power", _FAR * deviation / np.sqrt(planned))):
        x = np.clip(draw(rng, (planned, sets)) - margin + gain, -1, 1)
        _at_looks(total, truth, x, looks, margin)
    return total


def real_look_settings() -> Iterator[dict[str, Any]]:
    """All cells of real differences."""
    for collection, measure in COLLECTIONS:
        for planned in REAL_PLANS:
            yield {"collection": collection, "measure": measure, "planned": planned}


def real_looks(
    collection: str, measure: str, planned: int, *, sets: int, seed: np.random.SeedSequence
) -> Counts:
    """Errors for queries drawn from those of two real systems, whose difference is the margin."""
    rng, total = np.random.default_rng(seed), Counts()
    table = matrix(collection, measure)
    first = rng.integers(table.shape[1], size=sets)
    second = (first + rng.integers(1, table.shape[1], size=sets)) % table.shape[1]
    gaps = table[:, first] - table[:, second]
    drawn = rng.integers(len(table), size=(planned, sets))
    x = np.take_along_axis(gaps - gaps.mean(axis=0), drawn, axis=0)
    _at_looks(total, "claim", x - _REAL_MARGIN, _REAL_LOOKS, _REAL_MARGIN)
    return total


def _at_looks(total: Counts, truth: str, x: Floats, looks: int, margin: float) -> None:
    """Count whether any look at (queries, sets) differences passes, and when one stops."""
    planned, sets = x.shape
    at = tuple(range(planned // looks, planned + 1, planned // looks))
    repeats, unadjusted, stopped = Repeats(looks=at), np.zeros(sets, bool), np.zeros(sets, bool)
    seen = np.full(sets, float(planned))
    for n in at:
        single = passes(x[:n], margin, LEVEL)
        now = passes(x[:n], margin, repeats.at(n, "queries").level(LEVEL)) & ~stopped
        unadjusted, stopped = unadjusted | single, stopped | now
        seen[now] = n
    add(total, f"{truth}: each look at .05", unadjusted)
    add(total, f"{truth}: looks", stopped)
    add(total, f"{truth}: one look, t", single)
    add(total, f"{truth}: share of queries", seen / planned)
