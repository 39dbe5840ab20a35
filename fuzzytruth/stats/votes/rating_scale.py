"""Ordered grades: severities of subjects by the rating-scale model (many-facet Rasch).

log P(grade j) / P(grade j - 1) = θ_i - b_s - d_j, with units' values θ ~ N(0, σ²), severities
b ~ N(0, ω²) of mean 0, and thresholds d common to all. Estimates are by expectation-maximisation
over nodes of θ; each step is one of Fisher's scoring on the table of expected votes (subjects,
grades, nodes), so that its cost does not depend on the number of votes.

References
----------
Andrich, D. (1978), A rating formulation for ordered response categories, Psychometrika 43.
Linacre, J. M. (1989), Many-facet Rasch measurement.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.stats.votes.table import VoteTable, softmax

_NODES = 15
_LEAST = 1e-12
_FIRST_SIGMA = 0.3  # log σ at first
_LEAST_VARIANCE = 0.02  # of severities
#: information that a vote has on a severity, roughly, which keeps their variance from collapsing
_PER_VOTE = 0.12


@dataclass(frozen=True, slots=True, eq=False)
class RatingScale:
    """Estimates of the rating-scale model.

    Parameters
    ----------
    severity : (subjects,) float
        In logits, of mean 0; a severe subject gives lower grades.
    threshold : (grades - 1,) float
    sigma : float
        Standard deviation of the units' values.
    variance : float
        Of the severities, ω².
    states : (units, nodes) float
        Probabilities of the units' values, given the votes.
    log_likelihood : float
        Of the votes, natural logarithm, without the prior.
    n_iterations : int
    converged : bool
    """

    severity: Floats
    threshold: Floats
    sigma: float
    variance: float
    states: Floats
    log_likelihood: float
    n_iterations: int
    converged: bool

    @property
    def parameters(self) -> Floats:
        """Severities, thresholds and log σ: (parameters,)."""
        return np.concatenate([self.severity, self.threshold, [np.log(self.sigma)]])

    def values(self) -> tuple[Floats, Floats]:
        """Means and standard deviations of the units' values, in logits: (units,) each."""
        nodes = self.sigma * _nodes()[0]
        mean = self.states @ nodes
        return mean, np.sqrt(np.maximum(self.states @ nodes**2 - mean**2, 0.0))

    def tables(self) -> tuple[Floats, Floats, Floats]:
        """Probabilities of grades, by each subject and by one of mean severity, and nodes' weights.

        (subjects, grades, nodes), (nodes, grades), and logarithms (nodes,).
        """
        average = np.append(np.zeros(1), [*self.threshold, np.log(self.sigma)])
        each = _probabilities(self.parameters, len(self.severity))
        return each, _probabilities(average, 1)[0].T, _nodes()[1]


def fit_rating_scale(
    votes: VoteTable, *, tolerance: float = 1e-4, max_iterations: int = 300
) -> RatingScale:
    """Estimates of severities and thresholds; classes of the votes are grades, ascending."""
    s, k = votes.n_subjects, votes.n_classes
    share = np.bincount(votes.value, votes.weight, k) / votes.weight.sum()
    above = np.clip(1 - share.cumsum()[:-1], 0.01, 0.99)
    parameters = np.concatenate([np.zeros(s), -np.log(above / (1 - above)), [_FIRST_SIGMA]])
    variance, per_subject = 1.0, float(votes.weight.sum()) / s
    transposed = votes.matrix.T.tocsr()
    states, likelihood, iteration, converged = np.empty((0, 0)), -np.inf, 0, False
    while not converged and iteration < max_iterations:
        states, likelihood = _expect(votes, parameters)
        table = np.asarray(transposed @ states).reshape(s, k, -1)
        new = _scored(parameters, table, variance)
        mean = new[:s].mean()
        new[:s] -= mean
        new[s:-1] += mean
        if iteration > 3:
            kept = s * variance / (1 + variance * per_subject * _PER_VOTE)
            variance = max(float((new[:s] ** 2).sum() + kept + 1.0) / (s + 2), _LEAST_VARIANCE)
        converged = bool(np.abs(new - parameters).max() < tolerance)
        parameters = new
        iteration += 1
    own = parameters[:s], parameters[s:-1], float(np.exp(parameters[-1]))
    return RatingScale(*own, variance, states, likelihood, iteration, converged)


