"""Intervals for coefficients of agreement, whose law is skewed near perfect agreement.

References
----------
Wilson 1927, JASA 22. Korn & Graubard 1998, Confidence intervals for proportions with small expected
number of positive counts estimated from survey data, Survey Methodology 24 (effective numbers).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core import student
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.stats.proportions import score_ends


def percent_intervals(
    share: Floats, std_error: Floats, n: Floats, clusters: Ints, level: float, *, by_cluster: bool
) -> tuple[Floats, Floats]:
    """Wilson's intervals of shares of agreement: (rows,) each; (0, 1) where nothing is known.

    Over clusters, n is divided by the design effect (at least 1) and the quantile is Student's.
    Where there is nothing but agreement, or nothing but disagreement, there is no design effect to
    be seen, and each cluster counts as one unit.
    """
    quantile = student.quantile(level, np.where(by_cluster, clusters - 1.0, 1e9))
    effective = n
    if by_cluster:
        plain = divide(share * (1 - share), n - 1)
        effective = n / np.maximum(divide(std_error**2, plain, fill=1.0), 1.0)
        effective = np.where((share <= 0) | (share >= 1), clusters, effective)
    known = np.isfinite(quantile) & ~np.isnan(std_error)
    lower, upper = score_ends(share, effective, np.where(known, quantile, 1.0))
    return _ends(lower, upper, known, share, (0.0, 1.0))


def chance_corrected_intervals(
    value: Floats, std_error: Floats, chance: Floats, clusters: Ints, level: float
) -> tuple[Floats, Floats]:
    """Intervals of coefficients 1 - D / E: Student's on the scale of log(D / E).

    Near 1 a symmetric interval holds the truth far too rarely. Of perfect agreement (D = 0), the
    lower end is that of Wilson's interval for D, with as many observations as clusters, beside E;
    of complete disagreement (D = 1), the upper end likewise.
    No coefficient is below -1, nor an end of an interval; of a single cluster it is [-1, 1]. NaN
    where `value` is, or where the standard error is 0 without perfect agreement.
    """
    ratio = 1 - value
    quantile = student.quantile(level, clusters - 1.0)
    known = np.isfinite(quantile) & ~np.isnan(std_error)
    factor = np.exp(np.minimum(np.where(known, quantile, 0.0) * divide(std_error, ratio), 700.0))
    lower, upper = 1 - ratio * factor, 1 - ratio / factor
    perfect = ratio <= 0
    some = np.maximum(clusters, 1).astype(np.float64)
    worst = score_ends(np.zeros(len(some)), some, np.where(known, quantile, 1.0))[1]
    lower = np.where(perfect, 1 - divide(worst, chance, fill=np.nan), lower)
    upper = np.where(perfect, 1.0, upper)
    opposite = ~perfect & (std_error <= 0) & (ratio * chance >= 1 - 1e-12)
    upper = np.where(opposite, 1 - divide(1 - worst, chance, fill=np.nan), upper)
    constant = known & (std_error <= 0) & ~perfect & ~opposite
    value = np.where(constant, np.nan, value)
    return _ends(np.maximum(lower, -1.0), upper, known, value, (-1.0, 1.0))


def correlation_intervals(
    value: Floats, std_error: Floats, clusters: Ints, level: float
) -> tuple[Floats, Floats]:
    """Intervals of rank correlations: Student's on Fisher's scale, atanh.

    A correlation of 1 or -1, whose spread is not seen, has the point as its interval.
    """
    quantile = student.quantile(level, clusters - 1.0)
    known = np.isfinite(quantile) & ~np.isnan(std_error)
    inside = np.clip(value, -1 + 1e-15, 1 - 1e-15)
    half = np.where(known, quantile, 0.0) * np.nan_to_num(std_error) / (1 - inside**2)
    centre = np.arctanh(inside)
    one = np.abs(value) >= 1 - 1e-15
    lower = np.where(one, value, np.tanh(centre - half))
    upper = np.where(one, value, np.tanh(centre + half))
    return _ends(lower, upper, known, value, (-1.0, 1.0))


def mean_intervals(
    value: Floats, std_error: Floats, clusters: ArrayLike, level: float, *, least: float
) -> tuple[Floats, Floats]:
    """Student's intervals of subjects' means, from `least` to 1; NaN without any spread."""
    half = student.quantile(level, np.asarray(clusters) - 1.0) * std_error
    known = np.isfinite(half)
    lower, upper = np.maximum(value - half, least), np.minimum(value + half, 1.0)
    value = np.where(std_error == 0, np.nan, value)
    return _ends(lower, upper, known, value, (least, 1.0))


def _ends(
    lower: Floats, upper: Floats, known: Bools, value: Floats, bounds: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Ends, the bounds where the spread is unknown, and NaN where there is no value."""
    missing = np.isnan(value)
    lower, upper = np.where(known, lower, bounds[0]), np.where(known, upper, bounds[1])
    return np.where(missing, np.nan, lower), np.where(missing, np.nan, upper)
