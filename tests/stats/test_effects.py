"""Effect sizes and agreement by hand, statistics by name, and input of tests of pairs."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.stats.effects import (
    agreement,
    apply,
    contrasts_of,
    effects,
    geometric_mean,
    means_of_pairs,
    named_statistic,
    one_pair,
    scale_of,
    two_lists,
)
from fuzzytruth.stats.observations import Observations, QueryGroups, WorldMeans, all_pairs

TABLE = np.array([[[1.0, 2.0], [3.0, 3.0], [5.0, 1.0]], [[1.0, 1.0], [4.0, 2.0], [1.0, 1.0]]])


def crossed(table: np.ndarray) -> Observations:
    """Of (systems, queries, subjects)."""
    cells = Cells.of_mask(~np.isnan(table).all(axis=0))
    return Observations(cells.of_dense(table), cells)


def agree(observed: Observations, value: float) -> tuple[float, ...]:
    """Subjects who agree, who tie, and shares of subjects and of worlds."""
    result = agreement(observed, all_pairs(2), np.array([value]))
    names = ("subjects_agree", "subjects_tied", "share_subjects", "share_worlds")
    return tuple(float(result[name][0]) for name in names)


@pytest.mark.parametrize("up", [True, False])
def test_by_query(up: bool) -> None:
    result = effects(crossed(TABLE), all_pairs(2), higher_is_better=up)
    d = np.array([0.5, 0.0, 2.0])
    assert result["d_z"][0] == pytest.approx(d.mean() / d.std(ddof=1))
    wins = [result[name][0] for name in ("wins", "ties", "losses")]
    assert wins == ([2, 1, 0] if up else [0, 1, 2])
    assert result["p_improvement"][0] == pytest.approx(2.5 / 3 if up else 0.5 / 3)
    apart = Observations(np.array([[1.0, np.nan], [np.nan, 1.0]]), Cells.of_queries(2))
    nothing = effects(apart, all_pairs(2), higher_is_better=up)
    assert np.isnan([nothing["d_z"][0], nothing["p_improvement"][0]]).all()


def test_means_are_over_what_both_have() -> None:
    table = TABLE.copy()
    table[0, 2, 0] = np.nan
    for given, expected in ((table, (5.5 / 3, 5 / 3)), (TABLE, (2.5, 5 / 3))):
        first, second = means_of_pairs(crossed(given), all_pairs(2))
        assert (first[0], second[0]) == pytest.approx(expected)


def test_agreement_of_subjects_and_of_worlds() -> None:
    assert agree(crossed(TABLE), 0.8) == pytest.approx((2, 0, 1.0, np.nan), nan_ok=True)
    assert np.isnan(agree(crossed(TABLE), 0.0)[2])
    subjects = np.array([1.0, 3.0, 0.0, -1.0, -1.0])  # of one query
    table = np.stack([subjects, np.zeros(5)])[:, None]
    assert agree(crossed(table), 0.4)[:2] == (2, 1)
    means = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 1.0]])
    worlds = WorldMeans(Lazy.of(means), np.array([0.1, 0.2, 0.3, 0.4]), 1.0, resampled=False)
    plain = Observations(np.array([[1.0], [0.0]]), Cells.of_queries(1), worlds=worlds)
    assert agree(plain, 0.3)[3] == pytest.approx(0.5)
    strata = replace(plain, groups=QueryGroups("strata", np.array([0]), 1))
    assert np.isnan(agree(strata, 0.3)[3])  # means of worlds do not weigh strata


def test_statistics_by_name() -> None:
    values = np.random.default_rng(0).random((3, 4, 5))
    np.testing.assert_allclose(geometric_mean(values), values.prod(axis=-1) ** 0.2)
    np.testing.assert_allclose(geometric_mean(values, axis=0), values.prod(axis=0) ** (1 / 3))
    assert geometric_mean(np.array([0.0, 1.0])) == 0
    assert np.isnan(geometric_mean(np.array([np.nan, 1.0])))
    with pytest.raises(ft.errors.DataError, match="some values are negative"):
        geometric_mean(np.array([-1.0, 1.0]))
    assert named_statistic("median") == ("median", np.median)
    assert named_statistic(np.max) == ("max", np.max)
    with pytest.raises(ft.errors.OptionError, match=r"'mode'.*'geometric_mean'"):
        named_statistic("mode")
    assert apply(np.mean, np.ones((2, 3))).tolist() == [1, 1]
    with pytest.raises(ft.errors.OptionError, match="must reduce its axis"):
        apply(np.sort, np.ones((2, 3)))


def test_contrasts_of_differences() -> None:
    values, which = contrasts_of([1, 2, 4])
    assert values.tolist() == [[1.0], [2.0], [4.0]]
    assert values.sum(axis=0)[which] == 7.0
    differences = np.array([[1.0, 2.0], [3.0, np.nan]])
    values, which = contrasts_of(differences)
    np.testing.assert_array_equal(values, differences)
    assert values[0][which].tolist() == [1.0, 2.0]
    assert one_pair([0.5, np.nan, -1]).tolist() == [0.5, -1.0]
    a, b = two_lists([1, np.nan, 3, 4], [5, 6, np.nan, 8])
    assert (a.tolist(), b.tolist()) == ([1.0, 4.0], [5.0, 8.0])
    for function, given, words in (
        (contrasts_of, [1.0], r"must be \(queries,\) or \(queries, contrasts\)"),
        (contrasts_of, [np.zeros((2, 2, 2))], r"must be \(queries,\) or \(queries, contrasts\)"),
        (one_pair, [[[1, 2]]], r"differences of shape \(1, 2\): must be \(queries,\)"),
        (two_lists, [[1, 2], [1, 2, 3]], r"values of shapes \(2,\) and \(3,\)"),
        (two_lists, [[[1, 2]], [[1, 2]]], "values of shapes"),
    ):
        with pytest.raises(ft.errors.DataError, match=words):
            function(*given)


def test_scale_is_given_or_the_largest_value() -> None:
    values = np.array([[1.0, np.nan, 2.0], [-3.0, np.nan, np.inf]])
    assert scale_of(values, None).tolist() == [3.0, 0.0, 2.0]
    assert scale_of(values, 5).tolist() == [5.0] * 3
    assert scale_of(values, [1, 2, 3]).tolist() == [1.0, 2.0, 3.0]
    assert scale_of(values[:0], None).tolist() == [0.0] * 3
    assert float(scale_of(values[:, 0], None)) == 3.0
    wrong: list[Any] = [-1, [1, 2], np.nan, np.inf, "one"]
    for scale in wrong:
        with pytest.raises(ft.errors.DataError, match="scale"):
            ft.stats.sign_test(np.zeros((4, 3)), scale=scale)


@pytest.mark.parametrize("name", ["sign_test", "wilcoxon", "sign_flip", "bootstrap_shift"])
def test_rounding_errors_of_the_values_are_no_differences(name: str) -> None:
    noise = 1e-17 * np.array([1.85, -3, 1.85, 0, 2, 1.85, 1.85])  # of values about 0.3
    given = [ft.stats.Resampling(99)] if name in ("sign_flip", "bootstrap_shift") else []
    outcome = getattr(ft.stats, name)(noise, *given, scale=0.3)
    assert (outcome.p, outcome.estimate) == (1, 0.5 if name == "sign_test" else 0)
