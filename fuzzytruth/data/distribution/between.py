"""Functions of two distributions: difference, comparison, distance and dominance.

Which of two random numbers is larger depends on how they vary together, which two distributions do
not say: systems that share items share the truth about them. `difference`, `prob_greater` and
`prob_equal` assume independence; distances and dominance concern the marginals alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.atoms import NEAR, cumulative_sum, first_reaching, locate, merge
from fuzzytruth.core.randomness import uniforms
from fuzzytruth.core.validation import (
    number,
    numbers,
    probabilities,
    probability,
    require_same_length,
    shares,
)
from fuzzytruth.errors import IndependenceError, OptionError, counted, is_among, require, shown

# Finitely many values and their probabilities: cdf, quantiles, moments, random draws.
#
# Names and meanings are those of SciPy's frozen distributions. The values need not be integers, so
# that a number within 1e-9 of an atom matches it.


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DiscreteDistribution:
    """Atoms and their probabilities; see `Distribution` for the parameters."""

    values: Floats
    probabilities: Floats
    n_samples: int | None = None
    mc_error: float = 0.0
    _below: Floats = field(init=False)  # (atoms + 1,) probability of the first 0, 1, ... atoms
    _above: Floats = field(init=False)  # (atoms + 1,) probability of all but these

    def __post_init__(self) -> None:
        values = numbers("values", self.values, finite=True)
        given = numbers("probabilities", self.probabilities)
        require_same_length("values", values, "probabilities", given)
        values, weights = merge(values + 0.0, shares("probabilities", given))
        possible = weights > 0
        values, weights = values[possible], weights[possible]
        below, above = cumulative_sum(weights), cumulative_sum(weights[::-1])[::-1]
        # Only the last atom has cdf 1, however improbable it is.
        below = np.minimum(below[:-1], np.nextafter(1.0, 0.0))
        arrays = {
            "values": values,
            "probabilities": weights,
            "_below": np.concatenate(([0.0], below, [1.0])),
            "_above": np.concatenate(([1.0], np.minimum(above[1:], 1.0), [0.0])),
        }
        for name, array in arrays.items():
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    def __repr__(self) -> str:
        atoms = counted(len(self.values), "atom")
        source = "exact" if self.n_samples is None else counted(self.n_samples, "sample")
        return f"Distribution(mean={self.mean():.4g}, std={self.std():.4g}, {atoms}, {source})"

    # Functions of a value

    def pmf(self, x: ArrayLike) -> Any:
        """Probability of the atom within 1e-9 of `x`; 0 if there is none.

        Raises
        ------
        DataError
            `x` is NaN; the same holds for `logpmf`, `cdf` and `sf`.
        """
        index, matched = self._locate(x)
        return np.where(matched, self.probabilities[index], 0.0)[()]

    def logpmf(self, x: ArrayLike) -> Any:
        """Natural logarithm of `pmf`; -inf where it is 0."""
        mass = np.asarray(self.pmf(x))
        return np.log(mass, out=np.full(mass.shape, -np.inf), where=mass > 0)[()]

    def cdf(self, x: ArrayLike) -> Any:
        """P(X ≤ x); an atom within 1e-9 of `x` is included."""
        return self._below[self._locate(x)[0] + 1]

    def sf(self, x: ArrayLike) -> Any:
        """P(X > x); an atom within 1e-9 of `x` is excluded. Accurate in the tail."""
        return self._above[self._locate(x)[0] + 1]

    def _locate(self, x: ArrayLike) -> tuple[Ints, Bools]:
        return locate(self.values, numbers("x", x))

    # Functions of a probability

    def ppf(self, q: ArrayLike) -> Any:
        """Quantile: the smallest atom whose cdf is at least `q`; the first atom for q = 0.

        Rounding of the last bits is ignored (the .8 quantile of ten equally probable atoms is the
        eighth). For every atom v, ``ppf(cdf(v)) == v`` unless its probability vanishes beside 1.

        Raises
        ------
        DataError
            `q` is outside [0, 1] or NaN.
        """
        return self.values[first_reaching(self._below[1:], probabilities("q", q))]

    def isf(self, q: ArrayLike) -> Any:
        """Inverse of `sf`: the smallest atom exceeded with probability `q` or less."""
        return self.values[first_reaching(-self._above[1:], -probabilities("q", q))]

    def median(self) -> float:
        """The .5 quantile."""
        return float(self.ppf(0.5))

    def interval(self, confidence: float) -> tuple[float, float]:
        """Central interval: the quantiles that cut off (1 - confidence) / 2 on either side."""
        level = probability("confidence", confidence)
        tail = round((1 - level) / 2, 15)  # .025, not .025000000000000022
        return float(self.ppf(tail)), float(self.ppf(1 - tail))

    def support(self) -> tuple[float, float]:
        """Smallest and largest atom."""
        return float(self.values[0]), float(self.values[-1])

    # Expectations

    @property
    def exact(self) -> bool:
        """Whether no sampling was involved."""
        return self.n_samples is None

    @np.errstate(under="ignore")
    def mean(self) -> float:
        """Expected value."""
        return float(np.clip(self.probabilities @ self.values, *self.support()))

    @np.errstate(under="ignore")
    def var(self) -> float:
        """Variance of the distribution (not of a sample: no n - 1)."""
        return float(self.probabilities @ (self.values - self.mean()) ** 2)

    def std(self) -> float:
        """Standard deviation."""
        return float(np.sqrt(self.var()))

    def expect(self, func: Callable[[float], float] | None = None) -> float:
        """Expected value of ``func(x)``, called once for each atom; the mean by default.

        Raises
        ------
        DataError
            The function returns NaN.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> d = ft.Distribution.from_atoms([0, 1, 2], [0.25, 0.5, 0.25])
        >>> d.expect(lambda x: x >= 1)
        0.75
        """
        if func is None:
            return self.mean()
        require("func", func, callable(func), "must be a function of one number")
        images = np.array([func(value) for value in self.values.tolist()], dtype=np.float64)
        return float(self.probabilities @ numbers("func of the values", images))

    def rvs(
        self,
        size: int | tuple[int, ...] | None = None,
        *,
        rng: np.random.Generator | int | None = None,
    ) -> Any:
        """Draw values: one number by default, otherwise an array of shape `size`.

        Parameters
        ----------
        size : int or tuple of int, optional
        rng : Generator or int, optional
            Source of randomness; the same seed gives the same draws. None: a new seed each time.
        """
        uniform = uniforms(rng, size)
        return self.values[np.searchsorted(self._below[1:], uniform, side="right")]


Side = Literal["left", "right"]

_MAX_PAIRS = 20_000_000
_ROUNDING = 1e-12


def difference(a: DiscreteDistribution, b: DiscreteDistribution) -> tuple[Floats, Floats]:
    """Values and probabilities of A - B; see `Distribution.difference`."""
    if len(a.values) * len(b.values) > _MAX_PAIRS:
        raise OptionError(
            f"difference of {len(a.values):,} × {len(b.values):,} atoms: at most {_MAX_PAIRS:,} "
            "pairs; prob_greater and prob_equal have no such limit"
        )
    gaps = np.subtract.outer(a.values, b.values).ravel()
    weights = np.multiply.outer(a.probabilities, b.probabilities).ravel()
    scale = float(max(np.abs(a.values).max(), np.abs(b.values).max()))
    gaps[np.abs(gaps) <= _ROUNDING * scale] = 0.0
    return merge(gaps, weights, scale)


def prob_greater(a: DiscreteDistribution, b: DiscreteDistribution) -> float:
    """P(A > B); see `Distribution.prob_greater`."""
    return _expectation(a, _cumulative(b, a.values - _tie_width(a.values), "left"))


def prob_equal(a: DiscreteDistribution, b: DiscreteDistribution) -> float:
    """P(A = B); see `Distribution.prob_equal`."""
    width = _tie_width(a.values)
    upper, lower = _cumulative(b, a.values + width, "right"), _cumulative(b, a.values - width)
    return _expectation(a, upper - lower)


def wasserstein(a: DiscreteDistribution, b: DiscreteDistribution) -> float:
    """Area between the two cdfs; see `Distribution.wasserstein`."""
    points = np.sort(np.concatenate([a.values, b.values]))
    gap = np.abs(_cumulative(a, points[:-1], "right") - _cumulative(b, points[:-1], "right"))
    return float(gap @ np.diff(points))


def dominates(a: DiscreteDistribution, b: DiscreteDistribution, order: int) -> bool:
    """Whether A is stochastically larger than B; see `Distribution.dominates`."""
    if isinstance(order, bool) or not is_among(order, (1, 2)):
        raise OptionError(f"order={shown(order)}: must be 1 or 2")
    points = np.sort(np.concatenate([a.values, b.values]))
    lead = b.cdf(points) - a.cdf(points)
    if order == 2:  # both cdfs are constant between points
        lead = np.concatenate(([0.0], np.cumsum(lead[:-1] * np.diff(points))))
    return bool(lead.min() >= -_ROUNDING and lead.max() > _ROUNDING)


def _cumulative(d: DiscreteDistribution, points: Floats, side: Side = "left") -> Floats:
    """P(D < x) at each of the points, or P(D ≤ x) if `side` is "right"."""
    running = np.concatenate(([0.0], d.cdf(d.values)))
    out: Floats = running[np.searchsorted(d.values, points, side=side)]
    return out


def _tie_width(values: Floats) -> Floats:
    """Distance up to which another value counts as equal."""
    return NEAR * np.maximum(1.0, np.abs(values))


def _expectation(d: DiscreteDistribution, conditional: Floats) -> float:
    """Mean of the conditional probability given each atom."""
    return float(np.clip(d.probabilities @ conditional, 0.0, 1.0))


# Validation


def check_distribution(name: str, given: object) -> None:
    """Raise `OptionError` unless it is a distribution."""
    rule = "must be a Distribution; Distribution.point(x) makes one of a number"
    require(name, given, isinstance(given, DiscreteDistribution), rule)


def check_distributions(given: object) -> None:
    """Raise `OptionError` unless it is a sequence of distributions."""
    if not isinstance(given, Sequence):
        raise OptionError(f"distributions={shown(given)}: must be a list of distributions")
    for j, part in enumerate(given):
        check_distribution(f"distributions[{j}]", part)


def check_independent(other: object, independent: bool) -> None:
    """Raise `IndependenceError` unless the caller states that A and B are independent."""
    check_distribution("other", other)
    if independent is not True:
        raise IndependenceError(
            "two distributions do not say how they vary together, and systems that share items "
            "share their truth: take P(A > B) from scores over shared worlds, or pass "
            "independent=True if A and B have nothing in common"
        )


def operand(given: object) -> float:
    """Validate the number that a distribution is added to or multiplied by."""
    if isinstance(given, DiscreteDistribution):
        raise IndependenceError(
            "two distributions do not say how they vary together: use a.difference(b, "
            "independent=True) if they are independent, or else scores over shared worlds"
        )
    return number("operand", given)
