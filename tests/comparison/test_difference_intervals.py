"""Intervals of differences beside SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats
from support.scores_for_tests import scores_of

import fuzzytruth as ft

X = np.random.default_rng(0).beta(0.6, 1.5, size=(3, 40))


def test_differences_by_any_method() -> None:
    scores = scores_of(X)
    result = ft.difference_intervals(scores, full=True)
    assert result[["system_a", "system_b"]].iloc[2].tolist() == ["sys1", "sys2"]
    ends = scipy_stats.ttest_rel(X[1], X[2]).confidence_interval()
    assert result.loc[2, ["lower", "upper"]].tolist() == pytest.approx([ends.low, ends.high])
    medians = ft.difference_intervals(
        scores, baseline="sys0", statistic="median", method="percentile", full=True
    )
    assert medians["median"].tolist() == pytest.approx(
        [np.median(X[1] - X[0]), np.median(X[2] - X[0])]
    )
    assert (medians["lower"] <= medians["median"]).all()
    for options in ({}, {"method": "pigeonhole", "over": ("query", "subject")}):
        with pytest.raises(
            ft.DataError, match=r"^difference_intervals: .* a single system, 'sys0'"
        ):
            ft.difference_intervals(scores_of(X[:1]), **options)
    table = np.random.default_rng(1).normal(size=(3, 4, 12))
    both = ft.difference_intervals(scores_of(table), over=("query", "subject"), full=True)
    assert both["method"].unique().tolist() == ["generalised pivotal, queries × subjects"]
