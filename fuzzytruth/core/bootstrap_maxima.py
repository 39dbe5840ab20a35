"""Largest studentised deviations of resampled means, over many pairs of systems at once.

Units (queries, or clusters of them) are drawn with replacement, the same for all pairs. In each
resample a pair has its mean, the variance of that mean and, moderated, a |t| of its deviation from
the mean of the data; the largest over the pairs is what simultaneous intervals are made of.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from fuzzytruth._lazy import special
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.exact_sums import on_grid

# Moderated variances: each drawn towards the geometric mean of all.
#
# The variances s_j² of few differences vary by chance alone; that of a pair that happens to be
# small makes a large t. A prior of d₀ degrees of freedom, estimated from how much the variances
# differ, steadies them. The prior of a pair is the geometric mean of all variances, and at most ten
# times its own, so that one noisy system takes no power from the others; but near copies, which
# differ on few units, do not tell their own variance, and have the geometric mean itself.
#
# References
# ----------
# Smyth, G. K. (2004), Linear models and empirical Bayes methods for assessing differential
# expression in microarray experiments, Statistical Applications in Genetics and Molecular Biology
# 3.


#: a variance counts as at least this share of the pair's own in the mean of a resample
FLOOR = 0.1
#: the prior of a pair is at most this many times its own variance
CAP = 10.0
#: variances that it takes to tell their spread, and so to moderate them
MIN_VARIANCES = 3

_SAME = 1e-4  # excess variance of the logarithms below which all variances are one
_STEPS = 50
_CONVERGED = 1e-12


def prior_df(
    variance: Floats, df: Floats, *, most: float | None = None, correlation: float = 0.0
) -> float:
    """Degrees of freedom d₀ of the prior: at most the largest of `df`, 0 for fewer than three.

    Parameters
    ----------
    variance, df : (pairs,) float
        Variances with their degrees of freedom; those that are 0 say nothing.
    most : float, optional
        What d₀ is at most, if not the largest of `df`.
    correlation : float
        Mean correlation of the variances.
    """
    known = (variance > 0) & (df > 0)
    if known.sum() < MIN_VARIANCES:
        return 0.0
    log = log_of_mean(variance[known], df[known])
    excess = float(log.var(ddof=1) / (1 - correlation) - special.polygamma(1, df[known] / 2).mean())
    most = float(df[known].max()) if most is None else most
    return most if excess <= _SAME else min(2 * _inverse_trigamma(excess), most)


def log_of_mean(variance: Floats, df: Floats) -> Floats:
    """Unbiased estimates of the logarithms of the expected variances (pairs,), all above 0."""
    return np.asarray(np.log(variance) - special.digamma(df / 2) + np.log(df / 2))


def _inverse_trigamma(x: float) -> float:
    """Solution y of ψ'(y) = x > 0, by Newton's method on 1 / ψ', which is nearly linear."""
    y = 0.5 + 1 / x
    for _ in range(_STEPS):
        trigamma = float(special.polygamma(1, y))
        step = trigamma * (1 - trigamma / x) / float(special.polygamma(2, y))
        y += step
        if abs(step) <= _CONVERGED * y:
            break
    return y


def log_pool(variance: Floats) -> float:
    """Mean of the logarithms of the variances (pairs,) that are not 0."""
    return float(np.log(variance[variance > 0]).mean())


def moderated(variance: Floats, prior: Floats, df: Floats, d0: Floats) -> Floats:
    """Mean of variance and prior, weighted by their degrees of freedom; 0 without any."""
    return divide(d0 * prior + df * variance, df + d0)


#: which deviations count: of either sign, above, or below
Side = Literal["two-sided", "greater", "less"]

_CACHED = 2**16  # numbers of an intermediate array that stays in cache
_ROUNDING = 1e-13  # of a square, as a share of the largest
_LARGEST = 250.0  # log10 of a product of ratios that cannot overflow
_FACTORS = 64  # of such a product; small ones might underflow


@dataclass(frozen=True, slots=True, eq=False)
class Resampled:
    """Moments of resampled pairs, in units of each pair's own spread.

    Parameters
    ----------
    shift : (resamples, pairs) float
        Has the sign of the resampled mean minus the mean of the data.
    square : (resamples, pairs) float
        Their squared distance, times the number of units, over the variance of the data.
    squares : (resamples, pairs) float
        Sum of squares, over the variance of the data: that times `df` in the data.
    df : (resamples, pairs), (resamples, 1) or (1, 1) float
        Degrees of freedom of the sum of squares.
    """

    shift: Floats
    square: Floats
    squares: Floats
    df: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Moderation:
    """How variances of one measure's pairs are moderated.

    Parameters
    ----------
    columns : slice
        Its pairs.
    prior : (pairs,) float
        Geometric mean of the variances of the data over each pair's own.
    most : (pairs,) float
        What the prior is at most, over each pair's own variance.
    d0 : float
    """

    columns: slice
    prior: Floats
    most: Floats
    d0: float


