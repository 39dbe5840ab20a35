"""Two distributions beside each other.

Which of two random numbers is larger depends on how they vary together, which two distributions do
not say: systems that share items share the truth of those. Such questions are answered here only
for independent numbers, and only if the caller says so. Distances between distributions need not
know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.atoms import NEAR, merge
from fuzzytruth.core.validation import number
from fuzzytruth.errors import IndependenceError, OptionError, require, shown

if TYPE_CHECKING:
    from fuzzytruth.data.distribution.distribution import Distribution

Side = Literal["left", "right"]

_MOST_PAIRS = 20_000_000
_ROUNDING = 1e-12


def difference(a: Distribution, b: Distribution, *, independent: bool = False) -> Distribution:
    """Distribution of A - B for independent A and B.

    Parameters
    ----------
    a, b : Distribution
    independent : bool
        Must be True: the caller's word that A and B are independent.

    Returns
    -------
    Distribution

    Raises
    ------
    IndependenceError
        ``independent=True`` was not given.
    OptionError
        More than 20 million pairs of atoms.

    Examples
    --------
    >>> from fuzzytruth import Distribution
    >>> coin = Distribution.from_atoms([0, 1], [0.5, 0.5])
    >>> difference(coin, coin, independent=True).probabilities.tolist()
    [0.25, 0.5, 0.25]
    """
    _check(b, independent)
    if len(a.values) * len(b.values) > _MOST_PAIRS:
        raise OptionError(
            f"difference of {len(a.values):,} × {len(b.values):,} atoms: at most {_MOST_PAIRS:,} "
            "pairs; prob_greater and prob_equal need none"
        )
    gaps = np.subtract.outer(a.values, b.values).ravel()
    chances = np.multiply.outer(a.probabilities, b.probabilities).ravel()
    scale = float(max(np.abs(a.values).max(), np.abs(b.values).max()))
    gaps[np.abs(gaps) <= _ROUNDING * scale] = 0.0
    drawn = [d.n_samples for d in (a, b) if d.n_samples is not None]
    error = float(np.hypot(a.mc_error, b.mc_error))
    return type(a)(*merge(gaps, chances, scale), min(drawn, default=None), error)


def prob_greater(a: Distribution, b: Distribution, *, independent: bool = False) -> float:
    """P(A > B) for independent A and B; values within 1e-9 of each other are ties, not counted.

    Parameters
    ----------
    a, b : Distribution
    independent : bool
        Must be True: the caller's word that A and B are independent.

    Raises
    ------
    IndependenceError
        ``independent=True`` was not given.

    Examples
    --------
    >>> from fuzzytruth import Distribution
    >>> die = Distribution.from_atoms([1, 2, 3, 4, 5, 6], [1 / 6] * 6)
    >>> round(prob_greater(die, die, independent=True), 6)
    0.416667
    """
    _check(b, independent)
    return _expected(a, _below(b, a.values - _tie(a.values), "left"))


def prob_equal(a: Distribution, b: Distribution, *, independent: bool = False) -> float:
    """P(A = B), within 1e-9, for independent A and B.

    Parameters and errors are those of `prob_greater`.

    Examples
    --------
    >>> from fuzzytruth import Distribution
    >>> die = Distribution.from_atoms([1, 2, 3, 4, 5, 6], [1 / 6] * 6)
    >>> round(prob_equal(die, die, independent=True), 6)
    0.166667
    """
    _check(b, independent)
    tie = _tie(a.values)
    within = _below(b, a.values + tie, "right") - _below(b, a.values - tie, "left")
    return _expected(a, within)


def wasserstein(a: Distribution, b: Distribution) -> float:
    """Wasserstein-1 (earth mover's) distance: the area between the two cdfs.

    In units of the values. It compares the distributions as such, so that it does not matter how
    A and B vary together.

    References
    ----------
    Vallender, S. S. (1974), Calculation of the Wasserstein distance between probability
    distributions on the line, Theory of Probability and its Applications 18.

    Examples
    --------
    >>> from fuzzytruth import Distribution
    >>> wasserstein(Distribution.point(0.25), Distribution.from_atoms([0, 1], [0.5, 0.5]))
    0.5
    """
    check_distribution("other", b)
    points = np.sort(np.concatenate([a.values, b.values]))
    gap = np.abs(_below(a, points[:-1], "right") - _below(b, points[:-1], "right"))
    return float(gap @ np.diff(points))


def dominates(a: Distribution, b: Distribution, *, order: int = 1) -> bool:
    """Whether A is stochastically larger than B.

    Parameters
    ----------
    order : {1, 2}
        First order: P(A > x) ≥ P(B > x) for every x, and not always equal; then the mean of every
        increasing function is at least as large under A. Second order: the area under the cdf up
        to any x is no larger for A; then that holds for every increasing *concave* function, whose
        user minds a bad value more than a good one helps. First order implies second.

    Returns
    -------
    bool
        Differences of 1e-12 count as rounding. Of two distributions, often neither dominates.

    References
    ----------
    Quirk, J. P. & Saposnik, R. (1962), Admissibility and measurable utility functions, Review of
    Economic Studies 29; Hadar, J. & Russell, W. R. (1969), Rules for ordering uncertain prospects,
    American Economic Review 59.

    Examples
    --------
    >>> from fuzzytruth import Distribution
    >>> low = Distribution.from_atoms([0, 1], [0.5, 0.5])
    >>> high = Distribution.from_atoms([0, 1], [0.25, 0.75])
    >>> dominates(high, low), dominates(low, high), dominates(low, low)
    (True, False, False)
    >>> sure = Distribution.point(0.5)
    >>> dominates(sure, low), dominates(sure, low, order=2)
    (False, True)
    """
    check_distribution("other", b)
    if order not in (1, 2) or isinstance(order, bool):
        raise OptionError(f"order={order!r}: must be 1 or 2")
    points = np.sort(np.concatenate([a.values, b.values]))
    lead = b.cdf(points) - a.cdf(points)
    if order == 2:  # both cdfs are constant between points
        lead = np.concatenate(([0.0], np.cumsum(lead[:-1] * np.diff(points))))
    return bool(lead.min() >= -_ROUNDING and lead.max() > _ROUNDING)


def _below(d: Distribution, points: Floats, side: Side) -> Floats:
    """P(D < x) at each of the points, or P(D ≤ x) if `side` is "right"."""
    running = np.concatenate(([0.0], d.cdf(d.values)))
    out: Floats = running[np.searchsorted(d.values, points, side=side)]
    return out


def _tie(values: Floats) -> Floats:
    """How near another value has to be."""
    return NEAR * np.maximum(1.0, np.abs(values))


def _expected(d: Distribution, chances: Floats) -> float:
    """Mean of a probability that depends on the atom."""
    return float(np.clip(d.probabilities @ chances, 0.0, 1.0))


def check_distribution(name: str, given: object) -> None:
    """Raise `OptionError` unless it is a distribution."""
    from fuzzytruth.data.distribution.distribution import Distribution

    rule = "must be a Distribution; Distribution.point(x) is sure of a number"
    require(name, given, isinstance(given, Distribution), rule)


def check_distributions(given: object) -> None:
    """Raise `OptionError` unless it is a list of distributions."""
    if not isinstance(given, Sequence):
        raise OptionError(f"distributions={shown(given)}: must be a list of distributions")
    for j, part in enumerate(given):
        check_distribution(f"distributions[{j}]", part)


def operand(given: object) -> float:
    """A number that a distribution is added to or multiplied by."""
    from fuzzytruth.data.distribution.distribution import Distribution

    if isinstance(given, Distribution):
        raise IndependenceError(
            "two distributions do not say how they vary together: use a.difference(b, "
            "independent=True) if they are independent, else scores over shared worlds"
        )
    return number("operand", given)


def _check(other: object, independent: bool) -> None:
    check_distribution("other", other)
    if independent is not True:
        raise IndependenceError(
            "two distributions do not say how they vary together, and systems that share items "
            "share their truth: take P(A > B) from scores over shared worlds, or say "
            "independent=True if A and B have nothing in common"
        )
