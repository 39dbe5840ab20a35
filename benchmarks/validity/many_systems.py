"""Eight systems, all pairs: family-wise error and power of simultaneous comparisons."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.stats.label_permutation import permuted_ranges
from fuzzytruth.stats.settings import Resampling
from fuzzytruth.stats.sign_flips import max_t
from validity.rates import Counts, add

SYSTEMS = 8
ERRORS = ("normal", "t5", "lognormal", "exponential")
_FIRST, _SECOND = np.triu_indices(SYSTEMS, 1)
_BATCH = 100


def scores(
    errors: str, n: int, sets: int, *, unequal: bool, shift: float, rng: np.random.Generator
) -> Floats:
    """Scores (sets, queries, systems); the last system is `shift` error deviations better."""
    shape = (sets, n, SYSTEMS)
    if errors == "normal":
        e = rng.standard_normal(shape)
    elif errors == "t5":
        e = rng.standard_t(5, shape) / np.sqrt(5 / 3)
    elif errors == "exponential":  # skewness 2
        e = rng.exponential(size=shape) - 1
    else:  # lognormal: skewness 6.2
        e = (np.exp(rng.standard_normal(shape)) - np.exp(0.5)) / np.sqrt((np.e - 1) * np.e)
    if unequal:
        e *= np.geomspace(0.5, 2.0, SYSTEMS)
    e[..., -1] += shift
    return np.asarray(e)


def many_systems(
    errors: str,
    n: int,
    *,
    unequal: bool,
    shift: float,
    sets: int,
    label_sets: int,
    resamples: int,
    seed: list[int],
) -> Counts:
    """Count data sets in which a true null is rejected, and false nulls that are rejected."""
    total: Counts = {}
    equal = (_SECOND < SYSTEMS - 1) if shift else np.ones(len(_FIRST), dtype=bool)
    for number in range(-(-sets // _BATCH)):
        first, second = np.random.SeedSequence([*seed, number]).spawn(2)
        rng = np.random.default_rng(first)
        x = scores(errors, n, _BATCH, unequal=unequal, shift=shift, rng=rng)
        d = x[..., _FIRST] - x[..., _SECOND]
        using = Resampling(resamples, rng=second)
        rejected = max_t(d, using).p_adjusted <= 0.05
        _count(total, "max-T", rejected, equal)
        if number * _BATCH < label_sets:
            mean = d.mean(axis=1)
            rejected = np.stack(
                [
                    permuted_ranges(one, using).p_adjusted(m) <= 0.05
                    for one, m in zip(x, mean, strict=True)
                ]
            )
            _count(total, "permuted labels", rejected, equal)
    return total


def _count(total: Counts, name: str, rejected: Bools, equal: Bools) -> None:
    add(total, f"error: {name}", rejected[:, equal].any(axis=1))
    if not equal.all():
        add(total, f"power: {name}", rejected[:, ~equal])
