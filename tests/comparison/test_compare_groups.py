"""`compare_groups`: scores and differences by group of subjects, and between groups."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.errors import DegenerateWarning, MissingCellWarning, SubjectWarning

EXPERTS, CROWD = ("s0", "s1", "s2"), ("s3", "s4", "s5", "s6")
GROUPS = {**dict.fromkeys(EXPERTS, "experts"), **dict.fromkeys(CROWD, "crowd")}
OVERS = ["query", "subject", ("query", "subject")]


def values(seed=0, *, systems=3, queries=12, subjects=7):
    rng = np.random.default_rng(seed)
    shape = (systems, subjects, queries)
    return rng.normal(size=(systems, 1, queries)) + 0.5 * rng.normal(size=shape)


@pytest.mark.parametrize("over", OVERS)
def test_scores_and_differences_are_those_of_each_group_alone(over):
    scores = scores_of(values())
    result = ft.compare_groups(scores, GROUPS, over=over, n_resamples=199)
    assert result.groups == {"experts": EXPERTS, "crowd": CROWD}
    for name, subjects in result.groups.items():
        alone = scores.select(subjects=subjects)
        expected = alone.summary(over=over, full=True)
        found = result.scores[result.scores["group"] == name]
        pd.testing.assert_frame_equal(
            found.drop(columns="group").reset_index(drop=True), expected, check_exact=True
        )
        expected = ft.compare(alone, over=over, n_resamples=199).to_frame(full=True)
        found = result.differences[result.differences["group"] == name]
        pd.testing.assert_frame_equal(
            found.drop(columns="group").reset_index(drop=True), expected, check_exact=True
        )


def test_between_has_a_row_for_each_pair_of_groups_and_of_systems():
    groups = GROUPS | {"s6": "students", "s5": "students"}
    result = ft.compare_groups(scores_of(values()), groups, n_resamples=99)
    keys = ["measure", "system_a", "system_b", "group_a", "group_b"]
    assert list(result.between)[:10] == [
        *keys,
        "difference_a",
        "difference_b",
        "difference",
        "lower",
        "upper",
    ]
    expected = [
        ("m", f"sys{a}", f"sys{b}", g, h)
        for g, h in (("experts", "crowd"), ("experts", "students"), ("crowd", "students"))
        for a, b in ((0, 1), (0, 2), (1, 2))
    ]
    assert list(result.between[keys].itertuples(index=False, name=None)) == expected
    assert repr(result).startswith("GroupComparison(3 groups, 3 pairs, 1 measure, over queries,")
    one = result.between.iloc[4]
    table = scores_of(values())
    means = {name: table.select(subjects=who).mean()["m"] for name, who in result.groups.items()}
    gap = [means[g]["sys0"] - means[g]["sys2"] for g in ("experts", "students")]
    assert one["difference_a"] == pytest.approx(gap[0])
    assert one["difference_b"] == pytest.approx(gap[1])
    assert one["difference"] == pytest.approx(gap[0] - gap[1])
    assert (one["n_queries"], one["n_subjects_a"], one["n_subjects_b"]) == (12, 3, 2)


def test_a_single_gap_is_not_adjusted():
    array = values(systems=2)
    first, second = (array[0] - array[1])[:3], (array[0] - array[1])[3:]
    expected = {
        "query": stats.ttest_rel(first.mean(axis=0), second.mean(axis=0)).pvalue,
        "subject": stats.ttest_ind(first.mean(axis=1), second.mean(axis=1), equal_var=False).pvalue,
    }
    for over, p in expected.items():
        (row,) = ft.compare_groups(scores_of(array), GROUPS, over=over).between.itertuples()
        assert [row.p, row.p_adjusted] == pytest.approx([p, p], rel=1e-10)


@pytest.mark.parametrize("over", ["subject", ("query", "subject")])
def test_bonferroni_counts_pairs_of_groups_and_of_systems(over):
    groups = GROUPS | {"s6": "students", "s5": "students"}
    between = ft.compare_groups(scores_of(values(1)), groups, over=over).between
    assert between["p_adjusted"].tolist() == np.minimum(9 * between["p"], 1).tolist()
    narrow = ft.compare_groups(
        scores_of(values(1)), groups, over=over, correction="none", level=1 - 0.05 / 9
    ).between
    assert narrow["lower"].to_numpy() == pytest.approx(between["lower"].to_numpy(), rel=1e-9)


@pytest.mark.parametrize("over", OVERS)
@pytest.mark.parametrize("seed", range(4))
def test_intervals_and_p_agree(over, seed):
    array = values(seed)
    array[0, :3] += 0.25 * seed
    result = ft.compare_groups(scores_of(array), GROUPS, over=over, n_resamples=999)
    between = result.between
    outside = (between["lower"] > 0) | (between["upper"] < 0)
    assert (outside == between["significant"]).all()
    assert (between["p_adjusted"] >= between["p"]).all()
    assert result.conditions.correction == ("max-t" if over == "query" else "bonferroni")


def test_the_number_of_workers_changes_nothing():
    scores = scores_of(values(2))
    one, two = (ft.compare_groups(scores, GROUPS, n_jobs=n, n_resamples=3000) for n in (1, 2))
    pd.testing.assert_frame_equal(one.between, two.between, check_exact=True)
    pd.testing.assert_frame_equal(one.differences, two.differences, check_exact=True)


def test_baseline_measures_and_correction():
    scores = scores_of(values(3))
    result = ft.compare_groups(scores, GROUPS, "sys1", "m", correction="holm")
    assert result.between["system_b"].unique().tolist() == ["sys1"]
    assert result.conditions.interval == "unadjusted"
    p = np.sort(result.between["p"])
    assert np.sort(result.between["p_adjusted"])[0] == pytest.approx(min(2 * p[0], 1))
    with pytest.raises(ft.OptionError, match="'sign-flips': is not for differences between gro"):
        ft.compare_groups(scores, GROUPS, correction="sign-flips")
    with pytest.raises(ft.OptionError, match="resamples queries and cannot be used over subj"):
        ft.compare_groups(scores, GROUPS, over="subject", correction="max-t")


def test_subjects_in_no_group_count_nowhere_and_are_counted_once():
    array = values(4)
    changed = array.copy()
    changed[:, 5:] += 100
    groups = {name: group for name, group in GROUPS.items() if name not in ("s5", "s6")}
    found = []
    for table in (array, changed):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found.append(ft.compare_groups(scores_of(table), groups, n_resamples=99))
        (one,) = caught
        assert one.category is SubjectWarning
        assert str(one.message) == "groups: 2 subjects are in no group and left out"
    pd.testing.assert_frame_equal(found[0].between, found[1].between, check_exact=True)


def test_missing_values_are_counted_once_for_all_groups():
    array = values(5)
    array[0, 0, 0] = array[1, 4, 3] = np.nan
    with pytest.warns(MissingCellWarning, match="^2 values are missing") as caught:
        between = ft.compare_groups(scores_of(array), GROUPS, n_resamples=99).between
    assert len(caught) == 1
    gaps = np.nanmean((array[0] - array[1])[:3], axis=0)
    gaps -= np.nanmean((array[0] - array[1])[3:], axis=0)
    assert between["difference"][0] == pytest.approx(gaps.mean(), rel=1e-12)


def test_a_group_of_one_over_subjects():
    groups = {"s0": "expert", **dict.fromkeys(CROWD, "crowd"), "s1": None, "s2": None}
    with pytest.warns(ft.FuzzytruthWarning) as caught:
        result = ft.compare_groups(scores_of(values(6, systems=2)), groups, over="subject")
    kinds = [one.category for one in caught]
    assert kinds == [SubjectWarning, DegenerateWarning, DegenerateWarning]
    row = result.between.iloc[0]
    assert (row["lower"], row["upper"], row["p"]) == (-np.inf, np.inf, 1)
    assert "-inf, inf" in result.verdicts()[0]


@pytest.mark.parametrize("over", OVERS)
def test_one_difference_that_differs_is_found_and_the_others_are_not(over):
    array = 0.1 * values(7)
    array[0, :3] += 1
    result = ft.compare_groups(scores_of(array), GROUPS, over=over, n_resamples=999)
    assert result.between["significant"].tolist() == [True, True, False]
    first, _, last = result.verdicts()
    assert first.startswith(
        "sys0 minus sys1 on m is significantly larger for experts than for crowd (by 1."
    )
    assert last.startswith("sys1 minus sys2 on m is not shown to differ between experts and crowd")
