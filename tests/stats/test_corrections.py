"""Corrections by name, beside statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests, multitest_methods_names

import fuzzytruth as ft
from fuzzytruth.stats.multiplicity import CORRECTIONS, WRITTEN, interval_level

#: "lfdr" is in statsmodels from 0.15 on
INSTALLED = [name for name in CORRECTIONS if name != "lfdr" or name in multitest_methods_names]
P = np.array([0.001, 0.2, 0.01, 0.03, 0.04, 0.9])


def test_all_of_statsmodels_are_there() -> None:
    ours = [multipletests(P, method=name)[1].tolist() for name in INSTALLED]
    theirs = [multipletests(P, method=name)[1].tolist() for name in multitest_methods_names]
    assert all(p in ours for p in theirs)
    assert len(ours) == len(theirs)


@pytest.mark.parametrize("name", INSTALLED)
def test_nan_stays_nan_and_corrupts_nothing(name: str) -> None:
    expected = multipletests(P, method=name)[1]
    result = ft.stats.adjust(np.insert(P, 3, np.nan), name)
    assert np.isnan(result[3])
    np.testing.assert_allclose(np.delete(result, 3), expected)
    assert np.isnan(ft.stats.adjust([np.nan, np.nan], name)).all()


@pytest.mark.parametrize("name", INSTALLED)
@pytest.mark.parametrize("p", [[1.0], [1.0, 0.5, 1e-9], [1e-310, 0.5]])
def test_the_smallest_and_the_largest_p(name: str, p: list[float]) -> None:
    with np.errstate(all="raise"):
        out = ft.stats.adjust(p, name)
    assert ((out >= 0) & (out <= 1)).all()
    np.testing.assert_array_equal(ft.stats.adjust(p, name), out)


def test_wrong_names_and_numbers() -> None:
    with pytest.raises(ft.OptionError, match=r"'tukey'.*'holm'"):
        ft.stats.adjust(P, "tukey")
    with pytest.raises(ft.DataError, match=r"p\[1\] = 1.5"):
        ft.stats.adjust([0.1, 1.5], "holm")


@pytest.mark.parametrize("method", ["fdr_tsbh", "fdr_tsbky", "fdr_gbs"])
def test_adaptive_corrections_may_go_below_p(method):
    p = [1e-6] * 9 + [0.06]
    want = np.clip(multipletests(p, alpha=0.05, method=method)[1], 0, 1)
    np.testing.assert_allclose(ft.stats.adjust(p, method), want)
    assert ft.stats.adjust(p, method)[-1] < 0.06


def test_every_correction_has_its_written_name() -> None:
    assert [*WRITTEN] == [*CORRECTIONS]
    assert all(name[0].isupper() or " " in name for name in WRITTEN.values())


def test_levels_of_intervals_that_agree_with_adjusted_p() -> None:
    assert [interval_level(name, 0.9, 1) for name in ("bonferroni", "sidak", "holm")] == [0.9] * 3
    assert interval_level("bonferroni", 0.9, 2) == pytest.approx(0.95)
    assert interval_level("sidak", 0.81, 2) == pytest.approx(0.9)
    assert interval_level("holm", 0.9, 2) is None
