"""Distributions of the number of relevant items, and of precision, recall and F."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Self, get_args

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Array, Floats
from fuzzytruth.core.arithmetic import LONG, divide
from fuzzytruth.core.lists.poisson_binomial import pmf
from fuzzytruth.core.lists.relevant_counts import OfCounts, count_atoms
from fuzzytruth.core.validation import number, probabilities
from fuzzytruth.errors import DataError, OptionError, choice

#: denominator of recall: the random number of relevant items, or its expectation
Size = Literal["random", "expected"]


_NEGLIGIBLE = 1e-18  # probability of an atom that is left out, where there are very many
_LARGEST_BETA = 1e100  # whose square is finite


class NamedDistributions:
    """Makes `Distribution`s of events whose probabilities are known."""

    __slots__ = ()
    if TYPE_CHECKING:

        def __init__(self, values: ArrayLike, probabilities: ArrayLike) -> None: ...

    @classmethod
    def point(cls, value: float) -> Self:
        """The distribution concentrated on one value.

        Examples
        --------
        >>> from fuzzytruth import Distribution
        >>> Distribution.point(0.25).std()
        0.0
        """
        return cls(np.array([number("value", value)]), np.ones(1))

    @classmethod
    def poisson_binomial(cls, p: ArrayLike) -> Self:
        """Number of n independent events that occur; exact.

        Parameters
        ----------
        p : (n,) float
            Probability of each event, for example that an item of a ranking is relevant. With no
            events the number is 0.

        Returns
        -------
        Distribution
            On 0, 1, ..., n. Each probability has a relative error below 1e-12, down to 1e-290;
            numbers of events that are impossible, or less probable than about 1e-308, are dropped.

        Raises
        ------
        DataError
            A probability is outside [0, 1] or NaN (the message gives its position), or `p` is not a
            list.

        References
        ----------
        Hong, Y. (2013), On computing the distribution function for the Poisson binomial
        distribution, Computational Statistics & Data Analysis 59. Computed by direct convolution.

        Examples
        --------
        >>> from fuzzytruth import Distribution
        >>> hits = Distribution.poisson_binomial([0.2, 0.5, 0.9])
        >>> hits.pmf([0, 1, 2, 3]).round(6).tolist()
        [0.04, 0.41, 0.46, 0.09]
        >>> precision = hits / 3
        >>> round(precision.mean(), 6)
        0.533333
        """
        checked = _probability_list("p", p)
        return cls(np.arange(len(checked) + 1.0), pmf(checked))

    @classmethod
    def precision(cls, p: ArrayLike) -> Self:
        """Precision of n retrieved items, independently relevant with known probabilities.

        Parameters
        ----------
        p : (n,) float
            Probability that each retrieved item is relevant.

        Returns
        -------
        Distribution
            Exact, on 0, 1/n, ..., 1; 0 if nothing is retrieved.

        Raises
        ------
        DataError
            A probability is outside [0, 1] or NaN, or `p` is not a list.

        References
        ----------
        Santini, "Benchmarking without ground truth", eqs. (10) and (11). As printed, (11) divides
        the probabilities by n, so that they sum to 1/n.

        Examples
        --------
        >>> from fuzzytruth import Distribution
        >>> Distribution.precision([0.5, 1.0]).to_frame().values.tolist()
        [[0.5, 0.5], [1.0, 0.5]]
        """
        checked = _probability_list("p", p)
        return cls(np.arange(len(checked) + 1.0) / max(1, len(checked)), pmf(checked))

    @classmethod
    def recall(
        cls,
        *,
        retrieved: ArrayLike,
        rest: ArrayLike,
        size: Size = "random",
        undefined: str = "zero",
    ) -> Self:
        """Recall when items are independently relevant with known probabilities.

        Parameters
        ----------
        retrieved : (n,) float
            Probability that each retrieved item is relevant.
        rest : (m,) float
            The same for all other items of the collection.
        size : {"random", "expected"}
            Denominator: the number of relevant items, which is random too (recall proper,
            X / (X + Y)), or its expectation |ω| (as in the paper; values may exceed 1).
        undefined : {"zero", "exclude"}
            Recall without relevant items: 0, or excluded (the distribution is then conditional
            on at least one).

        Returns
        -------
        Distribution
            Exact; of 1,024 items or more, atoms with a probability below 1e-18 are left out.

        Raises
        ------
        DataError
            A probability is outside [0, 1] or NaN, or no item can be relevant and that case is
            excluded.
        OptionError
            `size` or `undefined` is none of the values above, or ``undefined="exclude"`` is
            combined with ``size="expected"``.

        References
        ----------
        Santini, "Benchmarking without ground truth", eq. (12), for ``size="expected"``.

        Examples
        --------
        >>> from fuzzytruth import Distribution
        >>> Distribution.recall(retrieved=[1.0], rest=[0.5]).to_frame().values.tolist()
        [[0.5, 0.5], [1.0, 0.5]]
        >>> Distribution.recall(retrieved=[1.0], rest=[0.5], size="expected").mean()
        0.6666666666666666
        """
        choice("size", size, get_args(Size))
        choice("undefined", undefined, ("zero", "exclude"))
        if size == "expected" and undefined == "exclude":
            raise OptionError("undefined='exclude': an expected size is never 0; use size='random'")
        if size == "expected":
            inside, outside = (
                _probability_list("retrieved", retrieved),
                _probability_list("rest", rest),
            )
            expected = float(inside.sum() + outside.sum())
            return cls(np.arange(len(inside) + 1.0) / (expected or 1.0), pmf(inside))
        return cls(
            *_of_counts(
                retrieved, rest, undefined, lambda hits, missed: divide(hits, hits + missed)
            )
        )

    @classmethod
    def f_measure(
        cls, *, retrieved: ArrayLike, rest: ArrayLike, beta: float = 1.0, undefined: str = "zero"
    ) -> Self:
        """F-measure when items are independently relevant with known probabilities.

        Parameters
        ----------
        retrieved, rest : (n,) and (m,) float
            As for `Distribution.recall`.
        beta : float
            Weight of recall relative to precision, above 0; 1 gives 2 X / (n + R).
        undefined : {"zero", "exclude"}
            F without relevant items: 0, or excluded.

        Returns
        -------
        Distribution
            Exact; precision and recall share the hits X.

        Examples
        --------
        >>> from fuzzytruth import Distribution
        >>> Distribution.f_measure(retrieved=[1.0], rest=[0.5]).values.round(3).tolist()
        [0.667, 1.0]
        """
        choice("undefined", undefined, ("zero", "exclude"))
        weight = number("beta", beta)
        if not 0 < weight <= _LARGEST_BETA:
            raise OptionError(f"beta={weight:g}: must be above 0, and {_LARGEST_BETA:g} at most")
        weight **= 2
        n_retrieved = len(_probability_list("retrieved", retrieved))

        def value(hits: Array, missed: Array) -> Array:
            return divide((1 + weight) * hits, weight * (hits + missed) + n_retrieved)

        return cls(*_of_counts(retrieved, rest, undefined, value))


def _probability_list(name: str, given: ArrayLike) -> Floats:
    checked = probabilities(name, given)
    if checked.ndim != 1:
        raise DataError(f"{name}: must be a list of probabilities, not of shape {checked.shape}")
    return checked


def _of_counts(
    retrieved: ArrayLike, rest: ArrayLike, undefined: str, value: OfCounts
) -> tuple[Floats, Floats]:
    """Atoms of the distribution of a value of the numbers of relevant items retrieved and missed.

    With ``undefined="exclude"``, given that some item is relevant.
    """
    inside, outside = _probability_list("retrieved", retrieved), _probability_list("rest", rest)
    outside = outside[outside > 0]
    long = len(inside) + len(outside) >= LONG
    values, weights, none = count_atoms(inside[:, None], outside[:, None], value, long=long)
    possible = weights > (_NEGLIGIBLE if long else 0)
    if undefined == "exclude":
        possible &= ~none
        if not possible.any():
            raise DataError("no item can be relevant, so that recall and F are always undefined")
        weights = weights / weights[possible].sum()
    return values[possible], weights[possible]
