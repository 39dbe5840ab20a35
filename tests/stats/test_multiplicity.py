"""Families of comparisons: corrections by name, permuted labels, margins."""

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests, multitest_methods_names

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells
from fuzzytruth.stats.laws import Fit, drawn_fit, student_fit
from fuzzytruth.stats.multiplicity import (
    CORRECTIONS,
    WRITTEN,
    Family,
    Ranges,
    check_level,
    check_margin,
    interval_level,
    kind_of_interval,
    not_inferior,
    permuted_ranges,
    resolve,
    two_one_sided,
)
from fuzzytruth.stats.observations import Observations, all_pairs
from fuzzytruth.stats.settings import Resampling
from fuzzytruth.stats.world_estimates import estimate

RNG = np.random.default_rng(0)
OBSERVED = tuple(
    Observations(RNG.normal([[0.0], [0.2], [1.0]], 1, (3, 20)), Cells.of_queries(20))
    for _ in range(2)
)


def family(correction: str) -> Family:
    pairs, over = all_pairs(3), ("query",)
    using = Resampling(999)
    return Family(("AP", "RR"), OBSERVED, pairs, None, over, correction, "two-sided", 0.95, using)


@pytest.mark.parametrize(
    ("correction", "alternative"),
    [
        *(("max-t", "two-sided"), ("sign-flips", "two-sided"), ("permuted labels", "two-sided")),
        *(("bonferroni", "two-sided"), ("sidak", "two-sided"), ("max-t", "greater")),
        *(("bonferroni", "less"), ("holm", "greater"), ("none", "less")),
    ],
)
def test_intervals_exclude_0_where_adjusted_p_is_small(correction: str, alternative: Any) -> None:
    whole = replace(family(correction), alternative=alternative)
    estimates = [estimate(one, whole.pairs, whole.over) for one in OBSERVED]
    for found, one in zip(whole.adjusted(estimates), estimates, strict=True):
        lower, upper, p = found.lower, found.upper, found.p
        if correction not in ("holm", "none"):
            np.testing.assert_array_equal((lower > 0) | (upper < 0), p <= 0.05)
        if correction != "permuted labels":
            assert (p >= one.p_value(alternative) * (1 - 1e-12)).all()
        assert np.isinf(upper).all() == (alternative == "greater")
        assert np.isinf(lower).all() == (alternative == "less")
    alone = whole.split()
    assert [one.measures for one in alone] == [("AP",), ("RR",)]
    if correction == "holm":
        for part, one in zip(alone, estimates, strict=True):
            expected = ft.stats.adjust(one.p_value("greater"), "holm")
            np.testing.assert_array_equal(part.adjusted([one])[0].p, expected)


def chosen(correction: Any = None, null: Any = "partial", tests: int = 3, **given: Any) -> str:
    design: Any = {"across": False, "alternative": "two-sided", "grouped": False, "baselines": 0}
    return resolve(correction, null, given.pop("over", ("query",)), tests, **{**design, **given})


def test_what_fits_the_design() -> None:
    assert chosen() == "max-t"
    assert chosen(tests=1) == "none"
    assert chosen(over=("subject",)) == "bonferroni"
    assert chosen(null="complete") == "permuted labels"
    assert chosen("sign-flips") == "sign-flips"
    assert chosen(grouped=True, alternative="less", baselines=2) == "max-t"
    kinds = [kind_of_interval(*given) for given in (("holm", 3), ("none", 1), ("max-t", 3))]
    assert kinds == ["unadjusted", "single", "simultaneous"]
    assert [interval_level(name, 0.9, 1) for name in ("bonferroni", "sidak", "holm")] == [0.9] * 3
    assert interval_level("bonferroni", 0.9, 2) == pytest.approx(0.95)
    assert interval_level("sidak", 0.81, 2) == pytest.approx(0.9)
    assert interval_level("holm", 0.9, 2) is None


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"correction": "max-t", "over": ("subject",)}, "cannot be used over subjects"),
        ({"correction": "sign-flips", "over": ("subject",)}, "cannot be used over subjects"),
        ({"correction": "holm", "null": "complete"}, "null='complete'"),
        ({"over": ("subject",), "null": "complete"}, "null='complete'"),
        ({"across": True, "null": "complete"}, "null='complete'"),
        ({"baselines": 2, "null": "complete"}, "null='complete'"),
        ({"grouped": True, "null": "complete"}, "null='complete': does not go with clusters="),
        ({"alternative": "less", "null": "complete"}, "does not go with alternative='less'"),
        ({"alternative": "less", "correction": "sign-flips"}, "use correction='max-t'"),
        ({"grouped": True, "correction": "sign-flips"}, "does not go with clusters= or strata="),
    ],
)
def test_options_that_do_not_go_together(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ft.errors.OptionError, match=words):
        chosen(**given)


