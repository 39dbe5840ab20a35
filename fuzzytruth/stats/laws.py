"""How an estimate errs: the law that its interval, p-value and posterior follow from.

One policy for degenerate data, for means of systems and for differences, whatever is random; of
several cases the first holds:

- no values (NaN): everything NaN;
- a single unit of anything random, or units that nothing connects, whatever the values, also those
  of identical systems: the spread is unknown (NaN standard error), interval (-∞, ∞), p = 1;
- a mean of the same values v everywhere: interval [v, v] (over queries, of values that are the
  least or the largest of their measure, Wilson's; see `stats.intervals`);
- no difference anywhere, the two systems being identical: interval [0, 0], p = 1;
- no spread about another difference d: there is no t. The differences all have one sign, which of n
  units has the two-sided probability 2¹⁻ⁿ under a symmetric null, and that is p; the interval is
  [d, d] where p is 1 - level or less, else (-∞, ∞).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from fuzzytruth._lazy import special
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core import student
from fuzzytruth.core.pivotal import CrossedSquares, NormalMixtures
from fuzzytruth.stats.observations import one_sided_share, quantile_interval, two_sided_share
from fuzzytruth.stats.settings import Alternative, ends, towards


@dataclass(frozen=True, slots=True, eq=False)
class SymmetricLaw(ABC):
    """Errors symmetric about 0.

    Parameters
    ----------
    std_error : (rows,) float
        NaN where unknown.
    flips : (rows,) float
        Units minus 1, in whose signs constant differences agree.
    known : (rows,) bool
        Where no spread means no error: identical systems.
    """

    std_error: Floats
    flips: Floats
    known: Bools

    @abstractmethod
    def tail(self, size: Floats) -> Floats:
        """P(|error| ≥ size), where there is a spread."""

    @abstractmethod
    def quantile(self, alpha: float) -> Floats:
        """The size that |error| reaches with probability `alpha`, where there is a spread."""

    @abstractmethod
    def power_quantile(self, power: float) -> Floats:
        """The size below which an error lies with probability `power`."""

    def with_unknown(self) -> Self:
        """The same law, no difference being known without error."""
        return replace(self, known=np.zeros(len(self.known), dtype=bool))

    def two_sided(self, size: Floats) -> Floats:
        """P(|error| ≥ size), the policy for degenerate data included."""
        constant = np.where(size == 0, 1.0, self._of_signs())
        out = np.where(self.std_error == 0, np.where(self.known, 1.0, constant), self.tail(size))
        return np.where(np.isnan(size), np.nan, np.where(np.isnan(self.std_error), 1.0, out))

    def half_width(self, alpha: float) -> Floats:
        """Half the width of two-sided intervals of level 1 - alpha."""
        if alpha >= 1:
            return np.where(np.isnan(self.std_error), np.inf, 0.0)
        constant = np.where(self.known | (self._of_signs() <= alpha), 0.0, np.inf)
        half = np.where(self.std_error == 0, constant, self.quantile(alpha))
        return np.where(np.isnan(self.std_error), np.inf, half)

    def half(self, level: float, alternative: Alternative) -> Floats:
        """How far intervals reach from their estimates."""
        return self.half_width((1 - level) * (1 if alternative == "two-sided" else 2))

    def interval(
        self, value: Floats, level: float, alternative: Alternative
    ) -> tuple[Floats, Floats]:
        """See `Law`."""
        return ends(alternative, value, self.half(level, alternative))

    def p_value(self, value: Floats, alternative: Alternative) -> Floats:
        """See `Law`."""
        both = self.two_sided(np.abs(value))
        if alternative == "two-sided":
            return both
        one = np.where(towards(alternative, value) >= 0, both / 2, 1 - both / 2)
        lawless = np.isnan(self.std_error) | ((self.std_error == 0) & (value == 0))
        return np.where(lawless & ~np.isnan(value), 1.0, one)

    def below(self, value: Floats, point: float) -> Floats:
        """See `Law`; NaN where the spread is unknown."""
        gap = point - value
        half = self.tail(np.abs(gap)) / 2
        spread = np.where(gap > 0, 1 - half, half)
        step = np.where(gap == 0, 0.5, (gap > 0).astype(np.float64))
        out = np.where(self.std_error == 0, step, spread)
        return np.where(np.isnan(value) | np.isnan(self.std_error), np.nan, out)

    def detectable(self, half: Floats, power: float, std_error: Floats | None = None) -> Floats:
        """See `Law`; NaN where the spread is unknown or none."""
        std_error = self.std_error if std_error is None else std_error
        size = np.where(std_error > 0, std_error, np.nan)
        return np.asarray(half + self.power_quantile(power) * size)

    @np.errstate(under="ignore")
    def _of_signs(self) -> Floats:
        """Two-sided probability that all signs agree."""
        return np.exp2(-self.flips)


@dataclass(frozen=True, slots=True, eq=False)
class StudentLaw(SymmetricLaw):
    """Student's t times the standard error.

    Parameters
    ----------
    df : (rows,) float
        Infinite: a normal law.
    """

    df: Floats

    def tail(self, size: Floats) -> Floats:
        """See `SymmetricLaw`."""
        return np.asarray(student.two_sided(student.statistic(size, self.std_error), self.df))

    def quantile(self, alpha: float) -> Floats:
        """See `SymmetricLaw`."""
        size = np.where(self.std_error > 0, self.std_error, 1.0)
        return np.asarray(student.quantile(1 - alpha, self.df) * size)

    def power_quantile(self, power: float) -> Floats:
        """See `SymmetricLaw`."""
        return np.where(self.df > 0, special.stdtrit(np.maximum(self.df, 1e-9), power), np.inf)


@dataclass(frozen=True, slots=True, eq=False)
class MixtureLaw(SymmetricLaw):
    """A mixture of normal laws, one for each variance that the data allow.

    Parameters
    ----------
    mixtures : NormalMixtures
    squares : tuple of ((some rows,) int, CrossedSquares)
        What they are made of, where queries and subjects are crossed.
    """

    mixtures: NormalMixtures
    squares: tuple[tuple[Ints, CrossedSquares], ...] = ()

    def take(self, rows: Bools) -> MixtureLaw:
        """The law of some rows, without their squares."""
        some = self.std_error[rows], self.flips[rows], self.known[rows]
        return MixtureLaw(*some, self.mixtures.take(rows))

    def tail(self, size: Floats) -> Floats:
        """See `SymmetricLaw`."""
        return self.mixtures.two_sided(size)

    def quantile(self, alpha: float) -> Floats:
        """See `SymmetricLaw`."""
        return self.mixtures.quantile(alpha)

    def power_quantile(self, power: float) -> Floats:
        """See `SymmetricLaw`: that of a normal law."""
        return np.full(len(self.std_error), special.ndtri(power))


@dataclass(frozen=True, slots=True, eq=False)
class DrawnLaw:
    """Equally probable values of what is estimated.

    Parameters
    ----------
    draws : (rows, draws) float
    """

    draws: Floats

    def interval(
        self, value: Floats, level: float, alternative: Alternative
    ) -> tuple[Floats, Floats]:
        """Order statistics; see `quantile_interval`."""
        if alternative == "two-sided":
            return quantile_interval(self.draws, level)
        lower, upper = quantile_interval(self.draws, 2 * level - 1)
        infinite = np.full(len(lower), np.inf)
        return (lower, infinite) if alternative == "greater" else (-infinite, upper)

    def p_value(self, value: Floats, alternative: Alternative) -> Floats:
        """Share of draws on the other side of 0, twice the smaller one if two-sided."""
        if alternative == "two-sided":
            return two_sided_share(self.draws)
        return one_sided_share(self.draws if alternative == "greater" else -self.draws)

    def half(self, level: float, alternative: Alternative) -> Floats:
        """NaN: intervals are not symmetric."""
        return np.full(len(self.draws), np.nan)

    def below(self, value: Floats, point: float) -> Floats:
        """Share of draws below a point, ties ½."""
        low, equal = self.draws < point, self.draws == point
        return np.asarray(low.mean(axis=1) + equal.mean(axis=1) / 2)

    def detectable(self, half: Floats, power: float, std_error: Floats | None = None) -> Floats:
        """NaN: no other sample is to be expected."""
        return np.full(len(self.draws), np.nan)


#: of the errors of several estimates; all arrays are (rows,)
Law = SymmetricLaw | DrawnLaw


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Estimates of contrasts: (rows,) each.

    Parameters
    ----------
    value, std_error, df : float
        `df` are Satterthwaite's where the law is no t.
    method : str
    law : Law
    n_units : int, optional
        Units that were resampled, if they are no queries.
    more : dict of str to (rows,), optional
        Columns of a full table that say how the errors were found.
    """

    value: Floats
    std_error: Floats
    df: Floats
    method: str
    law: Law
    n_units: Ints | None = None
    more: dict[str, Any] = field(default_factory=dict)

    def interval(
        self, level: float, alternative: Alternative = "two-sided"
    ) -> tuple[Floats, Floats]:
        """Ends of the interval."""
        return self.law.interval(self.value, level, alternative)

    def p_value(self, alternative: Alternative = "two-sided") -> Floats:
        """Of the estimand being 0; for worlds, twice the smaller share on either side of 0."""
        return self.law.p_value(self.value, alternative)

    def below(self, point: float) -> Floats:
        """Confidence, or posterior probability, that the estimand is below a point."""
        return self.law.below(self.value, point)


