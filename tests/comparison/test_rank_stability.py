"""Rank stability beside brute loops."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.core.clusters import drawn_units
from fuzzytruth.errors import DegenerateWarning, MissingCellWarning
from fuzzytruth.stats.settings import Resampling

VALUES = np.random.default_rng(0).normal([[0.0], [0.2], [0.2], [1.0]], 1.0, (4, 25))
CUBE = VALUES[:, None, :] + np.random.default_rng(1).normal(0, 0.4, (4, 6, 25))


def test_over_queries_by_a_loop() -> None:
    result = ft.rank_stability(scores_of(VALUES), over="query", rng=0, n_resamples=400)
    seed = np.random.SeedSequence(Resampling(400).entropy, spawn_key=(1, 0))
    means = np.array([VALUES[:, units].mean(axis=1) for units in drawn_units(seed, 400, 25)])
    ranks = scipy_stats.rankdata(-means, axis=1)
    table = result.shares.pivot(index="system", columns="rank", values="share")
    for system in range(4):
        for rank in range(1, 5):
            assert table.iloc[system][rank] == (ranks[:, system] == rank).mean()
    assert result.pairs["above"][0] == (means[:, 0] > means[:, 1]).mean()
    means_of_all = VALUES.mean(axis=1)
    tau = np.mean([scipy_stats.kendalltau(row, means_of_all).statistic for row in means])
    assert result.agreement["tau_b"][0] == pytest.approx(tau)
    assert result.systems["rank"].tolist() == scipy_stats.rankdata(-means_of_all).tolist()
    assert repr(result) == "RankStability(4 systems, 1 measure, over queries, 400 draws)"


@pytest.mark.parametrize("over", ["subject", ("query", "subject")])
def test_over_subjects_by_a_loop(over) -> None:
    result = ft.rank_stability(scores_of(CUBE), over=over, n_resamples=200)
    seed = np.random.SeedSequence(Resampling(200).entropy, spawn_key=(2, 0))
    first, second = seed.spawn(2)
    queries, subjects = drawn_units(first, 200, 25), drawn_units(second, 200, 6)
    means = []
    for q, s in zip(queries, subjects, strict=True):
        table = CUBE[:, s] if over == "subject" else CUBE[:, s][:, :, q]
        means.append(table.mean(axis=(1, 2)))
    above = np.array(means)[:, 0] > np.array(means)[:, 2]
    assert result.pairs["above"][1] == above.mean()


def test_ties_share_their_ranks_and_lower_can_be_better() -> None:
    values = np.array([[0.5] * 6, [0.5] * 6, [0.1] * 6])
    with pytest.warns(DegenerateWarning):
        result = ft.rank_stability(scores_of(values, higher_is_better=(False,)), n_resamples=50)
    assert result.systems["rank"].tolist() == [2.5, 2.5, 1.0]
    table = result.shares.pivot(index="system", columns="rank", values="share")
    assert table.to_numpy().tolist() == [[0, 0.5, 0.5], [0, 0.5, 0.5], [1, 0, 0]]
    assert result.pairs["tied"].tolist() == [1.0, 0.0, 0.0]
    assert result.agreement["tau_b"][0] == pytest.approx(1)
    same = ft.rank_stability(scores_of(np.ones((3, 4)) * [1, 2, 3, 4]), n_resamples=50)
    assert np.isnan(same.agreement["tau_b"][0])
    assert same.systems[["rank_lower", "rank_upper"]].to_numpy().tolist() == [[1, 3]] * 3


def test_rank_sets_come_from_the_comparison() -> None:
    result = ft.rank_stability(scores_of(VALUES))
    table = ft.compare(scores_of(VALUES)).to_frame(full=True)
    won = (table["significant"] & (table["system_b"] == "sys3")).sum()
    last = result.systems.iloc[3]
    assert (last["rank_lower"], last["rank_upper"]) == (1, 4 - won)


def test_same_bits_and_missing_values() -> None:
    one = ft.rank_stability(scores_of(CUBE), over=("query", "subject"), rng=2)
    other = ft.rank_stability(scores_of(CUBE), over=("query", "subject"), rng=2, n_jobs=2)
    assert one.shares.equals(other.shares)
    incomplete = VALUES.copy()
    incomplete[0, 1:] = np.nan
    with (
        pytest.warns(MissingCellWarning),
        pytest.warns(DegenerateWarning, match=r"left out: \d+ of \d+ draws, in which a system"),
        pytest.warns(DegenerateWarning, match="single unit"),
    ):
        result = ft.rank_stability(scores_of(incomplete), n_resamples=200)
    assert result.shares.groupby("system")["share"].sum().tolist() == pytest.approx([1] * 4)


def test_wrong_axes() -> None:
    with pytest.raises(ft.OptionError, match="worlds='independent'"):
        ft.rank_stability(scores_of(VALUES), over="world")
    with pytest.raises(ft.OptionError, match="crossed subjects"):
        ft.rank_stability(scores_of(CUBE, design="nested"), over="subject")
    with pytest.raises(ft.DataError, match="single system"):
        ft.rank_stability(scores_of(VALUES[:1]))


def test_over_worlds() -> None:
    votes = ft.Judgments.from_columns(["q"] * 4, list("aabb"), [1.0, 0, 1, 0], subject=list("xyxy"))
    runs = {"A": {"q": {"a": 2}}, "B": {"q": {"b": 2}}}
    scores = ft.evaluate(votes, runs, ["P@1"], worlds="independent", n_worlds=4000, rng=0)
    result = ft.rank_stability(scores, over="world")
    row = result.pairs.iloc[0]
    a, b = scores.uncertainty.world_means[:, :, 0].T
    assert (row["above"], row["tied"]) == ((a > b).mean(), (a == b).mean())
    assert row["tied"] == pytest.approx(0.5, abs=0.04)
    assert result.n_draws == 4000


def test_ranks_are_of_what_all_systems_share():
    rng = np.random.default_rng(0)
    hard = [("full", q, 0.3 + 0.01 * rng.random()) for q in range(20, 40)]
    both = [
        (x, q, v + 0.01 * rng.random())
        for q in range(20)
        for x, v in (("full", 0.8), ("easy", 0.7))
    ]
    frame = pd.DataFrame(hard + both, columns=["system", "query", "value"])
    with pytest.warns(ft.FuzzytruthWarning, match="20 values are left out"):
        result = ft.rank_stability(ft.Scores.from_frame(frame), n_resamples=199)
    first = result.systems.set_index("system").loc["full"]
    assert (first["rank"], first["rank_lower"], first["rank_upper"]) == (1.0, 1, 1)
    assert first["share_first"] == 1.0
    apart = pd.DataFrame([("a", 1, 0.1), ("b", 2, 0.2)], columns=["system", "query", "value"])
    with pytest.raises(ft.DataError, match="no query on which all systems"):
        ft.rank_stability(ft.Scores.from_frame(apart))


def test_results_pickle() -> None:
    result = ft.rank_stability(scores_of(VALUES), n_resamples=50)
    back = pickle.loads(pickle.dumps(result))
    for name in ("systems", "shares", "pairs", "agreement"):
        pd.testing.assert_frame_equal(getattr(back, name), getattr(result, name), check_exact=True)
    assert (back.over, back.level, back.n_draws) == (result.over, result.level, result.n_draws)


CODE = np.arange(25) % 11


def test_clusters_are_drawn_whole() -> None:
    clusters = {f"q{q}": int(c) for q, c in enumerate(CODE)}
    result = ft.rank_stability(scores_of(VALUES), clusters=clusters, n_resamples=200)
    seed = np.random.SeedSequence(Resampling(200).entropy, spawn_key=(1, 0))
    means = np.array(
        [
            VALUES[:, np.concatenate([np.flatnonzero(np.equal(CODE, c)) for c in drawn])].mean(
                axis=1
            )
            for drawn in drawn_units(seed, 200, 11)
        ]
    )
    assert result.pairs["above"][0] == (means[:, 0] > means[:, 1]).mean()
    np.testing.assert_allclose(result.systems["mean"], VALUES.mean(axis=1))


def test_strata_have_equal_weights() -> None:
    scores = scores_of(VALUES, query_attributes={"kind": tuple("a" * 20 + "b" * 5)})
    result = ft.rank_stability(scores, strata="kind", n_resamples=200)
    macro = (VALUES[:, :20].mean(axis=1) + VALUES[:, 20:].mean(axis=1)) / 2
    np.testing.assert_allclose(result.systems["mean"], macro)
    groups = {q: "a" if int(q[1:]) < 20 else "b" for q in scores.queries}
    np.testing.assert_allclose(macro, scores.mean(groups=groups)["m"])
    assert result.systems["rank"].tolist() == scipy_stats.rankdata(-macro).tolist()


def test_groups_that_are_refused() -> None:
    scores = scores_of(VALUES, query_attributes={"kind": tuple("a" * 24 + "b")})
    with pytest.raises(ft.DataError, match="stratum 'b' is a stratum of one"):
        ft.rank_stability(scores, strata="kind")
    with pytest.raises(ft.OptionError, match="two levels at most"):
        ft.rank_stability(scores, strata="kind", clusters="kind")
    with pytest.raises(ft.OptionError, match="here subjects are random"):
        ft.rank_stability(scores_of(CUBE), over="subject", clusters={"q1": 1})


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.DegenerateWarning")
def test_rounding_makes_no_order() -> None:
    cube = np.zeros((2, 3, 8))
    cube[0] = np.array([0.1, 0.2, -0.3])[:, None]  # the mean is 1.85e-17 in floats
    result = ft.rank_stability(scores_of(cube), n_resamples=99)
    assert result.systems["rank"].tolist() == [1.5, 1.5]
    assert result.pairs["tied"].tolist() == [1.0]
