"""Prediction-powered means: a few measurements, and predictions of all units.

Of N units, which are a sample of a population, n were measured; these are a simple random sample of
the N. A prediction F is known for all N, a measurement Y for n. The estimate

    mean_n(Y) + lambda * (mean_N(F) - mean_n(F))

is unbiased for the population mean of Y at any fixed lambda, however bad the predictions are. Its
variance is smallest at lambda = cov(Y, F) / var(F), which is estimated by least squares on the n
units. (PPI++ writes the same with the mean over the N - n other units, where the best weight is
lambda * (N - n) / N.) The n units are among the N, and are not counted twice: with residuals
e = Y - lambda * F, which are uncorrelated with F,

    var = var(e) / n + lambda^2 * var(F) / N,

and var(e) * (1 / n - 1 / N) about the mean of Y over these N units.

References
----------
Angelopoulos, A. N., Bates, S., Fannjiang, C., Jordan, M. I. & Zrnic, T. (2023), Prediction-powered
inference, Science 382. Angelopoulos, A. N., Duchi, J. C. & Zrnic, T. (2024), PPI++: efficient
prediction-powered inference, arXiv 2311.01453. Cochran, W. G. (1977), Sampling Techniques, §12.7
(double sampling, regression estimates).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core import student
from fuzzytruth.core.arithmetic import ROUNDING, divide
from fuzzytruth.core.cells import grouped_sum
from fuzzytruth.core.clusters import Samples, clustered_means, samples
from fuzzytruth.stats.laws import StudentLaw

# Estimated means whose errors follow Student's t, and numbers of units as good as another.


_HALVINGS = 60  # of the interval in which equivalent numbers of units are sought
_LEAST_UNITS, _MOST_UNITS = 1.05, 1e9


@dataclass(frozen=True, slots=True, eq=False)
class Means:
    """Estimates of means, all arrays (rows,).

    Parameters
    ----------
    value, std_error, df : (rows,) float
    units : (rows,) float
        Units, or clusters of them, that the standard error comes from.
    known : (rows,) bool
        Where no spread means no error.
    """

    value: Floats
    std_error: Floats
    df: Floats
    units: Floats
    known: Bools

    @property
    def law(self) -> StudentLaw:
        """How the estimates err."""
        return StudentLaw(self.std_error, self.units - 1, self.known, self.df)

    def interval(self, level: float) -> tuple[Floats, Floats]:
        """Ends of two-sided intervals."""
        return self.law.interval(self.value, level, "two-sided")

    def where(self, chosen: Bools, other: Means) -> Means:
        """These in the chosen rows, the other ones elsewhere."""
        pairs = ((getattr(self, field), getattr(other, field)) for field in self.__slots__)
        return Means(*(np.where(chosen, one, two) for one, two in pairs))


def equivalent_units(
    half: Floats, measured: Means, level: float, *, n_all: Floats, finite: bool = False
) -> Floats:
    """How many measured units alone would give intervals of these half-widths: (rows,).

    Their spread is that of the measured units, and t has units - 1 degrees of freedom. At most
    `n_all` (rows,); NaN where no spread is known.
    """
    units = measured.units
    rest = 1 / np.maximum(n_all, 1) if finite else np.zeros_like(units)
    deviation = divide(measured.std_error, np.sqrt(divide(1, units) - rest), fill=np.nan)
    known = deviation > 0
    deviation = np.where(known, deviation, 1.0)
    low, high = np.full(len(half), _LEAST_UNITS), np.full(len(half), _MOST_UNITS)
    for _ in range(_HALVINGS):
        middle = np.sqrt(low * high)
        spread = np.sqrt(np.maximum(1 / middle - rest, 0.0))
        too_wide = student.quantile(level, middle - 1) * deviation * spread > half
        low, high = np.where(too_wide, middle, low), np.where(too_wide, high, middle)
    return np.where(known, np.minimum(high, n_all), np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class PoweredMeans:
    """Means of several rows, estimated in three ways.

    Parameters
    ----------
    measured : Means
        Of the measured units alone, Student's t.
    powered : Means
        Prediction-powered.
    predicted : Means
        Of the predictions of all units, Student's t: of another estimand than the two others.
    bias : Means
        Prediction minus measurement, of the units that have both.
    n, n_all : (rows,) int
        Units with both, and with a prediction.
    tuning : (rows,) float
        The weight lambda of the predictions; 0 where predictions do not vary.
    correlation : (rows,) float
        Of predictions and measurements; NaN where one of them does not vary.
    alone : (rows,) bool
        Where `powered` is `measured`: predictions do not vary, or all units are measured.
    exact : (rows,) bool
        Where all measured units lie on one line: measurements vary, their residuals do not, and
        `powered` takes the predictions of the other units for exact.
    """

    measured: Means
    powered: Means
    predicted: Means
    bias: Means
    n: Ints
    n_all: Ints
    tuning: Floats
    correlation: Floats
    alone: Bools
    exact: Bools


@dataclass(frozen=True, slots=True, eq=False)
class _Paired:
    """Moments of measurements y and predictions f of the units that have both.

    `e` are the residuals y - lambda f about their mean: (rows, units), 0 elsewhere.
    """

    y: Samples
    f: Samples
    everywhere: Samples
    squares: Floats
    tuning: Floats
    e: Floats
    share: Floats  # of the units that are not measured


def powered_means(
    measured: Floats,
    predicted: Floats,
    *,
    cluster: Ints | None = None,
    tuning: float | None = None,
    finite: bool = False,
    scale: tuple[ArrayLike, ArrayLike] = (0.0, 0.0),
) -> PoweredMeans:
    """Prediction-powered means of (rows, units) values, with what they are compared with.

    Where lambda is tuned, residual variances have divisor n - 2 and t has n - 2 degrees of freedom;
    the square of the slope is reduced by its own variance, but not below 0. With a given lambda, or
    none to tune, it is n - 1. That lambda is an estimate adds var(e) (mean_N(F) - mean_n(F))^2 / SS
    to the variance, SS being the sum of squares of F over the n units. `finite` counts it; for a
    population it is left out, where it would cost 6 % of width at n = 10 if predictions are
    useless, and coverage is .936 to .967 without it (docs/evidence/validity.md).

    Parameters
    ----------
    measured : (rows, units) float
        NaN where a unit was not measured.
    predicted : (rows, units) float
        NaN where there is no prediction; measurements there are left out.
    cluster : (units,) int, optional
        From 0 on. Units of a cluster vary together; the sums over clusters of each unit's influence
        on the estimate are then what varies, and clusters with a measured unit what is counted.
    tuning : float, optional
        The weight lambda of the predictions; by default the one of least variance.
    finite : bool
        Whether the estimand is the mean over these N units, and not over a population.
    scale : pair of (rows,) float, optional
        Largest of the measurements and predictions that these are differences of; see
        `core.samples.samples`.

    Examples
    --------
    >>> y = np.array([[1.0, 3.0, 2.0, 4.0, np.nan, np.nan]])
    >>> f = np.array([[1.0, 3.0, 3.0, 4.0, 5.0, 6.0]])
    >>> out = powered_means(y, f)
    >>> out.tuning.round(3), out.powered.value.round(3), out.powered.df
    (array([0.947]), array([3.368]), array([2.]))
    """
    both = ~np.isnan(measured) & ~np.isnan(predicted)
    y, f = np.where(both, measured, np.nan), np.where(both, predicted, np.nan)
    paired = _paired(y, f, predicted, tuning, scale)
    of_population = _alone(y, cluster, scale[0])
    powered = _powered(paired, cluster, both, tuned=tuning is None, finite=finite)
    alone = (paired.share == 0) | ((paired.squares == 0) & (tuning is None))
    bias = _alone(f - y, cluster, np.maximum(*np.broadcast_arrays(*scale)))
    of_model = _alone(predicted, cluster, scale[1])
    same = of_population.known & of_model.known  # two systems that are equal everywhere
    if finite:
        of_population, bias = (_finite(one, paired.share) for one in (of_population, bias))
        of_model = _finite(of_model, np.zeros_like(paired.share))
    powered = replace(powered, known=same | (finite & (paired.share == 0)))
    yc, fc = paired.y.centred.T, paired.f.centred.T
    size = np.sqrt((yc**2).sum(axis=1) * paired.squares)
    return PoweredMeans(
        of_population,
        of_population.where(alone, powered),
        of_model,
        bias,
        paired.y.n,
        paired.everywhere.n,
        paired.tuning,
        np.clip(divide((yc * fc).sum(axis=1), size, fill=np.nan), -1, 1),
        alone,
        (_largest(paired.e) == 0) & (_largest(paired.y.centred.T) > 0) & ~alone,
    )


def _paired(
    y: Floats,
    f: Floats,
    predicted: Floats,
    tuning: float | None,
    scale: tuple[ArrayLike, ArrayLike],
) -> _Paired:
    of_y, of_f = samples(y.T, scale=scale[0]), samples(f.T, scale=scale[1])
    everywhere = samples(predicted.T, scale=scale[1])
    yc, fc = of_y.centred.T, of_f.centred.T  # (rows, units)
    squares = (fc**2).sum(axis=1)
    slope = divide((fc * yc).sum(axis=1), squares)
    weight = slope if tuning is None else np.full(len(slope), float(tuning))
    e = yc - weight[:, None] * fc
    largest = np.maximum(np.abs(yc).max(axis=1, initial=0), np.abs(weight) * _largest(fc))
    e[np.abs(e).max(axis=1, initial=0) <= 10 * ROUNDING * largest] = 0.0
    return _Paired(of_y, of_f, everywhere, squares, weight, e, 1 - divide(of_y.n, everywhere.n))


def _powered(
    paired: _Paired, cluster: Ints | None, both: Bools, *, tuned: bool, finite: bool
) -> Means:
    """Estimates; their spread where a model has something to add."""
    shift = paired.everywhere.mean - paired.f.mean
    value = paired.y.mean + paired.tuning * np.where(paired.share == 0, 0.0, shift)
    lost = 2 if tuned else 1
    if cluster is None:
        units = paired.y.n.astype(np.float64)
        make = _tuned_variance if tuned else _fixed_variance
        variance = make(paired, finite)
    else:
        variance, units = _clustered_variance(paired, cluster, both, lost)
    std_error = np.where(units > lost, np.sqrt(np.maximum(variance, 0.0)), np.nan)
    known = np.zeros(len(value), dtype=bool)
    return Means(value, std_error, np.maximum(units - lost, 0.0), units, known)


def _tuned_variance(paired: _Paired, finite: bool) -> Floats:
    n = np.maximum(paired.y.n, 1)
    residual = (paired.e**2).sum(axis=1) / np.maximum(n - 2, 1)
    if finite:
        shift = paired.everywhere.mean - paired.f.mean
        return np.asarray(residual * (paired.share / n + divide(shift**2, paired.squares)))
    square = np.maximum(paired.tuning**2 - divide(residual, paired.squares), 0.0)
    return np.asarray(residual / n + square * _variance_of_mean(paired))


def _fixed_variance(paired: _Paired, finite: bool) -> Floats:
    n = np.maximum(paired.y.n, 1)
    if finite:
        return np.asarray((paired.e**2).sum(axis=1) / np.maximum(n - 1, 1) / n * paired.share)
    # the mean over measured units alone has the weight lambda * share
    own = paired.y.centred.T - (paired.tuning * paired.share)[:, None] * paired.f.centred.T
    rest = paired.tuning**2 * paired.share * _variance_of_mean(paired)
    return np.asarray((own**2).sum(axis=1) / np.maximum(n - 1, 1) / n + rest)


def _variance_of_mean(paired: _Paired) -> Floats:
    """Of the predictions' mean over all units."""
    std = np.nan_to_num(paired.everywhere.std)
    return np.asarray(std**2 / np.maximum(paired.everywhere.n, 1))