def severity_errors(votes: VoteTable, fitted: RatingScale, step: float = 1e-3) -> Floats:
    """Standard errors of severities, about their mean, by observed information: (subjects,)."""
    parameters, s = fitted.parameters, votes.n_subjects
    rows = [
        _score(votes, parameters - step * unit, fitted.variance)
        - _score(votes, parameters + step * unit, fitted.variance)
        for unit in np.eye(len(parameters))
    ]
    information = np.array(rows) / (2 * step)
    value, vector = np.linalg.eigh((information + information.T) / 2)
    inverse = (vector / np.maximum(value, 1e-3)) @ vector.T
    centred = np.eye(s) - 1 / s
    return np.sqrt(np.diag(centred @ inverse[:s, :s] @ centred))


@cache
def _nodes() -> tuple[Floats, Floats]:
    """Standard normal nodes, and logarithms of their weights."""
    x, weight = np.polynomial.hermite_e.hermegauss(_NODES)
    return x, np.log(weight / weight.sum())


def _probabilities(parameters: Floats, s: int) -> Floats:
    """Of each grade: (subjects, grades, nodes)."""
    severity, threshold = parameters[:s], parameters[s:-1]
    value = np.exp(parameters[-1]) * _nodes()[0]
    steps = value - severity[:, None, None] - threshold[:, None]  # (subjects, grades - 1, nodes)
    log = np.concatenate([np.zeros((s, 1, len(value))), steps.cumsum(axis=1)], axis=1)
    odds = np.exp(log - log.max(axis=1, keepdims=True))
    return np.asarray(np.maximum(odds / odds.sum(axis=1, keepdims=True), _LEAST))


def _expect(votes: VoteTable, parameters: Floats) -> tuple[Floats, float]:
    """Probabilities of the nodes (units, nodes), and the log likelihood."""
    log = np.log(_probabilities(parameters, votes.n_subjects))
    flat = log.reshape(votes.n_subjects * votes.n_classes, -1)
    return softmax(np.asarray(votes.matrix @ flat) + _nodes()[1])


def _slopes(probability: Floats, sigma: float) -> list[Floats]:
    """Derivatives of log probabilities by severity, each threshold, and log σ.

    (subjects, grades, nodes) each. The logarithm of a grade's odds is a sum of steps, of which each
    parameter moves some.
    """
    grades = np.arange(probability.shape[1])
    out = []
    moved: list[Any] = [-grades, *(-(grades >= j).astype(float) for j in grades[1:])]
    for by in moved:
        by = np.asarray(by, dtype=np.float64)[None, :, None]
        out.append(by - (probability * by).sum(axis=1, keepdims=True))
    by = grades[None, :, None] * (sigma * _nodes()[0])
    out.append(by - (probability * by).sum(axis=1, keepdims=True))
    return out


def _gradient(table: Floats, slopes: list[Floats]) -> Floats:
    of_each = (table * slopes[0]).sum(axis=(1, 2))
    return np.concatenate([of_each, [(table * slope).sum() for slope in slopes[1:]]])


def _scored(parameters: Floats, table: Floats, variance: float) -> Floats:
    """Parameters after a step of Fisher's scoring."""
    s = len(table)
    probability = _probabilities(parameters, s)
    slopes = _slopes(probability, float(np.exp(parameters[-1])))
    weight = table.sum(axis=1, keepdims=True) * probability
    gradient, size = _gradient(table, slopes), len(parameters)
    information = np.zeros((size, size))
    by_subject = np.array([(weight * slopes[0] * slope).sum(axis=(1, 2)) for slope in slopes])
    information[np.arange(s), np.arange(s)] = by_subject[0] + 1 / variance
    information[:s, s:] = by_subject[1:].T
    information[s:, :s] = by_subject[1:]
    for a, first in enumerate(slopes[1:]):
        for b, second in enumerate(slopes[1:]):
            information[s + a, s + b] = (weight * first * second).sum()
    gradient[:s] -= parameters[:s] / variance
    step = np.linalg.solve(information + 1e-8 * np.eye(size), gradient)
    return np.asarray(parameters + np.clip(step, -1, 1))


def _score(votes: VoteTable, parameters: Floats, variance: float) -> Floats:
    """Gradient of the marginal log likelihood and the severities' prior: (parameters,)."""
    s = votes.n_subjects
    states, _ = _expect(votes, parameters)
    table = np.asarray(votes.matrix.T @ states).reshape(s, votes.n_classes, -1)
    slopes = _slopes(_probabilities(parameters, s), float(np.exp(parameters[-1])))
    gradient = _gradient(table, slopes)
    gradient[:s] -= parameters[:s] / variance
    return gradient
