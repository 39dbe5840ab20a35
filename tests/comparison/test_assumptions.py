"""What a comparison estimates, tests and assumes, in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fuzzytruth.comparison.conditions import Shared
from tests.support.conditions import CONDITIONS

FIVE = tuple("abcde")
CLUSTERS: dict[str, Any] = {"groups": "clusters", "n_groups": 12}


class TestProcedure:
    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({}, "t test, adjusted by Holm over 3 comparisons"),
            ({"correction": "none"}, "t test, not adjusted"),
            ({"correction": "none", "tests": 1}, "t test, a single comparison"),
            (
                {"correction": "max-t", "tests": 1},
                "moderated bootstrap max-t over 1 comparison (9,999 resamples)",
            ),
            (
                {"correction": "sign-flips"},
                "studentised maxima by centred sign flips over 3 comparisons (9,999 resamples)",
            ),
            (
                {"alternative": "greater"},
                "one-sided (greater) t test, adjusted by Holm over 3 comparisons",
            ),
            (
                {"over": ("query", "subject"), "subjects": FIVE},
                "generalised pivotal test, adjusted by Holm over 3 comparisons",
            ),
            (
                {"over": ("query", "subject"), "subjects": FIVE, "nested": True},
                "t test, adjusted by Holm over 3 comparisons",
            ),
            (
                {"correction": "permuted labels"},
                "permuted labels over 3 comparisons (9,999 resamples; complete null)",
            ),
            (
                {"over": ("world",), "worlds": "independent", "n_worlds": 1500},
                "share of 1,500 worlds, adjusted by Holm over 3 comparisons",
            ),
            (
                {"over": ("world",), "worlds": "population"},
                "t test, adjusted by Holm over 3 comparisons",
            ),
        ],
    )
    def test_name_of_the_test(self, changes: dict[str, Any], words: str) -> None:
        assert replace(CONDITIONS, **changes).procedure == words


class TestAssumptions:
    def test_lines(self) -> None:
        lines = CONDITIONS.assumptions.splitlines()
        assert lines[0] == "Estimated: the mean difference of each pair, over 1,200 queries."
        assert lines[1] == "Random: queries, a sample from a population; all else is fixed."
        assert lines[2] == "Null hypothesis of each comparison: the mean difference is 0."
        assert lines[3] == "Test: t test, adjusted by Holm over 3 comparisons."
        assert lines[4].startswith("Intervals: level 0.95, of a single comparison")
        assert lines[5:] == ["The correction controls: family-wise error."]

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"across_measures": True}, "comparisons, all measures being one family."),
            ({"correction": "permuted labels"}, "within each query all systems are exchangeable."),
            ({"correction": "permuted labels"}, "only if no system differs from any other."),
            ({"correction": "max-t"}, "whichever systems differ, for independent queries"),
            ({"subjects": FIVE}, "Other subjects might judge otherwise"),
            ({"subjects": FIVE, "nested": True}, "Subjects are nested in queries"),
            ({"groups": "clusters", "n_groups": 12}, "over 1,200 queries in 12 clusters."),
            ({"groups": "clusters", "n_groups": 12}, "Random: clusters of queries, a sample"),
            (
                {"groups": "strata", "n_groups": 3},
                "over 1,200 queries in 3 strata, strata weighing the same.",
            ),
            (
                {"correction": "max-t", **CLUSTERS},
                "for independent clusters",
            ),
            ({"alternative": "less"}, "the mean difference is 0 or above."),
            (
                {"shared": (Shared(30, 7),)},
                "(AP over 30 queries, 7 values left out), and",
            ),
            ({"shared": (Shared(0, 0),)}, "(AP over each system's own, as there are none)"),
            (
                {"worlds": "population"},
                "Values are expectations over population worlds; to see whether subjects disagree",
            ),
            ({"rope": {"AP": 0.01}}, "practically the same within 0.01 (AP); not adjusted"),
        ],
    )
    def test_caveats(self, changes: dict[str, Any], words: str) -> None:
        assert words in replace(CONDITIONS, **changes).assumptions
        assert words not in CONDITIONS.assumptions


def test_numbers_in_words() -> None:
    assert replace(CONDITIONS, n_queries=1, subjects=("a",)).units() == "1 query and 1 subject"
    assert CONDITIONS.units() == "1,200 queries"


def test_nested_subjects_have_a_t_test_over_queries_and_worlds() -> None:
    both = replace(CONDITIONS, over=("query", "world"), worlds="population", tests=1)
    both = replace(both, correction="none")
    assert both.procedure == "generalised pivotal test, a single comparison"
    assert replace(both, nested=True).procedure == "t test, a single comparison"
