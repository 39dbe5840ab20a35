"""Two systems: errors and power of tests, coverage of intervals."""

from __future__ import annotations

import numpy as np
from scipy import stats

from fuzzytruth.core import student
from fuzzytruth.core.samples import samples
from fuzzytruth.stats.bootstrap import bootstrap
from fuzzytruth.stats.settings import Resampling
from fuzzytruth.stats.sign_flips import sign_flip_p
from validity.margins import pairs
from validity.rates import Counts, add

_ALPHA = 0.05
_METHODS = ("percentile", "basic", "bca", "studentized")


def two_systems(
    measure: str, n: int, *, truth: str, sets: int, resamples: int, seed: list[int]
) -> Counts:
    """Rejections, and coverage of 95 % intervals; `pairs` explains the truths."""
    total: Counts = {}
    designs = pairs(measure, truth)
    each = -(-sets // len(designs))
    for number, pair in enumerate(designs):
        sequence = np.random.SeedSequence([*seed, number])
        first, second = sequence.spawn(2)
        x, y = pair.scores(n, each, np.random.default_rng(first))
        d = x - y
        using = Resampling(resamples, rng=second)
        moments = samples(d)
        df = np.full(each, n - 1.0)
        p_t = student.p_value(moments.mean, moments.std_error, df)
        add(total, "reject: t", p_t <= _ALPHA)
        add(total, "reject: sign flips", sign_flip_p(d, using)[0] <= _ALPHA)
        add(total, "reject: Wilcoxon", _wilcoxon(d) <= _ALPHA)
        add(total, "reject: sign", _sign(d) <= _ALPHA)
        add(total, "reject: bootstrap shift", _shift(d, using) <= _ALPHA)
        gap = pair.means[0] - pair.means[1]
        ends = {"t": student.ends(moments.mean, moments.std_error, student.quantile(0.95, df))}
        one = samples(x)
        low, high = student.ends(one.mean, one.std_error, student.quantile(0.95, df))
        add(total, "cover: t, one system", (low <= pair.means[0]) & (pair.means[0] <= high))
        for method in _METHODS:
            boot = bootstrap(d.T, np.mean, method=method, level=0.95, resampling=using)  # type: ignore[arg-type]
            ends[method] = boot.lower, boot.upper
        for method, (low, high) in ends.items():
            add(total, f"cover: {method}", (low <= gap + 1e-9) & (gap - 1e-9 <= high))
    return total


def _wilcoxon(d: np.ndarray) -> np.ndarray:
    """Signed ranks with Pratt's zeros, normal approximation: (sets,)."""
    out = stats.wilcoxon(d, axis=0, zero_method="pratt", correction=False, method="asymptotic")
    return np.nan_to_num(out.pvalue, nan=1.0)


def _sign(d: np.ndarray) -> np.ndarray:
    wins, losses = (d > 0).sum(axis=0), (d < 0).sum(axis=0)
    p = 2 * stats.binom.cdf(np.minimum(wins, losses), wins + losses, 0.5)
    return np.asarray(np.minimum(p, 1.0))


def _shift(d: np.ndarray, using: Resampling) -> np.ndarray:
    """Bootstrap of the centred differences: how often as far from 0 as observed."""
    drawn = bootstrap(
        (d - d.mean(axis=0)).T, np.mean, method="percentile", level=0.95, resampling=using
    ).distribution
    reached = (np.abs(drawn) >= np.abs(d.mean(axis=0))[:, None] - 1e-12).sum(axis=1)
    return np.asarray((reached + 1) / (drawn.shape[1] + 1))
