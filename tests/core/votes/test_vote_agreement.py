"""Agreement of votes, beside statsmodels and on every part of the data."""

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

from fuzzytruth.core.votes.vote_agreement import (
    AgreementCounts,
    agreement_counts,
    counts_among,
    jackknife_values,
    kappa,
    mean_difference,
    quadratic_kappa,
    share_equal,
    share_of,
)

GRADES = np.array([0.0, 1.0, 2.0, 5.0])


def two(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, AgreementCounts]:
    """Clusters, two votes a unit, and their counts."""
    rng = np.random.default_rng(seed)
    cluster = np.sort(rng.integers(0, 8, 60))
    cluster = np.unique(cluster, return_inverse=True)[1]
    first = rng.integers(0, 4, 60)
    second = np.where(rng.random(60) < 0.5, first, rng.integers(0, 4, 60))
    unit = np.arange(60)
    counts = agreement_counts(unit, first, unit, second, cluster, GRADES, 4)
    return cluster, first, second, counts


def by_statsmodels(first: np.ndarray, second: np.ndarray, *, weighted: bool) -> float:
    table = np.zeros((4, 4))
    np.add.at(table, (first, second), 1)
    weights = (GRADES[:, None] - GRADES) ** 2 if weighted else None
    return float(cohens_kappa(table, weights=weights, return_results=False))


@pytest.mark.parametrize("seed", range(3))
def test_whole_and_without_each_cluster(seed: int) -> None:
    cluster, first, second, counts = two(seed)
    parts = [np.ones(60, dtype=bool), *(cluster != c for c in range(cluster.max() + 1))]
    expected = np.array(
        [
            [
                np.mean(first[kept] == second[kept]),
                by_statsmodels(first[kept], second[kept], weighted=False),
                by_statsmodels(first[kept], second[kept], weighted=True),
                np.mean(GRADES[first[kept]] - GRADES[second[kept]]),
                np.mean(second[kept] == 2),
            ]
            for kept in parts
        ]
    )
    got = [
        share_equal(counts),
        kappa(counts),
        quadratic_kappa(counts, GRADES),
        mean_difference(counts),
        share_of(counts, 2),
    ]
    np.testing.assert_allclose(np.array(got).T, expected, rtol=1e-12, atol=1e-14)


def test_people_among_themselves_by_all_pairs() -> None:
    rng = np.random.default_rng(4)
    votes = rng.integers(0, 4, (30, 3))
    unit, value = np.repeat(np.arange(30), 3), votes.ravel()
    cluster = np.arange(30) // 3
    counts = counts_among(unit, value, cluster, GRADES, 4)
    pairs = [(i, j) for i in range(3) for j in range(3) if i != j]
    equal = np.mean([votes[:, i] == votes[:, j] for i, j in pairs])
    squares = np.mean([(GRADES[votes[:, i]] - GRADES[votes[:, j]]) ** 2 for i, j in pairs])
    assert share_equal(counts)[0] == pytest.approx(equal)
    assert counts.squares.sum() / 30 == pytest.approx(squares)
    table = np.array([[(row == v).sum() for v in range(4)] for row in votes])
    assert kappa(counts)[0] == pytest.approx(fleiss_kappa(table))
    alone = counts_among(np.array([0, 1]), np.array([2, 3]), np.array([0, 1]), GRADES, 4)
    assert alone.units.tolist() == [0, 0]


def test_jackknife_values() -> None:
    _, _, _, counts = two(1)
    statistic = kappa(counts)
    values = jackknife_values(statistic, counts.units)
    n = len(values)
    assert values.mean() == pytest.approx(statistic[0], abs=1e-14)
    parts = statistic[1:]
    variance = (n - 1) / n * ((parts - parts.mean()) ** 2).sum()
    assert values.var(ddof=1) / n == pytest.approx(variance)
    # of a mean of one unit a cluster, they are the values themselves
    for unit in (1.0, 1e-20):
        x = np.array([0.0, 1.0, 1.0]) * unit
        means = np.array([x.mean(), *(np.delete(x, j).mean() for j in range(3))])
        np.testing.assert_allclose(jackknife_values(means, np.ones(3)), x, atol=1e-14 * unit)
    gone = jackknife_values(np.array([0.5, 0.4, np.nan, 0.6]), np.array([1.0, 0.0, 1.0]))
    assert np.isnan(gone[1])


def test_votes_that_are_all_equal() -> None:
    unit, vote = np.arange(4), np.zeros(4, dtype=np.int64)
    counts = agreement_counts(unit, vote, unit, vote, unit, GRADES, 4)
    assert share_equal(counts).tolist() == [1] * 5
    assert np.isnan(kappa(counts)).all()
    assert np.isnan(quadratic_kappa(counts, GRADES)).all()
    assert np.isnan(jackknife_values(kappa(counts), counts.units)).all()
    cluster, first, _, _ = two(2)
    counts = agreement_counts(np.arange(60), first, np.arange(60), first, cluster, GRADES, 4)
    for statistic in (share_equal(counts), kappa(counts), quadratic_kappa(counts, GRADES)):
        assert (jackknife_values(statistic, counts.units) == 1).all()
