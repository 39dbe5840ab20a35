"""Variances by leaving out, and intervals of coefficients of agreement."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t as student

from fuzzytruth._typing import Floats
from fuzzytruth.core.votes.unit_votes import Sums
from fuzzytruth.stats.agreement import (
    Chance,
    Part,
    ends,
    jackknife,
    one_way,
    two_way,
)


def sums(gaps: float, weight: float, size: float, squares: float, own: float = 0.0) -> Sums:
    return Sums(*(np.array([x]) for x in (gaps, weight, size, squares, own)))


def part(variance: float, n: int) -> Part:
    return Part(np.array([variance]), n, np.zeros(1, dtype=np.int64))


def of_one(value: float, without: Floats) -> Part:
    return jackknife(np.array([value]), [without[:, None]])


def test_coefficients_from_sums() -> None:
    some = sums(gaps=4.0, weight=20.0, size=20.0, squares=190.0)
    assert Chance("alpha").value(some) == pytest.approx(1 - 0.2 / (190 / 380))
    assert Chance("fleiss").value(some) == pytest.approx(1 - 0.2 / (190 / 400))
    assert Chance("percent", largest=2.0).value(some) == pytest.approx(0.9)
    ac = Chance("ac2", largest=2.0, factor=0.5)
    assert ac.value(some) == pytest.approx(1 - 0.1 / (1 - 0.5 * 190 / 400))
    nothing = sums(0.0, 20.0, 20.0, 0.0)
    assert np.isnan(Chance("alpha").value(nothing)).all()
    assert np.isnan(Chance("alpha").value(sums(0.0, 0.0, 0.0, 0.0))).all()


def test_the_jackknife_of_a_mean_is_its_variance() -> None:
    x = np.random.default_rng(0).normal(size=20)
    without = (x.sum() - x) / 19
    found = of_one(x.mean(), without)
    assert found.variance[0] == pytest.approx(x.var(ddof=1) / 20)
    assert (found.n, found.undefined[0]) == (20, 0)
    blocks = jackknife(np.array([x.mean()]), (without[:7, None], without[7:, None]))
    assert blocks.variance[0] == pytest.approx(found.variance[0])


def test_values_that_are_not_defined_leave_the_variance_unknown() -> None:
    found = of_one(0.5, np.array([0.4, np.nan, 0.6]))
    assert np.isnan(found.variance[0])
    assert found.undefined[0] == 1
    assert np.isnan(of_one(0.5, np.array([0.4])).variance[0])


def test_rounding_errors_are_no_spread() -> None:
    step = np.spacing(0.5)
    none = of_one(0.5, np.array([0.5, 0.5 + step, 0.5 - step / 2]))
    assert none.variance.tolist() == [0.0]
    some = of_one(0.5, np.array([0.4, 0.5 + step, 0.6]))
    assert some.variance[0] == pytest.approx(2 / 3 * (0.1**2 + 0.1**2))


def test_intervals_are_symmetric_on_the_logarithm() -> None:
    fit = one_way(np.array([0.8]), part(0.01, 11))
    lower, upper = ends(fit, 0.95)
    half = student.ppf(0.975, 10) * 0.1 / 0.2
    assert lower[0] == pytest.approx(1 - 0.2 * np.exp(half))
    assert upper[0] == pytest.approx(1 - 0.2 * np.exp(-half))
    assert upper[0] < 1


def test_two_way_counts_what_is_common_once() -> None:
    fit = two_way(np.array([0.5]), part(0.04, 50), part(0.03, 6), part(0.01, 300))
    assert fit.std_error[0] ** 2 == pytest.approx(0.06)
    # no more than what is common to both: the variance is that
    fit = two_way(np.array([0.5]), part(0.005, 50), part(0.004, 6), part(0.01, 300))
    assert fit.std_error[0] ** 2 == pytest.approx(0.01)
    # wider than over either alone, and finite with three subjects
    wide = ends(two_way(np.array([0.5]), part(0.04, 50), part(0.03, 3), part(0.01, 150)), 0.95)
    alone = ends(one_way(np.array([0.5]), part(0.04, 50)), 0.95)
    assert -np.inf < wide[0][0] < alone[0][0]
    assert alone[1][0] < wide[1][0] < 1


def test_two_way_of_what_is_common_alone_is_students() -> None:
    """With as many degrees of freedom as the cells have."""
    fit = two_way(np.array([0.5]), part(0.0, 3), part(0.0, 4), part(0.01, 12))
    half = student.ppf(0.975, 2 * 3) * 0.1 / 0.5
    assert ends(fit, 0.95)[0][0] == pytest.approx(1 - 0.5 * np.exp(half), rel=1e-6)
    assert ends(fit, 0.95)[1][0] == pytest.approx(1 - 0.5 * np.exp(-half), rel=1e-6)


def test_degenerate_intervals() -> None:
    unknown = Part(np.array([np.nan]), 5, np.ones(1, dtype=np.int64))
    for fit in (
        one_way(np.array([0.5]), unknown),
        two_way(np.array([0.5]), part(0.1, 9), unknown, part(0.1, 9)),
        two_way(np.array([0.5]), part(0.1, 9), part(0.1, 1), part(0.1, 9)),
    ):
        assert [end[0] for end in ends(fit, 0.95)] == [-np.inf, 1.0]
        assert np.isnan(fit.std_error[0])
    for fit in (
        one_way(np.array([1.0]), part(0.0, 9)),
        two_way(np.array([1.0]), part(0.0, 9), part(0.0, 4), part(0.0, 36)),
    ):
        assert [end[0] for end in ends(fit, 0.95)] == [1.0, 1.0]
    nothing = one_way(np.array([np.nan]), unknown)
    assert all(np.isnan(end[0]) for end in ends(nothing, 0.95))


@pytest.mark.parametrize(("units", "subjects"), [(1, 4), (4, 1)])
def test_two_way_of_one_unit_or_one_subject_is_unknown(units: int, subjects: int) -> None:
    parts = part(1.0, units), part(1.0, subjects), part(1.0, 4)
    fit = two_way(np.array([0.5]), *parts)
    assert np.isnan(fit.std_error[0])
    assert fit.df[0] == 0
