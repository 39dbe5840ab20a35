"""`Distribution`: a random number with finitely many values, such as a score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth import errors
from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Bools, Floats, Ints
from fuzzytruth.core import atoms, validation
from fuzzytruth.core.randomness import uniforms
from fuzzytruth.core.validation import probabilities, require_same_length, shares
from fuzzytruth.data.named_distributions import NamedDistributions
from fuzzytruth.errors import counted, is_among, shown
from fuzzytruth.show import number_text
from fuzzytruth.show.answer import Column, Parts, Result, Sentences, Table

if TYPE_CHECKING:
    from fuzzytruth.plots.frames import PlotData


_MAX_PAIRS = 20_000_000
_ROUNDING = 1e-12
_MOST_ATOMS = 12  # that are printed
_LEVEL = 0.95  # of the printed interval
_SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)  # of the printed quantiles


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Distribution(NamedDistributions, Result):
    """A discrete distribution.

    Methods bear the names of SciPy's frozen distributions. Functions of a number return a float, of
    an array an array; NaN raises `DataError` everywhere and is never returned.

    Parameters
    ----------
    values : (atoms,) float
        Possible values; finite. Stored sorted and read-only; atoms that agree to 1e-12 of the
        largest are merged, those of probability 0 dropped.
    probabilities : (atoms,) float
        Their probabilities: ≥ 0, sum 1 within 1e-9 (and divided by it). Read-only.
    n_samples : int, optional
        Number of draws if this is an empirical distribution; None if it is exact.
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
    >>> d.cdf([0.4, 0.5]).tolist(), d.at_least(0.5), d.ppf(0.9), d.interval(0.5)
    ([0.25, 0.75], 0.75, 1.0, (0.0, 0.5))
    """

    values: Floats
    probabilities: Floats
    n_samples: int | None = None
    mc_error: float = 0.0
    _below: Floats = field(init=False)  # (atoms + 1,) probability of the first 0, 1, ... atoms
    _above: Floats = field(init=False)  # (atoms + 1,) probability of all but these

    __array_ufunc__: ClassVar[None] = None  # NumPy scalars defer to our arithmetic

    def __post_init__(self) -> None:
        values = validation.numbers("values", self.values, finite=True)
        given = validation.numbers("probabilities", self.probabilities)
        require_same_length("values", values, "probabilities", given)
        values, weights = atoms.merge(values + 0.0, shares("probabilities", given))
        possible = weights > 0
        values, weights = values[possible], weights[possible]
        below, above = atoms.cumulative_sum(weights), atoms.cumulative_sum(weights[::-1])[::-1]
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
        number = counted(len(self.values), "atom")
        source = "exact" if self.n_samples is None else counted(self.n_samples, "sample")
        return f"Distribution(mean={self.mean():.4g}, std={self.std():.4g}, {number}, {source})"

    # Construction

    @classmethod
    def from_atoms(cls, values: ArrayLike, probabilities: ArrayLike) -> Self:
        """The exact distribution with these values and probabilities.

        Examples
        --------
        >>> Distribution.from_atoms([1, 0, 1], [0.25, 0.5, 0.25]).probabilities.tolist()
        [0.5, 0.5]
        """
        return cls(
            validation.numbers("values", values, finite=True),
            validation.numbers("probabilities", probabilities),
        )

    @classmethod
    def from_samples(cls, values: ArrayLike, weights: ArrayLike | None = None) -> Self:
        """The empirical distribution of a sample.

        Parameters
        ----------
        values : (draws,) float
            Independent draws.
        weights : (draws,) float, optional
            Importance of each draw, ≥ 0, of any sum; equal by default.

        Returns
        -------
        Distribution
            Not `exact`; `mc_error` is the standard error of the (weighted) mean.

        Raises
        ------
        DataError
            No draws, a NaN, or weights that are negative or all 0.

        Examples
        --------
        >>> d = Distribution.from_samples([0, 1, 1, 1])
        >>> d.mean(), d.mc_error, d.n_samples
        (0.75, 0.25, 4)
        """
        draws = validation.numbers("values", values, finite=True)
        given = np.ones(draws.shape) if weights is None else weights
        each = validation.numbers("weights", given, finite=True)
        require_same_length("values", draws, "weights", each)
        if each.min() < 0 or each.max() == 0:
            raise errors.DataError("weights: must be 0 or more, and not all 0")
        values, count = atoms.merge(draws + 0.0, each)
        error = atoms.standard_error(draws, each / each.sum())
        return cls(values, count / count.sum(), len(draws), error)

    @classmethod
    def mixture(cls, distributions: Sequence[Distribution], weights: ArrayLike) -> Self:
        """Mixture of distributions: one of them, each chosen with the probability of its weight.

        Parameters
        ----------
        distributions : sequence of Distribution
        weights : (distributions,) float
            Probabilities of mutually exclusive events: ≥ 0, sum 1 within 1e-9.

        Returns
        -------
        Distribution
            `n_samples` is the smallest of the components', `mc_error` an upper bound (components
            may share draws).

        Raises
        ------
        DataError
            Weights that are no such probabilities, or not one for each distribution.

        References
        ----------
        Santini, "Benchmarking without ground truth", eqs. (13) and (14), the law of total
        probability.

        Examples
        --------
        >>> points = [Distribution.point(0), Distribution.point(1)]
        >>> Distribution.mixture(points, [0.25, 0.75]).mean()
        0.75
        """
        each = validation.numbers("weights", weights)
        if not isinstance(distributions, Sequence):
            raise errors.OptionError(
                f"distributions={shown(distributions)}: must be a list of distributions"
            )
        for j, part in enumerate(distributions):
            _check(f"distributions[{j}]", part)
        require_same_length("distributions", np.empty(len(distributions)), "weights", each)
        each = shares("weights", each, "; they are probabilities of mutually exclusive events")
        parts = [(d, float(w)) for d, w in zip(distributions, each, strict=True) if w > 0]
        return cls(
            np.concatenate([d.values for d, _ in parts]),
            np.concatenate([d.probabilities * w for d, w in parts]),
            _fewest(d for d, _ in parts),
            sum(d.mc_error * w for d, w in parts),
        )

    # Functions of a value

    def pmf(self, x: ArrayLike) -> Any:
        """Probability of the atom within 1e-9 of `x`; 0 if there is none.

        Raises
        ------
        DataError
            `x` is NaN; the same holds for `logpmf`, `cdf`, `sf` and `at_least`.
        """
        index, matched = self._locate(x)
        return _plain(np.where(matched, self.probabilities[index], 0.0))

    def logpmf(self, x: ArrayLike) -> Any:
        """Natural logarithm of `pmf`; -inf where it is 0."""
        mass = np.asarray(self.pmf(x))
        return _plain(np.log(mass, out=np.full(mass.shape, -np.inf), where=mass > 0))

    def cdf(self, x: ArrayLike) -> Any:
        """P(X ≤ x); an atom within 1e-9 of `x` is included."""
        return _plain(self._below[self._locate(x)[0] + 1])

    def sf(self, x: ArrayLike) -> Any:
        """P(X > x); an atom within 1e-9 of `x` is excluded. Accurate in the tail."""
        return _plain(self._above[self._locate(x)[0] + 1])

    def at_least(self, x: ArrayLike) -> Any:
        """P(X ≥ x); an atom within 1e-9 of `x` is included. Accurate in the tail."""
        index, matched = self._locate(x)
        return _plain(self._above[np.where(matched, index, index + 1)])

    def _locate(self, x: ArrayLike) -> tuple[Ints, Bools]:
        return atoms.locate(self.values, validation.numbers("x", x))

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
        return _plain(self.values[atoms.first_reaching(self._below[1:], probabilities("q", q))])

    def isf(self, q: ArrayLike) -> Any:
        """Inverse of `sf`: the smallest atom exceeded with probability `q` or less."""
        return _plain(self.values[atoms.first_reaching(-self._above[1:], -probabilities("q", q))])

    def median(self) -> float:
        """The .5 quantile."""
        return float(self.ppf(0.5))

    def interval(self, confidence: float) -> tuple[float, float]:
        """Central interval: the quantiles that cut off (1 - confidence) / 2 on either side."""
        level = validation.probability("confidence", confidence)
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
        errors.require("func", func, callable(func), "must be a function of one number")
        images = np.array([func(value) for value in self.values.tolist()], dtype=np.float64)
        return float(self.probabilities @ validation.numbers("func of the values", images))

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
        return _plain(self.values[np.searchsorted(self._below[1:], uniform, side="right")])

    # Arithmetic with a number

    def _affine(self, factor: float, shift: float, divisor: float = 1.0) -> Self:
        values = factor * self.values / divisor + shift
        error = abs(factor / divisor) * self.mc_error if factor else 0.0
        return type(self)(values, self.probabilities, self.n_samples, error)

    def __add__(self, other: float) -> Self:
        return self._affine(1.0, _operand(other))

    __radd__ = __add__

    def __mul__(self, other: float) -> Self:
        return self._affine(_operand(other), 0.0)

    __rmul__ = __mul__

    def __neg__(self) -> Self:
        return self._affine(-1.0, 0.0)

    def __sub__(self, other: float) -> Self:
        return self._affine(1.0, -_operand(other))

    def __rsub__(self, other: float) -> Self:
        return self._affine(-1.0, _operand(other))

    def __truediv__(self, other: float) -> Self:
        divisor = _operand(other)
        if divisor == 0:
            raise errors.DataError("a distribution cannot be divided by 0")
        return self._affine(1.0, 0.0, divisor)

    # Two distributions
    #
    # Which of two random numbers is larger depends on how they vary together, which two
    # distributions do not say: systems that share items share the truth about them. `difference`,
    # `prob_greater` and `prob_equal` assume independence; distances and dominance concern the
    # marginals alone.

    def difference(self, other: Distribution, *, independent: bool = False) -> Self:
        """Distribution of A - B for independent A (this) and B.

        Parameters
        ----------
        other : Distribution
            B.
        independent : bool
            Must be True: the caller's statement that A and B are independent.

        Returns
        -------
        Distribution
            `n_samples` is the smaller of the two; `mc_error` combines both.

        Raises
        ------
        IndependenceError
            ``independent=True`` was not given.
        OptionError
            More than 20 million pairs of atoms.

        Examples
        --------
        >>> coin = Distribution.from_atoms([0, 1], [0.5, 0.5])
        >>> coin.difference(coin, independent=True).probabilities.tolist()
        [0.25, 0.5, 0.25]
        """
        _check_independent(other, independent)
        if len(self.values) * len(other.values) > _MAX_PAIRS:
            raise errors.OptionError(
                f"difference of {len(self.values):,} × {len(other.values):,} atoms: at most "
                f"{_MAX_PAIRS:,} pairs; prob_greater and prob_equal have no such limit"
            )
        gaps = np.subtract.outer(self.values, other.values).ravel()
        weights = np.multiply.outer(self.probabilities, other.probabilities).ravel()
        scale = float(max(np.abs(self.values).max(), np.abs(other.values).max()))
        gaps[np.abs(gaps) <= _ROUNDING * scale] = 0.0
        error = float(np.hypot(self.mc_error, other.mc_error))
        return type(self)(*atoms.merge(gaps, weights, scale), _fewest((self, other)), error)

    def prob_greater(self, other: Distribution, *, independent: bool = False) -> float:
        """P(A > B) for independent A (this) and B.

        Values within 1e-9 of each other are ties and do not count. Parameters and errors as for
        `difference`, without its limit.

        Examples
        --------
        >>> die = Distribution.from_atoms([1, 2, 3, 4, 5, 6], [1 / 6] * 6)
        >>> round(die.prob_greater(die, independent=True), 6)
        0.416667
        """
        _check_independent(other, independent)
        return self._expectation(other._cumulative(self.values - self._tie_width, "left"))

    def prob_equal(self, other: Distribution, *, independent: bool = False) -> float:
        """P(A = B), within 1e-9, for independent A (this) and B; see `prob_greater`.

        Examples
        --------
        >>> die = Distribution.from_atoms([1, 2, 3, 4, 5, 6], [1 / 6] * 6)
        >>> round(die.prob_equal(die, independent=True), 6)
        0.166667
        """
        _check_independent(other, independent)
        upper = other._cumulative(self.values + self._tie_width, "right")
        lower = other._cumulative(self.values - self._tie_width, "left")
        return self._expectation(upper - lower)

    def wasserstein(self, other: Distribution) -> float:
        """Wasserstein-1 (earth mover's) distance: the area between the two cdfs.

        In units of the values. It depends on the marginals only, so that independence does not
        matter.

        References
        ----------
        Vallender, S. S. (1974), Calculation of the Wasserstein distance between probability
        distributions on the line, Theory of Probability and its Applications 18.

        Examples
        --------
        >>> coin = Distribution.from_atoms([0, 1], [0.5, 0.5])
        >>> Distribution.point(0.25).wasserstein(coin)
        0.5
        """
        _check("other", other)
        points = np.sort(np.concatenate([self.values, other.values]))
        before = points[:-1]
        gap = np.abs(self._cumulative(before, "right") - other._cumulative(before, "right"))
        return float(gap @ np.diff(points))

    def dominates(self, other: Distribution, *, order: int = 1) -> bool:
        """Whether A (this) is stochastically larger than B.

        Parameters
        ----------
        other : Distribution
            B.
        order : {1, 2}
            First order: P(A > x) ≥ P(B > x) for every x, with inequality somewhere; then the mean
            of every increasing function is at least as large under A. Second order: the area under
            the cdf up to any x is no larger for A; then this holds for every increasing *concave*
            function, the utility of a risk-averse user. First order implies
            second.

        Returns
        -------
        bool
            Differences up to 1e-12 count as rounding. Often neither of two distributions dominates.

        References
        ----------
        Quirk, J. P. & Saposnik, R. (1962), Admissibility and measurable utility functions, Review
        of Economic Studies 29; Hadar, J. & Russell, W. R. (1969), Rules for ordering uncertain
        prospects, American Economic Review 59.

        Examples
        --------
        >>> low = Distribution.from_atoms([0, 1], [0.5, 0.5])
        >>> high = Distribution.from_atoms([0, 1], [0.25, 0.75])
        >>> high.dominates(low), low.dominates(high), low.dominates(low)
        (True, False, False)
        >>> certain = Distribution.point(0.5)
        >>> certain.dominates(low), certain.dominates(low, order=2)
        (False, True)
        """
        _check("other", other)
        if isinstance(order, bool) or not is_among(order, (1, 2)):
            raise errors.OptionError(f"order={shown(order)}: must be 1 or 2")
        points = np.sort(np.concatenate([self.values, other.values]))
        lead = other.cdf(points) - self.cdf(points)
        if order == 2:  # both cdfs are constant between points
            lead = np.concatenate(([0.0], np.cumsum(lead[:-1] * np.diff(points))))
        return bool(lead.min() >= -_ROUNDING and lead.max() > _ROUNDING)

    def _cumulative(self, points: Floats, side: Literal["left", "right"]) -> Floats:
        """P(X < x) at each of the points, or P(X ≤ x) if `side` is "right"."""
        running = np.concatenate(([0.0], self.cdf(self.values)))
        return running[np.searchsorted(self.values, points, side=side)]

    @property
    def _tie_width(self) -> Floats:
        """Distance from each atom up to which another value counts as equal."""
        return atoms.NEAR * np.maximum(1.0, np.abs(self.values))

    def _expectation(self, conditional: Floats) -> float:
        """Mean of the conditional probability given each atom."""
        return float(np.clip(self.probabilities @ conditional, 0.0, 1.0))

    # Output

    def _title(self) -> str:
        source = "exact"
        if self.n_samples is not None:
            source = f"{counted(self.n_samples, 'sample')}, Monte Carlo error {self.mc_error:.2g}"
        return f"Distribution of {counted(len(self.values), 'value')}, {source}"

    def _parts(self) -> Parts:
        """Moments, a central interval and the most probable values."""
        mean, (low, high) = self.mean(), self.interval(_LEVEL)
        style = number_text.numbers_format((mean, low, high, *self.support()))
        columns = (
            Column("mean", (number_text.written(mean, style),)),
            Column("std", (number_text.written(self.std(), style),)),
            Column(
                f"central {number_text.level_text(_LEVEL)}",
                (number_text.written_interval(low, high, style),),
            ),
            Column(
                "lowest, highest", (number_text.written_interval(*self.support(), style),), "extra"
            ),
        )
        yield Table(columns)
        yield self._atoms()
        yield Sentences.of(
            f"Brackets: the {columns[2].heading} of the distribution, between its "
            f"quantiles {(1 - _LEVEL) / 2:.3g} and {(1 + _LEVEL) / 2:.3g}; and its whole range.",
            "More: .to_frame(), .cdf(x), .at_least(x), .ppf(q), .interval(level), .plot()",
        )

    def _atoms(self) -> Table:
        """The most probable values, in ascending order; quantiles if these are a minority."""
        values, p, title = self.values, self.probabilities, ""
        if len(values) > _MOST_ATOMS:
            # of equally probable ones the lower
            which = np.sort(np.argsort(-p, kind="stable")[:_MOST_ATOMS])
            together = float(p[which].sum())
            if together < 0.5:
                return self._quantiles()
            title = (
                f"The {_MOST_ATOMS} most probable of {len(values):,} values, together of "
                f"probability {together:.3g}"
            )
            values, p = values[which], p[which]
        style = number_text.values_format(values.tolist())
        columns = (
            Column("value", tuple(number_text.written(value, style) for value in values.tolist())),
            Column("probability", tuple(f"{one:.4g}" for one in p.tolist())),
        )
        return Table(columns, title)

    def _quantiles(self) -> Table:
        """Where the distribution is, of many values."""
        values = self.ppf(_SHARES).tolist()
        style = number_text.numbers_format(values)
        columns = (
            Column("quantile", tuple(map(number_text.level_text, _SHARES))),
            Column("value", tuple(number_text.written(value, style) for value in values)),
        )
        return Table(columns, f"Quantiles of {len(self.values):,} values")

    def to_frame(self) -> pd.DataFrame:
        """One row for each atom: value, probability."""
        return pd.DataFrame({"value": self.values, "probability": self.probabilities})

    def plot(
        self,
        ax: Axes | None = None,
        *,
        kind: Literal["pmf", "cdf"] = "pmf",
        interval: float | None = None,
        zero: bool | None = None,
        **style: Any,
    ) -> Axes:
        """Draw the probabilities, or the cumulative ones; see `plots.distribution`.

        Repeated calls on the same axes overlay distributions. To give several the same bins, draw
        them in one call: ``plots.distribution({"a": first, "b": second})``.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw on; a new figure by default.
        kind : {"pmf", "cdf"}
            Probabilities, or P(X ≤ x).
        interval : float, optional
            Also draw the central interval of this level, and the mean.
        zero : bool, optional
            Draw a line at zero; by default where a value is negative.
        **style
            Passed to Matplotlib, such as `label` (shown in a legend once two have one), `color`
            and `alpha`; also `title` and `xlabel`.

        Returns
        -------
        matplotlib Axes
            Axis labels are set if they were empty.

        Examples
        --------
        >>> coin = Distribution.from_atoms([0, 1], [0.5, 0.5])
        >>> ax = coin.plot(label="fair", kind="cdf")
        >>> ax = Distribution.from_atoms([0, 1], [0.2, 0.8]).plot(ax, label="loaded", kind="cdf")
        >>> [text.get_text() for text in ax.get_legend().get_texts()]
        ['fair', 'loaded']
        """
        from fuzzytruth.plots import distribution

        return distribution(self, ax, kind=kind, interval=interval, zero=zero, **style)

    _figures: ClassVar[tuple[str, ...]] = ("distribution",)

    def _plot_data(self, figure: str) -> PlotData:
        """Atoms of `plots.distribution`; they do not know of what they are, so have no title."""
        from fuzzytruth.plots.frames import PlotData

        return PlotData(self.to_frame())


def _plain(values: Any) -> Any:
    """A float of a single number, else the array."""
    return values if np.ndim(values) else float(values)


def _fewest(given: Iterable[Distribution]) -> int | None:
    """The smallest number of samples; None if all are exact."""
    return min((d.n_samples for d in given if d.n_samples is not None), default=None)


def _check(name: str, given: object) -> None:
    """Raise `OptionError` unless it is a distribution."""
    rule = "must be a Distribution; Distribution.point(x) makes one of a number"
    errors.require(name, given, isinstance(given, Distribution), rule)


def _check_independent(other: object, independent: bool) -> None:
    """Raise `IndependenceError` unless the caller states that A and B are independent."""
    _check("other", other)
    if independent is not True:
        raise errors.IndependenceError(
            "two distributions do not say how they vary together, and systems that share items "
            "share their truth: take P(A > B) from scores over shared worlds, or pass "
            "independent=True if A and B have nothing in common"
        )


def _operand(given: object) -> float:
    """Validate the number that a distribution is added to or multiplied by."""
    if isinstance(given, Distribution):
        raise errors.IndependenceError(
            "two distributions do not say how they vary together: use a.difference(b, "
            "independent=True) if they are independent, or else scores over shared worlds"
        )
    return validation.number("operand", given)
