"""Probabilities recalibrated by known truths, out of sample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._lazy import special
from fuzzytruth._typing import Floats

_FOLDS = 10
_FAR = 6.0  # log odds beyond which a probability counts as no surer
_PRIOR = 1.0  # precision of the slope about 1


@dataclass(frozen=True, slots=True, eq=False)
class Recalibration:
    """P(right) = logit⁻¹(a + b logit p) of the probability p of an answer.

    Parameters
    ----------
    intercept, slope : float
    n : int
        Known truths.
    right : float
        Share of them that the answers are.
    before, after : float
        Mean probability, and mean recalibrated probability out of sample.
    """

    intercept: float
    slope: float
    n: int
    right: float
    before: float
    after: float

    def of(self, probability: Floats) -> Floats:
        """Recalibrated probabilities."""
        return np.asarray(special.expit(self.intercept + self.slope * _log_odds(probability)))


def recalibrated(probability: Floats, right: Floats) -> Recalibration:
    """By logistic regression, whose slope has a prior about 1.

    Parameters
    ----------
    probability, right : (known truths,) float
        Of the answer, and whether it is true: 1 or 0.
    """
    fold = np.arange(len(right)) % _FOLDS
    after = np.empty(len(right))
    for number in range(min(_FOLDS, len(right))):
        out = fold == number
        a, b = _fitted(probability[~out], right[~out])
        after[out] = special.expit(a + b * _log_odds(probability[out]))
    a, b = _fitted(probability, right)
    shares = float(right.mean()), float(probability.mean()), float(after.mean())
    return Recalibration(a, b, len(right), *shares)


def _log_odds(probability: Floats) -> Floats:
    return np.asarray(special.logit(probability).clip(-_FAR, _FAR))


def _fitted(probability: Floats, right: Floats) -> tuple[float, float]:
    """Intercept and slope, of the largest likelihood with a prior."""
    from scipy.optimize import minimize

    x = np.stack([np.ones(len(right)), _log_odds(probability)])
    centre, precision = np.array([0.0, 1.0]), np.array([1e-2, _PRIOR])

    def loss(beta: Floats) -> tuple[float, Floats]:
        z, off = beta @ x, beta - centre
        value = np.logaddexp(0, z).sum() - (right * z).sum() + (precision * off**2).sum() / 2
        return float(value), x @ (special.expit(z) - right) + precision * off

    found = minimize(loss, centre, jac=True).x
    return float(found[0]), float(found[1])