def student_fit(
    value: Floats,
    std_error: Floats,
    df: Floats,
    method: str = "t",
    *,
    pairs: bool,
    flips: Floats | None = None,
) -> Fit:
    """With errors that follow Student's t; `pairs`: of differences of two systems.

    `flips` is that of `SymmetricLaw`, by default `df`.
    """
    error = np.where(df > 0, std_error, np.nan)  # a single unit has no spread
    known = _are_known(value, error, pairs=pairs)
    law = StudentLaw(error, df if flips is None else flips, known, df)
    return Fit(value, error, df, method, law)


def mixture_fit(
    value: Floats,
    std_error: Floats,
    df: Floats,
    least_df: Floats,
    mixtures: NormalMixtures,
    method: str,
    *,
    pairs: bool,
    squares: tuple[tuple[Ints, CrossedSquares], ...] = (),
) -> Fit:
    """With errors that follow mixtures of normal laws; `squares` as of `MixtureLaw`.

    `df` are those of the standard error, which the law does not use; `least_df` is one less than
    the number of queries or of subjects, whichever is smaller.
    """
    error = np.where(least_df > 0, std_error, np.nan)
    law = MixtureLaw(error, least_df, _are_known(value, error, pairs=pairs), mixtures, squares)
    return Fit(value, error, df, method, law)


def drawn_fit(value: Floats, std_error: Floats, df: Floats, method: str, draws: Floats) -> Fit:
    """With draws (rows, draws) of what is estimated."""
    return Fit(value, std_error, df, method, DrawnLaw(draws))


def _are_known(value: Floats, std_error: Floats, *, pairs: bool) -> Bools:
    """Where no spread means no error: systems, and pairs of identical ones."""
    return np.asarray((std_error == 0) & (value == 0) if pairs else std_error == 0)
