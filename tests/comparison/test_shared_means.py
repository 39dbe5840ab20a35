"""Means beside comparisons are over the queries that the systems share."""

from __future__ import annotations

import numpy as np
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.comparison.conditions import Shared

NAN = np.nan


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.FuzzytruthWarning")
class TestMeans:
    def test_they_do_not_contradict_the_comparison(self) -> None:
        """The second system is better where both have values, and lacks the easy queries."""
        rng = np.random.default_rng(0)
        hard = rng.normal(0.2, 0.01, 12)
        values = np.array(
            [[*hard, *np.full(6, 0.9)], [*(hard + 0.1 + rng.normal(0, 0.01, 12)), *[NAN] * 6]]
        )
        result = ft.compare(scores_of(values))
        row = result.to_frame(full=True).iloc[0]
        assert row["significant"]
        assert row["difference"] < 0
        assert row["mean_a"] == pytest.approx(hard.mean())
        assert result.means["m"].tolist() == pytest.approx([row["mean_a"], row["mean_b"]])
        assert result.conditions.shared == (Shared(12, 6),)
        assert "(m over 12 queries, 6 values left out)" in result.assumptions
        assert "Means over the values that all systems have;" in result.to_markdown()

    def test_no_query_of_all_systems(self) -> None:
        values = np.array([[1.0, 2, NAN, NAN], [2.0, NAN, 4, 4], [NAN, 1, 1, 2]])
        result = ft.compare(scores_of(values))
        assert result.means["m"].tolist() == pytest.approx([1.5, 10 / 3, 4 / 3])
        assert result.conditions.shared == (Shared(0, 0),)
        assert "m over each system's own" in result.assumptions

    def test_subjects_and_strata(self) -> None:
        rng = np.random.default_rng(1)
        values = rng.normal(size=(3, 2, 8))
        values[1, 0, 3] = NAN
        result = ft.compare(scores_of(values))
        kept = values.copy()
        kept[:, 0, 3] = NAN
        np.testing.assert_allclose(result.means["m"], np.nanmean(kept, axis=1).mean(axis=1))
        assert result.conditions.shared == (Shared(8, 2),)
        strata = {f"q{q}": "easy" if q < 6 else "hard" for q in range(8)}
        means = ft.compare(scores_of(rng.normal(size=(2, 8))), strata=strata).means["m"]
        table = ft.compare(scores_of(rng.normal(size=(2, 8))), strata=strata).to_frame(full=True)
        assert table["mean_a"][0] - table["mean_b"][0] == pytest.approx(table["difference"][0])
        assert means.notna().all()


def test_complete_scores_have_their_means() -> None:
    values = np.random.default_rng(2).normal(size=(3, 9))
    result = ft.compare(scores_of(values))
    assert result.means.equals(scores_of(values).mean())
    assert result.conditions.shared == (Shared(9, 0),)
