"""How systems vary together over resamples of the subjects, against kept values."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.kinds_of_scores import MISSING, RUNS, VOTES

import fuzzytruth as ft
from fuzzytruth.evaluation.worlds import simulation
from fuzzytruth.evaluation.worlds.uncertainty import CoMoments

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


MEASURES = ["AP", "P@2", "nDCG@3", "ERR", "bpref"]


TWINS = RUNS | {"twin": RUNS["one"]}


def scored(measures: Any = MEASURES, runs: Any = TWINS, votes: Any = VOTES, **changes: Any) -> Any:
    options: dict[str, Any] = {"worlds": "population", "rng": 7, "n_worlds": 300} | changes
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.FuzzytruthWarning)
        return ft.evaluate(votes, runs, measures, **options)


def by_hand(scores: ft.Scores) -> np.ndarray:
    """Variances of kept values and of their differences, summed over queries."""
    spread = scores.uncertainty
    k = len(scores.systems)
    out = np.zeros((len(scores.measures), k, k))
    for m, a, b in np.ndindex(out.shape):
        values = spread.kept[:, a, m] - (spread.kept[:, b, m] if a != b else 0)
        for column in values.T:
            there = ~np.isnan(column)
            weight = spread.weight[there] / spread.weight[there].sum()
            centred = column[there] - weight @ column[there]
            out[m, a, b] += weight @ centred**2 * spread.inflation
    return out


@pytest.mark.parametrize(
    ("votes", "n_worlds", "undefined"),
    [(VOTES, 9, "exclude"), (MISSING, 9, "zero"), (MISSING, 300, "exclude")],  # ten are all
)
def test_variances_of_kept_values(votes: pd.DataFrame, n_worlds: int, undefined: str) -> None:
    scores = scored(
        ["AP", "P@2", "RR"], votes=votes, n_worlds=n_worlds, undefined=undefined, keep_worlds=True
    )
    assert scores.uncertainty.drawn == (n_worlds == 9)
    within = scores.uncertainty.within  # one, two, three, twin
    np.testing.assert_allclose(within, by_hand(scores), rtol=1e-12, atol=1e-15)
    assert (within[:, 0, 3] == 0).all()
    assert (within[:, 0, 2] > 0).all()
    np.testing.assert_array_equal(within, within.swapaxes(1, 2))
    some = scores.select(queries=["q3", "q1"])
    np.testing.assert_allclose(some.uncertainty.within, by_hand(some), rtol=1e-12, atol=1e-15)
    assert "summary over query and world" in some.answers


def test_blocks_and_workers_do_not_change_a_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    measures = ["AP", "P@2", "ERR", "bpref"]
    expected = scored(measures).uncertainty.within
    np.testing.assert_array_equal(scored(measures, n_jobs=2).uncertainty.within, expected)
    monkeypatch.setattr(simulation, "_VALUES", 1)  # a query at a time
    np.testing.assert_array_equal(scored(measures).uncertainty.within, expected)
    alone = scored(["ERR"], {name: RUNS[name] for name in ("one", "three")}).uncertainty.within
    np.testing.assert_array_equal(alone[0], expected[2][np.ix_([0, 2], [0, 2])])


def test_nothing_is_drawn_before_it_is_asked_for() -> None:
    scores = scored(["P@2"])
    assert not scores.uncertainty.joint_spread.known
    scores.summary(over="query", full=True)
    assert not scores.select(systems="one").uncertainty.joint_spread.known
    scores.summary(over=("query", "world"), full=True)
    assert scores.uncertainty.joint_spread.known


@pytest.mark.parametrize("worlds", ["independent", "population"])
def test_worlds_that_are_no_resamples_of_the_same_subjects(worlds: str) -> None:
    nested = ft.Judgments.from_frame(VOTES, design="nested")
    spread = scored(votes=nested, worlds=worlds).uncertainty
    assert not spread.has_within
    assert spread.within is None


def test_selections_of_systems_and_measures_and_of_queries_that_are_not_known() -> None:
    scores = scored()
    spread = scores.uncertainty
    diagonal = np.diagonal(spread.within, axis1=1, axis2=2).T
    np.testing.assert_allclose(diagonal, np.nansum(spread.std**2, axis=-1), atol=1e-12)
    some = scores.select(systems=["three", "one"], measures=["ERR", "AP"])
    want = spread.within[np.ix_([3, 0], [2, 0], [2, 0])]
    np.testing.assert_array_equal(some.uncertainty.within, want)
    for keep in (False, True):  # kept are estimates
        some = scored(["ERR"], keep_worlds=keep).select(queries=["q3", "q1"])
        assert some.uncertainty.within is None
        with pytest.raises(ft.OptionError, match="keep_worlds"):
            some.summary(over=("query", "world"), full=True)
        assert ft.compare(some).beside is None


def test_pairs_of_two_evaluations_are_not_known_unless_values_are_kept() -> None:
    parts, kept = (
        [
            scored(["AP", "P@2"], {name: RUNS[name] for name in names}, keep_worlds=keep)
            for names in (("one", "two"), ("three",))
        ]
        for keep in (False, True)
    )
    expected = scored(["AP", "P@2"], RUNS).uncertainty.within.copy()
    np.testing.assert_array_equal(ft.concat(kept).uncertainty.within, expected)
    both = ft.concat(parts)
    expected[:, 2, :2] = expected[:, :2, 2] = np.nan
    np.testing.assert_array_equal(both.uncertainty.within, expected)
    assert np.isfinite(both.summary(over=("query", "world"), full=True)["std_error"]).all()
    with pytest.raises(ft.OptionError, match=r"not known for 2 of 3 .*keep_worlds"):
        ft.compare(both, over=("query", "world"))
    one = both.select(systems=["one", "two"])
    assert len(ft.compare(one, over=("query", "world")).to_frame()) == 2
    assert ft.compare(both).beside["over"].unique().tolist() == ["queries", "worlds"]


RNG = np.random.default_rng(0)


def gathered(values: np.ndarray, weight: np.ndarray, *cuts: int) -> np.ndarray:
    out = CoMoments(values.shape[:-1])
    for part in np.split(np.arange(len(weight)), cuts):
        out.add(values[..., part], weight[part])
    return out.covariance


def test_blocks_are_the_whole_and_values_that_both_lack_are_left_out() -> None:
    values, weight = RNG.normal(1e3, 1, (2, 4, 60)), RNG.random(60)
    values[1, :3, 5] = np.nan  # of the first three
    values[1, 3] = np.nan
    out = gathered(values, weight, 7, 8, 40)
    expected = np.cov(values[0], aweights=weight, ddof=0)
    np.testing.assert_allclose(out[0], expected, rtol=1e-11)
    there = np.delete(np.arange(60), 5)
    expected = np.cov(values[1, :3, there].T, aweights=weight[there], ddof=0)
    np.testing.assert_allclose(out[1, :3, :3], expected, rtol=1e-11)
    assert np.isnan(out[1, 3, :3]).all()
    assert out[1, 3, 3] == 0


def test_bits_do_not_depend_on_company_and_constant_series_have_none() -> None:
    values, weight = RNG.normal(size=(9, 100)), RNG.random(100)
    values[1], values[3] = values[0], 0.1
    every = gathered(values, weight, 64)
    two = gathered(values[[7, 2]], weight, 64)
    np.testing.assert_array_equal(every[np.ix_([7, 2], [7, 2])], two)
    assert every[0, 0] == every[0, 1] == every[1, 1] > 0
    assert (every[3] == 0).all()
