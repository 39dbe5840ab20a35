"""How systems vary together over resamples of the subjects, against kept values."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.kinds_of_scores import MISSING, RUNS, VOTES

import fuzzytruth as ft
from fuzzytruth.evaluation.worlds import simulation
from fuzzytruth.evaluation.worlds.uncertainty import of_kept

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


@pytest.mark.parametrize("votes", [VOTES, MISSING])
@pytest.mark.parametrize("n_worlds", [9, 300])  # ten resamples are all
@pytest.mark.parametrize("undefined", ["zero", "exclude"])
def test_variances_of_kept_values(votes: pd.DataFrame, n_worlds: int, undefined: str) -> None:
    scores = scored(
        ["AP", "P@2", "RR"], votes=votes, n_worlds=n_worlds, undefined=undefined, keep_worlds=True
    )
    assert scores.uncertainty.drawn == (n_worlds == 9)
    np.testing.assert_allclose(scores.uncertainty.within, by_hand(scores), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("undefined", ["zero", "exclude"])
def test_the_diagonal_is_the_square_of_the_deviations(undefined: str) -> None:
    spread = scored(undefined=undefined).uncertainty
    assert not spread.exact.all()
    diagonal = np.diagonal(spread.within, axis1=1, axis2=2).T
    np.testing.assert_allclose(diagonal, np.nansum(spread.std**2, axis=-1), atol=1e-12)


def test_twins_do_not_differ() -> None:
    within = scored().uncertainty.within  # one, two, three, twin
    assert (within[:, 0, 3] == 0).all()
    np.testing.assert_array_equal(within[:, 1, 0], within[:, 1, 3])
    assert (within[:, 0, 2] > 0).all()
    np.testing.assert_array_equal(within, within.swapaxes(1, 2))


def test_inner_noise_is_no_difference() -> None:
    """Tied items that are never relevant make AP drawn, and change nothing else."""
    rng = np.random.default_rng(1)
    columns = ["query", "item", "subject", "grade"]
    queries = [f"q{q}" for q in range(12)]
    votes = [
        (q, f"d{i}", f"s{s}", int(rng.random() < 0.5))
        for q in queries
        for i in range(4)
        for s in range(6)
    ]
    none = [(q, d, f"s{s}", 0) for q in queries for d in ("x", "y") for s in range(6)]
    truth = ft.Judgments.from_frame(pd.DataFrame(votes + none, columns=columns))
    tied = {"x": -1.0, "y": -1.0}
    runs = {
        name: {q: {f"d{i}": float(rng.random()) for i in range(4)} | tied for q in queries}
        for name in "ab"
    }
    plain, drawn = (
        scored(["AP"], runs, truth, ties=ties, n_worlds=1000).uncertainty
        for ties in ("trec", "expected")
    )
    assert plain.exact.all()
    assert not drawn.exact.any()
    np.testing.assert_allclose(drawn.within, plain.within, rtol=0.1)


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


class TestSelection:
    def test_systems_and_measures(self) -> None:
        scores = scored()
        some = scores.select(systems=["three", "one"], measures=["ERR", "AP"])
        want = scores.uncertainty.within[np.ix_([3, 0], [2, 0], [2, 0])]
        np.testing.assert_array_equal(some.uncertainty.within, want)

    def test_queries_from_kept_values(self) -> None:
        scores = scored(["AP", "P@2"], keep_worlds=True)
        some = scores.select(queries=["q3", "q1"])
        np.testing.assert_allclose(some.uncertainty.within, by_hand(some), rtol=1e-12, atol=1e-15)
        assert "summary over query and world" in some.answers

    @pytest.mark.parametrize("keep", [False, True])
    def test_queries_whose_values_are_not_known(self, keep: bool) -> None:
        some = scored(["ERR"], keep_worlds=keep).select(queries=["q3", "q1"])  # estimates if kept
        assert some.uncertainty.within is None
        with pytest.raises(ft.OptionError, match="keep_worlds"):
            some.summary(over=("query", "world"), full=True)
        assert ft.compare(some).beside is None


class TestConcat:
    def parts(self, **options: Any) -> list[ft.Scores]:
        return [
            scored(["AP", "P@2"], {name: RUNS[name] for name in names}, **options)
            for names in (("one", "two"), ("three",))
        ]

    def test_of_kept_values_is_one_evaluation(self) -> None:
        both = ft.concat(self.parts(keep_worlds=True))
        expected = scored(["AP", "P@2"], RUNS)
        np.testing.assert_array_equal(both.uncertainty.within, expected.uncertainty.within)

    def test_measures_are_one_evaluation(self) -> None:
        both = ft.concat([scored(["AP"]), scored(["P@2", "ERR"])])
        expected = scored(["AP", "P@2", "ERR"])
        np.testing.assert_array_equal(both.uncertainty.within, expected.uncertainty.within)

    def test_pairs_of_two_evaluations_are_not_known(self) -> None:
        both = ft.concat(self.parts())
        expected = scored(["AP", "P@2"], RUNS).uncertainty.within.copy()
        expected[:, 2, :2] = expected[:, :2, 2] = np.nan
        np.testing.assert_array_equal(both.uncertainty.within, expected)
        assert np.isfinite(both.summary(over=("query", "world"), full=True)["std_error"]).all()
        with pytest.raises(ft.OptionError, match=r"not known for 2 of 3 .*keep_worlds"):
            ft.compare(both, over=("query", "world"))
        one = both.select(systems=["one", "two"])
        assert len(ft.compare(one, over=("query", "world")).to_frame()) == 2
        assert ft.compare(both).beside["over"].unique().tolist() == ["queries", "worlds"]


def test_saved_and_loaded(tmp_path) -> None:
    scores = scored()
    scores.save(tmp_path / "s.parquet")
    back = ft.Scores.load(tmp_path / "s.parquet")
    np.testing.assert_array_equal(back.uncertainty.within, scores.uncertainty.within)
    over = ("query", "world")
    pd.testing.assert_frame_equal(
        back.summary(over=over, full=True), scores.summary(over=over, full=True)
    )


def test_of_kept_takes_queries_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = scored(["AP", "P@2"], keep_worlds=True)
    spread = scores.uncertainty
    monkeypatch.setattr("fuzzytruth.evaluation.worlds.uncertainty._VALUES", 1)
    again = of_kept(spread.kept, spread.weight, spread.inflation)
    np.testing.assert_array_equal(again, spread.within)
