"""Finitely many values and their probabilities: cdf, quantiles, moments, random draws.

Names and meanings are those of SciPy's frozen distributions. The values need not be integers, so
that a number within 1e-9 of an atom matches it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.atoms import cumulative_sum, first_reaching, locate, merge
from fuzzytruth.core.randomness import uniforms
from fuzzytruth.core.validation import (
    numbers,
    probabilities,
    probability,
    require_same_length,
    shares,
)
from fuzzytruth.errors import counted, require


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
