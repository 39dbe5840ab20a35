"""Intervals, p-values and posteriors of every law; degenerate data."""

import numpy as np
import pytest
from scipy import stats

from fuzzytruth._typing import Floats
from fuzzytruth.core.pivotal import CrossedSquares, error_mixtures
from fuzzytruth.stats.laws import DrawnLaw, Law, MixtureLaw, StudentLaw
from fuzzytruth.stats.settings import Alternative

ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")
ERROR = np.array([0.2, 0.5, 1.0])
DF = np.array([4.0, 9.0, np.inf])
NO = np.zeros(3, dtype=bool)
STUDENT = StudentLaw(ERROR, DF, NO, DF)


def mixture(rows: int) -> MixtureLaw:
    squares = CrossedSquares(
        np.full(rows, 30.0), np.full(rows, 50.0), np.full(rows, 40.0), (24, 2, 48), (1 / 75,) * 3
    )
    mixtures = error_mixtures(squares)
    return MixtureLaw(np.sqrt(squares.variance()), np.full(rows, 2.0), NO[:rows], mixtures)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_student_agrees_with_scipy(alternative: Alternative) -> None:
    sample = np.random.default_rng(0).normal(0.3, 1, 10)
    result = stats.ttest_1samp(sample, 0, alternative=alternative)
    law = StudentLaw(stats.sem(sample)[None], np.array([9.0]), NO[:1], np.array([9.0]))
    value = sample.mean()[None]
    assert law.p_value(value, alternative)[0] == pytest.approx(result.pvalue, rel=1e-12)
    lower, upper = law.interval(value, 0.9, alternative)
    expected = result.confidence_interval(0.9)
    np.testing.assert_allclose([lower[0], upper[0]], [expected.low, expected.high], rtol=1e-12)


@pytest.mark.parametrize("law", [STUDENT, mixture(3)], ids=["t", "mixture"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_intervals_exclude_zero_exactly_where_p_is_small(
    law: Law, alternative: Alternative
) -> None:
    for scale in np.geomspace(0.01, 30, 60):
        for sign in (1.0, -1.0):
            value = sign * scale * np.array([0.1, 1.0, 2.0])
            for level in (0.6, 0.95, 0.999):
                lower, upper = law.interval(value, level, alternative)
                excluded = (lower > 0) | (upper < 0)
                p = law.p_value(value, alternative)
                assert (excluded == (p <= 1 - level)).all()


def test_one_sided_p_of_a_mixture_is_half_the_two_sided_one() -> None:
    law, value = mixture(3), np.array([0.4, 1.0, 3.0])
    both = law.p_value(value, "two-sided")
    np.testing.assert_allclose(law.p_value(value, "greater"), both / 2)
    np.testing.assert_allclose(law.p_value(value, "less"), 1 - both / 2)
    np.testing.assert_allclose(law.below(value, 0.0), both / 2)


def test_below_is_the_cumulative_t() -> None:
    below = STUDENT.below(np.array([0.1, 0.2, 0.3]), 0.15)
    z = (0.15 - np.array([0.1, 0.2, 0.3])) / ERROR
    expected = [stats.t.cdf(z[0], 4), stats.t.cdf(z[1], 9), stats.norm.cdf(z[2])]
    np.testing.assert_allclose(below, expected, rtol=1e-12)


def test_detectable_differences() -> None:
    """A t at the edge of its interval plus the t that is exceeded with probability .2."""
    half = STUDENT.half(0.95, "two-sided")
    t = np.array([stats.t.ppf([0.975, 0.8], df).sum() for df in (4, 9)])
    np.testing.assert_allclose(STUDENT.detectable(half, 0.8)[:2], t * ERROR[:2], rtol=1e-12)
    crossed = mixture(1)
    half = crossed.half(0.95, "two-sided")
    expected = half + stats.norm.ppf(0.8) * crossed.std_error
    np.testing.assert_allclose(crossed.detectable(half, 0.8), expected, rtol=1e-12)


@pytest.mark.parametrize(("n", "p"), [(2, 0.5), (3, 0.25), (5, 0.0625), (6, 0.03125)])
def test_constant_differences_have_the_p_of_their_sign(n: int, p: float) -> None:
    law = StudentLaw(np.zeros(1), np.full(1, n - 1.0), NO[:1], np.full(1, n - 1.0))
    value = np.array([0.5])
    assert law.p_value(value, "two-sided").tolist() == [p]
    assert law.p_value(value, "greater").tolist() == [p / 2]
    lower, upper = law.interval(value, 0.95, "two-sided")
    expected = (0.5, 0.5) if p <= 0.05 else (-np.inf, np.inf)
    assert (lower[0], upper[0]) == expected
    assert np.isnan(law.detectable(np.zeros(1), 0.8)[0])


def test_identical_systems_do_not_differ() -> None:
    law = StudentLaw(np.zeros(1), np.ones(1), np.ones(1, dtype=bool), np.ones(1))
    for alternative in ALTERNATIVES:
        assert law.p_value(np.zeros(1), alternative).tolist() == [1.0]
    assert law.interval(np.zeros(1), 0.95, "two-sided") == (np.zeros(1), np.zeros(1))
    alone = StudentLaw(np.zeros(1), np.zeros(1), np.ones(1, dtype=bool), np.zeros(1))
    assert np.isnan(alone.detectable(np.zeros(1), 0.8)[0])
    unknown = law.with_unknown()
    assert unknown.p_value(np.full(1, 0.1), "greater").tolist() == [0.25]


def test_unknown_spread_and_missing_values() -> None:
    law = StudentLaw(np.array([np.nan, np.nan]), np.zeros(2), NO[:2], np.zeros(2))
    value = np.array([0.5, np.nan])
    for alternative in ALTERNATIVES:
        p = law.p_value(value, alternative)
        assert p[0] == 1.0
        assert np.isnan(p[1])
    lower, upper = law.interval(value, 0.95, "two-sided")
    assert (lower[0], upper[0]) == (-np.inf, np.inf)
    assert np.isnan([lower[1], upper[1]]).all()
    assert np.isnan(law.below(value, 0.0)).all()


def draws(rows: int) -> Floats:
    return np.random.default_rng(2).normal(0.5, 1, (rows, 199))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_draws_agree_with_their_shares(alternative: Alternative) -> None:
    law = DrawnLaw(draws(40) + np.linspace(-3, 3, 40)[:, None])
    p = law.p_value(np.zeros(40), alternative)
    for level in (0.6, 0.9, 0.95):
        lower, upper = law.interval(np.zeros(40), level, alternative)
        excluded = (lower > 0) | (upper < 0)
        assert (excluded == (p <= (1 - level) * (1 + 1e-12))).all()
    assert law.below(np.zeros(40), -99.0).tolist() == [0.0] * 40
    assert np.isnan(law.detectable(np.zeros(40), 0.8)).all()


def test_draws_at_a_point_count_half() -> None:
    law = DrawnLaw(np.array([[0.0, 1.0, 1.0, 2.0], [1.0, 3.0, 4.0, 5.0]]))
    assert law.below(np.zeros(2), 1.0).tolist() == [0.5, 0.125]


def test_without_spread_all_of_the_law_is_at_the_estimate() -> None:
    law = StudentLaw(np.zeros(4), DF[[0]].repeat(4), NO[[0]].repeat(4), DF[[0]].repeat(4))
    below = law.below(np.array([-0.75, 0.25, 0.3, 1.25]), 0.25)
    assert below.tolist() == [1.0, 0.5, 0.0, 0.0]
