"""`compare`: the contract, agreement of its numbers, degenerate data."""

from __future__ import annotations

import pickle
import tracemalloc
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from support.large_scores import crowd
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells
from fuzzytruth.errors import DegenerateWarning, MissingCellWarning

RNG = np.random.default_rng(0)
QUALITY = np.array([0.0, 0.0, 0.3, 0.9])
VALUES = RNG.normal(QUALITY[:, None], 0.6, (4, 30)) + RNG.normal(size=30)
SUBJECTS = VALUES[:, None, :] + RNG.normal(0, 0.5, (4, 5, 30)) + RNG.normal(0, 0.3, (4, 5, 1))
CONTRACT = [
    *("measure", "system_a", "system_b", "difference", "lower", "upper", "p", "p_adjusted"),
    *("d_z", "p_improvement", "wins", "ties", "losses"),
]


def two_measures() -> ft.Scores:
    errors = -np.random.default_rng(1).normal(QUALITY[:, None], 0.8, (4, 30))
    values = np.stack((VALUES, errors), axis=1)
    return ft.Scores(
        systems=("a", "b", "c", "d"),
        queries=tuple(f"q{j}" for j in range(30)),
        measures=("AP", "E@32"),
        values=values,
        cells=Cells.of_queries(30),
        higher_is_better=(True, False),
    )


def test_the_contract() -> None:
    res = ft.compare(
        scores_of(VALUES), baseline=None, measures=None, over=("query",), correction=None,
        level=.95, n_resamples=9999, rng=0,
    )  # fmt: skip
    table = res.to_frame(full=True)[CONTRACT]
    assert len(table) == 6
    first = table.iloc[0]
    d = VALUES[0] - VALUES[1]
    assert first["difference"] == pytest.approx(d.mean())
    assert first["p"] == pytest.approx(scipy_stats.ttest_rel(VALUES[0], VALUES[1]).pvalue)
    assert first["d_z"] == pytest.approx(d.mean() / d.std(ddof=1))
    assert (first["wins"], first["losses"]) == ((d > 0).sum(), (d < 0).sum())
    assert first["p_improvement"] == (d > 0).mean()
    assert (table["p_adjusted"] >= table["p"]).all()


@pytest.mark.parametrize("over", ["query", "subject", ("query", "subject")])
@pytest.mark.parametrize("correction", [None, "bonferroni", "sidak"])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_simultaneous_intervals_agree_with_adjusted_p(over, correction, level) -> None:
    table = ft.compare(scores_of(SUBJECTS), over=over, correction=correction, level=level).to_frame(
        full=True
    )
    outside = (table["lower"] > 0) | (table["upper"] < 0)
    assert (outside == table["significant"]).all()
    assert (outside == (table["p_adjusted"] <= 1 - level)).all()
    assert (table["p_adjusted"] >= table["p"] * (1 - 1e-9)).all() or correction is None


def test_complete_null_agrees_with_itself() -> None:
    table = ft.compare(scores_of(VALUES), null="complete").to_frame(full=True)
    outside = (table["lower"] > 0) | (table["upper"] < 0)
    assert (outside == table["significant"]).all()
    assert np.allclose(table["upper"] - table["lower"], table["upper"][0] - table["lower"][0])
    with pytest.raises(ft.OptionError, match="complete"):
        ft.compare(scores_of(VALUES), null="complete", correction="holm")
    incomplete = VALUES.copy()
    incomplete[0, 0] = np.nan
    with (
        pytest.warns(MissingCellWarning),
        pytest.raises(ft.DataError, match="1 value of m missing"),
    ):
        ft.compare(scores_of(incomplete), null="complete")


