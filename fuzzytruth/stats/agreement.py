"""Coefficients of agreement from sums over pairs, and their variance by leaving groups out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.pivotal import CrossedSquares, error_mixtures
from fuzzytruth.core.rounding import ROUNDING
from fuzzytruth.core.unit_votes import Sums
from fuzzytruth.stats.fits import Fit, mixture_fit, student_fit

Coefficient = Literal["alpha", "fleiss", "cohen", "ac1", "ac2", "percent"]
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


@dataclass(slots=True)
class Jackknife:
    """Values without each group, added up block by block.

    Parameters
    ----------
    about : (rows,) float
        The values of all votes.
    """

    about: Floats
    n: int = 0
    total: Any = 0.0
    squares: Any = 0.0
    undefined: Any = 0

    def add(self, values: Floats) -> None:
        """Take more values (groups, rows); see `Part`."""
        gap = values - self.about
        gap[np.abs(gap) <= _ROUNDING] = 0.0
        self.n += len(values)
        self.undefined = self.undefined + np.isnan(values).sum(axis=0)
        self.total = self.total + gap.sum(axis=0)
        self.squares = self.squares + (gap**2).sum(axis=0)

    def part(self) -> Part:
        """The variances."""
        n = self.n
        if n < 2:
            unknown = np.full(self.about.shape, np.nan)
            return Part(unknown, n, np.zeros(self.about.shape, dtype=np.int64))
        spread = self.squares - self.total**2 / n
        spread = np.where(spread <= ROUNDING * self.squares, 0.0, spread)
        return Part(np.asarray((n - 1) / n * spread), n, np.asarray(self.undefined))


def jackknife(value: float, without: Floats) -> Part:
    """The variance of one value from those without each group: (groups,)."""
    out = Jackknife(np.array([value]))
    out.add(without[:, None].copy())
    return out.part()


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
