"""Comparisons in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.verdicts import (
    assumptions,
    counted,
    p_text,
    procedure,
    units_of,
    verdicts,
)

CONDITIONS = Conditions(
    over=("query",),
    correction="holm",
    interval="single",
    level=0.95,
    n_resamples=9999,
    tests=3,
    across_measures=False,
    baseline=None,
    systems=("a", "b"),
    measures=("AP",),
    higher_is_better=(True,),
    n_queries=1200,
)
ROW: dict[str, Any] = {
    "measure": "AP",
    "system_a": "a",
    "system_b": "b",
    "difference": -0.1,
    "lower": -0.2,
    "upper": -0.05,
    "p_adjusted": 0.0123456,
    "significant": True,
    "wins": 3,
    "losses": 9,
    "n_queries": 12,
    "n_subjects": 0,
    "share_subjects": np.nan,
    "share_worlds": np.nan,
    "subjects_agree": 0,
}


def verdict(beside: pd.DataFrame | None = None, on: Conditions = CONDITIONS, **row: Any) -> str:
    (sentence,) = verdicts(pd.DataFrame([ROW | row]), beside, on)
    return sentence


class TestVerdicts:
    def test_the_better_system_comes_first(self) -> None:
        assert verdict() == "b beats a on AP by 0.1 [0.05, 0.2], adjusted p = 0.01235"
        assert verdict(difference=0.1, lower=0.05, upper=0.2).startswith("a beats b on AP by 0.1 [")

    def test_lower_may_be_better(self) -> None:
        on = replace(CONDITIONS, higher_is_better=(False,))
        assert verdict(on=on).startswith("a beats b on AP by 0.1 less [0.05, 0.2], ")

    def test_no_significant_difference(self) -> None:
        assert verdict(significant=False, upper=0.01, p_adjusted=0.2) == (
            "no significant difference between a and b on AP: -0.1 [-0.2, 0.01], adjusted p = 0.2"
        )

    def test_p_and_intervals_that_are_not_adjusted_say_so(self) -> None:
        on = replace(CONDITIONS, correction="none")
        assert verdict(on=on, p_adjusted=1e-5).endswith(", p < 0.0001")
        on = replace(CONDITIONS, interval="unadjusted")
        assert "[0.05, 0.2] unadjusted, adjusted p" in verdict(on=on)

    def test_nothing_to_compare(self) -> None:
        assert verdict(difference=np.nan) == "a and b have no value of AP in common"
        assert verdict(wins=0, losses=0, n_queries=1234) == (
            "a and b have the same AP on all 1,234 queries"
        )

    def test_how_many_subjects_and_worlds_agree(self) -> None:
        row = {"n_subjects": 5, "share_subjects": 0.8, "subjects_agree": 4}
        assert verdict(**row).endswith("; same direction for 4 of 5 subjects")
        assert verdict(share_worlds=0.97).endswith("; same direction in 97% of the worlds")

    @pytest.mark.parametrize(
        ("crossed", "words"),
        [
            ({"significant": True}, "also significant over both queries and subjects"),
            ({"significant": False}, "not significant over both queries and subjects"),
            (
                {"significant": True, "difference": 0.1},
                "not significant over both queries and subjects",
            ),
            ({"upper": np.inf}, "significance over both queries and subjects unknown"),
        ],
    )
    def test_over_both_as_well(self, crossed: dict[str, Any], words: str) -> None:
        on = replace(CONDITIONS, n_subjects=5)
        beside = pd.DataFrame([ROW | {"over": "queries and subjects"} | crossed])
        assert verdict(beside, on).endswith(f"; {words}")


class TestProcedure:
    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({}, "t test, adjusted by holm over 3 comparisons"),
            ({"correction": "none"}, "t test, not adjusted"),
            ({"correction": "none", "tests": 1}, "t test, a single comparison"),
            (
                {"correction": "max-t", "tests": 1},
                "studentised max-T by centred sign flips over 1 comparison (9,999 resamples)",
            ),
            (
                {"correction": "permuted labels"},
                "permuted labels over 3 comparisons (9,999 resamples; complete null)",
            ),
            (
                {"over": ("world",), "worlds": "independent"},
                "share of worlds, adjusted by holm over 3 comparisons",
            ),
            (
                {"over": ("world",), "worlds": "population"},
                "t test, adjusted by holm over 3 comparisons",
            ),
        ],
    )
    def test_name_of_the_test(self, changes: dict[str, Any], words: str) -> None:
        assert procedure(replace(CONDITIONS, **changes)) == words


class TestAssumptions:
    def test_lines(self) -> None:
        lines = assumptions(CONDITIONS).splitlines()
        assert lines[0] == "Estimated: the mean difference of each pair, over 1,200 queries."
        assert lines[1] == "Random: queries, a sample from a population; all else is fixed."
        assert lines[2] == "Null hypothesis of each comparison: the mean difference is 0."
        assert lines[3] == "Test: t test, adjusted by holm over 3 comparisons."
        assert lines[4].startswith("Intervals: level 0.95, of a single comparison")
        assert lines[5:] == ["It controls: family-wise error."]

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"across_measures": True}, "comparisons, all measures being one family."),
            ({"correction": "permuted labels"}, "within each query all systems are exchangeable."),
            ({"correction": "permuted labels"}, "only if no system differs from any other."),
            ({"correction": "max-t"}, "whichever systems differ, for independent queries"),
            ({"n_subjects": 5}, "Other subjects might judge otherwise"),
            ({"n_subjects": 5, "nested": True}, "Subjects are nested in queries"),
            ({"worlds": "population"}, "Values are expectations over population worlds."),
            ({"rope": {"AP": 0.01}}, "practically the same within 0.01 (AP); not adjusted"),
        ],
    )
    def test_caveats(self, changes: dict[str, Any], words: str) -> None:
        assert words in assumptions(replace(CONDITIONS, **changes))
        assert words not in assumptions(CONDITIONS)


def test_numbers_in_words() -> None:
    assert units_of(replace(CONDITIONS, n_queries=1, n_subjects=1)) == "1 query and 1 subject"
    assert units_of(CONDITIONS) == "1,200 queries"
    assert counted(2, "entry", "entries") == "2 entries"
    assert [p_text(p) for p in (1.0, 0.00012345, 0.0001, 0.00009)] == [
        *("1", "0.0001234", "0.0001", "< 0.0001")
    ]