def test_baseline() -> None:
    result = ft.compare(scores_of(VALUES), baseline="sys1")
    table = result.to_frame(full=True)
    assert table["system_a"].tolist() == ["sys0", "sys2", "sys3"]
    assert set(table["system_b"]) == {"sys1"}
    every = ft.compare(scores_of(VALUES)).to_frame(full=True)
    assert table["p_adjusted"].iloc[2] <= every["p_adjusted"].max()
    width = (table["upper"] - table["lower"]).iloc[1]
    assert width < (every["upper"] - every["lower"]).iloc[3]  # fewer comparisons
    with pytest.raises(ft.OptionError, match="baseline 'x'"):
        ft.compare(scores_of(VALUES), baseline="x")


def test_one_comparison_is_the_paired_t_test() -> None:
    table = ft.compare(scores_of(VALUES[[0, 3]])).to_frame(full=True)
    expected = scipy_stats.ttest_rel(VALUES[0], VALUES[3])
    assert table["p_adjusted"][0] == table["p"][0] == pytest.approx(expected.pvalue)
    ends = expected.confidence_interval()
    assert (table["lower"][0], table["upper"][0]) == pytest.approx((ends.low, ends.high))
    flips = ft.sign_flip(scores_of(VALUES[[0, 3]]), "sys0", "sys1")
    assert table["p_permutation"][0] == flips.p


@pytest.mark.parametrize("correction", ["holm", "hommel", "fdr_bh", "fdr_tsbky", "none"])
def test_corrections_by_name_within_and_across_measures(correction: str) -> None:
    scores = two_measures()
    apart = ft.compare(scores, correction=correction)
    together = ft.compare(scores, correction=correction, across_measures=True)
    p = apart.to_frame(full=True)["p"].to_numpy()
    if correction != "none":
        expected = np.concatenate([ft.stats.adjust(half, correction) for half in (p[:6], p[6:])])
        np.testing.assert_allclose(apart.to_frame(full=True)["p_adjusted"], expected)
        p = ft.stats.adjust(p, correction)
    np.testing.assert_allclose(together.to_frame(full=True)["p_adjusted"], p)
    assert apart.conditions.interval == "unadjusted"
    assert (apart.conditions.tests, together.conditions.tests) == (6, 12)


def test_max_t_across_measures_is_one_family() -> None:
    apart = ft.compare(two_measures()).to_frame(full=True)
    together = ft.compare(two_measures(), across_measures=True).to_frame(full=True)
    assert (together["p_adjusted"] >= apart["p_adjusted"]).all()
    assert (together["upper"] - together["lower"] >= apart["upper"] - apart["lower"]).all()


def test_lower_is_better_turns_wins_and_letters() -> None:
    result = ft.compare(two_measures(), measures=["E@32"])
    row = result.to_frame(full=True).iloc[
        2
    ]  # a against d, which has the lower and so better values
    assert row["difference"] > 0
    assert row["losses"] > row["wins"]
    assert row["p_improvement"] < 0.5
    assert "a" in result.superscripts().loc["d", "E@32"]
    assert result.verdicts()[2].startswith(
        "d is significantly better than a on E@32 over queries (difference -"
    )
    assert result.verdicts()[2].endswith("; lower is better)")


def test_swapping_systems_changes_signs_only() -> None:
    one = ft.compare(scores_of(VALUES)).to_frame(full=True)
    other = ft.compare(scores_of(VALUES[::-1])).to_frame(full=True)
    other = other.iloc[[5, 4, 2, 3, 1, 0]].reset_index()
    np.testing.assert_allclose(one["difference"], -other["difference"], atol=1e-12)
    np.testing.assert_allclose(one["lower"], -other["upper"], rtol=1e-9)
    np.testing.assert_array_equal(one["wins"], other["losses"])
    np.testing.assert_array_equal(one["p_adjusted"], other["p_adjusted"])


def test_shares_of_subjects_and_intervals_beside() -> None:
    result = ft.compare(scores_of(SUBJECTS))
    row = result.to_frame(full=True).iloc[5]
    each = (SUBJECTS[2] - SUBJECTS[3]).mean(axis=1)
    assert row["subjects_agree"] == (np.sign(each) == np.sign(each.mean())).sum()
    assert row["share_subjects"] == row["subjects_agree"] / 5
    assert np.isnan(row["share_worlds"])
    over = result.beside["over"]
    assert over.unique().tolist() == ["queries", "subjects", "queries and subjects"]
    query, both = (result.beside[over == axes] for axes in ("queries", "queries and subjects"))
    assert (both["std_error"].to_numpy() > query["std_error"].to_numpy()).all()
    nested = ft.compare(scores_of(SUBJECTS, design="nested"))
    assert nested.beside is None
    assert nested.to_frame(full=True)["share_subjects"].isna().all()


