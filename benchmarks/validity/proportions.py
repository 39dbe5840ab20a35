"""Scores that are 0 or 1, such as P@1 and success."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import ndtri

from fuzzytruth._typing import Floats
from fuzzytruth.core.clusters import samples
from fuzzytruth.stats.agreement import wilson
from fuzzytruth.stats.laws import student_fit
from fuzzytruth.stats.observations import all_pairs
from fuzzytruth.stats.settings import Resampling
from fuzzytruth.stats.sign_flips import sign_flip_p
from validity.families import (
    LEVEL,
    RESAMPLES,
    bonferroni_t,
    default,
    differences,
    missed,
    tally_both,
)
from validity.rates import Counts, add

QUERIES = (10, 25, 50, 100)
SHARES = (0.05, 0.1, 0.3, 0.5, 0.9)
#: true shares of successes of eight systems
FAMILIES = {
    "all .3": np.full(8, 0.3),
    "all .05": np.full(8, 0.05),
    ".2 to .55": np.linspace(0.2, 0.55, 8),
}
#: of the normal variables behind two systems' successes on a query
_CORRELATION = 0.6


def settings() -> Iterator[dict[str, Any]]:
    """One and two systems."""
    for share in SHARES:
        for n in QUERIES:
            yield {"share": share, "n": n}


def family_settings() -> Iterator[dict[str, Any]]:
    """Eight systems."""
    for shares in FAMILIES:
        for n in QUERIES:
            yield {"shares": shares, "n": n}


def successes(shares: Floats, n: int, sets: int, rng: np.random.Generator) -> Floats:
    """0 or 1: (sets, queries, systems)."""
    common = np.sqrt(_CORRELATION) * rng.standard_normal((sets, n, 1))
    own = np.sqrt(1 - _CORRELATION) * rng.standard_normal((sets, n, len(shares)))
    return np.asarray(common + own < ndtri(shares), dtype=np.float64)


def one_and_two(share: float, n: int, *, sets: int, seed: np.random.SeedSequence) -> Counts:
    """Coverage for one system, for a pair of equal ones, and for one better by .1 (if it can)."""
    total: Counts = {}
    first, second = seed.spawn(2)
    better = share + 0.1 if share < 0.9 else share - 0.1
    truth = np.array([share, share, better])
    x = successes(truth, n, sets, np.random.default_rng(first))
    _cover(total, "t, one system", x[..., 0], share, pairs=False)
    lower, upper = wilson(x[..., 0].sum(axis=1), n, level=LEVEL)
    add(total, "cover: Wilson, one system", (lower <= share + 1e-12) & (share - 1e-12 <= upper))
    _cover(total, "t, two equal", x[..., 0] - x[..., 1], 0.0, pairs=True)
    _cover(total, "t, two that differ", x[..., 0] - x[..., 2], share - better, pairs=True)
    p, _ = sign_flip_p((x[..., 0] - x[..., 1]).T, Resampling(RESAMPLES, rng=second))
    add(total, "reject: sign flips, two equal", p <= 1 - LEVEL + 1e-12)
    return total


def _cover(total: Counts, name: str, values: Floats, truth: float, *, pairs: bool) -> None:
    """Coverage of t by values (sets, queries)."""
    one = samples(values.T)
    fit = student_fit(one.mean, one.std_error, np.asarray(one.n - 1.0), pairs=pairs)
    lower, upper = fit.law.interval(fit.value, LEVEL, "two-sided")
    add(total, f"cover: {name}", (lower <= truth + 1e-12) & (truth - 1e-12 <= upper))


def binary_families(shares: str, n: int, *, sets: int, seed: np.random.SeedSequence) -> Counts:
    """All pairs of eight systems."""
    total: Counts = {}
    first, second = seed.spawn(2)
    x = successes(FAMILIES[shares], n, sets, np.random.default_rng(first))
    contrasts = all_pairs(x.shape[2])
    gap = np.tile(differences(FAMILIES[shares], contrasts), (sets, 1))
    ours = default(x, contrasts, second)
    tally_both(total, ours, bonferroni_t(x, contrasts, alternative="two-sided"), gap)
    wide = missed(ours, gap) & (ours[0] < ours[1])
    add(total, "miss, points aside: default", wide.any(axis=1))
    return total
