"""Expectation–maximisation against a slow one, and in a simulation where the model holds."""

import numpy as np
import pytest
from scipy.special import expit, logit
from support.anaesthetists import OBSERVERS, TABLE
from support.crowds import crowd

from fuzzytruth.stats.votes.models import (
    accuracies,
    fit_votes,
    log_odds_errors,
)
from fuzzytruth.stats.votes.table import VoteTable


def counts_of_the_paper() -> np.ndarray:
    counts = np.zeros((45, 5, 4))
    for patient, answers in enumerate(TABLE):
        for observer, answer in zip(OBSERVERS, answers, strict=True):
            counts[patient, int(observer) - 1, int(answer) - 1] += 1
    return counts


def votes_of(counts: np.ndarray) -> VoteTable:
    unit, subject, value = np.nonzero(counts)
    times = counts[unit, subject, value].astype(int)
    unit, subject, value = (np.repeat(axis, times) for axis in (unit, subject, value))
    return VoteTable.of(unit, subject, value, counts.shape)


def slow(counts: np.ndarray, iterations: int):
    """Eqs. 3.1, then 2.3 to 2.5, number by number: posterior, prevalence, errors, likelihood."""
    n, s, k = counts.shape
    posterior = counts.sum(axis=1) / counts.sum(axis=(1, 2))[:, None]
    for _ in range(iterations):
        prevalence = posterior.mean(axis=0)
        errors = np.zeros((s, k, k))  # observer, true, said
        for o in range(s):
            for true in range(k):
                for said in range(k):
                    errors[o, true, said] = (posterior[:, true] * counts[:, o, said]).sum()
                if errors[o, true].sum() > 0:
                    errors[o, true] /= errors[o, true].sum()
        joint = np.ones((n, k)) * prevalence
        for i in range(n):
            for true in range(k):
                for o in range(s):
                    for said in range(k):
                        joint[i, true] *= errors[o, true, said] ** counts[i, o, said]
        posterior = joint / joint.sum(axis=1, keepdims=True)
    return posterior, np.log(joint.sum(axis=1)).sum()


@pytest.mark.parametrize("iterations", [1, 15])
def test_against_the_equations_on_the_data_of_the_paper(iterations):
    counts = counts_of_the_paper()
    assert counts.sum() == 315
    posterior, likelihood = slow(counts, iterations)
    found = fit_votes(votes_of(counts), prior=0, max_iterations=iterations, tolerance=0)
    np.testing.assert_allclose(found.posterior, posterior, atol=1e-10)
    assert found.log_likelihood == pytest.approx(likelihood, rel=1e-10)
    assert found.n_iterations == iterations


def test_estimates_on_the_data_of_the_paper():
    found = fit_votes(votes_of(counts_of_the_paper()), prior=0, tolerance=1e-6)
    assert found.converged
    assert found.prevalence.round(2).tolist() == [0.40, 0.42, 0.11, 0.07]
    first = [[0.89, 0.11, 0, 0], [0.07, 0.88, 0.05, 0], [0, 0.34, 0.66, 0], [0, 0, 0.56, 0.44]]
    np.testing.assert_allclose(found.confusion[0].T, first, atol=0.005)  # by true class
    np.testing.assert_allclose(found.confusion.sum(axis=1), 1.0, rtol=1e-9)
    np.testing.assert_allclose(found.posterior.sum(axis=1), 1.0, rtol=1e-12)


def simulated(n=3000, s=6, k=3, seed=1):
    rng = np.random.default_rng(seed)
    truth = rng.choice(k, n, p=np.arange(1, k + 1) / (k * (k + 1) / 2))
    errors = np.stack([rng.dirichlet(np.ones(k) + 9 * np.eye(k)[j], s) for j in range(k)], axis=2)
    counts = np.zeros((n, s, k))
    for o in range(s):
        said = (rng.random(n)[:, None] > np.cumsum(errors[o][:, truth].T, axis=1)).sum(axis=1)
        counts[np.arange(n), o, np.minimum(said, k - 1)] = 1
    counts[rng.random((n, s)) < 0.3] = 0
    return truth, errors, counts


def test_it_finds_the_errors_where_the_model_holds():
    truth, errors, counts = simulated()
    found = fit_votes(votes_of(counts), prior=0)
    np.testing.assert_allclose(found.confusion, errors, atol=0.07)  # some 350 votes a cell
    best = found.posterior.argmax(axis=1)
    right, sure = (best == truth).mean(), found.posterior.max(axis=1).mean()
    assert abs(right - sure) < 3 * np.sqrt(right * (1 - right) / len(truth)) + 0.005
    share = counts.sum(axis=1).argmax(axis=1)
    assert right > (share == truth).mean()


def test_the_prior_draws_towards_all_subjects() -> None:
    _, _, counts = simulated(300)
    votes = votes_of(counts)
    found = fit_votes(votes, prior=1e9)
    table = np.asarray(votes.matrix.T @ found.posterior).reshape(6, 3, 3).sum(axis=0)
    for one in found.confusion:
        np.testing.assert_allclose(one, table / table.sum(axis=0), atol=0.02)