def test_missing_values_are_left_out_pair_by_pair() -> None:
    values = VALUES.copy()
    values[0, :3] = np.nan
    with pytest.warns(MissingCellWarning, match="3 values are missing"):
        table = ft.compare(scores_of(values)).to_frame(full=True)
    assert table["n_queries"].tolist() == [27, 27, 27, 30, 30, 30]
    expected = scipy_stats.ttest_rel(VALUES[0, 3:], VALUES[1, 3:])
    assert table["p"][0] == pytest.approx(expected.pvalue)
    np.testing.assert_allclose(table["mean_a"] - table["mean_b"], table["difference"])
    cells = SUBJECTS.copy()
    cells[1, 2, 4] = np.nan
    with pytest.warns(MissingCellWarning):
        table = ft.compare(scores_of(cells), over=("query", "subject")).to_frame(full=True)
    np.testing.assert_allclose(table["mean_a"] - table["mean_b"], table["difference"])
    assert table["std_error"].notna().all()


def test_identical_systems_said_plainly() -> None:
    same = scores_of([VALUES[0], VALUES[0], VALUES[3]])
    for correction in (None, "holm", "bonferroni"):
        result = ft.compare(same, correction=correction)
        row = result.to_frame(full=True).iloc[0]
        assert row[["difference", "lower", "upper", "d_z"]].tolist() == [0.0] * 4
        assert row[["p", "p_permutation", "p_adjusted", "p_improvement"]].tolist() == [1, 1, 1, 0.5]
        assert result.verdicts()[0] == "sys0 and sys1 have the same m on all 30 queries"
    assert ft.compare(scores_of([VALUES[0]] * 2)).to_frame(full=True)["p_adjusted"][0] == 1
    subjects = scores_of([SUBJECTS[0], SUBJECTS[0]])
    row = ft.compare(subjects, over=("query", "subject")).to_frame(full=True).iloc[0]
    assert row[["difference", "lower", "upper", "p", "p_adjusted"]].tolist() == [0, 0, 0, 1, 1]


def test_degenerate_data_have_named_warnings() -> None:
    with pytest.warns(DegenerateWarning, match="same difference everywhere"):
        table = ft.compare(scores_of([np.full(8, 0.5), np.full(8, 0.2)])).to_frame(full=True)
    assert table[["lower", "upper"]].iloc[0].tolist() == pytest.approx([0.3, 0.3])
    assert np.isposinf(table["d_z"][0])
    with pytest.warns(DegenerateWarning, match="rest on a single unit"):
        table = ft.compare(scores_of([[0.5], [0.2], [0.1]])).to_frame(full=True)
    assert table["p_adjusted"].tolist() == [1, 1, 1]
    assert np.isinf(table[["lower", "upper"]]).all(axis=None)
    few = scores_of(VALUES[:, :4])
    with pytest.warns(DegenerateWarning, match="correction='bonferroni' gives t intervals"):
        table = ft.compare(few, correction="sign-flips").to_frame(full=True)
    assert not table["significant"].any()
    ours, bonferroni = ft.compare(few).to_frame(full=True), ft.compare(few, correction="bonferroni")
    assert ours["upper"].tolist() == bonferroni.to_frame(full=True)["upper"].tolist()
    values = VALUES.copy()
    values[0] = np.nan
    with (
        pytest.warns(MissingCellWarning),
        pytest.warns(DegenerateWarning, match="no value in common"),
    ):
        result = ft.compare(scores_of(values), correction="holm")
    table = result.to_frame(full=True)
    assert table["p_adjusted"].isna().tolist() == [True] * 3 + [False] * 3
    assert table["p_adjusted"][3:].notna().all()
    assert "have no value of m in common" in result.verdicts()[0]