def _clustered_variance(
    paired: _Paired, cluster: Ints, both: Bools, lost: int
) -> tuple[Floats, Floats]:
    """Sum of squares of the clusters' influence, and the clusters with a measured unit."""
    n_clusters = int(cluster.max(initial=-1)) + 1
    n, n_all = np.maximum(paired.y.n, 1)[:, None], np.maximum(paired.everywhere.n, 1)[:, None]
    size = grouped_sum(both, cluster, n_clusters)  # (rows, clusters)
    units = (size > 0).sum(axis=1)
    own = grouped_sum(paired.e, cluster, n_clusters)
    # as the mean moves if the cluster is left out, which large clusters move more
    own *= divide(units[:, None] - 1, units[:, None]) * divide(1.0, n - size, fill=np.nan)
    rest = paired.tuning[:, None] * grouped_sum(paired.everywhere.centred.T, cluster, n_clusters)
    squares = (own + rest / n_all) ** 2
    # the slope takes one of n degrees of freedom
    spent = 1 + (lost - 1) * divide(units, paired.y.n)
    factor = divide(units, units - spent, fill=np.nan)[:, None]
    return np.where(size > 0, factor * squares, squares).sum(axis=1), units.astype(np.float64)


def _alone(values: Floats, cluster: Ints | None, scale: ArrayLike) -> Means:
    """Student's t of (rows, units) values, over units or clusters of them."""
    one = samples(values.T, scale=scale)
    none = (one.mean == 0) & (_largest(one.centred.T) == 0)
    if cluster is None:
        n = one.n.astype(np.float64)
        return Means(one.mean, one.std_error, np.maximum(n - 1, 0), n, none)
    n_clusters = int(cluster.max(initial=-1)) + 1
    mean, std_error, df = clustered_means(values, cluster, n_clusters, scale=scale)
    return Means(mean, std_error, df, df + 1, none)


def _finite(means: Means, share: Floats) -> Means:
    """The same for the mean over the units themselves; nothing is unknown if all are measured."""
    std_error = np.where(share == 0, 0.0, means.std_error * np.sqrt(share))
    return replace(means, std_error=std_error, known=means.known | (share == 0))


def _largest(values: Floats) -> Floats:
    return np.asarray(np.abs(values).max(axis=1, initial=0))
