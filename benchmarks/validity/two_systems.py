"""Two systems: errors and power of tests, coverage of intervals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import stats

from fuzzytruth.core.clusters import samples
from fuzzytruth.stats.intervals import bootstrap
from fuzzytruth.stats.laws import Fit, student_fit
from fuzzytruth.stats.settings import Resampling
from fuzzytruth.stats.sign_flips import sign_flip_p
from validity.families import LEVEL, RESAMPLES
from validity.rates import Counts, add
from validity.simulated_scores import MEASURES, pairs

QUERIES = (10, 25, 50, 100)
TRUTHS = ("null", "fitted", "near")
_ALPHA = 0.05
_METHODS = ("percentile", "basic", "bca", "studentized")


def settings() -> Iterator[dict[str, Any]]:
    """All cells."""
    for measure in MEASURES:
        for n in QUERIES:
            for truth in TRUTHS:
                yield {"measure": measure, "n": n, "truth": truth}


def two_systems(
    measure: str, n: int, truth: str, *, sets: int, seed: np.random.SeedSequence
) -> Counts:
    """Rejections, and coverage of 95 % intervals; `pairs` explains the truths."""
    total: Counts = {}
    designs = pairs(measure, truth)
    each = -(-sets // len(designs))
    for pair, child in zip(designs, seed.spawn(len(designs)), strict=True):
        first, second = child.spawn(2)
        x, y = pair.scores(n, each, np.random.default_rng(first))
        d = x - y
        using = Resampling(RESAMPLES, rng=second)
        fit = _t(d, pairs=True)
        add(total, "reject: t", fit.law.p_value(fit.value, "two-sided") <= _ALPHA)
        add(total, "reject: sign flips", sign_flip_p(d, using)[0] <= _ALPHA)
        add(total, "reject: Wilcoxon", _wilcoxon(d) <= _ALPHA)
        add(total, "reject: sign", _sign(d) <= _ALPHA)
        add(total, "reject: bootstrap shift", _shift(d, using) <= _ALPHA)
        gap = pair.means[0] - pair.means[1]
        ends = {"t": fit.law.interval(fit.value, LEVEL, "two-sided")}
        one = _t(x, pairs=False)
        low, high = one.law.interval(one.value, LEVEL, "two-sided")
        add(total, "cover: t, one system", (low <= pair.means[0]) & (pair.means[0] <= high))
        for method in _METHODS:
            boot = bootstrap(d.T, np.mean, method=method, level=LEVEL, resampling=using)  # type: ignore[arg-type]
            ends[method] = boot.lower, boot.upper
        for method, (low, high) in ends.items():
            add(total, f"cover: {method}", (low <= gap + 1e-9) & (gap - 1e-9 <= high))
    return total


def _t(values: np.ndarray, *, pairs: bool) -> Fit:
    """Student's t of (queries, sets)."""
    one = samples(values)
    return student_fit(one.mean, one.std_error, np.asarray(one.n - 1.0), pairs=pairs)


def _wilcoxon(d: np.ndarray) -> np.ndarray:
    """Signed ranks with Pratt's zeros, normal approximation: (sets,)."""
    out = stats.wilcoxon(d, axis=0, zero_method="pratt", correction=False, method="asymptotic")
    return np.asarray(np.nan_to_num(out.pvalue, nan=1.0))


def _sign(d: np.ndarray) -> np.ndarray:
    wins, losses = (d > 0).sum(axis=0), (d < 0).sum(axis=0)
    p = 2 * stats.binom.cdf(np.minimum(wins, losses), wins + losses, 0.5)
    return np.asarray(np.minimum(p, 1.0))


def _shift(d: np.ndarray, using: Resampling) -> np.ndarray:
    """Bootstrap of the centred differences: how often as far from 0 as observed."""
    drawn = bootstrap(
        (d - d.mean(axis=0)).T, np.mean, method="percentile", level=LEVEL, resampling=using
    ).distribution
    reached = (np.abs(drawn) >= np.abs(d.mean(axis=0))[:, None] - 1e-12).sum(axis=1)
    return np.asarray((reached + 1) / (drawn.shape[1] + 1))
