"""Main effects of independent inputs on a function of them, from draws.

The function's variance is the sum of the inputs' own parts (main effects) and of what only several
of them together explain (Hoeffding 1948; Sobol' 1993). With features that are orthonormal under the
distribution of the inputs, an input's part is the sum of its squared coefficients, and the
regression of the function on all features estimates these. What the regression of one half of the
draws leaves unexplained in the other half corrects its coefficients without bias, since the
features are known to be orthonormal; so the fit may be shrunk, and there may be more features than
draws.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Array, Floats

_RIDGE = 0.25  # penalty for each feature a draw has


@dataclass(frozen=True, slots=True, eq=False)
class MainEffects:
    """Coefficients of features, with what is known of their errors.

    Parameters
    ----------
    coefficient : (problems, features) float
        Estimates without bias.
    error : (problems, features) float
        Variance of each as an estimate.
    variance : (problems,) float
        Of the function.
    """

    coefficient: Floats
    error: Floats
    variance: Floats

    @property
    def parts(self) -> Floats:
        """Squared coefficients, without bias; may be below 0: (problems, features)."""
        return self.coefficient**2 - self.error

    @property
    def errors_of_parts(self) -> Floats:
        """Variances of the `parts` as estimates, (problems, features); too large near 0."""
        square = np.maximum(self.parts, 0.0)
        return 4 * square * self.error + 2 * self.error**2


def main_effects(features: Array, values: Floats) -> MainEffects:
    """Regress values on features that have mean 0, variance 1 and no correlation.

    Parameters
    ----------
    features : (problems, features, draws) float
        0 throughout where a problem has fewer features.
    values : (problems, draws) float
        With 4 draws or more.
    """
    n = values.shape[-1]
    centred = values - values.mean(axis=-1, keepdims=True)
    halves = slice(0, n // 2), slice(n // 2, n)
    coefficient = np.zeros(features.shape[:2])
    error = np.zeros(features.shape[:2])
    for fitted, held in (halves, halves[::-1]):
        guess = _ridge(features[..., fitted], centred[:, fitted])
        some = features[..., held]
        rest = centred[:, held] - np.einsum("qk,qkw->qw", guess, some)
        rest = rest - rest.mean(axis=-1, keepdims=True)
        size = rest.shape[-1]
        step = np.einsum("qkw,qw->qk", some, rest) / size
        squares = np.einsum("qkw,qw->qk", some**2, rest**2) / size
        coefficient += (guess + step) / 2
        error += np.maximum(squares - step**2, 0.0) / (size - 1) / 4
    return MainEffects(coefficient, error, (centred**2).sum(axis=-1) / (n - 1))


def _ridge(features: Array, values: Floats) -> Floats:
    """Shrunk coefficients: (problems, features)."""
    n_features, n = features.shape[1:]
    penalty = _RIDGE * n_features + 1.0
    turned = features.swapaxes(1, 2)
    if n_features <= n:
        gram = features @ turned
        gram[:, np.arange(n_features), np.arange(n_features)] += penalty
        target = features @ values[..., None]
        return np.asarray(np.linalg.solve(gram, target)[..., 0])
    gram = turned @ features
    gram[:, np.arange(n), np.arange(n)] += penalty
    weight = np.linalg.solve(gram, values[..., None])
    return np.asarray((features @ weight)[..., 0])
