"""Sign flips beside full enumeration, and beside SciPy's permutation test."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats as scipy_stats

from fuzzytruth.stats.settings import Resampling
from fuzzytruth.stats.sign_flips import MIN_DIFFERENCES, max_t, sign_flip_p


def all_maxima(differences: np.ndarray) -> np.ndarray:
    """Largest |t| of centred differences under every one of the 2ⁿ signs, by brute force."""
    centred = differences - differences.mean(axis=0)
    n = len(differences)
    out = []
    for signs in itertools.product((1, -1), repeat=n):
        flipped = centred * np.array(signs)[:, None]
        out.append(np.abs(flipped.mean(0) / (flipped.std(0, ddof=1) / np.sqrt(n))).max())
    return np.array(out)


@pytest.mark.parametrize("n", [5, 8])
def test_max_t_is_full_enumeration_where_it_is_small(n: int) -> None:
    differences = np.random.default_rng(n).normal(np.array([0, 1, 2, 0]), size=(n, 4))
    result = max_t(differences, Resampling())
    brute = all_maxima(differences)
    assert result.enumerated
    np.testing.assert_allclose(result.draws, np.sort(brute), rtol=1e-9, atol=1e-12)
    t = differences.mean(0) / (differences.std(0, ddof=1) / np.sqrt(n))
    expected = [(int((brute >= abs(x)).sum()) + 1) / (2**n + 1) for x in t]
    np.testing.assert_allclose(result.p_adjusted, expected)


def test_drawn_maxima_are_those_of_the_enumeration() -> None:
    differences = np.random.default_rng(0).standard_t(3, size=(12, 3))
    drawn = max_t(differences, Resampling(4094, rng=1))
    every = max_t(differences, Resampling(4096))
    assert (drawn.enumerated, every.enumerated) == (False, True)
    for q in (0.5, 0.9, 0.95):
        share = (every.draws <= np.quantile(drawn.draws, q)).mean()
        assert abs(share - q) < 4 * np.sqrt(q * (1 - q) / 4094)


@pytest.mark.parametrize("incomplete", [False, True])
def test_interval_and_p_never_contradict_each_other(incomplete: bool) -> None:
    rng = np.random.default_rng(5)
    differences = rng.normal(size=(20, 300)) + rng.normal(size=300) * 0.6
    if incomplete:
        differences[rng.random(differences.shape) < 0.1] = np.nan
    result = max_t(differences, Resampling(499))
    for level in (0.5, 0.9, 0.95, 0.99):
        lower, upper = result.interval(level)
        outside = (lower > 0) | (upper < 0)
        assert outside.any() or level == 0.99
        np.testing.assert_array_equal(outside, result.p_adjusted <= 1 - level + 1e-12)


def test_missing_values_are_brute_force() -> None:
    rng = np.random.default_rng(2)
    differences = rng.normal(size=(7, 3))
    differences[[0, 3], [1, 2]] = np.nan
    result = max_t(differences, Resampling())
    brute = []
    for signs in itertools.product((1, -1), repeat=7):
        t = []
        for column in differences.T:
            present = ~np.isnan(column)
            z = (column[present] - column[present].mean()) * np.array(signs)[present]
            t.append(abs(z.mean() / (z.std(ddof=1) / np.sqrt(len(z)))))
        brute.append(max(t))
    np.testing.assert_allclose(result.draws, np.sort(brute), rtol=1e-9, atol=1e-12)


def test_data_sets_at_once_are_data_sets_one_by_one() -> None:
    differences = np.random.default_rng(3).normal(size=(4, 15, 6))
    together = max_t(differences, Resampling(2000))
    for number, one in enumerate(differences):
        alone = max_t(one, Resampling(2000))
        np.testing.assert_array_equal(together.draws[number], alone.draws)
        np.testing.assert_array_equal(together.p_adjusted[number], alone.p_adjusted)


def test_sign_flip_is_scipys_exact_test() -> None:
    d = np.random.default_rng(4).normal(size=9) + 0.4

    def mean(x: np.ndarray, axis: int) -> np.ndarray:
        return x.mean(axis=axis)

    expected = scipy_stats.permutation_test(
        (d,), mean, permutation_type="samples", n_resamples=np.inf, vectorized=True
    ).pvalue
    p, exact = sign_flip_p(d[:, None], Resampling())
    assert exact
    assert p[0] == pytest.approx(expected, abs=1e-12)


def test_tied_sums_count_although_they_are_rounded() -> None:
    d = np.array([0.1, 0.2, 0.3, -0.6, 0.4])  # sums that are equal but for the last bit
    brute = np.mean(
        [
            abs(round(float(np.dot(signs, d)), 9)) >= abs(round(float(d.sum()), 9))
            for signs in itertools.product((1, -1), repeat=5)
        ]
    )
    assert sign_flip_p(d[:, None], Resampling())[0][0] == brute


def test_one_pair_and_many_take_the_same_signs() -> None:
    differences = np.random.default_rng(6).normal(size=(40, 5)) + 0.2
    many, _ = sign_flip_p(differences, Resampling(3000))
    for number in range(5):
        one, exact = sign_flip_p(differences[:, [number]], Resampling(3000))
        assert not exact
        assert one[0] == many[number]
    assert many.min() >= 1 / 3001


@pytest.mark.parametrize("n", [5, 40])
def test_without_pairs_there_is_no_p(n: int) -> None:
    p, exact = sign_flip_p(np.zeros((n, 0)), Resampling(99))
    assert (p.tolist(), exact) == ([], n == 5)


@pytest.mark.parametrize("n_jobs", [2, 3])
def test_same_bits_for_any_workers_and_memory(n_jobs: int) -> None:
    differences = np.random.default_rng(7).normal(size=(30, 200))
    alone = Resampling(5000, rng=9)
    shared = Resampling(5000, rng=9, n_jobs=n_jobs, memory=1)
    np.testing.assert_array_equal(max_t(differences, alone).draws, max_t(differences, shared).draws)
    np.testing.assert_array_equal(
        sign_flip_p(differences, alone)[0], sign_flip_p(differences, shared)[0]
    )


def test_degenerate_contrasts() -> None:
    rng = np.random.default_rng(0)
    differences = np.stack(
        (np.zeros(12), np.full(12, 0.25), rng.normal(size=12), np.full(12, np.nan)), axis=1
    )
    result = max_t(differences, Resampling(999))
    lower, upper = result.interval(0.95)
    assert (result.p_adjusted[0], lower[0], upper[0]) == (1.0, 0.0, 0.0)
    assert (lower[1], upper[1]) == (0.25, 0.25)
    assert result.p_adjusted[1] == 1 / 1000
    assert np.isnan([result.p_adjusted[3], lower[3]]).all()
    single = max_t(differences[:1, :3], Resampling(999))
    lower, upper = single.interval(0.95)
    np.testing.assert_array_equal(single.p_adjusted, 1.0)
    np.testing.assert_array_equal(upper, np.inf)
    few = max_t(rng.normal(size=(3, 2)) + 5, Resampling(999))
    assert [end.tolist() for end in few.interval(0.95)] == [[-np.inf] * 2, [np.inf] * 2]
    assert (few.p_adjusted > 0.05).all()


def test_fewest_differences_of_which_all_signs_agree_once_in_twenty() -> None:
    """2 · 2⁻ⁿ is the smallest p of n differences."""
    assert 2 * 0.5**MIN_DIFFERENCES <= 0.05 < 2 * 0.5 ** (MIN_DIFFERENCES - 1)
    for n in (MIN_DIFFERENCES - 1, MIN_DIFFERENCES):
        (p,), enumerated = sign_flip_p(np.arange(1.0, n + 1)[:, None], Resampling(999))
        assert (enumerated, p) == (True, 2 * 0.5**n)


def test_a_pair_with_few_differences_leaves_the_others_as_they_are() -> None:
    rng = np.random.default_rng(5)
    differences = rng.normal(size=(12, 3)) + 0.4
    differences[MIN_DIFFERENCES - 1 :, 2] = np.nan
    result, without = (max_t(d, Resampling(9999)) for d in (differences, differences[:, :2]))
    assert result.enumerated
    np.testing.assert_allclose(result.p_adjusted[:2], without.p_adjusted, rtol=1e-12)
    assert result.p_adjusted[2] == 1
    np.testing.assert_allclose(result.interval(0.9)[0][:2], without.interval(0.9)[0], rtol=1e-12)
