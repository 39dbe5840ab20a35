"""How many worlds are drawn, and when; what single queries are computed from again."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.kinds_of_scores import evaluated

import fuzzytruth as ft
from fuzzytruth.errors import OptionError, PrecisionWarning
from fuzzytruth.evaluation.worlds import setting as module
from fuzzytruth.evaluation.worlds.setting import Sampling, Sources, joined

quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def graded(n_queries: int = 12, n_items: int = 6) -> tuple[pd.DataFrame, dict]:
    """Grades of three subjects, which have no exact ERR."""
    rng = np.random.default_rng(0)
    query, item, subject = (axis.ravel() for axis in np.indices((n_queries, n_items, 3)))
    frame = pd.DataFrame({"query": query, "item": item, "subject": subject}).astype(str)
    frame["grade"] = rng.integers(0, 4, len(frame))
    lists = {str(q): {str(i): rng.random() for i in range(n_items)} for q in range(n_queries)}
    return frame, {"s": lists, "t": {q: dict(reversed(d.items())) for q, d in lists.items()}}


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


def test_errors_are_a_share_of_the_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    assert module._SHARE == 0.01
    monkeypatch.setattr(module, "_SHARE", 0.004)
    frame, runs = graded()
    scores = ft.evaluate(frame, runs, ["ERR", "P@2"], n_worlds="auto", rng=0)
    n = scores.uncertainty.n_worlds
    assert scores.provenance.n_worlds == n > 1024
    assert n % 1024 == 0
    half = stats.t.ppf(0.975, 11) * scores.values[:, 0].std(axis=1, ddof=1) / np.sqrt(12)
    error = scores.uncertainty.world_means[:, :, 0].std(axis=0) / np.sqrt(n - 1)
    assert (error <= 0.004 * 2 * half).all()
    assert (error > 0.5 * 0.004 * 2 * half).any()
    exact = ft.evaluate(frame, runs, ["P@2"], n_worlds="auto", rng=0)
    assert exact.uncertainty.n_worlds == 1000


@quiet
def test_one_query_needs_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    frame, runs = graded(1)
    with pytest.raises(OptionError, match=r"'s' by ERR has no width \(queries: 1\).*mc_error="):
        ft.evaluate(frame, runs, ["ERR"], n_worlds="auto", rng=0)
    scores = ft.evaluate(frame, runs, ["ERR"], n_worlds="auto", mc_error=0.002, rng=0)
    assert scores.uncertainty.mc_error.max() <= 0.002
    frame, runs = graded(3)
    frame.loc[frame["query"] != "0", "grade"] = 0  # only queries with a value count
    options = {"n_worlds": "auto", "rng": 0, "undefined": "exclude"}
    with pytest.raises(OptionError, match=r"by nDCG has no width \(queries: 1\)"):
        ft.evaluate(frame, runs, ["nDCG"], **options)


def test_a_million_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST", 2048)
    with pytest.warns(PrecisionWarning, match="after 2,048 worlds the Monte Carlo error"):
        ft.evaluate(*graded(2, 4), ["ERR"], n_worlds="auto", mc_error=1e-5, rng=0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_worlds": "many"}, "n_worlds='many': must be a whole number from 1, or"),
        ({"n_worlds": 0}, "n_worlds=0: must be 1 or more"),
        ({"n_worlds": 2.5}, "n_worlds=2.5: must be a whole number"),
        ({"rng": -1}, "rng=-1: must be None, a whole number"),
        ({"keep_worlds": "all"}, "keep_worlds='all'"),
        ({"mc_error": 0.1}, r"mc_error=0\.1: is for n_worlds='auto'"),
        ({"n_worlds": "auto", "mc_error": 0}, "mc_error=0"),
        ({"n_worlds": "auto", "mc_error": float("inf")}, "^mc_error=.*: must be a finite number$"),
        ({"n_worlds": "auto", "mc_error": "x"}, "^mc_error=.*: must be a finite number$"),
    ],
)
def test_wrong_options(options: dict, words: str) -> None:
    with pytest.raises(OptionError, match=words):
        ft.evaluate(*graded(2, 4), ["ERR"], **options)


@quiet
def sources(**which: object) -> Sources:
    found = evaluated("independent", **which).uncertainty.sources
    assert found is not None
    return found


@quiet
def test_a_score_is_found_in_its_own_setting() -> None:
    one, two = sources(systems=["one"]), sources(systems=["two", "three"])
    both = joined([one, None, two], [(1, 3), (2, 3), (2, 3)], 0)
    assert both is not None
    assert both.find(0, 2, 1) == (one.settings[0], 0, 2, 1)
    assert both.find(4, 1, 0) == (two.settings[0], 1, 1, 0)
    assert both.find(1, 0, 0) is None
    assert not both.complete
    part = both.take(np.array([4, 3]), np.array([2]), np.array([2, 0]))
    assert part.complete
    assert part.find(0, 0, 0) == (two.settings[0], 1, 2, 2)
    assert part.find(1, 0, 1) == (two.settings[0], 0, 2, 0)
    assert joined([None, None], [(1, 1), (1, 1)], 0) is None
