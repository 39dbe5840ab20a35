"""Simulated scores: margins fitted to real systems, joined by a Gaussian copula.

References
----------
Urbano, J., Lima, H. & Hanjalic, A. (2019), Statistical significance testing in information
retrieval: an empirical analysis of type I, type II and type III errors, SIGIR; the margins are
fitted to 8 systems on 30 reviews of CLEF eHealth TAR 2017.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import stats
from scipy.optimize import brentq
from scipy.special import ndtr

import fuzzytruth as ft
from fuzzytruth._typing import Floats

#: quantile function of a margin
Quantile = Callable[[Floats], Floats]

MEASURES = ("AP", "P@10", "nDCG@10")
_GRID = np.linspace(0, 1, 4001)


@dataclass(frozen=True)
class Pair:
    """Two systems: quantile functions, means, and the correlation of the Gaussian copula."""

    first: Quantile
    second: Quantile
    means: tuple[float, float]
    correlation: float

    def scores(self, n: int, sets: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Scores of both: (queries, sets) each."""
        z = rng.standard_normal((2, n, sets))
        rho = self.correlation
        other = rho * z[0] + np.sqrt(1 - rho**2) * z[1]
        return self.first(ndtr(z[0])), self.second(ndtr(other))


@lru_cache(maxsize=1)
def real_scores() -> Any:
    """Per-query scores of the sample: (measures, systems, queries)."""
    truth, runs = ft.datasets.load_clef_tar2017()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.FuzzytruthWarning)
        scores = ft.evaluate(truth.select_subject("abstract"), runs, list(MEASURES))
    return scores.values.transpose(1, 0, 2)


@lru_cache(maxsize=9)
def pairs(measure: str, truth: str) -> tuple[Pair, ...]:
    """Pairs of systems.

    "fitted": all ordered pairs of systems that are not nearly identical. "null": the same, but the
    second system, keeping its shape, has the mean of the first. "near": each system with one that
    has the same margin and a correlation of .995, for pairs that hardly differ.
    """
    values = real_scores()[MEASURES.index(measure)]
    null = truth == "null"
    out = []
    if truth == "near":
        for first in values:
            quantile, mean = _margin(measure, first, None)
            out.append(Pair(quantile, quantile, (mean, mean), 0.995))
        return tuple(out)
    for i, first in enumerate(values):
        for j, second in enumerate(values):
            tau = stats.kendalltau(first, second).statistic
            if i == j or tau > 0.9:
                continue
            quantile, mean = _margin(measure, first, None)
            other, other_mean = _margin(measure, second, mean if null else None)
            rho = float(np.sin(np.pi * tau / 2))
            out.append(Pair(quantile, other, (mean, other_mean), rho))
    return tuple(out)


def _margin(measure: str, values: Floats, mean: float | None) -> tuple[Quantile, float]:
    """Quantile function and mean of a margin fitted to values, moved to a mean if given."""
    fit = {"AP": _beta, "P@10": _beta_binomial, "nDCG@10": _kernel}[measure]
    return fit(values, mean)


def _moments(values: Floats, mean: float | None) -> tuple[float, float]:
    """Parameters of a Beta with the mean, and the precision of the values."""
    own = float(np.clip(values.mean(), 0.02, 0.98))
    precision = max(own * (1 - own) / max(float(values.var(ddof=1)), 1e-4) - 1, 0.5)
    wanted = own if mean is None else float(np.clip(mean, 0.02, 0.98))
    return wanted * precision, (1 - wanted) * precision


def _beta(values: Floats, mean: float | None) -> tuple[Quantile, float]:
    a, b = _moments(values, mean)
    return _table(stats.beta.ppf(_GRID, a, b)), a / (a + b)


def _table(quantiles: Floats) -> Quantile:
    """A quantile function, interpolated on a grid."""

    def of(u: Floats) -> Floats:
        return np.interp(u, _GRID, quantiles)

    return of


def _beta_binomial(values: Floats, mean: float | None) -> tuple[Quantile, float]:
    a, b = _moments(values, mean)
    edges = np.cumsum(stats.betabinom.pmf(np.arange(11), 10, a, b))[:-1]

    def of(u: Floats) -> Floats:
        return np.searchsorted(edges, u) / 10

    return of, a / (a + b)


def _kernel(values: Floats, mean: float | None) -> tuple[Quantile, float]:
    """Values smoothed by a normal kernel truncated at 0 and 1; a power of the score moves them."""
    width = max(0.9 * float(values.std(ddof=1)) * len(values) ** -0.2, 0.01)
    x = np.linspace(0, 1, 2001)
    top, bottom = (values[:, None] - 0) / width, (values[:, None] - 1) / width
    inside = ndtr(top) - ndtr(bottom)
    cdf = ((ndtr((x - values[:, None]) / width) - ndtr(-top)) / inside).mean(axis=0)
    quantiles = np.interp(_GRID, cdf, x)
    power = 1.0
    if mean is not None:
        power = brentq(lambda g: _mean_of(quantiles**g) - mean, 0.01, 50)

    def of(u: Floats) -> Floats:
        out: Floats = np.interp(u, _GRID, quantiles) ** power
        return out

    return of, _mean_of(quantiles**power)


def _mean_of(quantiles: Floats) -> float:
    return float(((quantiles[1:] + quantiles[:-1]) / 2).mean())