@pytest.mark.parametrize("over", ["query", "subject", ("query", "subject")])
@pytest.mark.parametrize("correction", ["holm", "fdr_bh", "fdr_gbs"])
@pytest.mark.parametrize("alternative", ["two-sided", "less"])
def test_detectable_differences_without_intervals_of_their_own(
    over: Any, correction: str, alternative: Any
) -> None:
    """They are those of Bonferroni's intervals, of one comparison those of the only interval."""
    for systems, other in ((3, "bonferroni"), (2, "none")):
        found, expected = (
            ft.compare(
                scores_of(SUBJECTS[:systems]), over=over, correction=name, alternative=alternative
            )
            for name in (correction, other)
        )
        assert expected.table["min_detectable"].notna().all()
        for one, same in ((found.table, expected.table), (found.beside, expected.beside)):
            np.testing.assert_allclose(one["min_detectable"], same["min_detectable"], rtol=1e-12)


@pytest.mark.parametrize("over", ["query", "subject", ("query", "subject")])
@pytest.mark.parametrize("kind", ["wide", "equal", "tiny", "missing"])
@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_the_error_state_of_the_user_does_not_matter(over: Any, kind: str) -> None:
    rng = np.random.default_rng(0)
    values = rng.random((3, 2, 50))
    if kind == "equal":
        values[1:] = values[0]
    elif kind == "tiny":
        values *= 1e-200
    elif kind == "missing":
        values[rng.random(values.shape) < 0.2] = np.nan

    def tables() -> list[pd.DataFrame]:
        scores = scores_of(values)
        result = ft.compare(scores, over=over, n_resamples=99)
        sidak = ft.compare(scores, over=over, correction="holm-sidak")
        groups = ft.compare_groups(scores, {"s0": "x", "s1": "y"}, over=over)
        means = [scores.summary(over=over), groups.between]
        if over == ("query", "subject"):
            means.append(scores.summary(over=over, method="pigeonhole", n_resamples=99))
        else:
            means.append(scores.summary(over=over, method="studentized", n_resamples=99))
        return [result.table, result.beside, sidak.table, *means]

    expected = tables()
    with np.errstate(all="raise"):
        found = tables()
    for one, same in zip(found, expected, strict=True):
        pd.testing.assert_frame_equal(one, same, check_exact=True)


def test_one_subject_over_both() -> None:
    with pytest.warns(DegenerateWarning):
        table = ft.compare(scores_of(SUBJECTS[:, :1]), over=("query", "subject")).to_frame(
            full=True
        )
    assert (table["p_adjusted"] == 1).all()


@pytest.mark.parametrize("n_jobs", [2])
def test_same_bits_for_any_workers(n_jobs: int) -> None:
    one = ft.compare(scores_of(VALUES), n_resamples=3000, rng=5)
    other = ft.compare(scores_of(VALUES), n_resamples=3000, rng=5, n_jobs=n_jobs)
    pd.testing.assert_frame_equal(
        one.to_frame(full=True), other.to_frame(full=True), check_exact=True
    )
    seeded = ft.compare(scores_of(VALUES), n_resamples=3000, rng=np.random.default_rng(1))
    assert not seeded.to_frame(full=True).equals(one.to_frame(full=True))


