"""Bootstrap resamples of subjects against every one of the nⁿ draws."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

from fuzzytruth.core.clusters import subject_resamples

SEED = np.random.SeedSequence(5)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_enumerated_resamples_are_all_draws(n: int) -> None:
    probability, votes, drawn = subject_resamples(n, 2_000, SEED)
    every = Counter(tuple(draw.count(j) for j in range(n)) for draw in product(range(n), repeat=n))
    assert not drawn
    assert votes.shape == (comb(2 * n - 1, n), n)
    assert {tuple(row) for row in votes} == set(every)
    for p, row in zip(probability, votes, strict=True):
        assert p == pytest.approx(float(Fraction(every[tuple(row)], n**n)), rel=1e-15)


def test_enumerated_probabilities_sum_to_1_and_have_the_variance_of_a_mean() -> None:
    grade = np.array([0.0, 1.0, 1.0, 3.0, 7.0, 2.0, 2.0])
    probability, votes, drawn = subject_resamples(7, 2_000, SEED)
    means = votes @ grade / 7
    assert not drawn
    assert probability.sum() == pytest.approx(1, abs=1e-14)
    assert probability @ means == pytest.approx(grade.mean(), rel=1e-13)
    assert probability @ (means - grade.mean()) ** 2 == pytest.approx(grade.var() / 7, rel=1e-13)


@pytest.mark.parametrize(("n", "worlds"), [(8, 10_000), (5, comb(9, 5) - 1)])
def test_many_resamples_are_drawn(n: int, worlds: int) -> None:
    probability, votes, drawn = subject_resamples(n, worlds, np.random.SeedSequence(1))
    assert drawn
    assert probability.tolist() == [1 / worlds] * worlds
    assert votes.shape == (worlds, n)
    assert set(votes.sum(axis=1)) == {float(n)}
    share = votes.mean(axis=0)
    assert np.abs(share - 1).max() < 5 * np.sqrt((1 - 1 / n) / worlds)


def test_drawn_counts_have_the_moments_of_a_multinomial() -> None:
    n, worlds = 10, 20_000
    _, votes, _ = subject_resamples(n, worlds, np.random.SeedSequence(2))
    covariance = np.cov(votes.T, bias=True)
    expected = np.where(np.eye(n, dtype=bool), 1 - 1 / n, -1 / n)
    assert np.abs(covariance - expected).max() < 8 / np.sqrt(worlds)


def test_as_few_worlds_as_there_are_resamples_are_enumerated() -> None:
    assert subject_resamples(5, comb(9, 5), SEED)[2] is False
    assert subject_resamples(1, 1, SEED)[1].tolist() == [[1.0]]


def test_a_seed_gives_the_same_draws() -> None:
    one, two, other = (
        subject_resamples(9, 50, np.random.SeedSequence(seed))[1].tolist() for seed in (3, 3, 4)
    )
    assert one == two
    assert one != other
