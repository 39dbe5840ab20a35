"""Severities by the rating-scale model, against brute force and known truths."""

import numpy as np
import pytest
from scipy.optimize import minimize

from fuzzytruth.stats.votes.models import fit_votes
from fuzzytruth.stats.votes.rating_scale import fit_rating_scale, severity_errors
from fuzzytruth.stats.votes.table import VoteTable


def panel(s: int, n: int, m: int, k: int, *, seed: int = 0) -> tuple[VoteTable, np.ndarray]:
    """Grades, and the severities."""
    rng = np.random.default_rng([seed, s, n, m, k])
    severity = rng.normal(0, 0.7, s)
    severity -= severity.mean()
    value, threshold = rng.normal(0, 1.5, n), np.linspace(-1.2, 1.2, k - 1)
    unit = np.repeat(np.arange(n), m)
    subject = np.concatenate([rng.permutation(s)[:m] for _ in range(n)])
    steps = (value[unit] - severity[subject])[:, None] - threshold
    odds = np.exp(np.c_[np.zeros(len(unit)), steps.cumsum(axis=1)])
    ends = (odds / odds.sum(axis=1, keepdims=True)).cumsum(axis=1)
    grade = (rng.random(len(unit))[:, None] > ends).sum(axis=1).clip(0, k - 1)
    return VoteTable.of(unit, subject, grade, (n, s, k)), severity


def log_posterior(x: np.ndarray, votes: VoteTable, variance: float) -> float:
    """Marginal likelihood by the trapezoid rule, and the prior of severities."""
    s, k = votes.n_subjects, votes.n_classes
    severity, threshold, sigma = x[:s], x[s : s + k - 1], np.exp(x[-1])
    theta = np.linspace(-6, 6, 241)
    weight = np.exp(-(theta**2) / 2)
    weight /= weight.sum()
    log = np.zeros((votes.n_units, len(theta)))
    for unit, subject, grade in zip(votes.unit, votes.subject, votes.value, strict=True):
        steps = (sigma * theta - severity[subject])[:, None] - threshold
        odds = np.c_[np.zeros(len(theta)), steps.cumsum(axis=1)]
        log[unit] += odds[:, grade] - np.logaddexp.reduce(odds, axis=1)
    return float(np.log(np.exp(log) @ weight).sum() - (severity**2).sum() / 2 / variance)


@pytest.mark.parametrize("k", [2, 4])
def test_against_brute_force(k: int) -> None:
    votes, _ = panel(3, 25, 3, k)
    found = fit_rating_scale(votes, tolerance=1e-9)
    best = minimize(lambda x: -log_posterior(x, votes, found.variance), found.parameters)
    shift = best.x[:3].mean()
    np.testing.assert_allclose(found.severity, best.x[:3] - shift, atol=2e-3)
    np.testing.assert_allclose(found.threshold, best.x[3:-1] + shift, atol=3e-3)
    own = log_posterior(found.parameters, votes, found.variance)
    own += (found.severity**2).sum() / 2 / found.variance
    assert found.log_likelihood == pytest.approx(own, abs=2e-3)


def test_recovers_severities_within_their_intervals() -> None:
    covered, r = [], []
    for seed in range(15):
        votes, severity = panel(10, 100, 3, 4, seed=seed)
        found = fit_rating_scale(votes)
        error = severity_errors(votes, found)
        covered.append((np.abs(found.severity - severity) <= 1.96 * error).mean())
        r.append(np.corrcoef(found.severity, severity)[0, 1])
    assert np.mean(covered) == pytest.approx(0.95, abs=0.045)
    assert np.mean(r) > 0.9


def test_as_a_model_of_votes() -> None:
    votes, _ = panel(8, 60, 4, 3)
    found = fit_votes(votes, "rating-scale")
    assert found.scale is not None
    np.testing.assert_allclose(found.posterior.sum(axis=1), 1)
    mean, spread = found.scale.values()
    expected = found.posterior @ np.arange(3)
    assert np.corrcoef(mean, expected)[0, 1] > 0.97
    assert (spread > 0).all()
    severe = int(found.scale.severity.argmax())
    low = found.confusion[severe, 0].mean()
    assert low > found.confusion[int(found.scale.severity.argmin()), 0].mean()
