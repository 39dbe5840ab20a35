"""Tests against a margin, by every symmetric law."""

import numpy as np
import pytest
from scipy import stats

import fuzzytruth as ft
from fuzzytruth.stats.laws import Fit, drawn_fit, student_fit
from fuzzytruth.stats.multiplicity import check_level, check_margin, not_inferior, two_one_sided

RNG = np.random.default_rng(0)


def fit_of(value: float, error: float, df: float) -> Fit:
    return student_fit(np.array([value]), np.array([error]), np.array([df]), pairs=True)


@pytest.mark.parametrize(("value", "error"), [(0.01, 0.02), (-0.04, 0.02), (0.2, 0.02)])
def test_two_one_sided_by_hand(value: float, error: float) -> None:
    out = two_one_sided(fit_of(value, error, 12.0), 0.05, 0.95)
    p = max(stats.t.sf((0.05 - value) / error, 12), stats.t.sf((0.05 + value) / error, 12))
    assert out.p[0] == pytest.approx(p, rel=1e-12)
    assert out.statistic[0] == pytest.approx((0.05 - abs(value)) / error)
    half = stats.t.ppf(0.95, 12) * error
    assert (out.lower[0], out.upper[0]) == pytest.approx((value - half, value + half))
    assert out.level == 0.9


def test_non_inferiority_by_hand() -> None:
    out = not_inferior(fit_of(-0.02, 0.02, 12.0), 0.05, 0.95)
    assert out.p[0] == pytest.approx(stats.t.sf(0.03 / 0.02, 12), rel=1e-12)
    assert out.lower[0] == pytest.approx(-0.02 - stats.t.ppf(0.95, 12) * 0.02)
    assert np.isposinf(out.upper[0])
    assert out.level == 0.95


def test_p_and_intervals_agree() -> None:
    for _ in range(2000):
        value, error, df = RNG.normal(0, 0.1), RNG.exponential(0.05), float(RNG.integers(1, 30))
        margin, level = float(RNG.uniform(0.01, 0.2)), float(RNG.uniform(0.6, 0.99))
        fit = fit_of(value, error, df)
        both, below = two_one_sided(fit, margin, level), not_inferior(fit, margin, level)
        inside = -margin < both.lower[0] and both.upper[0] < margin
        assert inside == (both.p[0] <= 1 - level)
        assert (below.lower[0] > -margin) == (below.p[0] <= 1 - level)


@pytest.mark.parametrize(("n", "shown"), [(3, False), (4, False), (5, True)])
def test_identical_systems_are_equivalent_once_their_signs_are_rare(n: int, shown: bool) -> None:
    """The differences from the margin all have one sign, of probability 2⁻ⁿ."""
    out = ft.stats.equivalence([0.0] * n, margin=0.1)
    assert float(out.p) == 2.0**-n
    assert (float(out.p) <= 0.05) == shown
    assert (out.lower, out.upper) == ((0.0, 0.0) if shown else (-np.inf, np.inf))


def test_a_single_query_shows_nothing() -> None:
    for test in (ft.stats.equivalence, ft.stats.non_inferiority):
        out = test([0.0], margin=0.1)
        assert float(out.p) == 1.0
        assert out.lower == -np.inf


def test_wrong_margins_and_levels() -> None:
    for margin in (0.0, -1.0):
        with pytest.raises(ft.OptionError, match="must be above 0"):
            check_margin(margin)
    with pytest.raises(ft.OptionError, match=r"level=0.5: must be above 0\.5"):
        check_level(0.5)
    draws = drawn_fit(np.zeros(1), np.ones(1), np.ones(1), "worlds", np.zeros((1, 9)))
    with pytest.raises(ft.OptionError, match="independent worlds are no sample"):
        two_one_sided(draws, 0.1, 0.95)
