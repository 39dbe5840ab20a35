"""Coefficients of agreement from sums over pairs, and their variance by leaving groups out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._lazy import special
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core import student
from fuzzytruth.core.arithmetic import ROUNDING, divide, without_rounding
from fuzzytruth.core.pivotal import CrossedSquares, error_mixtures
from fuzzytruth.core.validation import between_zero_and_one, numbers
from fuzzytruth.core.votes.unit_votes import Sums
from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.stats.laws import Fit, mixture_fit, student_fit


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
    lower, upper = score_ends(divide(k, size, fill=np.nan), size, special.ndtri((1 + level) / 2))
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
    return lower, np.where(share == 1, share, centre + half)


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


# Coefficients of agreement from sums over pairs, and their variance by leaving groups out.


Coefficient = Literal["alpha", "fleiss", "cohen", "ac1", "ac2", "percent"]
#: as they are printed
NAMES = {
    "alpha": "Krippendorff's alpha",
    "fleiss": "Fleiss' kappa",
    "cohen": "Cohen's kappa",
    "ac1": "Gwet's AC1",
    "ac2": "Gwet's AC2",
    "percent": "Share of agreeing pairs",
}
_ROUNDING = 1e-14


@dataclass(frozen=True, slots=True)
class Chance:
    """What a coefficient takes for chance.

    Parameters
    ----------
    coefficient : Coefficient
    largest : float
        The largest distance, by which those of `ac1`, `ac2` and `percent` are divided.
    factor : float
        Of `ac1` and `ac2`: the sum of the weights of agreement of all pairs of categories over
        q (q - 1), q being their number.
    """

    coefficient: Coefficient
    largest: float = 1.0
    factor: float = 1.0

    def disagreement(self, sums: Sums) -> tuple[Floats, Floats]:
        """Observed and expected disagreement: (groups,) each; NaN without pairs."""
        observed = divide(sums.gaps, sums.weight, fill=np.nan)
        if self.coefficient == "alpha":
            pairs = sums.size * (sums.size - 1)
            return observed, divide(sums.squares - sums.own, pairs, fill=np.nan)
        if self.coefficient in ("fleiss", "cohen"):
            return observed, divide(sums.squares, sums.size**2, fill=np.nan)
        observed = observed / self.largest
        if self.coefficient == "percent":
            return observed, np.ones(len(observed))
        return observed, 1 - self.factor * divide(sums.squares, sums.size**2, fill=np.nan)

    def value(self, sums: Sums) -> Floats:
        """1 - observed / expected: (groups,); NaN where nothing varies."""
        observed, expected = self.disagreement(sums)
        return 1 - divide(observed, expected, fill=np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Variances by leaving out one group at a time.

    Parameters
    ----------
    variance : (rows,) float
        (G - 1) / G · Σ (value without the group - their mean)²; NaN where one is not defined.
    n : int
        Groups, G.
    undefined : (rows,) int
        Groups without which there is no value.
    """

    variance: Floats
    n: int
    undefined: Ints


def jackknife(about: Floats, blocks: Iterable[Floats]) -> Part:
    """Variances of values (rows,) by those without each group, block by block: (groups, rows)."""
    n, total, squares = 0, np.zeros(about.shape), np.zeros(about.shape)
    undefined = np.zeros(about.shape, dtype=np.int64)
    for values in blocks:
        gap = values - about
        gap[np.abs(gap) <= _ROUNDING] = 0.0
        n += len(values)
        undefined += np.isnan(values).sum(axis=0)
        total += gap.sum(axis=0)
        squares += (gap**2).sum(axis=0)
    if n < 2:
        return Part(np.full(about.shape, np.nan), n, 0 * undefined)
    spread = squares - total**2 / n
    spread = np.where(spread <= ROUNDING * squares, 0.0, spread)
    return Part((n - 1) / n * spread, n, undefined)


def one_way(value: Floats, part: Part) -> Fit:
    """Over groups of one kind: Student's t."""
    df = np.full(len(value), part.n - 1.0)
    return student_fit(value, np.sqrt(part.variance), df, pairs=False)


def two_way(value: Floats, units: Part, subjects: Part, cells: Part) -> Fit:
    """Over units and subjects, what is common to both counted once.

    The variance is v_units + v_subjects - v_cells, each of the first two at least the last, as
    for clusters in two directions; the interval is the generalised pivotal one, in which they take
    the place of mean squares.

    References
    ----------
    Cameron, Gelbach & Miller 2011, Robust inference with multiway clustering, Journal of Business
    & Economic Statistics 29. Weerahandi 1993, Generalized confidence intervals, JASA 88.
    """
    df = (units.n - 1.0, subjects.n - 1.0, (units.n - 1.0) * (subjects.n - 1.0))
    v_units, v_subjects, v_cells = (part.variance for part in (units, subjects, cells))
    v = np.maximum(v_units, v_cells) + np.maximum(v_subjects, v_cells) - v_cells
    known = ~np.isnan(v) & (min(df) > 0)
    error = np.where(known, np.sqrt(np.where(known, v, 0.0)), np.nan)
    q, s, e = (
        np.where(known, part * n, 0.0)
        for part, n in zip((v_units, v_subjects, v_cells), df, strict=True)
    )
    if min(df) <= 0:
        return student_fit(value, error, np.zeros(len(value)), pairs=False)
    mixtures = error_mixtures(CrossedSquares(q, s, e, df, (1.0, 1.0, 1.0)))
    least = np.full(len(value), min(df[:2]))
    return mixture_fit(value, error, least, least, mixtures, "generalised pivotal", pairs=False)


def ends(fit: Fit, level: float) -> tuple[Floats, Floats]:
    """Intervals: (rows,) each, never above 1.

    Errors are taken for symmetric on the logarithm of 1 - value, which is that of observed over
    expected disagreement: near 1 those of the value itself are not. Unknown errors: (-∞, 1].
    """
    gap = 1 - fit.value
    half = divide(fit.law.half(level, "two-sided"), gap)
    with np.errstate(over="ignore", invalid="ignore"):
        lower = 1 - np.where(gap > 0, gap * np.exp(half), 0.0)
        upper = 1 - np.where(gap > 0, gap * np.exp(-half), 0.0)
    undefined = np.isnan(fit.value)
    return np.where(undefined, np.nan, lower), np.where(undefined, np.nan, upper)


# Intervals for coefficients of agreement, whose law is skewed near perfect agreement.
#
# References
# ----------
# Wilson 1927, JASA 22. Korn & Graubard 1998, Confidence intervals for proportions with small
# expected number of positive counts estimated from survey data, Survey Methodology 24 (effective
# numbers).


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
    return _ends(lower, np.where(one, value, np.tanh(centre + half)), known, value, (-1.0, 1.0))


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