def test_posterior() -> None:
    result = ft.compare(two_measures(), bayesian=True, rope={"AP": 0.1, "E@32": 0.2}).to_frame(
        full=True
    )
    names = ["posterior_better", "posterior_rope", "posterior_worse"]
    np.testing.assert_allclose(result[names].sum(axis=1), 1)
    row = result.iloc[0]
    t = scipy_stats.t(29, loc=row["difference"], scale=row["std_error"])
    assert row["posterior_rope"] == pytest.approx(t.cdf(0.1) - t.cdf(-0.1))
    lower = result.iloc[8]  # a against d on E@32, lower is better
    assert lower["posterior_worse"] > 0.9
    without = ft.compare(scores_of(VALUES), bayesian=True).to_frame(full=True)
    assert (without["posterior_rope"] == 0).all()
    wrong = [(-1, "negative"), (np.nan, "finite")]
    wrong += [({"AP": 0.1}, "each of"), ({"x": 1, "AP": 1}, "each of")]
    for rope, word in wrong:
        with pytest.raises(ft.OptionError, match=word):
            ft.compare(two_measures(), bayesian=True, rope=rope)
    with pytest.raises(ft.OptionError, match="bayesian=True"):
        ft.compare(scores_of(VALUES), rope=0.1)


def test_wrong_options() -> None:
    scores = scores_of(VALUES)
    with pytest.raises(ft.OptionError, match="'tukey'"):
        ft.compare(scores, correction="tukey")
    with pytest.raises(ft.OptionError, match="measure 'zzz'"):
        ft.compare(scores, measures="zzz")
    with pytest.raises(ft.OptionError, match="name at least one"):
        ft.compare(scores, measures=[])
    with pytest.raises(ft.OptionError, match="null='none'"):
        ft.compare(scores, null="none")
    with pytest.raises(ft.DataError, match="single system"):
        ft.compare(scores_of(VALUES[:1]))
    with pytest.raises(ft.OptionError, match="max-t"):
        ft.compare(scores_of(SUBJECTS), over=("query", "subject"), correction="max-t")
    with pytest.raises(ft.OptionError, match="worlds='subject'"):
        ft.compare(scores, over="subject")


def test_under_worlds() -> None:
    votes = ft.Judgments.from_columns(
        np.repeat([f"q{j}" for j in range(8)], 24),
        np.tile(np.repeat(list("abcdef"), 4), 8),
        (
            np.random.default_rng(2).random(192)
            < np.tile(np.repeat(np.linspace(0.9, 0.1, 6), 4), 8)
        ).astype(float),
        subject=np.tile(list("wxyz"), 48),
    )
    order = {"good": "abcdef", "bad": "fedcba"}
    runs = {
        name: {f"q{j}": {d: 9 - i for i, d in enumerate(items)} for j in range(8)}
        for name, items in order.items()
    }
    scores = ft.evaluate(votes, runs, ["P@3"], worlds="independent", n_worlds=500, rng=0)
    result = ft.compare(scores)
    row = result.to_frame(full=True).iloc[0]
    better = ft.superiority(scores, "good", "bad").better
    assert row["share_worlds"] == pytest.approx(better)
    assert "of the worlds" in result.verdicts()[0]
    assert result.beside["over"].tolist() == ["queries", "worlds"]
    worlds = ft.compare(scores, over="world").to_frame(full=True).iloc[0]
    assert worlds["significant"] == ((worlds["lower"] > 0) | (worlds["upper"] < 0))
    population = ft.evaluate(votes, runs, ["P@3"], worlds="population", rng=0)
    for over in ("world", ("query", "world")):
        row = ft.compare(population, over=over).to_frame(full=True).iloc[0]
        assert row["lower"] < row["difference"] < row["upper"]
    beside = ft.compare(population).beside
    assert beside["over"].tolist() == ["queries", "worlds", "queries and worlds"]


@given(
    shift=st.floats(-100, 100),
    scale=st.floats(0.01, 100),
    seed=st.integers(0, 1000),
    n=st.integers(6, 16),
)
@settings(max_examples=25)
def test_query_effects_cancel_and_units_do_not_matter(shift, scale, seed, n) -> None:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(3, n))
    other = scale * values + shift * rng.normal(size=n)
    one, two = (
        ft.compare(scores_of(v), n_resamples=199).to_frame(full=True) for v in (values, other)
    )
    for name in ("difference", "lower", "upper"):
        np.testing.assert_allclose(two[name], scale * one[name], rtol=1e-6, atol=1e-9 * shift**2)
    np.testing.assert_allclose(two["p_adjusted"], one["p_adjusted"])
    assert ((one["lower"] <= one["difference"]) & (one["difference"] <= one["upper"])).all()


