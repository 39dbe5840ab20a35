"""Comparisons in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.verdicts import number, p_text, verdicts
from tests.support.conditions import CONDITIONS

ROW: dict[str, Any] = {
    "measure": "AP",
    "system_a": "a",
    "system_b": "b",
    "difference": -0.1,
    "lower": -0.2,
    "upper": -0.05,
    "std_error": 0.02,
    "p_adjusted": 0.0123456,
    "significant": True,
    "min_detectable": 0.0312,
    "wins": 3,
    "losses": 9,
    "n_queries": 12,
    "n_subjects": 0,
    "share_subjects": np.nan,
    "share_worlds": np.nan,
    "subjects_agree": 0,
    "subjects_tied": 0,
}


def verdict(beside: pd.DataFrame | None = None, on: Conditions = CONDITIONS, **row: Any) -> str:
    (found,) = verdicts(pd.DataFrame([ROW | row]), beside, None, on)
    return found.sentence


class TestVerdicts:
    def test_the_better_system_comes_first(self) -> None:
        assert verdict() == (
            "b is significantly better than a on AP over queries "
            "(difference 0.100 [0.050, 0.200], adjusted p = 0.012)"
        )
        assert verdict(difference=0.1, lower=0.05, upper=0.2).startswith("a is significantly")

    def test_ends_are_printed_within_what_differences_can_be(self) -> None:
        row = {"significant": False, "lower": -1.3, "upper": 1.1, "min_detectable": np.nan}
        on = replace(CONDITIONS, widths=(1.0,))
        assert "-0.10 [-1.00, 1.00], adj" in verdict(on=on, **row)
        assert "-0.1 [-1.3, 1.1], adj" in verdict(**row)
        assert "-0.1 [-inf, 1.0], adj" in verdict(on=on, **row | {"lower": -np.inf})

    def test_lower_may_be_better(self) -> None:
        on = replace(CONDITIONS, higher_is_better=(False,))
        assert verdict(on=on) == (
            "a is significantly better than b on AP over queries "
            "(difference -0.100 [-0.200, -0.050], adjusted p = 0.012; lower is better)"
        )

    def test_what_is_not_shown_says_what_would_have_been(self) -> None:
        row = {"significant": False, "upper": 0.01, "p_adjusted": 0.2}
        assert verdict(**row) == (
            "no difference between a and b is shown on AP over queries "
            "(difference -0.10 [-0.20, 0.01], adjusted p = 0.20; "
            "a true difference of 0.031 would have been found with "
            "80 % power)"
        )
        assert verdict(**row, min_detectable=np.nan).endswith("adjusted p = 0.20)")
        alone = replace(CONDITIONS, interval="unadjusted", correction="fdr_bh")
        assert (
            "a true difference of 0.031 would have been found with 80 % power by Bonferroni's"
            in (verdict(on=alone, **row))
        )
        assert verdict(on=replace(alone, tests=1), **row).endswith("% power without a correction)")
        coarse = replace(CONDITIONS, spans=(1.0,))
        assert verdict(on=coarse, **row, min_detectable=1.2).endswith(
            "; no difference that such values can have would have been found with 80 % power)"
        )

    @pytest.mark.parametrize(("side", "word"), [("greater", "greater"), ("less", "lower")])
    def test_one_sided(self, side: str, word: str) -> None:
        on = replace(CONDITIONS, alternative=side)
        sentence = verdict(on=on, significant=False, upper=np.inf, p_adjusted=0.99)
        assert sentence.startswith(f"that a has a {word} AP than b is not shown over queries (")
        assert "[-0.20, inf]" in sentence

    def test_p_and_intervals_that_are_not_adjusted_say_so(self) -> None:
        on = replace(CONDITIONS, correction="none")
        assert verdict(on=on, p_adjusted=1e-5) == (
            "b is better than a on AP over queries "
            "(difference 0.100 [0.050, 0.200], p < 0.0001, not adjusted for 3 comparisons)"
        )
        single = replace(CONDITIONS, correction="none", tests=1)
        assert "b is significantly better than a" in verdict(on=single)
        assert verdict(on=single).endswith(", p = 0.012)")
        on = replace(CONDITIONS, interval="unadjusted")
        assert "[0.050, 0.200] unadjusted, adjusted p" in verdict(on=on)

    def test_nothing_to_compare(self) -> None:
        assert verdict(difference=np.nan) == "a and b have no value of AP in common"
        same = {"wins": 0, "losses": 0, "std_error": 0.0}
        assert verdict(**same, n_queries=1234) == "a and b have the same AP on all 1,234 queries"
        assert verdict(**same, n_queries=1) == "a and b have the same AP on the only query"

    def test_how_many_subjects_and_worlds_agree(self) -> None:
        row = {"n_subjects": 5, "share_subjects": 0.8, "subjects_agree": 4}
        assert verdict(**row).endswith("; same direction for 4 of 5 subjects")
        assert verdict(**row, subjects_tied=1).endswith("4 of 5 subjects (1 tied)")
        one = {"n_subjects": 1, "share_subjects": 1.0, "subjects_agree": 1}
        assert verdict(**one).endswith("; same direction for 1 of 1 subject")
        assert verdict(share_worlds=0.97).endswith("; same direction in 97 % of the worlds")

    def test_how_many_subjects_show_it_alone(self) -> None:
        row = ROW | {"n_subjects": 3, "share_subjects": 2 / 3, "subjects_agree": 2}
        other = ROW | {"system_b": "c"}
        alone = pd.DataFrame(
            [
                ROW | {"subject": "ann"},
                ROW | {"subject": "bob", "significant": False},
                ROW | {"subject": "cyd", "difference": 0.2},  # the other way round
                other | {"subject": "ann", "significant": False},
            ]
        )
        found = verdicts(pd.DataFrame([row, other]), None, alone, CONDITIONS)
        sentence, second = (one.sentence for one in found)
        assert sentence.endswith(
            "; same direction for 2 of 3 subjects; significant for 2 of 3 subjects by their own "
            "judgments, in both directions (1 for a, 1 for b)"
        )
        assert "subjects" not in second  # it has no share of subjects
        (one,) = verdicts(pd.DataFrame([row]), None, alone[:2], CONDITIONS)
        assert one.sentence.endswith(
            "same direction for 2 of 3 subjects, significant for 1 of them"
        )

    @pytest.mark.parametrize(
        ("crossed", "words"),
        [
            ({"significant": True}, "also significant over queries and subjects"),
            ({"significant": False}, "not significant over queries and subjects"),
            (
                {"significant": True, "difference": 0.1},
                "not significant over queries and subjects",
            ),
            (
                {"lower": -np.inf, "upper": np.inf},
                "significance over queries and subjects unknown",
            ),
        ],
    )
    @pytest.mark.parametrize("other", ["subjects", "worlds"])
    def test_over_both_as_well(self, crossed: dict[str, Any], words: str, other: str) -> None:
        beside = pd.DataFrame(
            [ROW | {"over": "queries"}, ROW | {"over": f"queries and {other}"} | crossed]
        )
        assert verdict(beside).endswith(f"; {words}")


def test_numbers() -> None:
    assert [p_text(p) for p in (1.0, 0.5049, 0.00012345, 0.0001, 0.00009, 0.04999)] == [
        *("1.00", "0.50", "0.00012", "0.0001", "< 0.0001", "0.05")
    ]
    assert [number(0.12345, half) for half in (0.04, 0.5, 12.0, np.inf, 0.0)] == [
        *("0.123", "0.12", "0.1", "0.123", "0.123")
    ]
