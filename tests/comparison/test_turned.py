"""Pairs as they are shown."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import scores_of
from support.shown_pairs import shown_pairs

import fuzzytruth as ft
from fuzzytruth.comparison.inference import turned

VALUES = np.random.default_rng(3).normal(0.5, 0.1, (4, 3, 9))


def test_every_column_is_turned() -> None:
    result = ft.compare(scores_of(VALUES), bayesian=True, rope=0.01)
    out = turned(result.table, result.conditions)
    assert (out["difference"] >= 0).all()
    assert 0 < (result.table["difference"] < 0).sum() < len(out)
    for row, shown in zip(out.itertuples(), shown_pairs(result), strict=True):
        for name in ("system_a", "system_b", "difference", "lower", "upper", "wins", "losses"):
            assert getattr(row, name) == getattr(shown, name)
    np.testing.assert_allclose(out["mean_a"] - out["mean_b"], out["difference"])
    np.testing.assert_allclose(out["d_z"], result.table["d_z"].abs())
    better = result.table["difference"] > 0
    kept, other = result.table["posterior_better"], result.table["posterior_worse"]
    np.testing.assert_array_equal(out["posterior_better"], kept.where(better, other))


@pytest.mark.parametrize("options", [{"baseline": "sys0"}, {"alternative": "less"}])
def test_where_the_order_matters_it_is_kept(options: dict[str, str]) -> None:
    result = ft.compare(scores_of(VALUES), n_resamples=99, **options)
    pd.testing.assert_frame_equal(turned(result.table, result.conditions), result.table)


def test_one_order_for_all_subjects() -> None:
    result = ft.compare(scores_of(VALUES), n_resamples=99)
    each = result.by_subject()
    out = turned(each.table, each.conditions, result.table)
    pairs = {(row.system_a, row.system_b) for row in shown_pairs(result)}
    assert {*zip(out["system_a"], out["system_b"], strict=True)} == pairs
    assert len(out) == 3 * len(pairs)
    assert (out["difference"] < 0).any()