def table_of(rows):
    return ft.Scores.from_frame(
        pd.DataFrame(rows, columns=["system", "query", *["subject"] * (len(rows[0]) == 4), "value"])
    )


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("over", ["query", "subject", ("query", "subject")])
def test_intervals_and_p_never_contradict_with_holes(seed, over):
    rng = np.random.default_rng(seed)
    rows = [
        (system, q, f"s{s}", rng.normal(0.5 * (system == "b"), 0.3))
        for system in "abc"
        for q in range(7)
        for s in range(4)
        if rng.random() < 0.45 or (system, q) in (("a", s), ("b", s))
    ]
    table = ft.compare(table_of(rows), over=over, n_resamples=999).to_frame(full=True)
    outside = (table["lower"] > 0) | (table["upper"] < 0)
    assert (outside == table["significant"]).all()
    beside = ft.compare(table_of(rows), n_resamples=199).beside
    if beside is not None:
        outside = (beside["lower"] > 0) | (beside["upper"] < 0)
        assert (outside == beside["significant"]).all()
        assert not (np.isinf(beside["upper"]) & (beside["std_error"] == 0)).any()


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_cells_that_no_subject_connects_tell_nothing_of_subjects():
    rng = np.random.default_rng(0)
    rows = [(x, q, s, rng.random()) for x in "ab" for q in range(6) for s in range(6)]
    rows = [r for r in rows if r[0] == "a" or r[1] == r[2]]
    row = ft.compare(table_of(rows), over=("query", "subject")).to_frame(full=True).iloc[0]
    assert np.isnan(row["std_error"])
    assert (row["lower"], row["upper"], row["p"]) == (-np.inf, np.inf, 1.0)
    assert not row["significant"]
    alone = [("ab"[x], q, f"w{q}", 0.1 * q + x * (1 + 0.01 * q)) for x in (0, 1) for q in range(12)]
    result = ft.compare(table_of(alone))
    assert result.beside is None
    assert "over both" not in result.verdicts()[0]


def test_a_pair_with_few_common_queries_does_not_drown_the_others():
    rng = np.random.default_rng(1)
    rows = [(x, q, rng.normal(i, 0.3)) for i, x in enumerate("abc") for q in range(50)]
    rows += [("d", q, 0.5 + 0.1 * q) for q in range(2)]
    with pytest.warns(MissingCellWarning):
        table = ft.compare(table_of(rows)).to_frame(full=True).set_index(["system_a", "system_b"])
    with pytest.warns(ft.FuzzytruthWarning) as said:
        flips = ft.compare(table_of(rows), correction="sign-flips").to_frame(full=True)
    assert table.loc[("a", "b"), "p_adjusted"] == pytest.approx(2e-4)  # half the error is d's
    assert np.isfinite(table.loc[("a", "b"), "upper"])
    t = ft.paired_t(table_of(rows), "a", "d", level=1 - 0.05 / 6)
    assert table.loc[("a", "d"), "upper"] == pytest.approx(t.upper)
    assert table.loc[("a", "d"), "p_adjusted"] == pytest.approx(min(6 * t.p, 1.0))
    assert np.isposinf(flips["upper"][2])
    assert any("3 of 6 comparisons rest on fewer than 6 common" in str(w.message) for w in said)


def test_a_single_comparison_by_flips_is_called_by_its_adjustment():
    rng = np.random.default_rng(2)
    rows = [(x, q, rng.random()) for x in "ab" for q in range(12)]
    assert ft.compare(table_of(rows)).conditions.interval == "single"
    flips = ft.compare(table_of(rows), correction="max-t")
    assert flips.conditions.interval == "simultaneous"
    assert (
        "unadjusted"
        in ft.compare(
            table_of(rows + [("c", q, rng.random()) for q in range(12)]), correction="holm"
        ).verdicts()[0]
    )


