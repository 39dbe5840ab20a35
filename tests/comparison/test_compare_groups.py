"""`compare_groups`: scores and differences by group of subjects, and between groups."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.conditions import CONDITIONS
from support.scores_for_tests import scores_of
from support.texts import is_stored

import fuzzytruth as ft
from fuzzytruth.comparison.compare_groups import GroupComparison, subject_groups
from fuzzytruth.errors import SubjectWarning

EXPERTS, CROWD = ("s0", "s1", "s2"), ("s3", "s4", "s5", "s6")
GROUPS = {**dict.fromkeys(EXPERTS, "experts"), **dict.fromkeys(CROWD, "crowd")}
THREE = GROUPS | {"s6": "students", "s5": "students"}
OVERS: list[Any] = ["query", "subject", ("query", "subject")]


def values(seed: int = 0, *, systems: int = 3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(systems, 1, 12)) + 0.5 * rng.normal(size=(systems, 7, 12))


@pytest.mark.parametrize("over", OVERS)
def test_scores_and_differences_are_those_of_each_group_alone(over: Any) -> None:
    scores = scores_of(values())
    with np.errstate(all="raise"):
        result = ft.compare_groups(scores, GROUPS, over=over, n_resamples=199)
    assert result.groups == {"experts": EXPERTS, "crowd": CROWD}
    for name, subjects in result.groups.items():
        alone = scores.select(subjects=subjects)
        for found, expected in (
            (result.scores, alone.summary(over=over, full=True)),
            (result.differences, ft.compare(alone, over=over, n_resamples=199).table),
        ):
            mine = found[found["group"] == name].drop(columns="group").reset_index(drop=True)
            pd.testing.assert_frame_equal(mine, expected, check_exact=True)


def test_between_has_a_row_for_each_pair_of_groups_and_of_systems() -> None:
    result = ft.compare_groups(scores_of(values()), THREE, n_resamples=99)
    keys = ["measure", "system_a", "system_b", "group_a", "group_b"]
    assert list(result.to_frame()) == [*keys, "difference", "p_adjusted"]
    expected = [
        ("m", f"sys{a}", f"sys{b}", g, h)
        for g, h in (("experts", "crowd"), ("experts", "students"), ("crowd", "students"))
        for a, b in ((0, 1), (0, 2), (1, 2))
    ]
    assert list(result.between[keys].itertuples(index=False, name=None)) == expected
    assert repr(result).startswith("GroupComparison(3 groups, 3 pairs, 1 measure, over queries,")
    one = result.between.iloc[4]
    means = values().mean(axis=2)
    gap = [(means[0] - means[2])[places].mean() for places in ([0, 1, 2], [5, 6])]
    found = one[["difference_a", "difference_b", "difference"]].tolist()
    assert found == pytest.approx([*gap, gap[0] - gap[1]])
    assert (one["n_queries"], one["n_subjects_a"], one["n_subjects_b"]) == (12, 3, 2)


@pytest.mark.parametrize("over", OVERS)
def test_intervals_and_p_agree_and_one_difference_is_found(over: Any) -> None:
    for seed in range(3):
        array = values(seed)
        array[0, :3] += 0.25 * seed
        result = ft.compare_groups(scores_of(array), GROUPS, over=over, n_resamples=199)
        between = result.between
        outside = (between["lower"] > 0) | (between["upper"] < 0)
        assert (outside == between["significant"]).all()
        assert (between["p_adjusted"] >= between["p"]).all()
        assert result.conditions.correction == ("max-t" if over == "query" else "bonferroni")
    array = 0.1 * values(7)
    array[0, :3] += 1
    result = ft.compare_groups(scores_of(array), GROUPS, over=over, n_resamples=999)
    assert result.between["significant"].tolist() == [True, True, False]
    first, _, last = result.verdicts()
    start = "sys0 minus sys1 on m is significantly larger for experts than for crowd (by 1."
    assert first.startswith(start)
    assert last.startswith("sys1 minus sys2 on m is not shown to differ between experts and crowd")


def test_workers_baseline_measures_and_correction() -> None:
    scores = scores_of(values(2))
    one, two = (ft.compare_groups(scores, GROUPS, n_jobs=n, n_resamples=3000) for n in (1, 2))
    pd.testing.assert_frame_equal(one.between, two.between, check_exact=True)
    pd.testing.assert_frame_equal(one.differences, two.differences, check_exact=True)
    result = ft.compare_groups(scores, GROUPS, "sys1", "m", correction="holm")
    assert result.between["system_b"].unique().tolist() == ["sys1"]
    assert result.conditions.interval == "unadjusted"
    p = result.between["p"].min()
    assert result.between["p_adjusted"].min() == pytest.approx(min(2 * p, 1))
    with pytest.raises(
        ft.errors.OptionError, match="'sign-flips': is not for differences between gro"
    ):
        ft.compare_groups(scores, GROUPS, correction="sign-flips")
    with pytest.raises(
        ft.errors.OptionError, match="resamples queries and cannot be used over subj"
    ):
        ft.compare_groups(scores, GROUPS, over="subject", correction="max-t")


ROW: dict[str, Any] = (
    {"measure": "AP", "system_a": "dense", "system_b": "bm25", "group_a": "experts"}
    | {"group_b": "crowd", "difference": 0.031, "lower": 0.0102, "upper": 0.0518}
    | {"std_error": 0.01, "p_adjusted": 0.0123456, "significant": True}
    | {"min_detectable": 0.029, "n_queries": 12}
)
WIDE = {"lower": -0.0102, "upper": 0.0722, "p_adjusted": 0.2, "significant": False}
LESS = {"difference": -0.031, "lower": -0.0518, "upper": -0.0102, "p_adjusted": 1e-9}
SAME = WIDE | {"difference": 0.0, "std_error": 0.0}
OPEN = {"group_a": "a\nb", "lower": -np.inf, "upper": np.inf, "p_adjusted": 1.0}


def test_stored_sentences() -> None:
    sentences = []
    for row, tests in (
        *(({}, 3), (LESS, 1), (WIDE, 3), (WIDE | {"min_detectable": np.nan}, 1), (SAME, 1)),
        *((SAME | {"n_queries": 1}, 1), ({"difference": np.nan}, 1), (WIDE | OPEN, 1)),
    ):
        between, conditions = pd.DataFrame([ROW | row]), replace(CONDITIONS, tests=tests)
        frames = (between, between, between)
        sentences += GroupComparison(*frames, {}, conditions, conditions).verdicts()
    assert is_stored("groups, sentences", "\n\n".join(sentences))


def test_what_is_printed() -> None:
    """Of many differences the smallest p; queries are those that both groups judged."""
    array = np.random.default_rng(4).normal(0.5, 0.02, (2, 4, 12))
    array[0, :2] += 0.3  # for the first two subjects only
    groups = {"s0": "experts", "s1": "experts", "s2": "crowd", "s3": "crowd"}
    few = ft.compare_groups(scores_of(array), groups, n_resamples=99)
    many = np.random.default_rng(4).normal(0.5, 0.1, (5, 3, 8))
    many += np.linspace(0, 1, 15).reshape(5, 3, 1)
    many[:, 0, 5:] = np.nan
    each = {f"s{j}": f"group {j}" for j in range(3)}
    for name, result in (
        ("few", few),
        ("many", ft.compare_groups(scores_of(many), each, n_resamples=99)),
        ("over subjects", ft.compare_groups(scores_of(array), groups, over="subject")),
    ):
        assert is_stored(f"groups, {name}", result._answer().text(80))


def four(**given: Any) -> ft.Scores:
    return scores_of(np.random.default_rng(0).random((2, 4, 3)), **given)


def test_groups_by_name() -> None:
    found = subject_groups(four(), {"s3": "x", "s1": 2, "s0": "x", "s2": 2})
    assert list(found.items()) == [("x", ("s0", "s3")), ("2", ("s1", "s2"))]
    for groups in ({"s0": "x", "s1": "y", "s2": "y"}, {"s0": "x", "s1": "y", "s2": "", "s3": "y"}):
        with pytest.warns(SubjectWarning, match="groups: 1 subject is in no group and left out"):
            subject_groups(four(), groups)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ("team", r"groups='team': must be \{subject: group\}"),
        ({"s0": "x", "as1": "y"}, r"'as1' is no subject of these scores \(nearest: 's1'"),
        ({"u": "x", "v": "y"}, "'u', 'v' are no subjects of these scores"),
        ({"s0": "x", "s1": "x"}, "all subjects are in group 'x'; a comparison takes two groups"),
        ({}, "no subject is in any; a comparison takes two groups or more"),
        ({"s0": None}, "no subject is in any"),
    ],
)
def test_mistakes(groups: Any, message: str) -> None:
    with pytest.raises(ft.errors.OptionError, match=message):
        subject_groups(four(), groups)


def test_only_crossed_subjects_have_groups() -> None:
    with pytest.raises(ft.errors.OptionError, match="no subjects; evaluate with worlds='subject'"):
        subject_groups(scores_of(np.ones((2, 3))), {"s0": "x"})
    with pytest.raises(ft.errors.OptionError, match="groups: the subjects are nested in queries"):
        subject_groups(four(design="nested"), {"s0": "x", "s1": "y"})
