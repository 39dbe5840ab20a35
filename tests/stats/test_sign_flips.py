"""Sign flips beside full enumeration, and beside SciPy's permutation test."""

import itertools

import numpy as np
import pytest
from scipy import stats as scipy_stats

from fuzzytruth.stats import sign_flips
from fuzzytruth.stats.settings import Resampling


def all_maxima(differences: np.ndarray) -> np.ndarray:
    """Largest |t| of centred differences under every one of the 2ⁿ signs, by brute force."""
    out = []
    for signs in itertools.product((1, -1), repeat=len(differences)):
        t = []
        for column in differences.T:
            present = ~np.isnan(column)
            z = (column[present] - column[present].mean()) * np.array(signs)[present]
            t.append(abs(z.mean() / (z.std(ddof=1) / np.sqrt(len(z)))))
        out.append(max(t))
    return np.sort(out)


@pytest.mark.parametrize(("n", "missing"), [(5, False), (8, False), (7, True)])
def test_max_t_is_full_enumeration_where_it_is_small(n: int, missing: bool) -> None:
    differences = np.random.default_rng(n).normal(np.array([0, 1, 2, 0]), size=(n, 4))
    if missing:
        differences[[0, 3], [1, 2]] = np.nan
    result, brute = sign_flips.max_t(differences, Resampling()), all_maxima(differences)
    assert result.enumerated
    np.testing.assert_allclose(result.draws, brute, rtol=1e-9, atol=1e-12)
    t = scipy_stats.ttest_1samp(differences, 0, nan_policy="omit").statistic
    expected = [(int((brute >= abs(x) * (1 - 1e-12)).sum()) + 1) / (2**n + 1) for x in t]
    np.testing.assert_allclose(result.p_adjusted, expected)


def test_drawn_maxima_are_those_of_the_enumeration() -> None:
    differences = np.random.default_rng(0).standard_t(3, size=(12, 3))
    drawn = sign_flips.max_t(differences, Resampling(4094, rng=1))
    every = sign_flips.max_t(differences, Resampling(4096))
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
    result = sign_flips.max_t(differences, Resampling(499))
    for level in (0.5, 0.9, 0.95, 0.99):
        lower, upper = result.interval(level)
        outside = (lower > 0) | (upper < 0)
        assert outside.any() or level == 0.99
        np.testing.assert_array_equal(outside, result.p_adjusted <= 1 - level + 1e-12)


def test_data_sets_at_once_and_any_workers_and_memory() -> None:
    differences = np.random.default_rng(3).normal(size=(4, 15, 6))
    together = sign_flips.max_t(differences, Resampling(2000))
    for number, one in enumerate(differences):
        alone = sign_flips.max_t(one, Resampling(2000))
        np.testing.assert_array_equal(together.draws[number], alone.draws)
        np.testing.assert_array_equal(together.p_adjusted[number], alone.p_adjusted)
    differences = np.random.default_rng(7).normal(size=(30, 100))
    one, shared = Resampling(3000, rng=9), Resampling(3000, rng=9, n_jobs=2, memory=1)
    np.testing.assert_array_equal(
        sign_flips.max_t(differences, one).draws, sign_flips.max_t(differences, shared).draws
    )
    p, again = (sign_flips.sign_flip_p(differences, using)[0] for using in (one, shared))
    np.testing.assert_array_equal(p, again)


def test_sign_flip_is_scipys_exact_test() -> None:
    d = np.random.default_rng(4).normal(size=9) + 0.4
    expected = scipy_stats.permutation_test(
        (d,), np.mean, permutation_type="samples", n_resamples=np.inf, vectorized=True
    ).pvalue
    p, exact = sign_flips.sign_flip_p(d[:, None], Resampling())
    assert (exact, p[0]) == (True, pytest.approx(expected, abs=1e-12))
    d = np.array([0.1, 0.2, 0.3, -0.6, 0.4])  # sums that are equal but for the last bit
    sums = [abs(round(float(np.dot(s, d)), 9)) for s in itertools.product((1, -1), repeat=5)]
    expected = np.mean(np.array(sums) >= abs(round(float(d.sum()), 9)))
    assert sign_flips.sign_flip_p(d[:, None], Resampling())[0][0] == expected


def test_degenerate_contrasts() -> None:
    rng = np.random.default_rng(0)
    columns = (np.zeros(12), np.full(12, 0.25), rng.normal(size=12), np.full(12, np.nan))
    differences = np.stack(columns, axis=1)
    result = sign_flips.max_t(differences, Resampling(999))
    lower, upper = result.interval(0.95)
    assert (result.p_adjusted[0], lower[0], upper[0]) == (1.0, 0.0, 0.0)
    assert (result.p_adjusted[1], lower[1], upper[1]) == (1 / 1000, 0.25, 0.25)
    assert np.isnan([result.p_adjusted[3], lower[3]]).all()
    single = sign_flips.max_t(differences[:1, :3], Resampling(999))
    np.testing.assert_array_equal(single.p_adjusted, 1.0)
    np.testing.assert_array_equal(single.interval(0.95)[1], np.inf)
    few = sign_flips.max_t(rng.normal(size=(3, 2)) + 5, Resampling(999))
    assert [end.tolist() for end in few.interval(0.95)] == [[-np.inf] * 2, [np.inf] * 2]
    assert (few.p_adjusted > 0.05).all()


def test_fewest_differences_of_which_all_signs_agree_once_in_twenty() -> None:
    """2 · 2⁻ⁿ is the smallest p of n differences; a pair with fewer leaves the others alone."""
    assert 2 * 0.5**sign_flips.MIN_DIFFERENCES <= 0.05 < 2 * 0.5 ** (sign_flips.MIN_DIFFERENCES - 1)
    for n in (sign_flips.MIN_DIFFERENCES - 1, sign_flips.MIN_DIFFERENCES):
        (p,), enumerated = sign_flips.sign_flip_p(np.arange(1.0, n + 1)[:, None], Resampling(999))
        assert (enumerated, p) == (True, 2 * 0.5**n)
    differences = np.random.default_rng(5).normal(size=(12, 3)) + 0.4
    differences[sign_flips.MIN_DIFFERENCES - 1 :, 2] = np.nan
    result, without = (
        sign_flips.max_t(d, Resampling(9999)) for d in (differences, differences[:, :2])
    )
    np.testing.assert_allclose(result.p_adjusted, [*without.p_adjusted, 1], rtol=1e-12)
    np.testing.assert_allclose(result.interval(0.9)[0][:2], without.interval(0.9)[0], rtol=1e-12)