def test_worlds_that_are_too_few_say_how_many_would_do():
    votes = ft.Judgments.from_probabilities(["q"] * 6, list("uvwxyz"), [0.5] * 6)
    runs = {f"r{i}": {"q": {d: float(j == i) for j, d in enumerate("uvwxyz")}} for i in range(4)}
    scores = ft.evaluate(votes, runs, ["P@1"], n_worlds=100, rng=0)
    with pytest.warns(ft.FuzzytruthWarning, match=r"worlds are too few .* n_worlds=239 or more"):
        ft.compare(scores, over="world")


def test_a_crowd_is_compared_by_cells() -> None:
    scores = crowd()  # 24 GB as a dense table
    tracemalloc.start()
    result = ft.compare(scores, n_resamples=99)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**30
    table = result.to_frame(full=True)
    frame = scores.to_frame()
    mean = frame.groupby(["system", "query"])["value"].mean().groupby("system").mean()
    np.testing.assert_allclose(table["mean_a"] - table["mean_b"], table["difference"], atol=1e-12)
    assert table["difference"][0] == pytest.approx(mean["a"] - mean["b"], abs=1e-12)
    assert table["n_subjects"].tolist() == [10_000] * 3
    assert result.beside["significant"].tolist() == [False, True, True] * 3


def test_comparisons_pickle() -> None:
    result = ft.compare(scores_of(SUBJECTS), bayesian=True, rope=0.1)
    back = pickle.loads(pickle.dumps(result))
    pd.testing.assert_frame_equal(
        back.to_frame(full=True), result.to_frame(full=True), check_exact=True
    )
    pd.testing.assert_frame_equal(back.beside, result.beside, check_exact=True)
    assert back.conditions == result.conditions
    assert back.verdicts() == result.verdicts()


@pytest.mark.parametrize("given", [3, "scores.parquet", pd.DataFrame({"system": ["a"]}), None])
def test_something_else_than_scores_is_named(given) -> None:
    for function in (ft.compare, ft.rank_stability, ft.difference_intervals):
        with pytest.raises(ft.OptionError, match="scores: give Scores, as evaluate,"):
            function(given)
    for function in (ft.paired_t, ft.sign_flip, ft.wilcoxon):
        with pytest.raises(ft.OptionError, match="scores: give Scores"):
            function(given, "a", "b")
    with pytest.raises(ft.OptionError, match="must be a list of Scores"):
        ft.concat(given)


def test_two_scores_are_to_be_joined_first() -> None:
    scores = scores_of(VALUES)
    with pytest.raises(ft.OptionError, match=r"baseline=.*join both first: compare\(concat\("):
        ft.compare(scores, scores)  # type: ignore[arg-type]


def test_the_first_missing_value_is_named() -> None:
    values = VALUES.copy()
    values[1, ..., 2] = np.nan
    scores = scores_of(values)
    query = scores.queries[2]
    with pytest.warns(
        ft.errors.MissingCellWarning, match=f"the first: system 'sys1', query '{query}'"
    ):
        ft.compare(scores)


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        ({}, 4),  # max-t and sign flips, for each of two measures
        ({"across_measures": True}, 3),
        ({"correction": "sign-flips"}, 4),
        ({"correction": "holm"}, 2),
        ({"null": "complete"}, 4),
        ({"clusters": {f"q{j}": f"c{j % 10}" for j in range(30)}}, 2),
    ],
)
def test_progress_is_the_finished_fraction_of_resampling(options, parts: int) -> None:
    done: list[float] = []
    given = {"n_resamples": 2048, "rng": 3, **options}
    result = ft.compare(two_measures(), progress=done.append, **given)
    assert done == pytest.approx([(j + 1) / (2 * parts) for j in range(2 * parts)])
    pd.testing.assert_frame_equal(result.table, ft.compare(two_measures(), **given).table)
    assert pickle.loads(pickle.dumps(result)).table.equals(result.table)
    with pytest.raises(ft.OptionError, match="progress=3: must be a function"):
        ft.compare(two_measures(), progress=3)
