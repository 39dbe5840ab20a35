"""Effect sizes and agreement by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fuzzytruth.core.cells import Cells
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.stats.effects import agreement, effects, means_of_pairs
from fuzzytruth.stats.observations import Observations, QueryGroups, WorldMeans, all_pairs

TABLE = np.array([[[1.0, 2.0], [3.0, 3.0], [5.0, 1.0]], [[1.0, 1.0], [4.0, 2.0], [1.0, 1.0]]])


def crossed(table: np.ndarray) -> Observations:
    cells = Cells.of_mask(~np.isnan(table).all(axis=0))
    return Observations(cells.of_dense(table), cells)


@pytest.mark.parametrize("up", [True, False])
def test_by_query(up: bool) -> None:
    result = effects(crossed(TABLE), all_pairs(2), higher_is_better=up)
    d = np.array([0.5, 0.0, 2.0])
    assert result["d_z"][0] == pytest.approx(d.mean() / d.std(ddof=1))
    wins = [result[name][0] for name in ("wins", "ties", "losses")]
    assert wins == ([2, 1, 0] if up else [0, 1, 2])
    assert result["p_improvement"][0] == pytest.approx(2.5 / 3 if up else 0.5 / 3)


def test_means_are_over_what_both_have() -> None:
    table = TABLE.copy()
    table[0, 2, 0] = np.nan
    first, second = means_of_pairs(crossed(table), all_pairs(2))
    assert (first[0], second[0]) == (pytest.approx((1.5 + 3 + 1) / 3), pytest.approx(5 / 3))
    first, second = means_of_pairs(crossed(TABLE), all_pairs(2))
    assert (first[0], second[0]) == (pytest.approx(2.5), pytest.approx(5 / 3))


def test_agreement_of_subjects_and_of_worlds() -> None:
    result = agreement(crossed(TABLE), all_pairs(2), np.array([0.8]))
    assert (result["subjects_agree"][0], result["share_subjects"][0]) == (2, 1.0)
    assert np.isnan(result["share_worlds"][0])
    result = agreement(crossed(TABLE), all_pairs(2), np.array([0.0]))
    assert np.isnan(result["share_subjects"][0])
    means = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 1.0]])
    worlds = WorldMeans(Lazy.of(means), np.array([0.1, 0.2, 0.3, 0.4]), 1.0, resampled=False)
    plain = Observations(np.array([[1.0], [0.0]]), Cells.of_queries(1), worlds=worlds)
    assert agreement(plain, all_pairs(2), np.array([0.3]))["share_worlds"][0] == pytest.approx(0.5)


def test_subjects_agree_by_the_mean_over_strata() -> None:
    differences = np.array([[-1.0, 1.0], [-1.0, 1.0], [3.0, 1.0]])  # of queries by each subject
    table = np.stack([differences, np.zeros((3, 2))])
    strata = QueryGroups("strata", np.array([0, 0, 1]), 2)
    weighted = replace(crossed(table), groups=strata)
    result = agreement(weighted, all_pairs(2), np.array([1.0]))
    assert (result["subjects_agree"][0], result["share_subjects"][0]) == (2, 1.0)
    table[0, 2, 0] = 2.0 - 1e-3  # the plain mean of the first subject is below 0, this is not
    assert agreement(crossed(table), all_pairs(2), np.array([1.0]))["subjects_agree"][0] == 1
    weighted = replace(crossed(table), groups=strata)
    assert agreement(weighted, all_pairs(2), np.array([1.0]))["subjects_agree"][0] == 2


def test_means_of_worlds_do_not_weigh_strata() -> None:
    worlds = WorldMeans(Lazy.of(np.array([[1.0, 0.0]])), np.ones(1), 1.0, resampled=False)
    plain = Observations(np.array([[1.0], [0.0]]), Cells.of_queries(1), worlds=worlds)
    assert agreement(plain, all_pairs(2), np.array([1.0]))["share_worlds"][0] == 1
    strata = replace(plain, groups=QueryGroups("strata", np.array([0]), 1))
    assert np.isnan(agreement(strata, all_pairs(2), np.array([1.0]))["share_worlds"][0])


def test_nothing_in_common() -> None:
    apart = Observations(np.array([[1.0, np.nan], [np.nan, 1.0]]), Cells.of_queries(2))
    result = effects(apart, all_pairs(2), higher_is_better=True)
    assert np.isnan([result["d_z"][0], result["p_improvement"][0]]).all()


def test_subjects_whose_difference_is_zero_or_minus_one() -> None:
    differences = np.array([[1.0, 1.0], [3.0, 3.0], [0.0, 0.0], [-1.0, -1.0], [-1.0, -1.0]])
    table = np.stack([differences, np.zeros((5, 2))])
    result = agreement(crossed(table.transpose(0, 2, 1)), all_pairs(2), np.array([0.4]))
    assert (result["subjects_agree"][0], result["subjects_tied"][0]) == (2, 1)
