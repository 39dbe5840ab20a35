"""Tests of two systems, taken from Scores: as on arrays, published examples, words."""

import inspect
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats
from support.scores_for_tests import scores_of
from support.texts import is_stored

import fuzzytruth as ft
from fuzzytruth.comparison import margin_tests, pair_tests
from fuzzytruth.core.cells import Cells
from fuzzytruth.stats.settings import Resampling

RNG = np.random.default_rng(0)
A = RNG.beta(1, 2, 30)
B = np.clip(A + RNG.normal(0.05, 0.1, 30), 0, 1)
SCORES = scores_of([B, A])
PAIR = ("sys0", "sys1")
USING = Resampling(500, rng=1)
D = B - A
ON_ARRAYS: dict[str, tuple[dict[str, Any], Any]] = {
    "paired_t": ({"level": 0.9}, ft.stats.paired_t(D, level=0.9)),
    "sign_flip": ({"n_resamples": 500, "rng": 1}, ft.stats.sign_flip(D, USING)),
    "bootstrap_shift": ({"n_resamples": 500, "rng": 1}, ft.stats.bootstrap_shift(D, USING)),
    "wasserstein": ({"n_resamples": 500, "rng": 1}, ft.stats.wasserstein(B, A, USING)),
    "wilcoxon": ({}, ft.stats.wilcoxon(D)),
    "sign_test": ({}, ft.stats.sign_test(D)),
    "mcnemar": ({"success": 0.3}, ft.stats.mcnemar(B >= 0.3, A >= 0.3)),
    "equivalence": ({"margin": 0.08}, ft.stats.equivalence(D, margin=0.08)),
    "non_inferiority": ({"margin": 0.08}, ft.stats.non_inferiority(D, margin=0.08)),
}


@pytest.mark.parametrize("name", ON_ARRAYS)
def test_numbers_are_those_of_arrays(name: str) -> None:
    """Of queries that both systems have, and of means over subjects."""
    options, expected = ON_ARRAYS[name]
    test = getattr(ft.tests, name)
    missing = scores_of([[*B, 0.5, np.nan], [*A, np.nan, 0.5]])
    shifts = np.array([0.1, -0.1])[:, None]
    subjects = scores_of(np.stack([B + shifts, A - shifts]))
    swapped = scores_of([-B, -A], higher_is_better=(False,))
    lower = swapped if name != "mcnemar" else scores_of([-B, -A])
    for scores in (SCORES, missing, subjects):
        result = test(scores, *PAIR, **options)
        numbers = [result.estimate, result.statistic, result.p, result.lower, result.upper]
        wanted = [getattr(expected, field) for field in ("estimate", "statistic", "p")]
        wanted += [expected.lower, expected.upper]
        assert numbers == pytest.approx(wanted, rel=1e-9, nan_ok=True)
        assert (result.n, result.exact, result.level) == (30, expected.exact, expected.level)
        assert {type(number) for number in numbers} == {float}
        assert pickle.loads(pickle.dumps(result)).p == result.p
    if name != "mcnemar":
        assert test(lower, *PAIR, **options).p == pytest.approx(result.p)
    if name in ("sign_flip", "sign_test", "mcnemar"):
        mid = test(SCORES, *PAIR, mid_p=True, **options)
        assert mid.p < result.p
        assert (mid.exact, mid.null) == (False, f"{result.null} (mid-p)")


def test_successes() -> None:
    """Low values are successes where lower is better; 0 and 1 need no least success."""
    result = ft.tests.mcnemar(scores_of([B, A], higher_is_better=(False,)), *PAIR, success=0.3)
    assert result.estimate == pytest.approx((B <= 0.3).mean() - (A <= 0.3).mean())
    assert result.statistic == ((B <= 0.3) & (A > 0.3)).sum()
    for higher in (True, False):
        scores = scores_of([B >= 0.3, A >= 0.3], higher_is_better=(higher,))
        assert repr(ft.tests.mcnemar(scores, *PAIR)) == repr(
            ft.tests.mcnemar(scores, *PAIR, success=0.5)
        )
    message = r"^success=None: values of .* are not all 0 or 1; give the least that is a success"
    with pytest.raises(ft.errors.OptionError, match=message):
        ft.tests.mcnemar(SCORES, *PAIR)
    thirds = np.array([[[0.0] * 6, [0.0] * 6, [0.3] * 6], [[0.0] * 6] * 3])
    assert thirds[0].mean(axis=0).max() < 0.1  # by 1e-17
    for unit in (1.0, 1e150):
        result = ft.tests.mcnemar(scores_of(thirds * unit), *PAIR, success=0.1 * unit)
        assert (result.estimate, result.p) == (1.0, 2 / 2**6)


def test_names_and_queries_that_are_missing() -> None:
    with pytest.raises(ft.errors.DataError, match="no query in common"):
        ft.tests.paired_t(scores_of([[1, np.nan], [np.nan, 1]]), *PAIR)
    with pytest.raises(ft.errors.OptionError, match="'sys9' is not among"):
        ft.tests.paired_t(SCORES, "sys9", "sys0")
    scores = ft.Scores(
        systems=("a", "b"),
        queries=("1", "2", "3"),
        measures=("AP", "RR"),
        values=np.zeros((2, 2, 3)),
        cells=Cells.of_queries(3),
        higher_is_better=(True, True),
    )
    with pytest.raises(
        ft.errors.OptionError, match=r"measure=None: name one; these scores have AP, RR"
    ):
        ft.tests.paired_t(scores, "a", "b")
    assert ft.tests.paired_t(scores, "a", "b", "map").p == 1