# Corrections by name.

#: "lfdr" is in statsmodels from 0.15 on
INSTALLED = [name for name in CORRECTIONS if name != "lfdr" or name in multitest_methods_names]
P = np.array([0.001, 0.2, 0.01, 0.03, 0.04, 0.9])


def test_all_of_statsmodels_are_there() -> None:
    ours = [multipletests(P, method=name)[1].tolist() for name in INSTALLED]
    theirs = [multipletests(P, method=name)[1].tolist() for name in multitest_methods_names]
    assert all(p in ours for p in theirs)
    assert len(ours) == len(theirs)
    assert [*WRITTEN] == [*CORRECTIONS]
    assert all(name[0].isupper() or " " in name for name in WRITTEN.values())


@pytest.mark.parametrize("name", INSTALLED)
def test_corrections_are_statsmodels(name: str) -> None:
    """NaN stays NaN; the smallest and largest p, and NumPy's error state, do no harm."""
    result = ft.stats.adjust(np.insert(P, 3, np.nan), name)
    assert np.isnan(result[3])
    np.testing.assert_allclose(np.delete(result, 3), multipletests(P, method=name)[1])
    assert np.isnan(ft.stats.adjust([np.nan, np.nan], name)).all()
    for p in ([1.0, 0.5, 1e-9], [1e-310, 0.5], [1.0]):
        with np.errstate(all="raise"):
            out = ft.stats.adjust(p, name)
        assert ((out >= 0) & (out <= 1)).all()


def test_adjusted_by_r_below_p_and_mistakes() -> None:
    # p.adjust(c(0.01, 0.02, 0.03, 0.04), m) for m of "holm", "hommel", "BY"
    p = [0.01, 0.02, 0.03, 0.04]
    of_r = {"holm": [0.04, 0.06, 0.06, 0.06], "hommel": [0.04] * 4, "fdr_by": [0.04 * 25 / 12] * 4}
    for method, adjusted in of_r.items():
        np.testing.assert_allclose(ft.stats.adjust(p, method), adjusted, atol=1e-12)
    for method in ("fdr_tsbh", "fdr_tsbky", "fdr_gbs"):  # adaptive ones may go below p
        assert ft.stats.adjust([1e-6] * 9 + [0.06], method)[-1] < 0.06
    with pytest.raises(ft.errors.OptionError, match=r"'tukey'.*'holm'"):
        ft.stats.adjust(P, "tukey")
    with pytest.raises(ft.errors.DataError, match=r"p\[1\] = 1.5"):
        ft.stats.adjust([0.1, 1.5], "holm")


# Permuted labels beside full enumeration.


def test_permuted_ranges_are_enumeration_for_three_systems() -> None:
    values = np.random.default_rng(8).normal(size=(4, 3))
    orders = [list(order) for order in itertools.permutations(range(3))]
    means = np.array(
        [
            np.mean([row[order] for row, order in zip(values, every, strict=True)], axis=0)
            for every in itertools.product(orders, repeat=4)
        ]
    )
    difference = np.subtract(*values.mean(axis=0)[:2])
    for baseline, sizes in (
        (None, np.ptp(means, axis=1)),
        (0, np.abs(means[:, 1:] - means[:, :1]).max(axis=1)),
    ):
        result = permuted_ranges(values, Resampling(), baseline=baseline)
        expected = (sizes >= abs(difference) - 1e-12).mean()
        assert result.enumerated
        assert result.p_adjusted(np.array([difference]))[0] == pytest.approx(expected)
    values = np.random.default_rng(7).normal(size=(300, 6))
    alone, shared = Resampling(3000, rng=9), Resampling(3000, rng=9, n_jobs=2, memory=1)
    draws = [permuted_ranges(values, using).draws for using in (alone, shared)]
    np.testing.assert_array_equal(*draws)


