"""How systems vary together over resamples of the subjects, against kept values."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.kinds_of_scores import MISSING, RUNS, VOTES

import fuzzytruth as ft

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
        with pytest.raises(ft.errors.OptionError, match="keep_worlds"):
            some.summary(over=("query", "world"), full=True)
        assert ft.compare(some).beside is None
