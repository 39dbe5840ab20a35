"""Distributions that have a name."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Floats
from fuzzytruth.core.poisson_binomial import pmf
from fuzzytruth.core.validation import number, probabilities
from fuzzytruth.data.distribution.distribution import Distribution
from fuzzytruth.errors import DataError, OptionError, choice

#: what recall is divided by: the number of relevant items, or its expectation
Size = Literal["random", "expected"]


def poisson_binomial(p: ArrayLike) -> Distribution:
    """How many of n independent events happen; exact.

    Parameters
    ----------
    p : (n,) float
        Probability of each event, for example that an item of a ranking is relevant. Without
        events the distribution is sure of 0.

    Returns
    -------
    Distribution
        Over 0, 1, ..., n. Each probability is right to 1e-12 of itself, however small, down to
        1e-290; numbers of events that are impossible, or less probable than about 1e-308, are
        no atoms.

    Raises
    ------
    DataError
        A probability outside [0, 1] or NaN, named with its position; not a list.

    References
    ----------
    Hong, Y. (2013), On computing the distribution function for the Poisson binomial distribution,
    Computational Statistics & Data Analysis 59. Here by direct convolution.

    Examples
    --------
    >>> hits = poisson_binomial([0.2, 0.5, 0.9])
    >>> hits.pmf([0, 1, 2, 3]).round(6).tolist()
    [0.04, 0.41, 0.46, 0.09]
    >>> precision = hits / 3
    >>> round(precision.mean(), 6)
    0.533333
    """
    chances = probabilities("p", p)
    if chances.ndim != 1:
        raise DataError(f"p: must be a list of probabilities, not of shape {chances.shape}")
    return Distribution(np.arange(len(chances) + 1.0), pmf(chances))


def precision_distribution(p: ArrayLike) -> Distribution:
    """Precision of n retrieved items that are relevant with probability p each, independently.

    Parameters
    ----------
    p : (n,) float
        Probability that each retrieved item is relevant.

    Returns
    -------
    Distribution
        Exact, over 0, 1/n, ..., 1; sure of 0 if nothing is retrieved.

    Raises
    ------
    DataError
        A probability outside [0, 1] or NaN; not a list.

    References
    ----------
    Santini, "Benchmarking without ground truth", eqs. (10) and (11). As printed, (11) divides the
    probabilities by n, so that they sum to 1/n; see `fuzzytruth.as_printed`.

    Examples
    --------
    >>> precision_distribution([0.5, 1.0]).to_frame().values.tolist()
    [[0.5, 0.5], [1.0, 0.5]]
    """
    hits = poisson_binomial(p)
    return hits / max(1, len(np.asarray(p)))


def recall_distribution(
    *,
    retrieved: ArrayLike,
    rest: ArrayLike,
    size: Size = "random",
    undefined: str = "zero",
) -> Distribution:
    """Recall when items are relevant with known probabilities, independently.

    Parameters
    ----------
    retrieved : (n,) float
        Probability that each retrieved item is relevant.
    rest : (m,) float
        That of all other items of the collection.
    size : {"random", "expected"}
        What the number of relevant items found is divided by: the number there are, which is
        random too (recall proper, X / (X + Y)), or its expectation |ω| (the paper's: values may
        exceed 1).
    undefined : {"zero", "exclude"}
        Recall without relevant items: 0, or left out (the distribution given that there are some).

    Returns
    -------
    Distribution
        Exact.

    Raises
    ------
    DataError
        A probability outside [0, 1] or NaN; no relevant item is possible where that is excluded.
    OptionError
        `size` or `undefined` is none of the words above, or an expected size is to be excluded.

    References
    ----------
    Santini, "Benchmarking without ground truth", eq. (12), for ``size="expected"``.

    Examples
    --------
    >>> recall_distribution(retrieved=[1.0], rest=[0.5]).to_frame().values.tolist()
    [[0.5, 0.5], [1.0, 0.5]]
    >>> recall_distribution(retrieved=[1.0], rest=[0.5], size="expected").mean()
    0.6666666666666666
    """
    choice("size", size, get_args(Size))
    choice("undefined", undefined, ("zero", "exclude"))
    found, missed = _pair(retrieved, rest)
    if size == "expected" and undefined == "exclude":
        raise OptionError("undefined='exclude': an expected size is not 0; use size='random'")
    if size == "expected":
        expected = float(np.sum(retrieved) + np.sum(rest))
        hits = Distribution(np.arange(len(found) + 0.0), found)
        return hits / expected if expected > 0 else Distribution.point(0.0)
    inside, elsewhere = np.arange(len(found))[:, None], np.arange(len(missed))
    value = np.zeros((len(found), len(missed)))
    np.divide(inside, inside + elsewhere, out=value, where=inside > 0)
    return _of_table(value, np.outer(found, missed), undefined)


def f_distribution(
    *, retrieved: ArrayLike, rest: ArrayLike, beta: float = 1.0, undefined: str = "zero"
) -> Distribution:
    """F-measure when items are relevant with known probabilities, independently.

    Parameters
    ----------
    retrieved, rest : (n,) and (m,) float
        As for `recall_distribution`.
    beta : float
        Weight of recall beside precision, above 0; 1 gives 2 X / (n + R).
    undefined : {"zero", "exclude"}
        F without relevant items.

    Returns
    -------
    Distribution
        Exact: precision and recall share their hits X.

    Examples
    --------
    >>> f_distribution(retrieved=[1.0], rest=[0.5]).values.round(3).tolist()
    [0.667, 1.0]
    """
    choice("undefined", undefined, ("zero", "exclude"))
    weight = number("beta", beta) ** 2
    if beta <= 0:
        raise OptionError(f"beta={beta}: must be above 0")
    found, missed = _pair(retrieved, rest)
    inside, elsewhere = np.arange(len(found))[:, None], np.arange(len(missed))
    n_retrieved = len(found) - 1
    below = weight * (inside + elsewhere) + n_retrieved
    value = np.zeros((len(found), len(missed)))
    np.divide((1 + weight) * inside, below, out=value, where=inside > 0)
    return _of_table(value, np.outer(found, missed), undefined)


def _pair(retrieved: ArrayLike, rest: ArrayLike) -> tuple[Floats, Floats]:
    """Pmfs of the relevant items that are retrieved, and of those that are not."""
    found, missed = probabilities("retrieved", retrieved), probabilities("rest", rest)
    for name, given in (("retrieved", found), ("rest", missed)):
        if given.ndim != 1:
            raise DataError(f"{name}: must be a list of probabilities, not of shape {given.shape}")
    return pmf(found), pmf(missed[missed > 0])


def _of_table(value: Floats, chance: Floats, undefined: str) -> Distribution:
    """Of a value for each pair of counts; the first pair is that of no relevant item at all."""
    values, chances = value.ravel(), chance.ravel()
    if undefined == "exclude":
        some = 1 - chances[0]
        if some <= 0:
            raise DataError("no item can be relevant, so that nothing is left of the distribution")
        values, chances = values[1:], chances[1:] / chances[1:].sum()
    possible = chances > 0
    return Distribution(values[possible], chances[possible])