def test_p_of_drawn_permutations_counts_the_observed_one() -> None:
    draws = np.array([0.1, 0.2, 0.2, 0.4])
    differences = np.array([0.5, 0.4, -0.2, 0.15, 0.0, np.nan])
    for enumerated, expected in (
        (False, [1 / 5, 2 / 5, 4 / 5, 4 / 5, 1.0, np.nan]),
        (True, [0.0, 1 / 4, 3 / 4, 3 / 4, 1.0, np.nan]),
    ):
        ranges = Ranges(draws, enumerated, 1e-12)
        np.testing.assert_allclose(ranges.p_adjusted(differences), expected, rtol=1e-15)
        for level in (0.05, 0.3, 0.6, 0.75, 0.8, 0.9):
            half = ranges.half_width(level)
            sizes = draws if enumerated else np.arange(0.005, 0.5, 0.01)
            rejected = ranges.p_adjusted(sizes) <= (1 - level) * (1 + 1e-12)
            np.testing.assert_array_equal(sizes > half, rejected)
            assert np.isinf(half) == (level > (0.75 if enumerated else 0.8))


def test_ties_of_permuted_means_count_in_any_unit() -> None:
    """Ranges of means are multiples of 1 / 300, many of them as large as the observed one."""
    whole = np.random.default_rng(2).integers(0, 2, (300, 3)).astype(float)

    def p(values: np.ndarray) -> float:
        difference = np.array([np.ptp(values.mean(axis=0))])
        return float(permuted_ranges(values, Resampling(2000)).p_adjusted(difference)[0])

    assert {p(whole * unit) for unit in (0.1, 1 / 3, 1e-150, 1e150)} == {p(whole)}
    rounded = Ranges(np.array([0.3]), True, 3e-13).p_adjusted(np.array([0.1 + 0.2]))
    assert rounded.tolist() == [1.0]  # equal up to rounding
    means = np.array([[1e-17, 0.0]] * 4)
    assert permuted_ranges(means, Resampling()).p_adjusted(np.array([1e-17])) == 0.125
    assert permuted_ranges(means, Resampling(), scale=0.3).p_adjusted(np.array([1e-17])) == 1


# Tests against a margin.


def fit_of(value: float, error: float, df: float) -> Fit:
    return student_fit(np.array([value]), np.array([error]), np.array([df]), pairs=True)


@pytest.mark.parametrize(("value", "error"), [(0.01, 0.02), (-0.04, 0.02), (0.2, 0.02)])
def test_margins_by_hand(value: float, error: float) -> None:
    fit, t = fit_of(value, error, 12.0), stats.t(12)
    out = two_one_sided(fit, 0.05, 0.95)
    p = max(t.sf((0.05 - value) / error), t.sf((0.05 + value) / error))
    assert out.p[0] == pytest.approx(p, rel=1e-12)
    assert out.statistic[0] == pytest.approx((0.05 - abs(value)) / error)
    half = t.ppf(0.95) * error
    assert (out.lower[0], out.upper[0]) == pytest.approx((value - half, value + half))
    below = not_inferior(fit, 0.05, 0.95)
    assert below.p[0] == pytest.approx(t.sf((value + 0.05) / error), rel=1e-12)
    assert (below.lower[0], below.upper[0]) == (pytest.approx(value - half), np.inf)
    assert (out.level, below.level) == (0.9, 0.95)


def test_p_and_intervals_of_margins_agree() -> None:
    for _ in range(500):
        value, error, df = RNG.normal(0, 0.1), RNG.exponential(0.05), float(RNG.integers(1, 30))
        margin, level = float(RNG.uniform(0.01, 0.2)), float(RNG.uniform(0.6, 0.99))
        fit = fit_of(value, error, df)
        both, below = two_one_sided(fit, margin, level), not_inferior(fit, margin, level)
        inside = -margin < both.lower[0] and both.upper[0] < margin
        assert inside == (both.p[0] <= 1 - level)
        assert (below.lower[0] > -margin) == (below.p[0] <= 1 - level)


def test_wrong_margins_and_levels() -> None:
    for margin in (0.0, -1.0):
        with pytest.raises(ft.errors.OptionError, match="must be above 0"):
            check_margin(margin)
    with pytest.raises(ft.errors.OptionError, match=r"level=0.5: must be above 0\.5"):
        check_level(0.5)
    draws = drawn_fit(np.zeros(1), np.ones(1), np.ones(1), "worlds", np.zeros((1, 9)))
    with pytest.raises(ft.errors.OptionError, match="independent worlds are no sample"):
        two_one_sided(draws, 0.1, 0.95)
