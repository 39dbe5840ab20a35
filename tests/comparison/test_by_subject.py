"""The same comparison for each subject alone."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.errors import DegenerateWarning

RNG = np.random.default_rng(1)
VALUES = RNG.normal(size=(3, 4, 20)) + np.array([0.0, 0.4, 1.0])[:, None, None]
SHARED = [
    *("measure", "system_a", "system_b", "difference", "lower", "upper", "std_error", "df", "p"),
    *("p_permutation", "p_adjusted", "significant", "min_detectable", "d_z", "wins", "n_queries"),
]


@pytest.mark.parametrize("options", [{}, {"baseline": "sys0"}, {"correction": "holm"}])
def test_each_subject_as_if_alone(options: dict[str, str]) -> None:
    scores = scores_of(VALUES)
    each = ft.compare(scores, **options).by_subject().to_frame(full=True)
    assert each["subject"].unique().tolist() == ["s0", "s1", "s2", "s3"]
    for number, subject in enumerate(("s0", "s1", "s2", "s3")):
        alone = ft.compare(scores_of(VALUES[:, number]), **options).to_frame(full=True)
        mine = each[each["subject"] == subject].reset_index(drop=True)
        pd.testing.assert_frame_equal(mine[SHARED], alone[SHARED])


def test_over_both_each_subject_is_still_over_queries() -> None:
    scores = scores_of(VALUES)
    over_queries = ft.compare(scores).by_subject().to_frame(full=True)
    over_both = ft.compare(scores, over=("query", "subject")).by_subject().to_frame(full=True)
    pd.testing.assert_frame_equal(over_both[SHARED], over_queries[SHARED])


def test_queries_that_a_subject_did_not_judge_are_not_hers() -> None:
    values = VALUES.copy()
    values[:, 2, 12:] = np.nan
    each = ft.compare(scores_of(values)).by_subject().to_frame(full=True)
    assert each.groupby("subject")["n_queries"].first().tolist() == [20, 20, 12, 20]
    alone = ft.compare(scores_of(values[:, 2, :12])).to_frame(full=True)
    mine = each[each["subject"] == "s2"].reset_index(drop=True)
    np.testing.assert_allclose(mine["lower"], alone["lower"])


def test_clusters_of_a_subjects_queries() -> None:
    values = VALUES.copy()
    values[:, 1, 10:] = np.nan
    clusters = {f"q{q}": f"t{q // 2}" for q in range(20)}
    each = ft.compare(scores_of(values), clusters=clusters).by_subject().to_frame(full=True)
    alone = ft.compare(
        scores_of(values[:, 1, :10]), clusters={q: clusters[q] for q in list(clusters)[:10]}
    ).to_frame(full=True)
    mine = each[each["subject"] == "s1"].reset_index(drop=True)
    np.testing.assert_allclose(mine["std_error"], alone["std_error"])


def test_lone_queries_are_warned_of() -> None:
    values = VALUES.copy()
    values[:, 3, 1:] = np.nan
    result = ft.compare(scores_of(values))
    with pytest.warns(
        DegenerateWarning,
        match="of 12 comparisons of single subjects, 0 have no query, and 3 so few",
    ):
        each = result.by_subject()
    assert each.to_frame(full=True)["p_adjusted"].notna().all()


def test_text_pickling_and_copies() -> None:
    each = ft.compare(scores_of(VALUES)).by_subject()
    significant = int(each.table["significant"].sum())
    assert repr(each) == (
        f"SubjectComparisons(4 subjects, 3 comparisons each: {significant} of 12 significant)"
    )
    back = pickle.loads(pickle.dumps(ft.compare(scores_of(VALUES))))
    pd.testing.assert_frame_equal(back.by_subject().to_frame(full=True), each.to_frame(full=True))
    copy = each.to_frame(full=True)
    copy["p"] = 7.0
    assert (each.table["p"] <= 1).all()


def test_subjects_that_are_none() -> None:
    with pytest.raises(ft.OptionError, match="subjects do not exist in these scores"):
        ft.compare(scores_of(VALUES[:, 0])).by_subject()
    with pytest.raises(ft.OptionError, match="subjects are nested in queries"):
        ft.compare(scores_of(VALUES, design="nested")).by_subject()
