"""`ft.poisson_binomial`."""

import itertools

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.errors import DataError


def test_contract() -> None:
    result = ft.poisson_binomial([0.2, 0.5, 0.9]).pmf([0, 1, 2, 3])
    np.testing.assert_allclose(result, [0.04, 0.41, 0.46, 0.09], atol=1e-15)


def test_poisson_binomial_of_votes() -> None:
    d = ft.poisson_binomial([1, 0, 1])
    assert d.support() == (2, 2)
    assert d.std() == 0
    assert ft.poisson_binomial([]).support() == (0, 0)
    assert ft.poisson_binomial(np.full(4, 0.25)).mean() == pytest.approx(1)


@pytest.mark.parametrize(
    ("p", "message"),
    [
        ([0.5, 1.2], r"p\[1\] = 1.2: a probability must lie in \[0, 1\]"),
        ([-0.1], r"p\[0\] = -0.1: a probability"),
        ([0.1, np.nan], r"p\[1\] = nan: must be a number"),
        (0.5, r"p: must be a list of probabilities, not of shape \(\)"),
        ("no", "p='no': must be numbers"),
    ],
)
def test_bad_probabilities(p, message: str) -> None:
    with pytest.raises(DataError, match=message):
        ft.poisson_binomial(p)


@pytest.mark.parametrize("seed", range(5))
def test_recall_and_f_by_enumeration(seed: int) -> None:
    rng = np.random.default_rng(seed)
    inside, rest = rng.random(3).round(1), rng.random(3).round(1)
    p = np.concatenate((inside, rest))
    rows = []
    for outcome in itertools.product((0, 1), repeat=6):
        x = np.array(outcome)
        rows.append((np.prod(np.where(x, p, 1 - p)), x[:3].sum(), x.sum()))
    chance, hits, relevant = np.array(rows).T
    some = relevant > 0
    recall = np.where(some, hits / np.maximum(relevant, 1), 0.0)
    for got, values, weights in (
        (ft.recall_distribution(retrieved=inside, rest=rest), recall, chance),
        (
            ft.recall_distribution(retrieved=inside, rest=rest, undefined="exclude"),
            recall[some],
            chance[some] / chance[some].sum(),
        ),
        (
            ft.recall_distribution(retrieved=inside, rest=rest, size="expected"),
            hits / p.sum(),
            chance,
        ),
        (
            ft.f_distribution(retrieved=inside, rest=rest, beta=2),
            5 * hits / (3 + 4 * relevant),
            chance,
        ),
        (ft.precision_distribution(inside), hits / 3, chance),
    ):
        want = ft.Distribution.from_atoms(values, weights)
        np.testing.assert_allclose(got.values, want.values, atol=1e-12)
        np.testing.assert_allclose(got.probabilities, want.probabilities, atol=1e-12)


def test_recall_without_anything() -> None:
    assert ft.recall_distribution(retrieved=[], rest=[]).values.tolist() == [0.0]
    assert ft.recall_distribution(retrieved=[0.0], rest=[], size="expected").mean() == 0.0
    assert ft.precision_distribution([]).values.tolist() == [0.0]
    with pytest.raises(DataError, match="no item can be relevant"):
        ft.recall_distribution(retrieved=[0.0], rest=[], undefined="exclude")
    with pytest.raises(DataError, match=r"rest\[0\] = 2"):
        ft.recall_distribution(retrieved=[0.0], rest=[2.0])
