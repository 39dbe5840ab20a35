"""Strengths and covariances from arrays, against statsmodels, choix and formulas."""

import numpy as np
import pytest
from support.pairwise import by_statsmodels

from fuzzytruth.core.arithmetic import offsets_of
from fuzzytruth.stats.bradley_terry import (
    Comparisons,
    cluster_robust,
    components,
    fit_strengths,
)

#: times that the first item won, and the second
DECIDED = {(0, 1): (7, 3), (1, 2): (5, 4), (0, 3): (6, 1), (2, 3): (5, 2)}
# choix 0.4.1: choix.ilsr_pairwise(4, ..., max_iter=1000, tol=1e-14)
CHOIX = [0.924027078409, 0.109471198322, -0.082581314344, -0.950916962388]


def random_comparisons(sizes: list[int], *, rows: int, seed: int) -> tuple[Comparisons, np.ndarray]:
    """Comparisons with ties in several queries, and a cluster of each."""
    rng = np.random.default_rng(seed)
    offsets = offsets_of(np.array(sizes))
    query = np.repeat(np.arange(len(sizes)), rows)
    size = np.array(sizes)[query]
    first = rng.integers(0, size)
    second = (first + rng.integers(1, size)) % size
    share = rng.choice([0.0, 0.5, 1.0], size=len(query), p=[0.35, 0.2, 0.45])
    weight = rng.integers(1, 4, size=len(query)).astype(float)
    start = offsets[query]
    return Comparisons(first + start, second + start, share, weight, offsets), rng.integers(
        0, 12, size=len(query)
    )


def test_choix() -> None:
    first, second = np.repeat([*DECIDED], 2, axis=0).T
    weight, share = np.ravel([*DECIDED.values()]).astype(float), np.tile([1.0, 0.0], 4)
    fit = fit_strengths(Comparisons(first, second, share, weight, np.array([0, 4])))
    np.testing.assert_allclose(fit.value, CHOIX, atol=1e-12)


@pytest.mark.parametrize(("wins", "losses"), [(30, 10), (1e9, 1), (0.25, 0.5)])
def test_two_items_have_the_log_odds(wins: float, losses: float) -> None:
    weight = np.array([wins, losses], dtype=float)
    both = Comparisons(np.array([0, 1]), np.array([1, 0]), np.ones(2), weight, np.array([0, 2]))
    fit = fit_strengths(both)
    half = np.log(wins / losses) / 2
    np.testing.assert_allclose(fit.value, [half, -half], rtol=1e-12, atol=1e-15)
    variance = (1 / wins + 1 / losses) / 4  # of half the log odds
    expected = [variance, -variance, -variance, variance]
    np.testing.assert_allclose(fit.covariance, expected, rtol=1e-9)


@pytest.mark.parametrize("seed", range(2))
def test_statsmodels(seed: int) -> None:
    sizes = [3, 7, 2, 5, 12]
    data, cluster = random_comparisons(sizes, rows=150, seed=seed)
    fit = fit_strengths(data)
    robust, agree = cluster_robust(fit, data, cluster)
    cells = offsets_of(np.array(sizes) ** 2)
    assert not agree.any()
    assert fit.df.tolist() == [np.inf] * 5
    for j, size in enumerate(sizes):
        start = data.offsets[j]
        rows = np.flatnonzero((data.first >= start) & (data.first < start + size))
        rows = np.repeat(rows, data.weight[rows].astype(int))
        given = data.first[rows] - start, data.second[rows] - start, data.share[rows]
        value, covariance = by_statsmodels(*given)
        np.testing.assert_allclose(fit.value[start : start + size], value, atol=1e-10)
        own = slice(cells[j], cells[j + 1])
        np.testing.assert_allclose(fit.covariance[own], covariance.ravel(), atol=1e-10)
        clustered = by_statsmodels(*given, cluster[rows])[1]
        np.testing.assert_allclose(robust.covariance[own], clustered.ravel(), atol=1e-10)
        assert robust.df[j] == len(np.unique(cluster[rows])) - 1


def test_a_prior_is_tied_comparisons_of_all_pairs() -> None:
    data, cluster = random_comparisons([5], rows=30, seed=1)
    added = (*np.triu_indices(5, 1), np.full(10, 0.5), np.full(10, 0.7))
    given = (data.first, data.second, data.share, data.weight)
    more = Comparisons(*map(np.append, given, added), data.offsets)
    fit, same = fit_strengths(data, prior=0.7), fit_strengths(more)
    np.testing.assert_allclose(fit.value, same.value, atol=1e-12)
    np.testing.assert_allclose(fit.covariance, same.covariance, atol=1e-12)
    # its part of the derivative is no cluster's: the clusters' are centred
    scores = np.zeros((12, 5))
    surplus = data.share - 1 / (1 + np.exp(fit.value[data.second] - fit.value[data.first]))
    np.add.at(scores, (cluster, data.first), data.weight * surplus)
    np.add.at(scores, (cluster, data.second), -data.weight * surplus)
    scores = scores[np.unique(cluster)]
    bread, n = fit.covariance.reshape(5, 5), len(scores)
    expected = bread @ (n * np.cov(scores.T)) @ bread
    robust = cluster_robust(fit, data, cluster)[0]
    np.testing.assert_allclose(robust.covariance, expected.ravel(), atol=1e-12)


def test_components() -> None:
    """0 → 1 → 2 → 0 is a cycle; 3 lost to 2; 4 and 5 were never compared with the others."""
    first, second = np.array([0, 1, 2, 2, 4]), np.array([1, 2, 0, 3, 5])
    data = Comparisons(first, second, np.array([1, 1, 1, 1, 0.5]), np.ones(5), np.array([0, 6]))
    strong, weak = components(data.wins())
    assert strong[0] == strong[1] == strong[2] != strong[3]
    assert strong[4] == strong[5]
    assert weak[0] == weak[3] != weak[4]


def test_strengths_that_do_not_exist_raise() -> None:
    never = Comparisons(np.array([0]), np.array([1]), np.ones(1), np.ones(1), np.array([0, 2]))
    with pytest.raises(np.linalg.LinAlgError):
        fit_strengths(never)
