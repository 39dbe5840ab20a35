"""Input of tests of paired values."""

from __future__ import annotations

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.stats.effects import (
    UNDEFINED,
    PairedOutcome,
    contrasts_of,
    one_pair,
    scale_of,
    two_lists,
)


def test_one_pair_is_one_contrast() -> None:
    values, which = contrasts_of([1, 2, 4])
    assert values.tolist() == [[1.0], [2.0], [4.0]]
    assert values.sum(axis=0)[which] == 7.0


def test_several_contrasts_stay() -> None:
    differences = np.array([[1.0, 2.0], [3.0, np.nan]])
    values, which = contrasts_of(differences)
    np.testing.assert_array_equal(values, differences)
    assert values[0][which].tolist() == [1.0, 2.0]


@pytest.mark.parametrize("differences", [1.0, np.zeros((2, 2, 2))])
def test_other_shapes(differences) -> None:
    with pytest.raises(ft.DataError, match=r"must be \(queries,\) or \(queries, contrasts\)"):
        contrasts_of(differences)


def test_queries_that_either_system_lacks_are_left_out() -> None:
    assert one_pair([0.5, np.nan, -1]).tolist() == [0.5, -1.0]
    a, b = two_lists([1, np.nan, 3, 4], [5, 6, np.nan, 8])
    assert (a.tolist(), b.tolist()) == ([1.0, 4.0], [5.0, 8.0])


def test_one_pair_is_one_list() -> None:
    with pytest.raises(ft.DataError, match=r"differences of shape \(1, 2\): must be \(queries,\)"):
        one_pair([[1, 2]])
    with pytest.raises(ft.DataError, match=r"values of shapes \(2,\) and \(3,\)"):
        two_lists([1, 2], [1, 2, 3])
    with pytest.raises(ft.DataError, match="values of shapes"):
        two_lists([[1, 2]], [[1, 2]])


def test_a_pair_without_queries_is_undefined() -> None:
    assert UNDEFINED.n == 0
    numbers = (UNDEFINED.estimate, UNDEFINED.statistic, UNDEFINED.p)
    assert np.isnan([*numbers, UNDEFINED.lower, UNDEFINED.upper]).all()
    outcome = PairedOutcome(3, 0.1, 2.0, 0.04)
    assert (outcome.level, outcome.exact) == (0.95, True)


def test_scale_is_given_or_the_largest_value() -> None:
    values = np.array([[1.0, np.nan, 2.0], [-3.0, np.nan, np.inf]])
    assert scale_of(values, None).tolist() == [3.0, 0.0, 2.0]
    assert scale_of(values, 5).tolist() == [5.0] * 3
    assert scale_of(values, [1, 2, 3]).tolist() == [1.0, 2.0, 3.0]
    assert scale_of(values[:0], None).tolist() == [0.0] * 3
    assert float(scale_of(values[:, 0], None)) == 3.0


@pytest.mark.parametrize("scale", [-1, [1, 2], np.nan, np.inf, "one"])
def test_scale_is_a_size(scale) -> None:
    with pytest.raises(ft.DataError, match="scale"):
        ft.stats.sign_test(np.zeros((4, 3)), scale=scale)


NOISE = np.array([1.85e-17, -3e-17, 1.85e-17, 0, 2e-17, 1.85e-17, 1.85e-17])  # of values about 0.3


@pytest.mark.parametrize("name", ["sign_test", "wilcoxon", "sign_flip", "bootstrap_shift"])
def test_rounding_errors_of_the_values_are_no_differences(name: str) -> None:
    given = [ft.stats.Resampling(99)] if name in ("sign_flip", "bootstrap_shift") else []
    outcome = getattr(ft.stats, name)(NOISE, *given, scale=0.3)
    assert outcome.p == 1
    assert outcome.estimate == (0.5 if name == "sign_test" else 0)
