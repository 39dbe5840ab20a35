"""`Distribution`: a random number with finitely many values, such as a score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth.core.atoms import merge, standard_error
from fuzzytruth.core.validation import number, numbers, require_same_length, shares
from fuzzytruth.data.distribution import between as between
from fuzzytruth.data.distribution.between import DiscreteDistribution
from fuzzytruth.errors import DataError, counted
from fuzzytruth.show.answer import Column, Printed, Result, Sentences, Table
from fuzzytruth.show.number_text import (
    level_text,
    numbers_format,
    values_format,
    written,
    written_interval,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from fuzzytruth.plots.frames import PlotData


# What is printed of a distribution.


MOST_ATOMS = 12
LEVEL = 0.95  # of the printed interval


def distribution_answer(given: DiscreteDistribution) -> Printed:
    """What `print` shows: moments, a central interval and the most probable values."""
    mean, (low, high) = given.mean(), given.interval(LEVEL)
    style = numbers_format((mean, low, high, *given.support()))
    source = "exact"
    if given.n_samples is not None:
        source = f"{counted(given.n_samples, 'sample')}, Monte Carlo error {given.mc_error:.2g}"
    columns = (
        Column("mean", (written(mean, style),)),
        Column("std", (written(given.std(), style),)),
        Column(f"central {level_text(LEVEL)}", (written_interval(low, high, style),)),
        Column("lowest, highest", (written_interval(*given.support(), style),), "extra"),
    )
    return Printed.of(
        f"Distribution of {counted(len(given.values), 'value')}, {source}",
        Table(columns),
        _atoms(given),
        Sentences.of(
            f"Brackets: the central {level_text(LEVEL)} of the distribution, between its quantiles "
            f"{(1 - LEVEL) / 2:.3g} and {(1 + LEVEL) / 2:.3g}; and its whole range.",
            "More: .to_frame(), .cdf(x), .ppf(q), .interval(level), .plot()",
        ),
    )


def _atoms(given: DiscreteDistribution) -> Table:
    """The most probable values, in ascending order; quantiles if these are a minority."""
    n, which = len(given.values), np.arange(len(given.values))
    title = ""
    if n > MOST_ATOMS:
        # of equally probable ones the lower
        which = np.sort(np.argsort(-given.probabilities, kind="stable")[:MOST_ATOMS])
        together = float(given.probabilities[which].sum())
        if together < 0.5:
            return _quantiles(given)
        title = (
            f"The {MOST_ATOMS} most probable of {n:,} values, together of probability "
            f"{together:.3g}"
        )
    values = given.values[which].tolist()
    style = values_format(values)
    columns = (
        Column("value", tuple(written(value, style) for value in values)),
        Column("probability", tuple(f"{p:.4g}" for p in given.probabilities[which].tolist())),
    )
    return Table(columns, title)


def _quantiles(given: DiscreteDistribution) -> Table:
    """Where the distribution is, of many values."""
    shares = (0.05, 0.25, 0.5, 0.75, 0.95)
    values = given.ppf(shares).tolist()
    style = numbers_format(values)
    columns = (
        Column("quantile", tuple(level_text(share) for share in shares)),
        Column("value", tuple(written(value, style) for value in values)),
    )
    return Table(columns, f"Quantiles of {len(given.values):,} values")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Distribution(DiscreteDistribution, Result):
    """A discrete distribution.

    Methods bear the names of SciPy's frozen distributions. Functions of a number or of an array
    return the same; NaN raises `DataError` everywhere and is never returned.

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
    >>> d.cdf([0.4, 0.5]).tolist(), float(d.ppf(0.9)), d.interval(0.5)
    ([0.25, 0.75], 1.0, (0.0, 0.5))
    """

    __array_ufunc__: ClassVar[None] = None  # NumPy scalars defer to our arithmetic

    # Construction

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
        """The distribution concentrated on one value.

        Examples
        --------
        >>> Distribution.point(0.25).std()
        0.0
        """
        return cls(np.array([number("value", value)]), np.ones(1))

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
        draws = numbers("values", values, finite=True)
        each = np.ones(draws.shape) if weights is None else numbers("weights", weights, finite=True)
        require_same_length("values", draws, "weights", each)
        if each.min() < 0 or each.max() == 0:
            raise DataError("weights: must be 0 or more, and not all 0")
        atoms, count = merge(draws + 0.0, each)
        error = standard_error(draws, each / each.sum())
        return cls(atoms, count / count.sum(), len(draws), error)

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
        each = numbers("weights", weights)
        between.check_distributions(distributions)
        require_same_length("distributions", np.empty(len(distributions)), "weights", each)
        each = shares("weights", each, "; they are probabilities of mutually exclusive events")
        parts = [(d, float(w)) for d, w in zip(distributions, each, strict=True) if w > 0]
        sizes = [d.n_samples for d, _ in parts if d.n_samples is not None]
        return cls(
            np.concatenate([d.values for d, _ in parts]),
            np.concatenate([d.probabilities * w for d, w in parts]),
            min(sizes, default=None),
            sum(d.mc_error * w for d, w in parts),
        )

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

    # Two distributions

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
        between.check_independent(other, independent)
        values, weights = between.difference(self, other)
        sizes = [d.n_samples for d in (self, other) if d.n_samples is not None]
        error = float(np.hypot(self.mc_error, other.mc_error))
        return type(self)(values, weights, min(sizes, default=None), error)

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
        between.check_independent(other, independent)
        return between.prob_greater(self, other)

    def prob_equal(self, other: Distribution, *, independent: bool = False) -> float:
        """P(A = B), within 1e-9, for independent A (this) and B; see `prob_greater`.

        Examples
        --------
        >>> die = Distribution.from_atoms([1, 2, 3, 4, 5, 6], [1 / 6] * 6)
        >>> round(die.prob_equal(die, independent=True), 6)
        0.166667
        """
        between.check_independent(other, independent)
        return between.prob_equal(self, other)

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
        between.check_distribution("other", other)
        return between.wasserstein(self, other)

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
        between.check_distribution("other", other)
        return between.dominates(self, other, order)

    # Output

    def _answer(self) -> Printed:
        return distribution_answer(self)

    def to_frame(self) -> pd.DataFrame:
        """One row for each atom: value, probability."""
        import pandas as pd

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
        >>> import matplotlib; matplotlib.use("Agg")
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
