"""Functions of two distributions: difference, comparison, distance and dominance.

Which of two random numbers is larger depends on how they vary together, which two distributions do
not say: systems that share items share the truth about them. `difference`, `prob_greater` and
`prob_equal` assume independence; distances and dominance concern the marginals alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.atoms import NEAR, merge
from fuzzytruth.core.validation import number
from fuzzytruth.data.distribution.discrete import DiscreteDistribution
from fuzzytruth.errors import IndependenceError, OptionError, is_among, require, shown

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