def largest_deviations(
    units: Units, weights: Floats, moderations: list[Moderation], side: Side
) -> Floats:
    """Largest moderated t over all pairs under each row of weights: (resamples,).

    0 where no deviation is on that side; infinite where a resample has no spread, unmoderated.
    """
    rows = max(16, _CACHED // max(units.n_pairs, 1))
    out = np.zeros(len(weights))
    for start in range(0, len(weights), rows):
        part = slice(start, start + rows)
        drawn = units.resampled(weights[part])
        squares = [_largest_square(drawn, each, side) for each in moderations]
        out[part] = np.sqrt(np.max(squares, axis=0))
    return out


def _largest_square(drawn: Resampled, moderation: Moderation, side: Side) -> Floats:
    """Largest t² over the pairs of one measure: (resamples,)."""
    columns, d0 = moderation.columns, moderation.d0
    square, squares = drawn.square[:, columns], drawn.squares[:, columns]
    df = drawn.df if drawn.df.shape[1] == 1 else drawn.df[:, columns]
    if side != "two-sided":
        shift = drawn.shift[:, columns]
        square = np.where(shift > 0 if side == "greater" else shift < 0, square, 0.0)
    if d0 > 0:
        pool = _geometric_means(squares, df)[:, None] * d0
        steady = pool * moderation.prior
        np.minimum(steady, moderation.most * d0, out=steady)
        steady += squares
        t = np.divide(square, steady, out=steady)
    else:
        t = np.where(square > 0, np.inf, 0.0)
        np.divide(square, squares, out=t, where=squares > 0)
    if df.shape[1] > 1:
        t *= np.maximum(d0 + df, 1.0)
        return np.asarray(t.max(axis=1, initial=0.0))
    return np.asarray(t.max(axis=1, initial=0.0) * np.maximum(d0 + df[:, 0], 1.0))


def _geometric_means(squares: Floats, df: Floats) -> Floats:
    """Of the variances squares / df, each at least `FLOOR`, along the last axis.

    By products of as many numbers as cannot overflow, and their logarithms.
    """
    least = np.maximum(df, 1.0)
    ratios = np.maximum(squares, FLOOR * least)
    if df.shape[1] > 1:
        ratios /= least
    largest = max(float(ratios.max(initial=1.0)), 10.0)
    size = min(max(1, int(_LARGEST / np.log10(largest))), _FACTORS)
    count = ratios.shape[-1]
    products = np.multiply.reduceat(ratios, np.arange(0, count, size), axis=-1)
    mean = np.log(products).sum(axis=-1) / count
    if df.shape[1] == 1:
        mean = mean - np.log(least[:, 0])
    return np.asarray(np.exp(mean))


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    """The units that are sums of one number of queries.

    Parameters
    ----------
    size : int
    units : (layer,) int
        Those with this size for any pair.
    first, square : (layer, pairs) float
        Sums and their squares; 0 where a pair's sum is of another number of queries.
    present : (layer, pairs) float, or (layer, 1) if it is the same for all pairs
        1 where it is of this number.
    rounding : (pairs,) float
        Sums of squares below this are rounding errors: there is no spread.
    """

    size: int
    units: Ints
    first: Floats
    square: Floats
    present: Floats
    rounding: Floats


@dataclass(frozen=True, slots=True, eq=False)
class ClusterUnits:
    """Units with sums of differences, and the numbers of queries that these are sums of.

    The mean is Σ total / Σ size, its variance that of the delete-one-unit jackknife; where every
    unit is one query, these are the mean and s² / n. Units of one size are added at once.

    Parameters
    ----------
    n_pairs : int
    layers : tuple of _Layer
    """

    n_pairs: int
    layers: tuple[_Layer, ...]

    @classmethod
    def of(cls, total: Floats, size: Ints) -> ClusterUnits:
        """From centred sums and their sizes.

        Parameters
        ----------
        total : (units, pairs) float
            Minus size times the pair's mean, over its standard error times √units; 0 where a
            unit has no value.
        size : (units, pairs) int, or (units, 1) if it is the same for all pairs
        """
        layers = []
        sizes = np.unique(size[size > 0])
        if len(sizes) == 1:  # the mean of sums of one size is that of the single numbers
            total, size, sizes = total / sizes[0], np.minimum(size, 1), np.ones(1, dtype=np.int64)
        for k in sizes.tolist():
            present = size == k
            units = np.flatnonzero(present.any(axis=1))
            present = present[units]
            first = on_grid(np.where(present, total[units], 0.0), 0, len(size))
            square = on_grid(first**2, 0, len(size))
            rounding = _ROUNDING * len(size) * square.max(axis=0, initial=0.0)
            layers.append(_Layer(k, units, first, square, present.astype(np.float64), rounding))
        return cls(total.shape[1], tuple(layers))

    def resampled(self, weights: Floats) -> Resampled:
        """Moments under weights (resamples, units)."""
        if len(self.layers) == 1 and self.layers[0].present.all():
            return _of_one_size(weights, self.layers[0])
        drawn = [weights[:, layer.units] for layer in self.layers]
        pairs = list(zip(self.layers, drawn, strict=True))
        counts = [w @ layer.present for layer, w in pairs]
        firsts = [w @ layer.first for layer, w in pairs]
        n = np.add.reduce(counts)
        df = np.maximum(n - 1, 0.0)
        total = np.add.reduce(
            [layer.size * c for layer, c in zip(self.layers, counts, strict=True)]
        )
        shift = divide(np.add.reduce(firsts), total)
        variance = np.zeros(shift.shape)
        for (layer, w), count, first in zip(pairs, counts, firsts, strict=True):
            mean = layer.size * shift
            squares = w @ layer.square - 2 * mean * first + mean * mean * count
            squares[squares <= layer.rounding] = 0.0
            variance += divide(squares, (total - layer.size) ** 2)
        # (n - 1) / n is the jackknife's, and n turns a variance of means into one of units.
        return Resampled(shift, n * shift * shift, variance * df * df, df)


def _of_one_size(weights: Floats, layer: _Layer) -> Resampled:
    """Moments where every unit has a single number, for all pairs."""
    n = len(layer.units)
    shift = weights @ layer.first
    square = shift * shift
    square *= 1 / n
    squares = weights @ layer.square
    squares -= square
    if squares.min(initial=np.inf) <= layer.rounding.max(initial=0.0):
        squares[squares <= layer.rounding] = 0.0
    return Resampled(shift, square, squares, np.full((1, 1), n - 1.0))


@dataclass(frozen=True, slots=True, eq=False)
class StratumUnits:
    """Queries in strata, each stratum resampled by itself; the mean is that of the strata's means.

    Parameters
    ----------
    queries : tuple of (members,) int
        Queries of each stratum.
    first, square, present : tuple of (members, pairs) float
        Differences minus their stratum's mean, over the standard error times √n; their squares;
        and 1 where there is a value.
    n_strata : (pairs,) float
        Strata with values.
    """

    queries: tuple[Ints, ...]
    first: tuple[Floats, ...]
    square: tuple[Floats, ...]
    present: tuple[Floats, ...]
    n_strata: Floats

    @property
    def n_pairs(self) -> int:
        """Pairs."""
        return len(self.n_strata)

    @classmethod
    def of(cls, values: Floats, code: Ints, n_strata: int) -> StratumUnits:
        """From values (queries, pairs), NaN where missing, over the standard error times √n."""
        queries = tuple(np.flatnonzero(code == stratum) for stratum in range(n_strata))
        present = [~np.isnan(values[rows]) for rows in queries]
        first = []
        for rows, known in zip(queries, present, strict=True):
            filled = np.where(known, values[rows], 0.0)
            mean = divide(filled.sum(axis=0), known.sum(axis=0))
            first.append(on_grid(np.where(known, filled - mean, 0.0), 0))
        return cls(
            queries,
            tuple(first),
            tuple(on_grid(z**2, 0) for z in first),
            tuple(known.astype(np.float64) for known in present),
            np.add.reduce([known.any(axis=0).astype(np.float64) for known in present]),
        )

    def resampled(self, weights: Floats) -> Resampled:
        """Moments under weights (resamples, queries), as many of each stratum as it has."""
        shape = len(weights), self.n_pairs
        shift, variance, n = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        each = zip(self.queries, self.first, self.square, self.present, strict=True)
        for queries, first, square, present in each:
            drawn = weights[:, queries]
            count = drawn @ present
            mean = divide(drawn @ first, count)
            second = divide(drawn @ square, count)
            within = second - mean**2
            within[within <= _ROUNDING * square.max(axis=0, initial=0.0)] = 0.0
            shift += mean
            variance += divide(within, count - 1)
            n += count
        shift /= self.n_strata
        df = np.maximum(n - self.n_strata, 0.0)
        return Resampled(shift, n * shift * shift, variance * df * n / self.n_strata**2, df)


#: differences by unit, ready to be resampled
Units = ClusterUnits | StratumUnits
