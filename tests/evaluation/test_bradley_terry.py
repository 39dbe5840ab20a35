"""Strengths from frames: invariances, warnings, and coverage of the intervals."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.pairwise import by_statsmodels, drawn_preferences

import fuzzytruth as ft
from fuzzytruth.errors import DegenerateWarning

STRENGTH = np.array([0.8, 0.3, 0.0, -0.4, -0.7])
#: one query, 12 subjects
VOTES = drawn_preferences(STRENGTH, queries=1, subjects=12, seed=4).drop(columns="query")


def test_two_items() -> None:
    """The log odds, with standard error sqrt(1 / wins + 1 / losses)."""
    votes = pd.DataFrame({"winner": ["a", "b"], "loser": ["b", "a"], "count": [30, 10]})
    fit = ft.bradley_terry(votes, level=0.9)
    row = fit.differences().loc[0]
    error = np.sqrt(1 / 30 + 1 / 10)
    half = stats.norm.ppf(0.95) * error
    numbers = row[["difference", "std_error", "lower", "upper", "probability"]].tolist()
    expected = [np.log(3), error, np.log(3) - half, np.log(3) + half, 0.75]
    assert numbers == pytest.approx(expected, rel=1e-12)
    assert fit.std_error.tolist() == pytest.approx([error / 2] * 2, rel=1e-12)


@pytest.mark.parametrize("covariance", ["independent", "subject"])
def test_statsmodels_with_ties(covariance: str) -> None:
    votes = VOTES.assign(preferred=VOTES["preferred"].where(VOTES.index % 5 > 0, "tie"))
    fit = ft.bradley_terry(votes, covariance=covariance, level=0.8)
    share = votes["preferred"].map({"left": 1.0, "right": 0.0, "tie": 0.5}).to_numpy()
    sides = votes["left"].to_numpy(), votes["right"].to_numpy()
    cluster = votes["subject"].to_numpy() if covariance == "subject" else None
    value, expected = by_statsmodels(*sides, share, cluster)
    table = fit.to_frame(full=True).sort_values("item")
    error = np.sqrt(np.diag(expected))
    law = stats.norm() if covariance == "independent" else stats.t(11)
    np.testing.assert_allclose(table["strength"], value, atol=1e-10)
    np.testing.assert_allclose(table["std_error"], error, atol=1e-10)
    np.testing.assert_allclose(table["lower"], value - law.ppf(0.9) * error, atol=1e-10)
    np.testing.assert_allclose(table["upper"], value + law.ppf(0.9) * error, atol=1e-10)
    spread = np.sqrt(error[0] ** 2 + error[3] ** 2 - 2 * expected[0, 3])
    pairs = fit.differences().set_index(["item_a", "item_b"])
    assert pairs.loc[("0", "3"), "std_error"] == pytest.approx(spread, rel=1e-9)


@pytest.mark.parametrize("covariance", ["independent", "subject"])
def test_swapped_sides_and_shuffled_rows_change_nothing(covariance: str) -> None:
    swapped = VOTES.rename(columns={"left": "right", "right": "left"})
    swapped["preferred"] = swapped["preferred"].map({"left": "right", "right": "left"})
    expected = ft.bradley_terry(VOTES, covariance=covariance).to_frame(full=True)
    for frame in (swapped, VOTES.sample(frac=1, random_state=0)):
        found = ft.bradley_terry(frame, covariance=covariance).to_frame(full=True)
        pd.testing.assert_frame_equal(found, expected, rtol=1e-11, atol=1e-13)


def test_queries_are_models_of_their_own() -> None:
    other = drawn_preferences(-STRENGTH[:4], queries=1, subjects=9, seed=5).drop(columns="query")
    both = pd.concat([VOTES.assign(query="q2"), other.assign(query="q1")])
    for covariance in ("independent", "subject"):
        table = ft.bradley_terry(both, covariance=covariance).to_frame(full=True)
        for query, votes in (("q2", VOTES), ("q1", other)):
            alone = ft.bradley_terry(votes, covariance=covariance).to_frame(full=True)
            found = table[table["query"] == query].drop(columns="query").reset_index(drop=True)
            pd.testing.assert_frame_equal(found, alone, rtol=1e-11)


@pytest.mark.parametrize(
    ("correlation", "covariance", "covers"),
    [
        (0.0, "independent", True),
        (0.0, "subject", True),
        (0.4, "independent", False),
        (0.4, "subject", True),
    ],
)
def test_coverage(correlation: float, covariance: str, covers: bool) -> None:
    """Intervals of the strongest item; each query is a replication."""
    n = 1000
    votes = drawn_preferences(STRENGTH, queries=n, subjects=15, correlation=correlation, seed=6)
    table = ft.bradley_terry(votes, covariance=covariance).to_frame(full=True)
    table = table[table["item"] == "0"]
    inside = (table["lower"] <= STRENGTH[0]) & (STRENGTH[0] <= table["upper"])
    error = np.sqrt(0.95 * 0.05 / n)  # Monte Carlo
    if covers:
        assert inside.mean() == pytest.approx(0.95, abs=4 * error)
    else:  # subjects who repeat themselves are fewer observations than they look
        assert inside.mean() < 0.95 - 8 * error


CYCLE = pd.DataFrame({"winner": list("abca"), "loser": list("bcab")})


def test_subjects_who_agree() -> None:
    votes = pd.concat([CYCLE.assign(subject=s) for s in "st"])
    with pytest.warns(DegenerateWarning, match="^comparisons by subjects who all agree, so that"):
        fit = ft.bradley_terry(votes, covariance="subject")
    assert fit.std_error.tolist() == [0, 0, 0]
    assert fit.to_frame(full=True)["lower"].tolist() == fit.to_frame(full=True)["strength"].tolist()


def test_a_single_subject() -> None:
    alone = CYCLE.rename(columns={"winner": "left", "loser": "right"})
    alone = alone.assign(query="q2", subject="s", preferred="left")
    votes = pd.concat([VOTES.assign(query="q1"), alone])
    with pytest.warns(DegenerateWarning, match="^comparisons of 1 query by a single subject"):
        table = ft.bradley_terry(votes, covariance="subject").to_frame(full=True)
    alone = table[table["query"] == "q2"]
    assert alone["std_error"].isna().all()
    assert np.isneginf(alone["lower"]).all()
    assert np.isposinf(alone["upper"]).all()
    assert table[table["query"] == "q1"]["std_error"].notna().all()
