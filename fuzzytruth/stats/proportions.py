"""Intervals for proportions: shares of queries with a success."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import divide, without_rounding
from fuzzytruth.core.validation import between_zero_and_one, numbers
from fuzzytruth.errors import DataError, OptionError


def wilson(
    successes: ArrayLike, n: ArrayLike, *, level: float = 0.95
) -> tuple[Floats | float, Floats | float]:
    """Wilson's score interval of a proportion: lower and upper end.

    It holds the proportions that a two-sided score test does not reject. Its mean coverage is close
    to `level` for few queries, too, where the interval of t is too narrow near 0 and 1, and a point
    at 0 and 1.

    Parameters
    ----------
    successes, n : (...) float
        Successes, from 0 to n, among n queries; they are broadcast against each other.
    level : float
        Confidence level.

    Returns
    -------
    lower, upper : (...) float
        NaN where n is 0.

    Raises
    ------
    DataError
        There are fewer than 0 successes or more than n, or the shapes do not fit.
    OptionError
        `level` is out of its range.

    References
    ----------
    Wilson 1927, Probable inference, the law of succession, and statistical inference, JASA 22;
    Brown, Cai & DasGupta 2001, Interval estimation for a binomial proportion, Statistical Science
    16.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> lower, upper = ft.stats.wilson(8, 10)
    >>> round(float(lower), 4), round(float(upper), 4)
    (0.4902, 0.9433)
    """
    level = between_zero_and_one("level", level)
    k, size = numbers("successes", successes), numbers("n", n, finite=True)
    try:
        k, size = np.broadcast_arrays(k, size)
    except ValueError as error:
        raise DataError(
            f"successes of shape {k.shape} and n of shape {size.shape}: must be numbers, or arrays "
            "of one shape"
        ) from error
    wrong = (k < 0) | (k > size)
    if wrong.any():
        raise DataError(f"{k[wrong][0]:g} successes among {size[wrong][0]:g}: must be from 0 to n")
    lower, upper = score_ends(divide(k, size, fill=np.nan), size, ndtri((1 + level) / 2))
    return lower[()], upper[()]


def score_ends(share: Floats, n: Floats, quantile: ArrayLike) -> tuple[Floats, Floats]:
    """Wilson's ends for shares of n: the shares that lie `quantile` standard errors away.

    0 and 1 are attained, but for rounding.
    """
    square = np.asarray(quantile) ** 2
    whole = n + square
    half = np.sqrt(square * (n * share * (1 - share) + square / 4)) / whole
    centre = (n * share + square / 2) / whole
    lower = np.where(share == 0, share, centre - half)
    upper = np.where(share == 1, share, centre + half)
    return lower, upper


def proportion_intervals(values: Floats, level: float) -> tuple[Floats, Floats, Floats, Floats]:
    """Shares of ones in (systems, queries), standard errors and Wilson's ends: (systems,) each.

    NaN is missing. Standard errors are √(p (1 - p) / n).

    Raises
    ------
    OptionError
        A value is neither 0 nor 1.
    """
    present = ~np.isnan(values)
    ones = without_rounding(values - 1, 1.0) == 0
    wrong = present & ~ones & (without_rounding(values, 1.0) != 0)
    if wrong.any():
        row, query = (int(place) for place in np.argwhere(wrong)[0])
        raise OptionError(
            f"method='wilson': is for measures whose value for each query is 0 or 1, but system "
            f"{row + 1} has {values[row, query]:g} on query {query + 1} (counted from 1); take "
            "such measures with select(measures=...), or use method='auto'"
        )
    n: Ints = present.sum(axis=1)
    k: Ints = (present & ones).sum(axis=1)
    share = divide(k, n, fill=np.nan)
    lower, upper = wilson(k, n, level=level)
    std_error = np.sqrt(divide(share * (1 - share), n, fill=np.nan))
    return share, std_error, np.asarray(lower), np.asarray(upper)