def brute_force(votes: VoteTable, errors: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """Posterior of states (units, states), number by number."""
    joint = np.tile(prior, (votes.n_units, 1))
    for unit, subject, value in zip(votes.unit, votes.subject, votes.value, strict=True):
        joint[unit] *= errors[subject, value].ravel()
    return joint / joint.sum(axis=1, keepdims=True)


@pytest.mark.parametrize(
    "model", ["pooled", "one-coin", "dawid-skene", "glad", "clarity", "rating-scale"]
)
def test_posteriors_of_all_models(model: str) -> None:
    votes, _ = crowd("coin", 6, 40, 4, 3)
    found = fit_votes(votes, model, max_iterations=2000)
    prior = np.exp(found.log_prior) / np.exp(found.log_prior).sum()
    expected = brute_force(votes, found.errors.reshape(6, 3, -1), prior)
    np.testing.assert_allclose(found.states, expected, atol=2e-4)  # of the step before the last
    np.testing.assert_allclose(found.posterior.sum(axis=1), 1, rtol=1e-9)
    np.testing.assert_allclose(found.confusion.sum(axis=1), 1, rtol=1e-6)
    assert found.converged


#: accuracy, mean probability and iterations, of 200 units; equal to those of an independent program
FIGURES = [
    ("hard", "one-coin", 0.895, 0.9826),
    ("hard", "glad", 0.895, 0.9559),
    ("hard", "clarity", 0.895, 0.9193),
]


@pytest.mark.parametrize(("kind", "model", "right", "sure"), FIGURES)
def test_models_of_hard_units_are_less_sure(
    kind: str, model: str, right: float, sure: float
) -> None:
    votes, truth = crowd(kind, 20, 200, 10)
    found = fit_votes(votes, model).posterior
    assert (found.argmax(axis=1) == truth).mean() == pytest.approx(right, abs=0.02)
    assert found.max(axis=1).mean() == pytest.approx(sure, abs=0.02)


def test_maximum_likelihood_is_surer_than_with_a_prior() -> None:
    gaps = []
    for seed in range(10):
        votes, truth = crowd("coin", 20, 150, 3, 3, seed=seed)
        for prior in (0.0, 4.0):
            posterior = fit_votes(votes, prior=prior).posterior
            gaps.append(posterior.max(axis=1).mean() - (posterior.argmax(axis=1) == truth).mean())
    of_none, of_four = np.array(gaps).reshape(-1, 2).mean(axis=0)
    assert (of_none, of_four) == pytest.approx((0.153, 0.064), abs=0.005)


def test_observed_information_against_the_likelihood() -> None:
    """Of one coin each, by differences of the marginal likelihood with the prior."""
    votes, _ = crowd("coin", 5, 60, 4)
    found = fit_votes(votes, "one-coin", tolerance=1e-10, max_iterations=2000)
    q0 = found.errors[:, 0, 0, 0]
    right, _ = accuracies(votes, found)
    np.testing.assert_allclose(right, q0, atol=1e-3)
    table = np.asarray(votes.matrix.T @ found.posterior).reshape(5, 2, 2)
    mean = np.einsum("skk->s", table).sum() / table.sum()

    def log_posterior(odds: np.ndarray) -> float:
        q = expit(odds)
        e = np.stack([np.stack([q, 1 - q], 1), np.stack([1 - q, q], 1)], axis=1)
        joint = np.asarray(votes.matrix @ np.log(e).reshape(10, 2)) + found.log_prior
        own = 4 * (mean * np.log(q) + (1 - mean) * np.log(1 - q))
        return float(np.logaddexp.reduce(joint, axis=1).sum() + own.sum())

    x, h = logit(q0), 1e-3
    hessian = np.empty((5, 5))
    for a in range(5):
        for b in range(5):
            at = [
                log_posterior(x + h * (i * np.eye(5)[a] + j * np.eye(5)[b]))
                for i, j in ((1, 1), (1, -1), (-1, 1), (-1, -1))
            ]
            hessian[a, b] = (at[0] - at[1] - at[2] + at[3]) / (4 * h * h)
    expected = np.sqrt(np.diag(np.linalg.inv(-hessian)))
    np.testing.assert_allclose(log_odds_errors(votes, found), expected, rtol=1e-4)


@pytest.mark.parametrize("model", ["pooled", "dawid-skene", "glad", "clarity"])
def test_slips_do_not_become_classes(model: str) -> None:
    """Two votes in some 4,200 for a third answer; without them the same, and never the panel's."""
    truth, _, counts = simulated(1000, k=2)
    votes = votes_of(counts)
    unit, subject, value = votes.unit, votes.subject, votes.value.copy()
    slips = [10, 2000]
    value[slips] = 2
    with_slips = VoteTable.of(unit, subject, value, (1000, 6, 3))
    found = fit_votes(with_slips, model, max_iterations=300).posterior
    assert found[:, 2].max() == 0
    kept = np.ones(len(value), dtype=bool)
    kept[slips] = False
    without = fit_votes(votes.take(kept), model, max_iterations=300).posterior
    assert (found[:, :2].argmax(axis=1) == without.argmax(axis=1)).mean() > 0.995
    assert (found.argmax(axis=1) == truth).mean() > 0.9


@pytest.mark.parametrize("model", ["one-coin", "dawid-skene", "glad"])
def test_rare_answers_that_people_agree_on_are_classes(model: str) -> None:
    """Three of 4,000 units, on which all five say so."""
    unit, subject = np.repeat(np.arange(4000), 5), np.tile(np.arange(5), 4000)
    votes = VoteTable.of(unit, subject, (unit < 3).astype(int), (4000, 5, 2))
    found = fit_votes(votes, model).posterior
    assert found[:3, 1].min() > 0.5
    assert found[3:, 1].max() < 0.01


def test_answers_that_nobody_repeats_are_all_classes() -> None:
    unit, subject = np.repeat(np.arange(1200), 2), np.tile(np.arange(2), 1200)
    votes = VoteTable.of(unit, subject, np.arange(2400), (1200, 2, 2400))
    found = fit_votes(votes, "pooled", max_iterations=1)
    assert np.isfinite(found.posterior).all()
    assert found.prevalence.min() > 0
