"""The same comparison for each subject alone."""

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import scores_of
from support.texts import flat, is_stored

import fuzzytruth as ft
from fuzzytruth.comparison.by_subject import each_subject
from fuzzytruth.core.cells import Cells
from fuzzytruth.errors import DegenerateWarning
from fuzzytruth.evaluation.scores.score_arrays import Provenance
from fuzzytruth.stats.directions import directions

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
    with pytest.raises(ft.errors.OptionError, match="subjects do not exist in these scores"):
        crisp.by_subject()
    with pytest.raises(ft.errors.OptionError, match="subjects are nested in queries"):
        ft.compare(scores_of(VALUES, design="nested")).by_subject()
    with pytest.raises(
        ft.errors.OptionError, match="directions: subjects do not exist in these scores"
    ):
        crisp.directions()
    single = ft.compare(scores_of(VALUES[:, :1]), n_resamples=99)
    with pytest.raises(ft.errors.OptionError, match="directions: subjects are fewer than 2"):
        single.directions()
    assert (
        single.by_subject()
        .table["significant_among_all"]
        .equals(single.by_subject().table["significant"])
    )
    assert ".directions()" not in str(single)


# Whose truths prefer which system.

OPPOSED = np.random.default_rng(5).normal(0.5, 0.1, (3, 8, 30))
OPPOSED[0] += np.repeat([0.2, -0.2], [5, 3])[:, None]


def several(values: Any = OPPOSED, **given: Any) -> ft.Scores:
    """The same values by a measure of which lower is better, too."""
    scores = scores_of(values)
    both = np.concatenate([scores.values, scores.values], axis=1)
    given = {"measures": ("m", "error"), "higher_is_better": (True, False), **given}
    return replace(scores, values=both, **given)


def test_directions_are_those_of_each_pair_and_measure() -> None:
    """The kernel's by pair; a is better where it is lower; p by Holm over the pairs."""
    result = ft.compare(several(), n_resamples=99)
    table = result.directions()
    pairs = result.table[["measure", "system_a", "system_b"]]
    pd.testing.assert_frame_equal(table[[*pairs]].astype(str), pairs.astype(str))
    cells = Cells.complete(30, 8)
    each = [
        directions((OPPOSED[a] - OPPOSED[b]).T.reshape(1, -1), cells)
        for a, b in ((0, 1), (0, 2), (1, 2))
    ]
    first = table[:3]
    assert first["n_a"].tolist() == [int(one.alone[0, 0]) for one in each]
    assert first["n_b"].tolist() == [int(one.alone[1, 0]) for one in each]
    assert first["at_least_a"].tolist() == [int(one.at_least[0, 0]) for one in each] == [5, 5, 0]
    assert first["at_least_b"].tolist() == [int(one.at_least[1, 0]) for one in each] == [3, 3, 0]
    for name in ("p_both_ways", "p_differs"):
        p = [float(getattr(one, name)[0]) for one in each]
        np.testing.assert_allclose(first[name], ft.stats.adjust(p, "holm"), rtol=1e-9)
        assert sum(first[name] <= 0.05) == 2
    for name in ("sd_subjects", "sd_chance"):
        np.testing.assert_allclose(first[name], [getattr(one, name)[0] for one in each])
    lower = table[3:].reset_index(drop=True)
    swapped = {"n_a": "n_b", "n_b": "n_a", "at_least_a": "at_least_b", "at_least_b": "at_least_a"}
    same = first.rename(columns=swapped)[[*first]].assign(measure="error")
    pd.testing.assert_frame_equal(lower, same)
    copy = result.directions()
    copy["n_a"] = 99
    pd.testing.assert_frame_equal(result.directions(), table)


def test_directions_are_one_family_across_measures() -> None:
    apart, together = (
        ft.compare(several(), n_resamples=99, across_measures=across).directions()
        for across in (False, True)
    )
    assert together["p_both_ways"].min() == pytest.approx(2 * apart["p_both_ways"].min())


def test_directions_are_over_queries_whatever_the_comparison_is_over() -> None:
    scores = scores_of(OPPOSED)
    table = ft.compare(scores, n_resamples=99).directions()
    for options in ({"over": "subject"}, {"alternative": "greater"}, {"correction": "fdr_bh"}):
        pd.testing.assert_frame_equal(ft.compare(scores, **options).directions(), table)
    strict = ft.compare(scores, level=1 - 1e-8, correction="bonferroni").directions()
    for name in ("n_a", "n_b", "at_least_a", "at_least_b"):
        assert strict[name].sum() < table[name].sum()
    few = ft.compare(scores, "sys1", n_resamples=99).directions()
    assert few["system_b"].tolist() == ["sys1", "sys1"]
    assert few["at_least_a"].tolist() == [5, 0]


@pytest.mark.parametrize("shared", [True, False, None])
def test_chance_is_not_known_where_queries_share_items(shared: bool | None) -> None:
    """F takes errors that are independent from query to query."""
    made = Provenance(
        **dict.fromkeys(("version", "worlds", "ties", "undefined", "unjudged"), "x"),
        queries_share_items=shared,
    )
    result = ft.compare(replace(scores_of(OPPOSED[:2]), provenance=made))
    (row,) = result.directions().itertuples(index=False)
    assert np.isnan([row.p_differs, row.sd_chance]).all() == bool(shared)
    assert (row.at_least_a, row.at_least_b) == (5, 3)
    text = flat(result)
    assert ("ft.structure(votes, runs, measures) can." in text) == bool(shared)
    assert ("ft.structure" in result.assumptions) == bool(shared)
    assert ("as if queries shared no items" in text) == (shared is None)


def test_directions_over_clusters() -> None:
    clusters = {f"q{q}": f"t{q // 3}" for q in range(30)}
    (row,) = ft.compare(scores_of(OPPOSED[:2]), clusters=clusters).directions().itertuples()
    assert (row.at_least_a, row.at_least_b) == (5, 3)
    assert np.isnan([row.p_differs, row.sd_chance]).all()


def test_who_is_shown_among_all() -> None:
    """A subject's own verdict, if Holm's method over all subjects has it, too."""
    values = np.random.default_rng(8).normal(0.5, 0.1, (2, 12, 20))
    values[0] += np.linspace(-0.12, 0.12, 12)[:, None]
    result = ft.compare(scores_of(values))
    table, (found,) = result.by_subject().table, result.directions().itertuples()
    shown = table[table["significant_among_all"]]
    assert 0 < len(shown) < table["significant"].sum() < 12
    assert (shown["difference"] > 0).sum() == found.at_least_a
    assert (shown["difference"] < 0).sum() == found.at_least_b
    assert table["significant"].sum() == found.n_a + found.n_b