@pytest.mark.parametrize("name", ON_ARRAYS)
def test_identical_systems_and_a_single_query(name: str) -> None:
    test, options = getattr(ft.tests, name), ON_ARRAYS[name][0]
    same = test(scores_of([A, A]), *PAIR, **options)
    assert same.p == (2.0**-30 if "margin" in options else 1)
    one = test(scores_of([[0.5], [0.4]]), *PAIR, **options)
    assert one.p == 1
    if name == "paired_t":
        assert (same.estimate, same.lower, same.upper) == (0.0, 0.0, 0.0)
        assert (one.lower, one.upper) == (-np.inf, np.inf)


#: p of scores in some unit above some origin, with so many resamples
P_OF: dict[str, Callable[..., float]] = {
    "paired_t": lambda s, unit, origin, m: ft.tests.paired_t(s, *PAIR).p,
    "equivalence": lambda s, unit, origin, m: ft.tests.equivalence(s, *PAIR, margin=0.1 * unit).p,
    "non_inferiority": lambda s, unit, origin, m: (
        ft.tests.non_inferiority(s, *PAIR, margin=0.1 * unit).p
    ),
    "sign_flip": lambda s, unit, origin, m: ft.tests.sign_flip(s, *PAIR, n_resamples=m).p,
    "bootstrap_shift": lambda s, unit, origin, m: (
        ft.tests.bootstrap_shift(s, *PAIR, n_resamples=m).p
    ),
    "sign_test": lambda s, unit, origin, m: ft.tests.sign_test(s, *PAIR).p,
    "mcnemar": lambda s, unit, origin, m: ft.tests.mcnemar(s, *PAIR, success=0.4 * unit + origin).p,
    "wilcoxon": lambda s, unit, origin, m: ft.tests.wilcoxon(s, *PAIR).p,
    "wasserstein": lambda s, unit, origin, m: ft.tests.wasserstein(s, *PAIR, n_resamples=m).p,
    "dominance": lambda s, unit, origin, m: ft.tests.dominance(s, *PAIR, n_resamples=m).test.p,
    "friedman": lambda s, unit, origin, m: ft.tests.friedman(s).p,
}


def test_every_test_of_scores_is_here() -> None:
    modules = (margin_tests, pair_tests)
    functions = {
        name
        for module in modules
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and name in ft.tests.__all__
    }
    assert functions - {"superiority"} == {*P_OF}  # which tests no hypothesis


# Student 1908, "Cushny and Peebles": R's data set `sleep`.
SLEEP = [
    [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
    [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
]
# Hollander & Wolfe 1973: R's example of wilcox.test, Hamilton depression scale.
DEPRESSION = [
    [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30],
    [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29],
]


def test_published_examples() -> None:
    # with(sleep, t.test(extra[group == 1], extra[group == 2], paired = TRUE))
    # t = -4.0621, df = 9, p-value = 0.002833; 95 percent: -2.4598858 -0.7001142; mean -1.58
    result = ft.tests.paired_t(scores_of(SLEEP), *PAIR)
    assert result.statistic == pytest.approx(-4.0621, abs=5e-5)
    assert result.p == pytest.approx(0.002833, abs=5e-7)
    row = ft.compare(scores_of(SLEEP)).table.iloc[0]
    found = [row["difference"], row["lower"], row["upper"]]
    assert found == pytest.approx([-1.58, -2.4598858, -0.7001142], abs=5e-8)
    # wilcox.test(x, y, paired = TRUE, alternative = "greater"): V = 40, p-value = 0.01953
    result = ft.tests.wilcoxon(scores_of(DEPRESSION), *PAIR)
    assert result.p == pytest.approx(2 * 0.01953, abs=1e-5)
    assert result.p == scipy_stats.wilcoxon(*DEPRESSION).pvalue


APART = scores_of(np.array([0.7, 0.4])[:, None] + RNG.normal(0, 0.05, (2, 10)))
ALIKE = scores_of([[0.4, 0.5] * 5, [0.45, 0.47] * 4 + [0.46, 0.49]])
PRINTED: dict[str, Any] = {
    "paired t": ft.tests.paired_t(APART, *PAIR, level=0.9),
    "paired t, other order": ft.tests.paired_t(APART, *PAIR[::-1]),
    "paired t, not shown": ft.tests.paired_t(replace(ALIKE, higher_is_better=(False,)), *PAIR),
    "sign flips": ft.tests.sign_flip(APART, *PAIR),
    "sign flips, mid-p": ft.tests.sign_flip(APART, *PAIR, mid_p=True),
    "sign flips, drawn": ft.tests.sign_flip(APART, *PAIR, n_resamples=99),
    "wilcoxon, not shown": ft.tests.wilcoxon(ALIKE, *PAIR),
    "equivalence": ft.tests.equivalence(ALIKE, *PAIR, margin=0.5),
    "equivalence, not shown": ft.tests.equivalence(APART, *PAIR, margin=0.1),
    "non-inferiority": ft.tests.non_inferiority(APART, *PAIR, margin=0.1),
    "non-inferiority, not shown": ft.tests.non_inferiority(
        APART, *PAIR[::-1], margin=0.01, level=0.9
    ),
}


@pytest.mark.parametrize("name", PRINTED)
def test_what_is_printed(name: str) -> None:
    result = PRINTED[name]
    assert is_stored(f"test, {name}", f"{result!r}\n\n{result._answer().text(80)}")
    assert result.rejected == (result.p <= result.alpha) == ("not shown" not in name)
