"""How many worlds are drawn, and when."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.every_world import small

import fuzzytruth as ft
from fuzzytruth.errors import DataError, OptionError, PrecisionWarning
from fuzzytruth.evaluation.worlds import setting as module
from fuzzytruth.evaluation.worlds import simulation
from fuzzytruth.evaluation.worlds.setting import Sampling

quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
MISSING = ["query", "item", "subject", "grade"]


def graded(n_queries: int = 12, n_items: int = 6) -> tuple[pd.DataFrame, dict]:
    """Grades of three subjects, which have no exact ERR."""
    rng = np.random.default_rng(0)
    query, item, subject = (axis.ravel() for axis in np.indices((n_queries, n_items, 3)))
    frame = pd.DataFrame({"query": query, "item": item, "subject": subject}).astype(str)
    frame["grade"] = rng.integers(0, 4, len(frame))
    lists = {str(q): {str(i): rng.random() for i in range(n_items)} for q in range(n_queries)}
    return frame, {"s": lists, "t": {q: dict(reversed(d.items())) for q, d in lists.items()}}


@pytest.fixture
def draws(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Number of worlds of each simulation."""
    log: list[int] = []
    before = simulation.simulate

    def logged(setting, sampling):
        log.append(setting.n_worlds)
        return before(setting, sampling)

    monkeypatch.setattr("fuzzytruth.evaluation.worlds.simulation.simulate", logged)
    return log


@quiet
def test_exact_means_draw_nothing(draws) -> None:
    votes, runs = small(0)
    scores = ft.evaluate(votes, runs, ["P@2", "AP"], rng=0, n_worlds=60)
    scores.mean()
    scores.summary(over="query")
    scores.distribution("a", scores.queries[0], "P@2")
    assert (scores.answers, draws) == (scores.answers, [])
    assert scores.uncertainty.n_worlds == 60
    scores.to_frame()  # the deviation of AP has no rule
    assert draws == [60]
    scores.mean_distribution("a", "AP")
    scores.difference("a", "b", "AP")
    scores.summary(over="world")
    assert draws == [60]


@quiet
def test_deviations_with_a_rule_draw_nothing(draws) -> None:
    votes, runs = small(0)
    ft.evaluate(votes, runs, ["P@2", "RR", "DCG@2"], rng=0).to_frame()
    assert draws == []


@quiet
def test_worlds_drawn_later_have_the_bits_of_those_drawn_at_once(draws) -> None:
    votes, runs = small(0)
    options = {"rng": 4, "n_worlds": 70}
    later = ft.evaluate(votes, runs, ["P@2", "AP"], **options)
    at_once = ft.evaluate(votes, runs, ["P@2", "AP"], keep_worlds=True, **options)
    assert draws == [70]
    np.testing.assert_array_equal(later.values, at_once.values)
    np.testing.assert_array_equal(later.uncertainty.std, at_once.uncertainty.std)
    np.testing.assert_array_equal(later.uncertainty.world_means, at_once.uncertainty.world_means)
    for query in later.queries:
        one, two = (s.difference("a", "b", "AP", query=query) for s in (later, at_once))
        pd.testing.assert_frame_equal(one.to_frame(), two.to_frame())


@quiet
def test_selections_share_the_worlds_drawn(draws) -> None:
    votes, runs = small(0)
    scores = ft.evaluate(votes, runs, ["P@2", "AP"], rng=0, n_worlds=50)
    one = scores.select(systems="a")
    one.mean_distribution("a", "AP")
    scores.select(systems="b").mean_distribution("b", "AP")
    assert draws == [50]


