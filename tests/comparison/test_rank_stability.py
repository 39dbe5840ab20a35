"""Rank stability beside brute loops, and what is printed of it."""

import itertools
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from support.scores_for_tests import scores_of
from support.texts import flat, is_stored

import fuzzytruth as ft
from fuzzytruth.core.clusters import drawn_units
from fuzzytruth.errors import DegenerateWarning, MissingCellWarning
from fuzzytruth.stats.settings import Resampling

VALUES = np.random.default_rng(0).normal([[0.0], [0.2], [0.2], [1.0]], 1.0, (4, 25))
CUBE = VALUES[:, None, :] + np.random.default_rng(1).normal(0, 0.4, (4, 6, 25))
BOTH = ("query", "subject")
CODE = np.arange(25) % 11


def seed_of(key: int) -> np.random.SeedSequence:
    return np.random.SeedSequence(Resampling(200).entropy, spawn_key=(key, 0))


def means_by_a_loop(over: Any, clusters: bool) -> np.ndarray:
    """Means (draws, systems) of the resamples."""
    places = [np.flatnonzero(np.equal(CODE, c)) for c in range(11)]
    if clusters and over == "query":
        draws = drawn_units(seed_of(1), 200, 11)
        return np.array([VALUES[:, np.concatenate([places[c] for c in d])].mean(1) for d in draws])
    if over == "query":
        return np.array([VALUES[:, units].mean(1) for units in drawn_units(seed_of(1), 200, 25)])
    first, second = seed_of(2).spawn(2)
    units = drawn_units(first, 200, 11 if clusters else 25)
    queries = [np.concatenate([places[c] for c in d]) for d in units] if clusters else units
    drawn = zip(queries, drawn_units(second, 200, 6), strict=True)
    every = np.arange(25)
    return np.array(
        [CUBE[:, s][:, :, every if over == "subject" else q].mean(axis=(1, 2)) for q, s in drawn]
    )


@pytest.mark.parametrize(
    ("over", "clusters"),
    [("query", False), ("query", True), ("subject", False), (BOTH, False), (BOTH, True)],
)
def test_draws_by_a_loop(over: Any, clusters: bool) -> None:
    values = VALUES if over == "query" else CUBE
    groups = {f"q{q}": int(c) for q, c in enumerate(CODE)} if clusters else None
    result = ft.rank_stability(scores_of(values), over=over, clusters=groups, n_resamples=200)
    means, of_all = means_by_a_loop(over, clusters), values.reshape(4, -1).mean(axis=1)
    ranks = scipy_stats.rankdata(-means, axis=1)
    shares = result.shares.pivot(index="system", columns="rank", values="share").to_numpy()
    expected = [[(ranks[:, s] == rank).mean() for rank in range(1, 5)] for s in range(4)]
    np.testing.assert_allclose(shares, expected)
    above = [(means[:, a] > means[:, b]).mean() for a, b in itertools.combinations(range(4), 2)]
    np.testing.assert_allclose(result.pairs["above"], above)
    tau = [scipy_stats.kendalltau(row, of_all).statistic for row in means]
    assert result.agreement["tau_b"][0] == pytest.approx(np.mean(tau))
    np.testing.assert_allclose(result.systems["mean"], of_all)
    assert result.systems["rank"].tolist() == scipy_stats.rankdata(-of_all).tolist()
    assert result.systems["share_first"].tolist() == pytest.approx(shares[:, 0].tolist())


def test_ties_share_their_ranks_and_lower_can_be_better() -> None:
    values = [[0.5] * 6, [0.5] * 6, [0.1] * 6]
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
    assert "all systems tie, so that Kendall's tau_b is not defined" in flat(same)
    cube = np.zeros((2, 3, 8))
    cube[0] = np.array([0.1, 0.2, -0.3])[:, None]  # the mean is 1.85e-17 in floats
    result = ft.rank_stability(scores_of(cube), n_resamples=99)
    assert result.systems["rank"].tolist() == [1.5, 1.5]
    assert result.pairs["tied"].tolist() == [1.0]


