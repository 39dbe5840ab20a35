"""What a comparison estimates, tests and assumes, in words; worlds that are too few."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.conditions import CONDITIONS
from support.scores_for_tests import scores_of
from support.texts import flat, says

import fuzzytruth as ft
from fuzzytruth.comparison.conditions import Shared, ends_within
from fuzzytruth.errors import DegenerateWarning

BOTH = ("query", "subject")
FIVE: Any = {"subjects": tuple("abcde")}
CLUSTERS: Any = {"groups": "clusters", "n_groups": 12}
STRATA: Any = {"groups": "strata", "n_groups": 3}
MAX_T = "max-t over 1 comparison (9,999 resamples)"
WORLDS: Any = {"over": ("world",), "worlds": "independent", "n_worlds": 1500}
POPULATION: Any = {"over": ("query", "world"), "worlds": "population", "correction": "none"}
LABELS: Any = {"correction": "permuted labels"}
ADJUSTED = "adjusted by Holm over 3 comparisons"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, f"t test, {ADJUSTED}"),
        ({"correction": "fdr_bh"}, "t test, adjusted by ... (false discovery rate) over 3 ..."),
        ({"correction": "none"}, "t test, not adjusted"),
        ({"correction": "none", "tests": 1}, "t test, a single comparison"),
        ({"correction": "max-t", "tests": 1}, f"moderated bootstrap {MAX_T}"),
        ({"correction": "sign-flips"}, "studentised maxima by centred sign flips over 3 ..."),
        ({"alternative": "greater"}, f"one-sided (greater) t test, {ADJUSTED}"),
        ({"over": BOTH} | FIVE, f"generalised pivotal test, {ADJUSTED}"),
        ({"over": BOTH, "nested": True} | FIVE, f"t test, {ADJUSTED}"),
        (LABELS, "permuted labels over 3 comparisons (9,999 resamples; complete null)"),
        (WORLDS, f"share of 1,500 worlds, {ADJUSTED}"),
        ({"over": ("world",), "worlds": "population"}, f"t test, {ADJUSTED}"),
        (POPULATION | {"tests": 1}, "generalised pivotal test, a single comparison"),
        (POPULATION | {"nested": True}, "t test, not adjusted"),
        ({"measures": ("AP", "RR")}, f"t test, {ADJUSTED} on each measure"),
        ({"measures": ("AP", "RR"), "across_measures": True}, f"t test, {ADJUSTED}"),
    ],
)
def test_name_of_the_test(changes: dict[str, Any], words: str) -> None:
    assert says(replace(CONDITIONS, **changes).procedure, words)


def test_assumptions() -> None:
    assert CONDITIONS.assumptions.splitlines() == [
        "Estimated: the mean difference of each pair, over 1,200 queries.",
        "Random: queries, a sample from a population; all else is fixed.",
        "Null hypothesis of each comparison: the mean difference is 0.",
        f"Test: t test, {ADJUSTED}.",
        "Intervals: level 0.95, of a single comparison, consistent with its p.",
        "The correction controls: family-wise error.",
    ]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"across_measures": True}, "comparisons, all measures being one family."),
        (LABELS, "within each query all systems are exchangeable."),
        (LABELS, "only if no system differs from any other."),
        ({"correction": "max-t"}, "whichever systems differ, for independent queries"),
        ({"correction": "max-t"} | CLUSTERS, "for independent clusters"),
        ({"correction": "max-t"}, "Pairs with fewer than five common queries have a Bonferroni-"),
        (FIVE, "Other subjects might judge otherwise"),
        (FIVE | {"nested": True}, "Subjects are nested in queries"),
        (CLUSTERS, "over 1,200 queries in 12 clusters."),
        (CLUSTERS, "Random: clusters of queries, a sample"),
        (STRATA, "over 1,200 queries in 3 strata, strata weighing the same."),
        ({"alternative": "less"}, "the mean difference is 0 or above."),
        ({"alternative": "greater"}, "the mean difference is 0 or below."),
        ({"over": BOTH} | FIVE, "Random: queries and subjects, samples from populations;"),
        ({"shared": (Shared(30, 7),)}, "(AP over 30 queries, 7 values left out), and"),
        ({"shared": (Shared(0, 0),)}, "(AP over each system's own, as there are none)"),
        (
            {"worlds": "population"},
            "Values are expectations over population worlds; to see whether",
        ),
        ({"rope": {"AP": 0.01}}, "practically the same within 0.01 (AP); not adjusted"),
        ({"correction": "none"}, "Intervals: level 0.95, unadjusted, as p is."),
        ({"interval": "unadjusted"}, "unadjusted, consistent with p and not with the adjusted p"),
        (WORLDS, "Random: worlds, each item's truth being drawn from its votes. They say how"),
        (
            WORLDS | {"alternative": "less"},
            "share of worlds in which the difference is 0 or above.",
        ),
    ],
)
def test_caveats(changes: dict[str, Any], words: str) -> None:
    assert words in replace(CONDITIONS, **changes).assumptions
    assert words not in CONDITIONS.assumptions


def test_units_intervals_and_ends() -> None:
    assert replace(CONDITIONS, n_queries=1, subjects=("a",)).units() == "1 query and 1 subject"
    assert replace(CONDITIONS, **CLUSTERS | {"n_groups": 1}).units() == "1,200 queries in 1 cluster"
    rows = pd.DataFrame({"difference": [0.1, 0.2, np.nan], "n_queries": [3, 5, 0]})
    assert (
        replace(CONDITIONS, n_resampled=4).units(rows) == "3 to 5 queries and 4 resampled subjects"
    )
    assert (CONDITIONS.intervals, CONDITIONS.p_name) == ("95 % intervals", "adjusted p")
    plain = replace(CONDITIONS, correction="none", level=0.9)
    assert (plain.intervals, plain.p_name) == ("unadjusted 90 % intervals", "p")
    assert ends_within(-1.2, 0.3, 1.0) == (-1.0, 0.3)
    assert ends_within(-np.inf, 1.7, 1.0) == (-np.inf, 1.0)
    sure = ("max-t", "sign-flips", "holm", "bonferroni")
    assert all(replace(CONDITIONS, correction=name).has_rank_sets for name in sure)
    assert not replace(CONDITIONS, correction="fdr_bh").has_rank_sets
    assert not replace(CONDITIONS, alternative="less").has_rank_sets


# The paragraph on methods, and its references.

VALUES = np.random.default_rng(8).normal(0.5, 0.1, (3, 4, 9))
MAX_T_WORKS = "(Westfall & Young, 1993; Smyth, 2004)"
WORDS = "by moderated bootstrap max-t over 3 comparisons (99 resamples)"


@pytest.mark.parametrize(
    ("values", "options", "expected", "authors"),
    [
        (
            VALUES,
            {},
            "3 systems were compared on 9 queries and 4 subjects by m. Each subject's ... (Santini)"
            ". For each pair of systems the mean difference is reported with simultaneous 95 % "
            "intervals, queries being random and subjects fixed. A difference is called significant"
            f" if its adjusted p is at most 0.05, {WORDS} {MAX_T_WORKS}.",
            ["Santini", "Smyth", "Westfall"],
        ),
        (
            VALUES,
            {"over": BOTH},
            "...queries and subjects being random. ... (Weerahandi, 1993).",
            ["Santini", "Weerahandi"],
        ),
        (
            VALUES[:, :1],
            {"correction": "sign-flips"},
            "... The judgments of one subject were the ground truth. ...(Westfall & Young, 1993).",
            ["Westfall"],
        ),
        (
            VALUES[:, 0],
            {"baseline": "sys1", "level": 0.9, "correction": "holm"},
            "3 systems were compared on 9 queries by m. For each other system and the baseline sys1"
            " the mean difference ... at most 0.1, by t test, adjusted by Holm over 2 comparisons.",
            [],
        ),
        (
            VALUES[:, 0],
            {"baseline": ["sys0", "sys1"]},
            "...For each other system and each of the baselines sys0 and sys1 the mean...",
            ["Smyth", "Westfall"],
        ),
        (VALUES[:, 0], {"null": "complete"}, "...(Carterette, 2012).", ["Carterette"]),
    ],
)
def test_methods(values: Any, options: dict[str, Any], expected: str, authors: list[str]) -> None:
    conditions = ft.compare(scores_of(values), n_resamples=99, **options).conditions
    text = " ".join(filter(None, conditions.methods))
    assert says(text, expected), text
    assert sorted(work.split(",")[0] for work in conditions.references) == authors


def test_what_verdicts_mean() -> None:
    alone, over_queries, both = (
        ft.compare(scores_of(values), level=0.9, n_resamples=99, over=over).conditions
        for values, over in ((VALUES[:, 0], "query"), (VALUES, "query"), (VALUES, BOTH))
    )
    expected = (
        "Significant over queries: the direction of the mean difference is expected to be the same "
        "for other queries of the same kind{} (adjusted p ≤ 0.1); for a single one it may differ."
    )
    subjects = "Subjects are those, people or models, whose judgments are the ground truth."
    crossed = (
        "Significant over queries and subjects: the same for other queries judged by other "
        "subjects."
    )
    assert alone.meaning() == [expected.format("")]
    same = expected.format(", judged by the same subjects")
    assert over_queries.meaning(both) == [subjects, same, crossed]
    nested = replace(over_queries, nested=True)
    assert nested.meaning()[1] == expected.format(", judged by other subjects of the same kind")
    assert "other queries judged by other subjects (" in both.meaning()[-1]
    assert replace(alone, correction="none").meaning() == []


# Worlds, which are no sample, and may be too few.

SYSTEMS = {
    f"s{j}": {q: [f"d{d}" for d in np.random.default_rng(j).permutation(6)] for q in ("q", "r")}
    for j in range(4)
}


def scores_over(n_worlds: int) -> ft.Scores:
    axes = {"query": ["q", "r"], "item": [f"d{d}" for d in range(6)], "subject": [*"abc"]}
    votes = pd.MultiIndex.from_product(axes.values(), names=axes).to_frame(index=False)
    votes["grade"] = np.random.default_rng(0).integers(0, 2, len(votes))
    options: Any = {"worlds": "independent", "n_worlds": n_worlds, "rng": 0}
    return ft.evaluate(votes, SYSTEMS, ["P@2", "P@3"], **options)


@pytest.mark.parametrize(
    ("alternative", "across", "correction"),
    [("two-sided", False, None), ("greater", True, None), ("less", False, "none")],
)
@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.DegenerateWarning")
def test_one_world_fewer_is_too_few(alternative: Any, across: bool, correction: str | None) -> None:
    def compared(n_worlds: int) -> ft.Comparison:
        options: Any = {"alternative": alternative, "correction": correction}
        return ft.compare(scores_over(n_worlds), over="world", across_measures=across, **options)

    given = compared(10)
    needed = given.conditions.worlds_needed(given.table)
    if correction is None:  # Bonferroni: alpha of each of 6, or 12, tests on 1 or 2 sides
        assert needed == (12 if across else 6) * (40 if alternative == "two-sided" else 20) - 1
    few, enough = compared(needed - 1), compared(needed)
    end = "upper" if alternative == "less" else "lower"
    assert np.isinf(few.table[end]).all()
    assert np.isfinite(enough.table[end]).all()
    assert f"n_worlds={needed:,} or more" in few.conditions.too_few_worlds(few.table)
    assert enough.conditions.too_few_worlds(enough.table) == ""


def test_words_of_worlds() -> None:
    with pytest.warns(DegenerateWarning, match=r"for 6 comparisons .* n_worlds=239 or more"):
        result = ft.compare(scores_over(100), over="world")
    words = "100 worlds are too few for 6 simultaneous intervals: n_worlds=239 or more gives finite"
    assert words in flat(result)
    with pytest.warns(DegenerateWarning):
        assert words in flat(ft.rank_stability(scores_over(100), over="world"))
    other = ft.compare(scores_over(10), over="query")
    assert other.conditions.too_few_worlds(other.table) == ""
    text = " ".join(result.conditions.methods)
    for part in (
        "The ground truth of each item was drawn from its votes",
        "worlds being drawn, which are no sample of people",
        "with the interval that holds 95 % of the worlds, all differences together",
        "A difference is marked if its adjusted p is at most 0.05, by share of 100 worlds",
    ):
        assert part in text
    assert "significant" not in text
