"""The same comparison for each subject alone."""

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import scores_of
from support.texts import is_stored

import fuzzytruth as ft
from fuzzytruth.comparison.by_subject import each_subject
from fuzzytruth.errors import DegenerateWarning

RNG = np.random.default_rng(1)
VALUES = RNG.normal(size=(3, 4, 20)) + np.array([0.0, 0.4, 1.0])[:, None, None]
SHARED = [
    *("measure", "system_a", "system_b", "difference", "lower", "upper", "std_error", "df", "p"),
    *("p_permutation", "p_adjusted", "significant", "min_detectable", "d_z", "wins", "n_queries"),
]
CLUSTERS = {f"q{q}": f"t{q // 2}" for q in range(20)}


@pytest.mark.parametrize("options", [{}, {"baseline": "sys0"}, {"correction": "holm"}])
def test_each_subject_as_if_alone(options: dict[str, Any]) -> None:
    """Over the queries that the subject judged, also where the others are a sample."""
    values = VALUES.copy()
    values[:, 2, 12:] = np.nan
    options = {"n_resamples": 999, **options}
    each = ft.compare(scores_of(values), **options).by_subject().table
    assert each["subject"].unique().tolist() == ["s0", "s1", "s2", "s3"]
    assert each.groupby("subject")["n_queries"].first().tolist() == [20, 20, 12, 20]
    for number, subject in enumerate(("s0", "s1", "s2", "s3")):
        own = values[:, number, : 12 if number == 2 else 20]
        alone = ft.compare(scores_of(own), **options).table
        mine = each[each["subject"] == subject].reset_index(drop=True)
        pd.testing.assert_frame_equal(mine[SHARED], alone[SHARED])
    if not options.get("correction"):
        both = ft.compare(scores_of(values), over=("query", "subject"), **options)
        pd.testing.assert_frame_equal(both.by_subject().table[SHARED], each[SHARED])


def test_clusters_of_a_subjects_queries() -> None:
    values = VALUES.copy()
    values[:, 1, 10:] = np.nan
    each = ft.compare(scores_of(values), clusters=CLUSTERS).by_subject().table
    half = {q: CLUSTERS[q] for q in list(CLUSTERS)[:10]}
    alone = ft.compare(scores_of(values[:, 1, :10]), clusters=half).table
    mine = each[each["subject"] == "s1"]
    np.testing.assert_allclose(mine["std_error"], alone["std_error"])


def test_lone_queries_are_warned_of() -> None:
    values = VALUES.copy()
    values[:, 3, 1:] = np.nan
    result = ft.compare(scores_of(values))
    words = "of 12 comparisons of single subjects, 0 have no query, and 3 so few"
    with pytest.warns(DegenerateWarning, match=words):
        each = result.by_subject()
    assert each.table["p_adjusted"].notna().all()


def test_the_result() -> None:
    values = RNG.normal(0.5, 0.02, (2, 3, 12))
    values[0, :2] += np.array([[0.3], [-0.3]])
    result = ft.compare(scores_of(values), n_resamples=99)
    each = result.by_subject()
    found = int(each.table["significant"].sum())
    assert repr(each) == (
        f"SubjectComparisons(3 subjects, 1 comparison each: {found} of 3 significant)"
    )
    back = pickle.loads(pickle.dumps(result)).by_subject()
    pd.testing.assert_frame_equal(back.to_frame(full=True), each.to_frame(full=True))
    copy = each.to_frame(full=True)
    copy["p"] = 7.0
    assert (each.table["p"] <= 1).all()
    assert is_stored("by subject, few", each._answer().text(80))
    values = np.random.default_rng(1).normal(0.5, 0.1, (5, 2, 8))
    many = ft.compare(scores_of(values + np.linspace(0, 1, 5)[:, None, None]), n_resamples=99)
    assert is_stored("by subject, many", many.by_subject()._answer().text(80))


def test_subjects_that_are_none() -> None:
    crisp = ft.compare(scores_of(VALUES[:, 0]), n_resamples=99)
    assert each_subject(crisp) is None
    with pytest.raises(ft.OptionError, match="subjects do not exist in these scores"):
        crisp.by_subject()
    with pytest.raises(ft.OptionError, match="subjects are nested in queries"):
        ft.compare(scores_of(VALUES, design="nested")).by_subject()
