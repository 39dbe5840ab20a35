"""Expectation–maximisation against a slow one, and in a simulation where the model holds."""

import numpy as np
import pytest
from support.anaesthetists import OBSERVERS, TABLE

from fuzzytruth.annotators.influences.latent_classes import (
    ClassVotes,
    jackknife_right,
    latent_classes,
)


def counts_of_the_paper() -> np.ndarray:
    counts = np.zeros((45, 5, 4))
    for patient, answers in enumerate(TABLE):
        for observer, answer in zip(OBSERVERS, answers, strict=True):
            counts[patient, int(observer) - 1, int(answer) - 1] += 1
    return counts


def votes_of(counts: np.ndarray) -> ClassVotes:
    unit, subject, value = np.nonzero(counts)
    times = counts[unit, subject, value].astype(int)
    unit, subject, value = (np.repeat(axis, times) for axis in (unit, subject, value))
    return ClassVotes.of(unit, subject, value, *counts.shape)


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
    found = latent_classes(votes_of(counts), max_iterations=iterations)
    np.testing.assert_allclose(found.posterior, posterior, atol=1e-10)
    assert found.log_likelihood == pytest.approx(likelihood, rel=1e-10)
    assert found.n_iterations == iterations


def test_estimates_on_the_data_of_the_paper():
    found = latent_classes(votes_of(counts_of_the_paper()))
    assert found.converged
    assert found.prevalence.round(2).tolist() == [0.40, 0.42, 0.11, 0.07]
    first = [[0.89, 0.11, 0, 0], [0.07, 0.88, 0.05, 0], [0, 0.34, 0.66, 0], [0, 0, 0.56, 0.44]]
    np.testing.assert_allclose(found.errors[0].T, first, atol=0.005)  # by true class
    np.testing.assert_allclose(found.errors.sum(axis=1), 1.0, rtol=1e-12)
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
    found = latent_classes(votes_of(counts))
    np.testing.assert_allclose(found.errors, errors, atol=0.07)  # some 350 votes a cell
    best = found.posterior.argmax(axis=1)
    right, sure = (best == truth).mean(), found.posterior.max(axis=1).mean()
    assert abs(right - sure) < 3 * np.sqrt(right * (1 - right) / len(truth)) + 0.005
    share = counts.sum(axis=1).argmax(axis=1)
    assert right > (share == truth).mean()


def test_smoothing_pulls_towards_all_subjects():
    _, _, counts = simulated(300)
    votes = votes_of(counts)
    found = latent_classes(votes, smoothing=1e9)
    table = votes.table(found.posterior).sum(axis=0)
    for one in found.errors:
        np.testing.assert_allclose(one, table / table.sum(axis=0), atol=1e-6)


def test_jackknife_leaves_out_blocks():
    _, _, counts = simulated(120)
    votes = votes_of(counts)
    fitted = latent_classes(votes)
    block = np.arange(120) % 4
    found = jackknife_right(votes, fitted, block, 4, tolerance=1e-9)
    for b in range(4):
        rest = votes_of(np.where((block == b)[:, None, None], 0, counts)[block != b])
        anew = latent_classes(rest, start=fitted.posterior[block != b], tolerance=1e-9)
        right, n = rest.right(anew.posterior)
        np.testing.assert_allclose(found[b], right / n, rtol=1e-9)
