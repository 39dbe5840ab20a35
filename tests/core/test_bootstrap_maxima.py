"""Resampled maxima against sums done unit by unit, and moderated variances by hand."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import digamma, polygamma

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.bootstrap_maxima import (
    CAP,
    FLOOR,
    ClusterUnits,
    Moderation,
    StratumUnits,
    largest_deviations,
    log_pool,
    moderated,
    prior_df,
)

RNG = np.random.default_rng(3)


def weights_of(units: int) -> Floats:
    return RNG.multinomial(units, np.full(units, 1 / units), 40).astype(float)


def jackknife(total: Floats, size: Ints, weight: Floats) -> tuple[float, float, int]:
    """Ratio mean of repeated units, n times its delete-one-unit variance, and n."""
    units = np.repeat(np.arange(len(total)), weight.astype(int))
    units = units[size[units] > 0]
    n = len(units)
    if n == 0:
        return 0.0, 0.0, 0
    mean = total[units].sum() / size[units].sum()
    left_out = [np.delete(units, place) for place in range(n)]
    gaps = [total[rest].sum() / size[rest].sum() - mean if len(rest) else 0.0 for rest in left_out]
    return mean, (n - 1) / n * float(np.square(gaps).sum()) * n, n


@pytest.mark.parametrize(
    "size",
    [np.ones((9, 1), dtype=int), RNG.integers(1, 5, (9, 1)), RNG.integers(0, 4, (9, 4))],
    ids=["one", "unequal", "missing"],
)
def test_moments_of_clusters(size: Ints) -> None:
    total = np.where(size > 0, RNG.normal(size=(9, 4)), 0.0)
    each = np.broadcast_to(size, total.shape)
    total -= each * (total.sum(axis=0) / each.sum(axis=0))  # centred, as the library passes them
    weights = weights_of(9)
    units = ClusterUnits.of(total, size)
    assert units.n_pairs == 4
    drawn = units.resampled(weights)
    for row, weight in enumerate(weights):
        for pair in range(4):
            mean, variance, n = jackknife(total[:, pair], each[:, pair], weight)
            df = np.broadcast_to(drawn.df, drawn.square.shape)[row, pair]
            assert df == max(n - 1, 0)
            assert drawn.square[row, pair] == pytest.approx(n * mean**2, abs=1e-12)
            assert drawn.squares[row, pair] == pytest.approx(df * variance, abs=1e-12)
            assert np.sign(drawn.shift[row, pair]) == (np.sign(mean) if abs(mean) > 1e-12 else 0)


def test_moments_of_strata() -> None:
    code = np.array([0, 0, 0, 1, 1, 1, 1, 2, 2, 2])
    values = RNG.normal(size=(10, 3))
    values[1, 1] = np.nan
    weights = np.concatenate([weights_of(3), weights_of(4), weights_of(3)], axis=1)
    drawn = StratumUnits.of(values, code, 3).resampled(weights)
    for row, weight in enumerate(weights):
        for pair in range(3):
            known = ~np.isnan(values[:, pair])
            shift = variance = n = 0.0
            for stratum in range(3):
                members = np.flatnonzero((code == stratum) & known)
                centre = values[members, pair].mean()
                taken = np.repeat(values[members, pair] - centre, weight[members].astype(int))
                n += len(taken)
                shift += taken.mean() / 3 if len(taken) else 0.0
                if len(taken) > 1:
                    variance += taken.var(ddof=1) / len(taken) / 9
            assert drawn.square[row, pair] == pytest.approx(n * shift**2, abs=1e-12)
            assert drawn.squares[row, pair] == pytest.approx(n * variance * (n - 3), abs=1e-12)


def largest(values: Floats, weights: Floats, moderations: list[Moderation], side="two-sided"):
    units = ClusterUnits.of(values, np.ones((len(values), 1), dtype=int))
    return largest_deviations(units, weights, moderations, side)


@pytest.mark.parametrize(("side", "d0"), [("two-sided", 4.0), ("greater", 0.0), ("less", 4.0)])
def test_largest_deviation(side: str, d0: float) -> None:
    """Moderated by hand: the geometric mean of floored variances, capped, and a weighted mean."""
    n, pairs = 8, 5
    values = RNG.normal(size=(n, pairs)) * np.geomspace(0.01, 3, pairs)
    values -= values.mean(axis=0)
    own = values.var(axis=0, ddof=1)
    weights = weights_of(n)
    moderation = Moderation(
        slice(0, pairs), np.exp(np.log(own).mean()) / own, np.full(pairs, CAP), d0
    )
    drawn = largest(values / np.sqrt(own), weights, [moderation], side)
    for row, weight in enumerate(weights):
        taken = np.repeat(values, weight.astype(int), axis=0)
        mean, variance = taken.mean(axis=0), taken.var(axis=0, ddof=1)
        pool = np.exp(np.log(np.maximum(variance, FLOOR * own)).mean())
        steady = (d0 * np.minimum(pool, CAP * own) + (n - 1) * variance) / (d0 + n - 1)
        t = mean / np.sqrt(steady / n)
        expected = {"two-sided": np.abs(t), "greater": t, "less": -t}[side].max()
        assert drawn[row] == pytest.approx(max(expected, 0.0), rel=1e-9)


@pytest.mark.parametrize("sizes", [[[1], [2], [4]], [[1, 3], [2, 1], [4, 1]]])
def test_two_units_have_one_degree_of_freedom(sizes: list[list[int]]) -> None:
    total, size = RNG.normal(size=(3, 2)), np.array(sizes)
    weight = np.array([1.0, 1.0, 0.0])
    moderations = [Moderation(slice(None), np.ones(2), np.ones(2), 0.0)]
    drawn = largest_deviations(ClusterUnits.of(total, size), weight[None], moderations, "two-sided")
    each = np.broadcast_to(size, total.shape)
    moments = [jackknife(total[:, pair], each[:, pair], weight) for pair in range(2)]
    expected = max(abs(mean) / np.sqrt(variance / n) for mean, variance, n in moments)
    assert drawn.item() == pytest.approx(expected, rel=1e-9)


def test_a_resample_without_spread_is_infinitely_far() -> None:
    values, weights = np.array([[0.1], [-0.1]]), np.array([[2.0, 0.0], [1.0, 1.0]])
    drawn = largest(values, weights, [Moderation(slice(None), np.ones(1), np.ones(1), 0.0)])
    assert drawn.tolist() == [np.inf, 0.0]


def test_prior_degrees_of_freedom_by_root_finding() -> None:
    rng = np.random.default_rng(0)
    variance = 1 / rng.gamma(2.0, size=200) * rng.chisquare(9, 200) / 9
    log = np.log(variance) - digamma(4.5) + np.log(4.5)
    excess = log.var(ddof=1) - polygamma(1, 4.5)
    half = brentq(lambda y: polygamma(1, y) - excess, 1e-3, 1e6)
    assert prior_df(variance, np.full(200, 9.0)) == pytest.approx(2 * half, rel=1e-9)
    # at most the degrees of freedom; fewer than three variances say nothing
    assert prior_df(np.ones(5), np.full(5, 7.0)) == 7.0
    nearly = np.array([1.0, 1.01, 0.99, 1.0])
    assert prior_df(nearly, np.array([4.0, 7.0, 7.0, 7.0])) == 7.0
    assert prior_df(np.array([1.0, 2.0]), np.full(2, 9.0)) == 0.0
    assert prior_df(np.array([1.0, 2.0, 0.0]), np.full(3, 9.0)) == 0.0
    assert prior_df(np.array([1.0, 2.0, 3.0]), np.array([9.0, 9.0, 0.0])) == 0.0


def test_moderated_variances_are_weighted_means() -> None:
    assert log_pool(np.array([1.0, 0.0, np.e**3])) == pytest.approx(1.5)
    out = moderated(np.array([1.0, 4.0]), np.array([2.0, 2.0]), np.array([9.0, 1.0]), np.array(3.0))
    np.testing.assert_allclose(out, [(3 * 2 + 9) / 12, (3 * 2 + 4) / 4])
    assert moderated(np.ones(1), np.ones(1), np.zeros(1), np.array(0.0)).tolist() == [0.0]
