"""Intervals, p-values and posteriors of every law; degenerate data."""

import numpy as np
import pytest
from scipy import stats

from fuzzytruth.core.pivotal import CrossedSquares, error_mixtures
from fuzzytruth.stats.laws import DrawnLaw, MixtureLaw, StudentLaw
from fuzzytruth.stats.settings import Alternative

ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")
ERROR = np.array([0.2, 0.5, 1.0])
DF = np.array([4.0, 9.0, np.inf])
NO = np.zeros(3, dtype=bool)
STUDENT = StudentLaw(ERROR, DF, NO, DF)


def student(error: float, df: float, *, same: bool = False) -> StudentLaw:
    dfs = np.array([df])
    return StudentLaw(np.array([error]), dfs, np.array([same]), dfs)


def mixture(rows: int) -> MixtureLaw:
    squares = CrossedSquares(
        *(np.full(rows, square) for square in (30.0, 50.0, 40.0)), (24, 2, 48), (1 / 75,) * 3
    )
    mixtures = error_mixtures(squares)
    return MixtureLaw(np.sqrt(squares.variance()), np.full(rows, 2.0), NO[:rows], mixtures)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_student_agrees_with_scipy(alternative: Alternative) -> None:
    sample = np.random.default_rng(0).normal(0.3, 1, 10)
    result = stats.ttest_1samp(sample, 0, alternative=alternative)
    law, value = student(float(stats.sem(sample)), 9.0), sample.mean()[None]
    assert law.p_value(value, alternative)[0] == pytest.approx(result.pvalue, rel=1e-12)
    ends = [end[0] for end in law.interval(value, 0.9, alternative)]
    np.testing.assert_allclose(ends, [*result.confidence_interval(0.9)], rtol=1e-12)


@pytest.mark.parametrize("law", [STUDENT, mixture(3)], ids=["t", "mixture"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_intervals_exclude_zero_exactly_where_p_is_small(law, alternative):
    for scale in np.geomspace(0.01, 30, 20):
        for sign in (1.0, -1.0):
            value = sign * scale * np.array([0.1, 1.0, 2.0])
            p = law.p_value(value, alternative)
            for level in (0.6, 0.95, 0.999):
                lower, upper = law.interval(value, level, alternative)
                assert (((lower > 0) | (upper < 0)) == (p <= 1 - level)).all()


def test_detectable_differences() -> None:
    """A t at the edge of its interval plus the t that is exceeded with probability .2."""
    half = STUDENT.half(0.95, "two-sided")
    t = np.array([stats.t.ppf([0.975, 0.8], df).sum() for df in (4, 9)])
    np.testing.assert_allclose(STUDENT.detectable(half, 0.8)[:2], t * ERROR[:2], rtol=1e-12)
    crossed = mixture(1)
    half = crossed.half(0.95, "two-sided")
    expected = half + stats.norm.ppf(0.8) * crossed.std_error
    np.testing.assert_allclose(crossed.detectable(half, 0.8), expected, rtol=1e-12)


@pytest.mark.parametrize(("n", "p"), [(2, 0.5), (5, 0.0625), (6, 0.03125)])
def test_constant_differences_have_the_p_of_their_sign(n: int, p: float) -> None:
    law, value = student(0.0, n - 1.0), np.array([0.5])
    assert law.p_value(value, "two-sided").tolist() == [p]
    assert law.p_value(value, "greater").tolist() == [p / 2]
    ends = [end[0] for end in law.interval(value, 0.95, "two-sided")]
    assert ends == ([0.5, 0.5] if p <= 0.05 else [-np.inf, np.inf])
    assert np.isnan(law.detectable(np.zeros(1), 0.8)[0])


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_draws_agree_with_their_shares(alternative: Alternative) -> None:
    centres = np.linspace(-2.5, 3.5, 40)[:, None]
    law = DrawnLaw(np.random.default_rng(2).normal(centres, 1, (40, 199)))
    p = law.p_value(np.zeros(40), alternative)
    for level in (0.6, 0.9, 0.95):
        lower, upper = law.interval(np.zeros(40), level, alternative)
        excluded = (lower > 0) | (upper < 0)
        assert (excluded == (p <= (1 - level) * (1 + 1e-12))).all()
    assert law.below(np.zeros(40), -99.0).tolist() == [0.0] * 40
    assert np.isnan(law.detectable(np.zeros(40), 0.8)).all()
    few = DrawnLaw(np.array([[0.0, 1.0, 1.0, 2.0], [1.0, 3.0, 4.0, 5.0]]))
    assert few.below(np.zeros(2), 1.0).tolist() == [0.5, 0.125]  # at a point they count half
