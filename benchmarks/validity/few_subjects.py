"""All pairs over queries and few subjects: family-wise error and power, pairs steadying each other.

y = .7 query x system + s subject x system + residual; s is .45 and normal but where the kind of
effects says otherwise. The error is that of equal systems; power, for pairs of the first system,
better by six known standard errors of a typical pair, with others that are not loud.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.crossed import crossed_layout, variance_components
from fuzzytruth.stats.moderated_subjects import steadied
from fuzzytruth.stats.multiplicity import significant
from fuzzytruth.stats.observations import Observations, against, all_pairs
from fuzzytruth.stats.world_estimates import estimate
from validity.families import LEVEL
from validity.rates import Counts, add

QUERIES = (10, 25, 50)
#: none, or SDs and shapes of effects; "loud": one system's SD is 5 or 15 times as large
KINDS = ("none", "equal", "exponential", "lognormal", "loud 5", "loud 15, others .1", "loud 15")
MORE = ("two loud", "SDs lognormal", "t3", "near copies", "residuals unequal")
COMPLETE, MISSING, BY_SYSTEM = "complete", "20 % missing", "20 % missing by system"
_QUERY, _SUBJECT, _ERRORS = 0.7, 0.45, 6.0
_LAYOUTS = 10  # data sets of one pattern of missing cells


def three_subjects() -> Iterator[dict[str, Any]]:
    """Eight systems and three subjects, in more data sets."""
    for kind in KINDS:
        for n in QUERIES:
            yield _cell(8, n, 3, kind)
    for kind in (*KINDS[1:2], *KINDS[4:], *MORE):
        yield _cell(8, 25, 3, kind, BY_SYSTEM)
        yield _cell(8, 25, 3, kind, baselines=1)
    for kind in MORE:
        yield _cell(8, 25, 3, kind)


def settings() -> Iterator[dict[str, Any]]:
    """Other numbers of systems and subjects, and missing cells."""
    for systems in (3, 8, 20):
        for subjects in (3, 5):
            for kind in KINDS:
                for work in (COMPLETE, MISSING):
                    if (systems, subjects, work) != (8, 3, COMPLETE):
                        yield _cell(systems, 25, subjects, kind, work)
    for systems in (3, 8):  # two subjects borrow nothing, ten little
        for subjects in (2, 10):
            for kind in ("equal", "loud 15"):
                yield _cell(systems, 25, subjects, kind)


def _cell(
    systems: int, n: int, subjects: int, kind: str, work: str = COMPLETE, baselines: int = 0
) -> dict[str, Any]:
    sizes = {"systems": systems, "n_queries": n, "n_subjects": subjects}
    return {**sizes, "effects": kind, "work": work, "baselines": baselines}


def few_subjects(
    systems: int,
    n_queries: int,
    n_subjects: int,
    effects: str,
    work: str,
    baselines: int,
    *,
    sets: int,
    seed: np.random.SeedSequence,
) -> Counts:
    """Of the default, and of each pair by its own subjects alone."""
    total, rng = Counts(), np.random.default_rng(seed)
    pairs = against([0], systems) if baselines else all_pairs(systems)
    assert pairs.second is not None
    shape = n_queries, n_subjects
    mask = np.ones(shape, bool)
    for number in range(sets):
        if work == MISSING and number % _LAYOUTS == 0:
            mask = _some_missing(shape, rng)
        cells = Cells.of_mask(mask)
        of_subjects, typical, loud = _effects(effects, systems, n_subjects, rng)
        y = _QUERY * rng.normal(size=(systems, n_queries, 1)) + of_subjects[:, None, :]
        y = y + _residual(effects, systems, shape, rng)
        if work == BY_SYSTEM:
            y[rng.random(y.shape) < 0.2] = np.nan
        values = cells.of_dense(y)
        loud_beside = loud[np.where(pairs.first == 0, pairs.second, pairs.first)]
        of_first = (pairs.first == 0) * 1.0 - (pairs.second == 0)
        found = estimate(Observations(values, cells), pairs, ("query", "subject"))
        law = steadied(found.law, pairs)
        assert law is not None
        # a shift of a system changes none of the mean squares
        shifted = found.value + of_first * _ERRORS * _known_error(cells, typical)
        for name, value, which in (
            ("miss", found.value, np.ones(len(pairs), bool)),
            ("power", shifted, (of_first != 0) & ~loud_beside),
        ):
            if not which.any():  # all others are loud beside the first
                continue
            corrected = np.minimum(law.p_value(value, "two-sided") * len(pairs), 1.0)
            for method, p in (
                ("default", law.p_adjusted(value, corrected, "two-sided")),
                ("own subjects", law.own.p_value(value, "two-sided") * len(pairs)),
            ):
                hit = significant(p[which], LEVEL)
                add(total, f"{name}: {method}", hit.any() if name == "miss" else hit.mean())
    return total


def _some_missing(shape: tuple[int, int], rng: np.random.Generator) -> Bools:
    """A fifth of the cells missing, of no query or subject all."""
    while True:
        mask = rng.random(shape) > 0.2
        if mask.any(axis=0).all() and mask.any(axis=1).all() and mask.sum() > sum(shape):
            return np.asarray(mask)


def _residual(
    effects: str, systems: int, shape: tuple[int, int], rng: np.random.Generator
) -> Floats:
    sd = np.linspace(0.5, 2.0, systems) if effects == "residuals unequal" else np.ones(systems)
    return np.asarray(sd[:, None, None] * rng.normal(size=(systems, *shape)))


def _effects(
    kind: str, systems: int, n_subjects: int, rng: np.random.Generator
) -> tuple[Floats, float, Bools]:
    """Effects (systems, subjects), the SD of the first system's, and which systems are loud."""
    shape = systems, n_subjects
    z, sd = rng.normal(size=shape), np.full(systems, _SUBJECT)
    if kind == "none":
        sd[:] = 0.0
    elif kind == "exponential":
        z = rng.exponential(size=shape) - 1
    elif kind == "lognormal":
        z = (rng.lognormal(size=shape) - np.exp(0.5)) / np.sqrt((np.e - 1) * np.e)
    elif kind == "t3":
        z = rng.standard_t(3, size=shape) / np.sqrt(3)
    elif kind in ("loud 5", "two loud"):
        sd[:] = 0.3
        sd[-2 if kind == "two loud" else -1 :] = 1.5
    elif kind == "loud 15, others .1":
        sd[:], sd[-1] = 0.1, 1.5
    elif kind == "loud 15":
        sd[-1] = 15 * _SUBJECT
    elif kind == "SDs lognormal":
        sd = _SUBJECT * np.exp(0.7 * rng.normal(size=systems))
    elif kind == "near copies":
        z[1:3] = z[0] + 0.1 * rng.normal(size=(2, n_subjects))
    return sd[:, None] * z, float(sd[0]), sd > 2 * sd[0]


def _known_error(cells: Cells, subject: float) -> float:
    """Standard error of the difference of two typical systems."""
    share = variance_components(np.zeros((1, len(cells))), crossed_layout(cells)).squares
    of_subjects = share.share[1] * share.per_subject
    variance = _QUERY**2 / cells.n_queries + subject**2 * of_subjects + share.share[2]
    return float(np.sqrt(2 * variance))
