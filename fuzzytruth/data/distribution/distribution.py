"""`Distribution`: a random number with finitely many possible values, as a measure is of a truth.

Names and meanings are those of SciPy's frozen distributions. The values need not be whole numbers,
so that a number stands for an atom if it lies within 1e-9 of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core.atoms import first_reaching, merge, place, running_sum, standard_error
from fuzzytruth.core.randomness import uniforms
from fuzzytruth.core.validation import number, numbers, probabilities, shares, side_by_side
from fuzzytruth.data.distribution import between as between
from fuzzytruth.errors import DataError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Distribution:
    """A discrete distribution.

    Atoms that agree to 1e-12 of the largest one are merged, those of probability 0 left out, and
    the probabilities divided by their sum. Functions of a number or of an array return the same;
    NaN is an error everywhere, and never an answer.

    Parameters
    ----------
    values : (atoms,) float
        What is possible; finite. Kept sorted and distinct, read-only.
    probabilities : (atoms,) float
        How probable each is: ≥ 0, sum 1 within 1e-9. Read-only.
    n_samples : int, optional
        Of how many draws this is the record; None if the distribution is exact.
    mc_error : float
        Monte Carlo standard error of the mean; 0 if exact, infinite after a single draw.

    Raises
    ------
    DataError
        No atoms, a value that is not finite, a probability that is negative or NaN, or a sum
        other than 1.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> d = ft.Distribution.from_atoms([0, 0.5, 1], [0.25, 0.5, 0.25])
    >>> d
    Distribution(mean=0.5, std=0.3536, 3 atoms, exact)
    >>> d.cdf([0.4, 0.5]).tolist(), float(d.ppf(0.9)), d.interval(0.5)
    ([0.25, 0.75], 1.0, (0.0, 0.5))
    """

    values: Floats
    probabilities: Floats
    n_samples: int | None = None
    mc_error: float = 0.0
    _below: Floats = field(init=False)  # (atoms + 1,) probability of the first 0, 1, ... atoms
    _above: Floats = field(init=False)  # (atoms + 1,) probability of all but these

    __array_ufunc__: ClassVar[None] = None  # NumPy's numbers leave arithmetic to us

    def __post_init__(self) -> None:
        values = numbers("values", self.values, finite=True)
        given = numbers("probabilities", self.probabilities)
        side_by_side("values", values, "probabilities", given)
        values, chances = merge(values + 0.0, shares("probabilities", given))
        possible = chances > 0
        values, chances = values[possible], chances[possible]
        below, above = running_sum(chances), running_sum(chances[::-1])[::-1]
        # Only the last atom has cdf 1, however improbable it is.
        below = np.minimum(below[:-1], np.nextafter(1.0, 0.0))
        parts = {
            "values": values,
            "probabilities": chances,
            "_below": np.concatenate(([0.0], below, [1.0])),
            "_above": np.concatenate(([1.0], np.minimum(above[1:], 1.0), [0.0])),
        }
        for name, array in parts.items():
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    # Makers

    @classmethod
    def from_atoms(cls, values: ArrayLike, probabilities: ArrayLike) -> Self:
        """The exact distribution with these values and probabilities.

        Examples
        --------
        >>> Distribution.from_atoms([1, 0, 1], [0.25, 0.5, 0.25]).probabilities.tolist()
        [0.5, 0.5]
        """
        return cls(numbers("values", values, finite=True), numbers("probabilities", probabilities))

    @classmethod
    def point(cls, value: float) -> Self:
        """The distribution that is sure of one value.

        Examples
        --------
        >>> Distribution.point(0.25).std()
        0.0
        """
        return cls(np.array([number("value", value)]), np.ones(1))

    @classmethod
    def from_samples(cls, values: ArrayLike, weights: ArrayLike | None = None) -> Self:
        """What was drawn, as an estimate of what is drawn from.

        Parameters
        ----------
        values : (draws,) float
            Independent draws.
        weights : (draws,) float, optional
            Importance of each draw, ≥ 0, of any sum; all alike by default.

        Returns
        -------
        Distribution
            Not `exact`; `mc_error` is the standard error of the (weighted) mean.

        Raises
        ------
        DataError
            No draws, NaN among them, or weights that are negative or all 0.

        Examples
        --------
        >>> d = Distribution.from_samples([0, 1, 1, 1])
        >>> d.mean(), d.mc_error, d.n_samples
        (0.75, 0.25, 4)
        """
        drawn = numbers("values", values, finite=True)
        each = np.ones(drawn.shape) if weights is None else numbers("weights", weights, finite=True)
        side_by_side("values", drawn, "weights", each)
        if each.min() < 0 or each.max() == 0:
            raise DataError("weights: must be 0 or more, and not all 0")
        atoms, count = merge(drawn + 0.0, each)
        error = standard_error(drawn, each / each.sum())
        return cls(atoms, count / count.sum(), len(drawn), error)

    @classmethod
    def mixture(cls, distributions: Sequence[Distribution], weights: ArrayLike) -> Self:
        """One of the distributions, each with the probability given by its weight.

        Parameters
        ----------
        distributions : sequence of Distribution
        weights : (distributions,) float
            Probabilities of events that exclude each other: ≥ 0, sum 1 within 1e-9.

        Returns
        -------
        Distribution
            Its `n_samples` is the smallest of the parts', its `mc_error` an upper bound (parts
            may share their draws).

        Raises
        ------
        DataError
            Weights that are not such probabilities, or not one for each distribution.

        References
        ----------
        The law of total probability; Santini's (13) and (14) with direct shares as weights.

        Examples
        --------
        >>> sure = [Distribution.point(0), Distribution.point(1)]
        >>> Distribution.mixture(sure, [0.25, 0.75]).mean()
        0.75
        """
        each = numbers("weights", weights)
        between.check_distributions(distributions)
        side_by_side("distributions", np.empty(len(distributions)), "weights", each)
        each = shares("weights", each, "; they are probabilities of events that exclude each other")
        parts = [(d, float(w)) for d, w in zip(distributions, each, strict=True) if w > 0]
        drawn = [d.n_samples for d, _ in parts if d.n_samples is not None]
        return cls(
            np.concatenate([d.values for d, _ in parts]),
            np.concatenate([d.probabilities * w for d, w in parts]),
            min(drawn, default=None),
            sum(d.mc_error * w for d, w in parts),
        )

    # Functions of a value

    def pmf(self, x: ArrayLike) -> Any:
        """Probability of the atom within 1e-9 of `x`; 0 where there is none."""
        at, near = self._place(x)
        return np.where(near, self.probabilities[at], 0.0)[()]

    def logpmf(self, x: ArrayLike) -> Any:
        """Natural logarithm of `pmf`; -inf where it is 0."""
        chance = np.asarray(self.pmf(x))
        return np.log(chance, out=np.full(chance.shape, -np.inf), where=chance > 0)[()]

    def cdf(self, x: ArrayLike) -> Any:
        """Probability of `x` or less, an atom within 1e-9 of `x` included."""
        return self._below[self._place(x)[0] + 1]

    def sf(self, x: ArrayLike) -> Any:
        """Probability of more than `x`, an atom within 1e-9 excluded; accurate in the tail."""
        return self._above[self._place(x)[0] + 1]

    def _place(self, x: ArrayLike) -> tuple[NDArray[np.intp], Bools]:
        return place(self.values, numbers("x", x))

    # Functions of a probability

    def ppf(self, q: ArrayLike) -> Any:
        """Quantile: the smallest atom whose cdf is `q` or more; the first atom for q = 0.

        Rounding of the last bits does not count (the .8 quantile of ten equal atoms is the
        eighth). For every atom v, ``ppf(cdf(v)) == v`` unless its probability is lost beside 1.

        Raises
        ------
        DataError
            `q` outside [0, 1] or NaN.
        """
        return self.values[first_reaching(self._below[1:], probabilities("q", q))]

    def isf(self, q: ArrayLike) -> Any:
        """The smallest atom that is exceeded with probability `q` or less: inverse of `sf`."""
        return self.values[first_reaching(-self._above[1:], -probabilities("q", q))]

    def median(self) -> float:
        """The .5 quantile."""
        return float(self.ppf(0.5))

    def interval(self, confidence: float) -> tuple[float, float]:
        """Central interval: the quantiles that leave (1 - confidence) / 2 on either side."""
        level = float(probabilities("confidence", confidence))
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

    def mean(self) -> float:
        """Expected value."""
        return float(np.clip(self.probabilities @ self.values, *self.support()))

    def var(self) -> float:
        """Variance, about the mean and by the probabilities."""
        return float(self.probabilities @ (self.values - self.mean()) ** 2)

    def std(self) -> float:
        """Standard deviation."""
        return float(np.sqrt(self.var()))

    def expect(self, func: Callable[[float], float] | None = None) -> float:
        """Expected value of ``func(x)``, called once for each atom; the mean by default.

        Raises
        ------
        DataError
            The function gives NaN.

        Examples
        --------
        >>> Distribution.from_atoms([0, 1, 2], [0.25, 0.5, 0.25]).expect(lambda x: x >= 1)
        0.75
        """
        if func is None:
            return self.mean()
        found = np.array([func(value) for value in self.values.tolist()], dtype=np.float64)
        return float(self.probabilities @ numbers("func of the values", found))

    def rvs(
        self,
        size: int | tuple[int, ...] | None = None,
        *,
        rng: np.random.Generator | int | None = None,
    ) -> Any:
        """Draw values: one number by default, else an array of `size`.

        Parameters
        ----------
        size : int or tuple of int, optional
        rng : Generator or int, optional
            Where chance comes from; the same seed gives the same draws. None: a new seed each time.
        """
        uniform = uniforms(rng, size)
        return self.values[np.searchsorted(self._below[1:], uniform, side="right")]

    # Arithmetic with a number

    def _affine(self, factor: float, shift: float, divisor: float = 1.0) -> Self:
        values = factor * self.values / divisor + shift
        error = abs(factor / divisor) * self.mc_error if factor else 0.0
        return type(self)(values, self.probabilities, self.n_samples, error)

    def __add__(self, other: float) -> Self:
        return self._affine(1.0, between.operand(other))

    __radd__ = __add__

    def __mul__(self, other: float) -> Self:
        return self._affine(between.operand(other), 0.0)

    __rmul__ = __mul__

    def __neg__(self) -> Self:
        return self._affine(-1.0, 0.0)

    def __sub__(self, other: float) -> Self:
        return self._affine(1.0, -between.operand(other))

    def __rsub__(self, other: float) -> Self:
        return self._affine(-1.0, between.operand(other))

    def __truediv__(self, other: float) -> Self:
        divisor = between.operand(other)
        if divisor == 0:
            raise DataError("a distribution cannot be divided by 0")
        return self._affine(1.0, 0.0, divisor)

    # Beside another distribution: see fuzzytruth.distributions.between

    def difference(self, other: Distribution, *, independent: bool = False) -> Distribution:
        """Distribution of this minus the other; only with ``independent=True``."""
        return between.difference(self, other, independent=independent)

    def prob_greater(self, other: Distribution, *, independent: bool = False) -> float:
        """Probability that this exceeds the other; only with ``independent=True``."""
        return between.prob_greater(self, other, independent=independent)

    def prob_equal(self, other: Distribution, *, independent: bool = False) -> float:
        """Probability that both are equal within 1e-9; only with ``independent=True``."""
        return between.prob_equal(self, other, independent=independent)

    def wasserstein(self, other: Distribution) -> float:
        """Area between the two cdfs."""
        return between.wasserstein(self, other)

    def dominates(self, other: Distribution, *, order: int = 1) -> bool:
        """Whether this is stochastically larger, of first or second order."""
        return between.dominates(self, other, order=order)

    # What is shown

    def __repr__(self) -> str:
        count = len(self.values)
        atoms = f"{count:,} atom{'' if count == 1 else 's'}"
        drawn = "exact" if self.n_samples is None else f"{self.n_samples:,} samples"
        return f"Distribution(mean={self.mean():.4g}, std={self.std():.4g}, {atoms}, {drawn})"

    def to_frame(self) -> pd.DataFrame:
        """One row an atom: value, probability."""
        import pandas as pd

        return pd.DataFrame({"value": self.values, "probability": self.probabilities})

    def plot(self, ax: Axes | None = None, **style: Any) -> Axes:
        """Draw the probabilities, as lines if the atoms are few and else as a histogram.

        Tails of probability 1e-6 are left out.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure. Nothing is shown.
        **style
            For Matplotlib, such as `label` (``ax.legend()`` shows it), `color` (by default the
            next one of the axes' cycle) and `alpha`.

        Returns
        -------
        matplotlib Axes
            Its labels are set if they were empty.

        Raises
        ------
        MissingPackageError
            Matplotlib is not installed.
        """
        from fuzzytruth.plots.distribution import draw

        return draw(self, ax, **style)
