"""Differences between groups in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from fuzzytruth.comparison.compare_groups import GroupComparison
from tests.support.conditions import CONDITIONS

ROW: dict[str, Any] = {
    "measure": "AP",
    "system_a": "dense",
    "system_b": "bm25",
    "group_a": "experts",
    "group_b": "crowd",
    "difference": 0.031,
    "lower": 0.0102,
    "upper": 0.0518,
    "std_error": 0.01,
    "p_adjusted": 0.0123456,
    "significant": True,
    "min_detectable": 0.029,
    "n_queries": 12,
}
WIDE = {"lower": -0.0102, "upper": 0.0722, "p_adjusted": 0.2, "significant": False}


@pytest.mark.parametrize(
    ("row", "tests", "sentence"),
    [
        (
            {},
            3,
            "dense minus bm25 on AP is significantly larger for experts than for crowd "
            "(by 0.031 [0.010, 0.052], adjusted p = 0.012)",
        ),
        (
            {"difference": -0.031, "lower": -0.0518, "upper": -0.0102, "p_adjusted": 1e-9},
            1,
            "dense minus bm25 on AP is significantly larger for crowd than for experts "
            "(by 0.031 [0.010, 0.052], p < 0.0001)",
        ),
        (
            WIDE,
            3,
            "dense minus bm25 on AP is not shown to differ between experts and crowd "
            "(difference 0.031 [-0.010, 0.072], adjusted p = 0.20; "
            "a true difference of 0.029 would have been found "
            "with 80 % power)",
        ),
        (
            WIDE | {"min_detectable": np.nan},
            1,
            "dense minus bm25 on AP is not shown to differ between experts and crowd (difference "
            "0.031 [-0.010, 0.072], p = 0.20)",
        ),
        (
            WIDE | {"difference": 0.0, "std_error": 0.0},
            1,
            "dense minus bm25 on AP is the same for experts and crowd over the 12 queries that "
            "both judged",
        ),
        (
            WIDE | {"difference": 0.0, "std_error": 0.0, "n_queries": 1},
            1,
            "dense minus bm25 on AP is the same for experts and crowd over the only query that "
            "both judged",
        ),
        (
            {"difference": np.nan},
            1,
            "experts and crowd judged no query in common for which dense and bm25 have a value "
            "of AP",
        ),
        (
            WIDE | {"group_a": "a\nb", "lower": -np.inf, "upper": np.inf, "p_adjusted": 1.0},
            1,
            "dense minus bm25 on AP is not shown to differ between a\\nb and crowd (difference "
            "0.031 [-inf, inf], p = 1.00; a true difference of 0.029 "
            "would have been found with 80 % power)",
        ),
    ],
)
def test_sentences(row, tests, sentence):
    between, conditions = pd.DataFrame([ROW | row]), replace(CONDITIONS, tests=tests)
    result = GroupComparison(between, between, between, {}, conditions, conditions)
    assert result.verdicts() == [sentence]