class TestAuto:
    def test_errors_are_a_share_of_the_interval(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert module._SHARE == 0.01
        monkeypatch.setattr(module, "_SHARE", 0.004)
        frame, runs = graded()
        scores = ft.evaluate(frame, runs, ["ERR", "P@2"], n_worlds="auto", rng=0)
        n = scores.uncertainty.n_worlds
        assert n > 1024
        assert n % 1024 == 0
        values = scores.values[:, 0]
        half = stats.t.ppf(0.975, 11) * values.std(axis=1, ddof=1) / np.sqrt(12)
        means = scores.uncertainty.world_means[:, :, 0]
        error = means.std(axis=0) / np.sqrt(n - 1)
        assert (error <= 0.004 * 2 * half).all()
        assert (error > 0.5 * 0.004 * 2 * half).any()
        assert scores.provenance.n_worlds == n

    def test_the_number_reproduces_the_scores(self) -> None:
        frame, runs = graded()
        auto = ft.evaluate(frame, runs, ["ERR"], n_worlds="auto", rng=0)
        again = ft.evaluate(frame, runs, ["ERR"], n_worlds=auto.uncertainty.n_worlds, rng=0)
        np.testing.assert_array_equal(auto.values, again.values)
        np.testing.assert_array_equal(auto.uncertainty.world_means, again.uncertainty.world_means)

    @quiet
    @pytest.mark.parametrize(
        "options", [{"worlds": "population"}, {"worlds": "subject", "missing": "pooled"}]
    )
    def test_the_number_is_not_that_of_resamples_or_subjects(self, options: dict) -> None:
        frame, runs = graded()
        some = frame.drop(index=frame.index[::7]) if "missing" in options else frame
        auto = ft.evaluate(some, runs, ["ERR"], n_worlds="auto", rng=0, **options)
        number = auto.provenance.n_worlds
        assert number > 1000
        again = ft.evaluate(some, runs, ["ERR"], n_worlds=number, rng=0, **options)
        np.testing.assert_array_equal(auto.values, again.values)
        assert ft.concat([auto.select(systems="s"), again.select(systems="t")]).provenance
        few = ft.evaluate(some, runs, ["ERR"], n_worlds=10, rng=0, **options)
        with pytest.raises(DataError, match="n_worlds is 10, and that of"):
            ft.concat([auto.select(systems="s"), few.select(systems="t")])

    def test_one_query_needs_the_error(self) -> None:
        frame, runs = graded(1)
        with pytest.raises(OptionError, match=r"'s' by ERR has no width \(queries: 1\).*mc_error="):
            ft.evaluate(frame, runs, ["ERR"], n_worlds="auto", rng=0)
        scores = ft.evaluate(frame, runs, ["ERR"], n_worlds="auto", mc_error=0.002, rng=0)
        assert scores.uncertainty.mc_error.max() <= 0.002

    @quiet
    def test_only_queries_with_a_value_count(self) -> None:
        frame, runs = graded(3)
        frame.loc[frame["query"] != "0", "grade"] = 0
        options = {"n_worlds": "auto", "rng": 0, "undefined": "exclude"}
        with pytest.raises(OptionError, match=r"by nDCG has no width \(queries: 1\)"):
            ft.evaluate(frame, runs, ["nDCG"], **options)

    def test_exact_means_need_no_worlds(self) -> None:
        frame, runs = graded()
        scores = ft.evaluate(frame, runs, ["P@2"], n_worlds="auto", rng=0)
        assert scores.uncertainty.n_worlds == 1000

    def test_resamples_of_the_subjects(self) -> None:
        frame, runs = graded()
        more = pd.concat([frame, frame.assign(subject=frame["subject"] + "x")])
        more = pd.concat([more, frame.assign(subject=frame["subject"] + "y")])
        options = {"worlds": "population", "n_worlds": "auto", "rng": 0, "mc_error": 0.005}
        scores = ft.evaluate(more, runs, ["AP"], **options)
        means = scores.uncertainty.world_means[:, :, 0]
        assert (means.std(axis=0) / np.sqrt(len(means) - 1) <= 0.005).all()

    def test_missing_judgments(self) -> None:
        frame, runs = graded()
        some = frame.drop(index=frame.index[::7])
        options = {"worlds": "subject", "missing": "pooled", "n_worlds": "auto", "rng": 0}
        scores = ft.evaluate(some, runs, ["ERR"], **options)
        by_query = scores.cells.mean_by_query(scores.values)[:, 0]
        half = stats.t.ppf(0.975, 11) * by_query.std(axis=1, ddof=1) / np.sqrt(12)
        variance = scores.cells.sum_by_query(scores.uncertainty.mc_error**2)[:, 0] / 9
        assert (np.sqrt(variance.sum(axis=1)) / 12 <= 0.01 * 2 * half).all()

    def test_a_million_at_most(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "_MOST", 2048)
        frame, runs = graded(2, 4)
        with pytest.warns(PrecisionWarning, match="after 2,048 worlds the Monte Carlo error"):
            ft.evaluate(frame, runs, ["ERR"], n_worlds="auto", mc_error=1e-5, rng=0)

    def test_wrong_options(self) -> None:
        frame, runs = graded(2, 4)
        with pytest.raises(OptionError, match="n_worlds='many': must be a whole number from 1, or"):
            ft.evaluate(frame, runs, ["ERR"], n_worlds="many")
        with pytest.raises(OptionError, match=r"mc_error=0\.1: is for n_worlds='auto'"):
            ft.evaluate(frame, runs, ["ERR"], mc_error=0.1)
        with pytest.raises(OptionError, match="mc_error=0"):
            ft.evaluate(frame, runs, ["ERR"], n_worlds="auto", mc_error=0)
        for wrong in (float("nan"), float("inf"), "x", [0.1]):
            with pytest.raises(OptionError, match=r"^mc_error=.*: must be a finite number$"):
                ft.evaluate(frame, runs, ["ERR"], n_worlds="auto", mc_error=wrong)


def test_number_needed_grows_with_the_square_of_the_error() -> None:
    values = np.array([[[0.0, 1.0, 0.5]]])
    width = 2 * stats.t.ppf(0.975, 2) * 0.5 / np.sqrt(3)
    auto = Sampling("auto")

    def needed(share: float) -> int | None:
        return auto.needed(values, np.array([[share * width]]), 1024, ("s",), ())

    assert needed(0.0099) is None
    assert needed(0.02) == 1024 * 5  # 4.4 times as many, in whole parts
    assert needed(0.0101) == 2048
    assert Sampling(5).needed(values, np.ones((1, 1)), 5, ("s",), ()) is None