def test_any_workers_pickled_and_copied() -> None:
    options: Any = {"over": BOTH, "rng": 2, "n_resamples": 3000}
    one, other = (ft.rank_stability(scores_of(CUBE), n_jobs=n, **options) for n in (1, 2))
    back = pickle.loads(pickle.dumps(one))
    for name in ("systems", "shares", "pairs", "agreement"):
        for same in (other, back):
            frames = getattr(same, name), getattr(one, name)
            pd.testing.assert_frame_equal(*frames, check_exact=True)
    assert (back.over, back.level, back.n_draws) == (one.over, one.level, one.n_draws)
    over = "over queries and subjects"
    assert repr(one) == f"RankStability(4 systems, 1 measure, {over}, 3,000 draws)"
    copy = one.to_frame()
    copy["rank"] += 1
    assert not copy.equals(one.systems)


def test_missing_values() -> None:
    incomplete = VALUES.copy()
    incomplete[0, 1:] = np.nan
    with (
        pytest.warns(MissingCellWarning),
        pytest.warns(DegenerateWarning, match=r"left out: \d+ of \d+ draws, in which a system"),
        pytest.warns(DegenerateWarning, match="single unit"),
    ):
        result = ft.rank_stability(scores_of(incomplete), n_resamples=200)
    assert result.shares.groupby("system")["share"].sum().tolist() == pytest.approx([1] * 4)
    rng = np.random.default_rng(0)
    full, easy = rng.random(40) * 0.01 + np.repeat([0.8, 0.3], 20), np.full(40, np.nan)
    easy[:20] = 0.7 + 0.01 * rng.random(20)
    with pytest.warns(MissingCellWarning, match="20 values are left out"):
        result = ft.rank_stability(scores_of([full, easy]), n_resamples=199)
    first = result.systems.iloc[0]  # of what both have
    assert first[["rank", "rank_lower", "rank_upper", "share_first"]].tolist() == [1, 1, 1, 1]
    with pytest.raises(ft.errors.DataError, match="no query on which all systems"):
        ft.rank_stability(scores_of([[0.1, np.nan], [np.nan, 0.2]]))


def test_over_worlds() -> None:
    votes = pd.DataFrame(
        [("q", item, subject, grade) for item in "ab" for subject, grade in (("x", 1), ("y", 0))],
        columns=["query", "item", "subject", "grade"],
    )
    runs = {"A": {"q": ["a"]}, "B": {"q": ["b"]}}
    scores = ft.evaluate(votes, runs, ["P@1"], worlds="independent", n_worlds=4000, rng=0)
    result = ft.rank_stability(scores, over="world")
    row = result.pairs.iloc[0]
    a, b = scores.uncertainty.world_means[:, :, 0].T
    assert (row["above"], row["tied"]) == ((a > b).mean(), (a == b).mean())
    assert row["tied"] == pytest.approx(0.5, abs=0.04)
    assert result.n_draws == 4000
    assert is_stored("ranks, worlds", result._answer().text(80))


@pytest.mark.parametrize(
    ("values", "options", "error", "words"),
    [
        (VALUES, {"over": "world"}, ft.errors.OptionError, "worlds='independent'"),
        (VALUES[:1], {}, ft.errors.DataError, "single system"),
        (VALUES, {"strata": "kind"}, ft.errors.DataError, "stratum 'b' is a stratum of one"),
        (
            VALUES,
            {"strata": "kind", "clusters": "kind"},
            ft.errors.OptionError,
            "two levels at most",
        ),
        (
            CUBE,
            {"over": "subject", "clusters": {"q1": 1}},
            ft.errors.OptionError,
            "here subjects are",
        ),
    ],
)
def test_mistakes(values: Any, options: dict[str, Any], error: Any, words: str) -> None:
    scores = scores_of(values, query_attributes={"kind": tuple("a" * 24 + "b")})
    with pytest.raises(error, match=words):
        ft.rank_stability(scores, **options)
    with pytest.raises(ft.errors.OptionError, match="crossed subjects"):
        ft.rank_stability(scores_of(CUBE, design="nested"), over="subject")


def test_what_is_printed() -> None:
    """Of many systems the best 20; over queries, subjects, and worlds."""
    values = np.arange(30)[:, None] * 0.05 + np.random.default_rng(3).normal(0, 0.1, (30, 9))
    few, cube = scores_of(values[[3, 20, 10]]), scores_of(CUBE, higher_is_better=(False,))
    for name, scores, options in (
        ("few", few, {"level": 0.9}),
        ("many", scores_of(values), {}),
        ("both", cube, {"over": BOTH}),
    ):
        result = ft.rank_stability(scores, n_resamples=199, **options)
        assert is_stored(f"ranks, {name}", result._answer().text(80))
