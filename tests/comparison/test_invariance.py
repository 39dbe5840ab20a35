"""No unit, origin or order of the data changes a p-value, ties or not: every test of Scores."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import numpy as np
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.comparison import margin_tests, order_tests, pair_tests

PAIR = ("sys0", "sys1")
#: p of scores in some unit above some origin
P_OF_SCORES: dict[str, Callable[..., float]] = {
    "paired_t": lambda s, unit, origin, m: ft.paired_t(s, *PAIR).p,
    "equivalence": lambda s, unit, origin, m: ft.equivalence(s, *PAIR, margin=0.1 * unit).p,
    "non_inferiority": lambda s, unit, origin, m: ft.non_inferiority(s, *PAIR, margin=0.1 * unit).p,
    "sign_flip": lambda s, unit, origin, m: ft.sign_flip(s, *PAIR, n_resamples=m).p,
    "sign_flip, mid-p": lambda s, unit, origin, m: (
        ft.sign_flip(s, *PAIR, n_resamples=m, mid_p=True).p
    ),
    "bootstrap_shift": lambda s, unit, origin, m: ft.bootstrap_shift(s, *PAIR, n_resamples=m).p,
    "sign_test": lambda s, unit, origin, m: ft.sign_test(s, *PAIR).p,
    "mcnemar": lambda s, unit, origin, m: ft.mcnemar(s, *PAIR, success=0.4 * unit + origin).p,
    "wilcoxon": lambda s, unit, origin, m: ft.wilcoxon(s, *PAIR).p,
    "wasserstein": lambda s, unit, origin, m: ft.wasserstein(s, *PAIR, n_resamples=m).p,
    "dominance": lambda s, unit, origin, m: ft.dominance(s, *PAIR, n_resamples=m).test.p,
    "friedman": lambda s, unit, origin, m: ft.friedman(s).p,
}
NO_P = {"superiority"}  # which tests no hypothesis
NO_RESAMPLES = {
    *("paired_t", "equivalence", "non_inferiority"),
    "sign_test",
    "mcnemar",
    "wilcoxon",
    "friedman",
}
ENUMERATED, DRAWN = 9999, 500
CASES = [
    (name, m)
    for name in P_OF_SCORES
    for m in (ENUMERATED, DRAWN)[: 1 if name in NO_RESAMPLES else 2]
]
DATA = [(seed, n, decimals) for seed in range(3) for n in (10, 25) for decimals in (1, 2)]


def values_of(seed: int, n: int, decimals: int) -> np.ndarray:
    """Values (3 systems, 3 subjects, queries) with few decimals, hence with ties of means."""
    rng = np.random.default_rng((seed, n, decimals))
    raised = rng.random((3, 3, n)) + np.array([0.1, 0.0, 0.05])[:, None, None]
    return np.round(np.clip(raised, 0, 1), decimals)


def test_all_tests_are_here() -> None:
    modules = (margin_tests, order_tests, pair_tests)
    functions = {
        name
        for module in modules
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and name in ft.__all__
    }
    assert functions - NO_P == {name.split(",")[0] for name in P_OF_SCORES}


@pytest.mark.parametrize(("name", "m"), CASES)
def test_units_and_origin(name: str, m: int) -> None:
    p_of = P_OF_SCORES[name]
    for which in DATA:
        values = values_of(*which)
        p = p_of(scores_of(values), 1.0, 0.0, m)
        for unit in (10.0, 1 / 3, 1e-150, 1e150):
            scaled = p_of(scores_of(values * unit), unit, 0.0, m)
            assert scaled == pytest.approx(p, rel=1e-12), (which, unit)
        for origin in (0.1, 1 / 3, 7.7):
            shifted = p_of(scores_of(values + origin), 1.0, origin, m)
            assert shifted == pytest.approx(p, rel=1e-12), (which, origin)


@pytest.mark.parametrize("name", [name for name in P_OF_SCORES if name != "bootstrap_shift"])
def test_order_of_queries_and_subjects(name: str) -> None:
    """Where nothing is drawn."""
    p_of = P_OF_SCORES[name]
    for which in [(seed, 10, decimals) for seed in range(4) for decimals in (1, 2)]:
        values = values_of(*which)
        order = np.random.default_rng(which[0]).permutation(10)
        expected = pytest.approx(p_of(scores_of(values), 1.0, 0.0, ENUMERATED), rel=1e-12)
        ordered = scores_of(values[:, [2, 0, 1]][..., order])
        assert p_of(ordered, 1.0, 0.0, ENUMERATED) == expected, which


@pytest.mark.parametrize(
    ("name", "m"), [case for case in CASES if case[0] not in ("dominance", "non_inferiority")]
)
def test_two_sided_p_of_exchanged_systems(name: str, m: int) -> None:
    p_of = P_OF_SCORES[name]
    for which in DATA:
        values = values_of(*which)
        expected = pytest.approx(p_of(scores_of(values), 1.0, 0.0, m), rel=1e-12)
        assert p_of(scores_of(values[[1, 0, 2]]), 1.0, 0.0, m) == expected, which
