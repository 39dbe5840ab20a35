"""Differences of systems on several collections, which are a sample of more of their kind.

On collection i the mean difference of two systems is d_i, over n_i queries of variance s_i²; B is
the variance of the d_i. Collections weigh the same. Their mean has Student's t with K - 1 degrees
of freedom (`QueryGroups.estimate`). The difference on another collection varies by the variance
between collections, too, which B exceeds by the mean of s_i²/n_i. As in `core.pivotal`, a χ² takes
the place of each sum of squares over its expectation:

    θ = (K - 1) B / χ²,   E = mean of (n_i - 1) s_i² / (n_i χ²_i),   τ² = (θ - E)₊,

and the error of the prediction is a mixture of normal laws of variance max(θ, E)/K + τ². A
collection with a single query tells no s_i², which counts as 0: the prediction is the wider.

References
----------
Benjamini, Y. & Heller, R. (2008), Screening for partial conjunction hypotheses, Biometrics 64.
Higgins, J. P. T., Thompson, S. G. & Spiegelhalter, D. J. (2009), A re-evaluation of random-effects
meta-analysis, Journal of the Royal Statistical Society A 172. Nagashima, K., Noma, H. & Furukawa,
T. A. (2019), Prediction intervals for random-effects meta-analysis, Statistical Methods in Medical
Research 28. Weerahandi 1993.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._lazy import special
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import divide, offsets_of
from fuzzytruth.core.clusters import Samples, samples, segment_samples
from fuzzytruth.core.pivotal import NormalMixtures, binned, chi2_nodes
from fuzzytruth.stats.laws import Fit, mixture_fit, student_fit
from fuzzytruth.stats.multiplicity import holm, significant
from fuzzytruth.stats.observations import Contrasts, Observations
from fuzzytruth.stats.settings import Alternative

_SOME = 16  # pairs at a time, whose variances at all nodes take bounded memory
_STEPS = 40
_NEGLIGIBLE = 1e-12  # probability of a bin that is left out


@dataclass(frozen=True, slots=True, eq=False)
class CollectionDifferences:
    """Differences of pairs on each collection.

    Parameters
    ----------
    within : Samples
        Moments of per-query differences: (pairs, collections) each.
    between : Samples
        Moments of the collections' means: (pairs,) each.
    """

    within: Samples
    between: Samples

    @classmethod
    def of(cls, observed: Observations, pairs: Contrasts) -> CollectionDifferences:
        """Of observations in collections."""
        groups, scale = observed.groups, pairs.largest(observed.scale)
        assert groups is not None
        values = observed.by_query(pairs)[:, np.argsort(groups.code, kind="stable")]
        within = segment_samples(values, offsets_of(groups.sizes), scale=scale)
        return cls(within, samples(within.mean.T, scale=scale))

    def each(self) -> Fit:
        """Each collection alone, by t over its queries: (pairs · collections,)."""
        one = self.within
        df = np.maximum(one.n - 1.0, 0.0).ravel()
        return student_fit(one.mean.ravel(), one.std_error.ravel(), df, pairs=True)

    def at_least(self, level: float, alternative: Alternative) -> Ints:
        """On how many collections, at least, the true difference has the direction of the mean.

        Lower confidence bounds of `level` for each pair, whatever the dependence of collections:
        how many hypotheses Holm's method rejects. Where no `alternative` fixes the direction, each
        of both has half of the error.
        """
        fit, shape = self.each(), self.within.mean.shape
        greater, less = (fit.p_value(side).reshape(shape) for side in ("greater", "less"))
        if alternative == "two-sided":
            p = np.minimum(2 * np.where(self.between.mean[:, None] < 0, less, greater), 1.0)
        else:
            p = greater if alternative == "greater" else less
        return np.asarray(significant(holm(p), level).sum(axis=1))

    def on_another(self) -> Fit:
        """Law of the difference on another collection, about the mean: (pairs,)."""
        k = self.between.n
        total, sampling = self._variances()
        variance = np.maximum(total, sampling) / np.maximum(k, 1) + np.maximum(total - sampling, 0)
        mixtures = NormalMixtures.none(len(k))
        for rows, squares, nodes in self._batches():
            theta, weight = chi2_nodes(float(k[rows[0]] - 1))
            theta = squares[:, None, None] * theta[:, None]  # (rows, nodes, nodes of E)
            error = nodes.std[:, None, :] ** 2
            parts = np.maximum(theta, error) / k[rows[0]] + np.maximum(theta - error, 0)
            mass = weight[:, None] * nodes.weight[:, None, :]
            flat = (len(rows), -1)
            mixtures.put(rows, NormalMixtures(*binned(parts.reshape(flat), mass.reshape(flat))))
        unknown = np.full(len(k), np.nan)
        df, method = np.maximum(k - 1.0, 0.0), "generalised pivotal, another collection"
        error = np.sqrt(variance)
        return mixture_fit(self.between.mean, error, unknown, df, mixtures, method, pairs=True)

    def deviations(self, level: float) -> tuple[Floats, Floats, Floats]:
        """Standard deviation between collections, and the ends of its interval: (pairs,) each.

        NaN for pairs with values in a single collection.
        """
        total, sampling = self._variances()
        value = np.sqrt(np.maximum(total - sampling, 0.0))
        ends = np.where(np.isnan(value), np.nan, np.zeros((2, len(value))))
        for rows, squares, nodes in self._batches():
            for end, share in zip(ends, ((1 - level) / 2, (1 + level) / 2), strict=True):
                end[rows] = _tau_quantile(squares, float(self.between.n[rows[0]] - 1), nodes, share)
        return value, *np.sqrt(ends)

    def _variances(self) -> tuple[Floats, Floats]:
        """B, and the mean of s_i²/n_i: (pairs,) each."""
        error = np.nan_to_num(self.within.std_error) ** 2
        return self.between.std**2, divide(error.sum(axis=1), self.between.n, fill=np.nan)

    def _batches(self) -> list[tuple[Ints, Floats, NormalMixtures]]:
        """Pairs with as many queries on each collection, (K - 1) B, and E as squares of `std`."""
        n, k = self.within.n, self.between.n
        out = []
        _, pattern = np.unique(n, axis=0, return_inverse=True)
        for number in range(int(pattern.max(initial=-1)) + 1):
            same = np.flatnonzero((pattern.ravel() == number) & (k > 1))
            for rows in np.array_split(same, np.arange(_SOME, len(same), _SOME)):
                if len(rows):
                    squares = (self.between.centred**2).sum(axis=0)[rows]
                    out.append((rows, squares, self._sampling(rows)))
        return out

    def _sampling(self, rows: Ints) -> NormalMixtures:
        """Distribution of E of pairs with the same numbers of queries: (rows, nodes)."""
        n, k = self.within.n[rows[0]], self.between.n[rows[0]]
        squares = np.nan_to_num(self.within.std[rows] ** 2) * (n - 1) / np.maximum(n, 1) / k
        std, weight = np.zeros((len(rows), 1)), np.ones((len(rows), 1))
        for one, df in zip(squares.T, n - 1.0, strict=True):
            inverse, mass = chi2_nodes(df)
            total = std[:, :, None] ** 2 + one[:, None, None] * inverse
            both, flat = weight[:, :, None] * mass, (len(rows), -1)
            std, weight = binned(total.reshape(flat), both.reshape(flat))
        return NormalMixtures(std, weight)


@np.errstate(divide="ignore", invalid="ignore", under="ignore")
def _tau_quantile(squares: Floats, df: float, sampling: NormalMixtures, share: float) -> Floats:
    """The τ² that (SS/χ² - E)₊ does not exceed with probability `share`: (rows,).

    By bisection; without sampling error it would be the upper end.
    """
    likely = (sampling.weight > _NEGLIGIBLE).any(axis=0)
    variance, weight = sampling.std[:, likely] ** 2, sampling.weight[:, likely]

    def below(tau: Floats) -> Floats:
        chi2 = np.nan_to_num(squares[:, None] / (tau[:, None] + variance))
        return np.asarray((special.chdtrc(df, chi2) * weight).sum(axis=1))

    low, high = np.zeros(len(squares)), squares / special.chdtri(df, share)
    high[below(low) >= share] = 0.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        enough = below(middle) >= share
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.asarray(high)
