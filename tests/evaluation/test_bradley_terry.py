"""Strengths from frames: invariances, warnings, and coverage of the intervals."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
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
    fit = ft.bradley_terry(votes, order_effect=False, covariance=covariance, level=0.8)
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
    expected = ft.bradley_terry(VOTES, order_effect=False, covariance=covariance).to_frame(
        full=True
    )
    for frame in (swapped, VOTES.sample(frac=1, random_state=0)):
        found = ft.bradley_terry(frame, order_effect=False, covariance=covariance).to_frame(
            full=True
        )
        pd.testing.assert_frame_equal(found, expected, rtol=1e-11, atol=1e-13)


def test_queries_are_models_of_their_own() -> None:
    other = drawn_preferences(-STRENGTH[:4], queries=1, subjects=9, seed=5).drop(columns="query")
    both = pd.concat([VOTES.assign(query="q2"), other.assign(query="q1")])
    for covariance in ("independent", "subject"):
        table = ft.bradley_terry(both, order_effect=False, covariance=covariance).to_frame(
            full=True
        )
        for query, votes in (("q2", VOTES), ("q1", other)):
            alone = ft.bradley_terry(votes, order_effect=False, covariance=covariance).to_frame(
                full=True
            )
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
    table = ft.bradley_terry(votes, order_effect=False, covariance=covariance).to_frame(full=True)
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
        fit = ft.bradley_terry(votes, order_effect=False, covariance="subject")
    assert fit.std_error.tolist() == [0, 0, 0]
    assert fit.to_frame(full=True)["lower"].tolist() == fit.to_frame(full=True)["strength"].tolist()


def test_a_single_subject() -> None:
    alone = CYCLE.rename(columns={"winner": "left", "loser": "right"})
    alone = alone.assign(query="q2", subject="s", preferred="left")
    votes = pd.concat([VOTES.assign(query="q1"), alone])
    with pytest.warns(DegenerateWarning, match="^comparisons of 1 query by a single subject"):
        table = ft.bradley_terry(votes, order_effect=False, covariance="subject").to_frame(
            full=True
        )
    alone = table[table["query"] == "q2"]
    assert alone["std_error"].isna().all()
    assert np.isneginf(alone["lower"]).all()
    assert np.isposinf(alone["upper"]).all()
    assert table[table["query"] == "q1"]["std_error"].notna().all()


def shown(n: int, seed: int, *, effect: float = 0.8, second: float = 0.9) -> pd.DataFrame:
    """Comparisons of five items of strengths -1 to 1; the better is mostly shown second."""
    rng = np.random.default_rng(seed)
    strength = np.linspace(-1, 1, 5)
    pairs = np.sort(np.argsort(rng.random((n, 5)), axis=1)[:, :2], axis=1)  # the worse first
    sides = np.where(rng.random((n, 1)) < second, pairs, pairs[:, ::-1])
    gap = strength[sides[:, 0]] - strength[sides[:, 1]] + effect
    won = rng.random(n) < 1 / (1 + np.exp(-gap))
    names = np.array([*"abcde"])[sides]
    winner = np.where(won, "model_a", "model_b")
    return pd.DataFrame({"model_a": names[:, 0], "model_b": names[:, 1], "winner": winner})


def test_strengths_are_recovered_where_the_better_was_shown_second() -> None:
    """60 data sets of 400: unbiased with the order effect, .4 of the strengths without."""
    fits = [ft.bradley_terry(shown(400, seed)) for seed in range(60)]
    value = np.array([fit.strength[np.argsort(fit.items)] for fit in fits])
    error = value.std(axis=0) / np.sqrt(60)
    bias = value.mean(axis=0) - np.linspace(-1, 1, 5)
    assert (np.abs(bias) < 3 * error + 0.02).all()
    effects = [fit.order_effect for fit in fits]
    covered = np.mean([each["lower"] <= 0.8 <= each["upper"] for each in effects])
    assert covered >= 0.88
    strengths = [fit.to_frame().set_index("item") for fit in fits]
    inside = [t.loc["e", "lower"] <= 1 <= t.loc["e", "upper"] for t in strengths]
    assert np.mean(inside) >= 0.88
    without = [ft.bradley_terry(shown(400, s), order_effect=False) for s in range(9)]
    assert np.mean([fit.strength[fit.items.index("e")] for fit in without]) < 0.45
    moved = fits[0].order_effect["largest_move"]
    assert moved == pytest.approx(np.abs(fits[0].strength - without[0].strength).max(), rel=1e-6)


@pytest.mark.parametrize("covariance", ["independent", "subject"])
def test_the_order_effect_is_that_of_statsmodels(covariance: str) -> None:
    votes = shown(900, 1).assign(subject=np.arange(900) % 11)
    fit = ft.bradley_terry(votes, covariance=covariance, level=0.9)
    sides = (votes["model_a"].to_numpy()[:, None] == [*"abcd"]) * 1.0
    sides -= votes["model_b"].to_numpy()[:, None] == [*"abcd"]
    model = sm.Logit(votes["winner"] == "model_a", np.column_stack([sides, np.ones(900)]))
    groups, factor = {"groups": votes["subject"], "use_correction": False}, 1.0
    options: dict[str, object] = {"cov_type": "cluster", "cov_kwds": groups}
    if covariance == "subject":
        factor = 11 / 10
    other = model.fit(disp=0, tol=1e-12, **(options if covariance == "subject" else {}))
    centred = np.vstack([np.eye(4), np.zeros(4)]) - 1 / 5
    own = fit.to_frame(full=True).sort_values("item")
    np.testing.assert_allclose(own["strength"], centred @ other.params[:4], atol=1e-8)
    cov = factor * (centred @ other.cov_params().to_numpy()[:4, :4] @ centred.T)
    np.testing.assert_allclose(own["std_error"], np.sqrt(np.diag(cov)), atol=1e-8)
    law = stats.norm() if covariance == "independent" else stats.t(10)
    value, error = other.params.iloc[4], other.bse.iloc[4] * np.sqrt(factor)
    expected = [value, error, value - law.ppf(0.95) * error, value + law.ppf(0.95) * error]
    effect = fit.order_effect
    names = ("value", "std_error", "lower", "upper")
    assert [effect[name] for name in names] == pytest.approx(expected, abs=1e-7)
    assert effect["probability"] == pytest.approx(1 / (1 + np.exp(-value)))
    assert "the one shown first is preferred with probability 0.6" in " ".join(str(fit).split())
    assert "the order matters. Strengths allow for it" in " ".join(str(fit).split())


def test_sides_swapped_turn_the_order_effect_round() -> None:
    votes = shown(300, 2)
    turned = votes.rename(columns={"model_a": "model_b", "model_b": "model_a"})
    turned["winner"] = turned["winner"].map({"model_a": "model_b", "model_b": "model_a"})
    one, two = ft.bradley_terry(votes), ft.bradley_terry(turned)
    order = [two.items.index(item) for item in one.items]
    np.testing.assert_allclose(two.strength[order], one.strength, atol=1e-9)
    assert two.order_effect["value"] == pytest.approx(-one.order_effect["value"], abs=1e-9)
    assert two.order_effect["lower"] == pytest.approx(-one.order_effect["upper"], abs=1e-9)


def test_orders_that_say_nothing() -> None:
    """A winner and a loser have no order; sorted columns, or firsts who all win, no estimate."""
    votes = shown(300, 3)
    decided = pd.DataFrame({"winner": ["a", "b", "c"], "loser": ["b", "c", "a"]})
    assert ft.bradley_terry(decided).order_effect is None
    assert ft.bradley_terry(votes, order_effect=False).order_effect is None
    columns = {"left": votes[["model_a", "model_b"]].min(axis=1)}
    columns["right"] = votes[["model_a", "model_b"]].max(axis=1)
    winner = np.where(votes["winner"] == "model_a", votes["model_a"], votes["model_b"])
    frame = pd.DataFrame(columns | {"preferred": winner})
    with pytest.warns(DegenerateWarning, match="left out.*in one order throughout"):
        fit = ft.bradley_terry(frame)
    alone = ft.bradley_terry(votes, order_effect=False)
    pd.testing.assert_frame_equal(fit.to_frame(), alone.to_frame(), rtol=1e-9)
    with pytest.warns(DegenerateWarning, match=r"no finite estimate.*order_effect=False"):
        ft.bradley_terry(votes.assign(winner="model_a"))
    with pytest.raises(ft.OptionError, match="order_effect"):
        ft.bradley_terry(votes, order_effect="yes")


def test_queries_share_the_order_effect() -> None:
    votes = pd.concat([shown(200, seed, effect=0.5).assign(query=f"q{seed}") for seed in range(4)])
    fit = ft.bradley_terry(votes)
    columns = []
    for query in fit.queries:
        for item in "abcd":
            here = votes["query"] == query
            side = (votes["model_a"] == item) * 1.0 - (votes["model_b"] == item)
            columns.append(np.where(here, side, 0.0))
    design = np.column_stack([*columns, np.ones(len(votes))])
    other = sm.Logit((votes["winner"] == "model_a").to_numpy(), design).fit(disp=0, tol=1e-12)
    effect = fit.order_effect
    assert (effect["value"], effect["std_error"]) == pytest.approx(
        (other.params[-1], other.bse[-1]), abs=1e-7
    )
    row = fit.differences().set_index(["query", "item_a", "item_b"])
    place = fit.queries.index("q2") * 4
    found = row.loc["q2"]
    for (one, two), each in found.iterrows():
        if "e" not in (one, two):
            contrast = np.zeros(17)
            contrast[[place + "abcd".index(one), place + "abcd".index(two)]] = 1, -1
            error = np.sqrt(contrast @ other.cov_params() @ contrast)
            assert each["std_error"] == pytest.approx(error, abs=1e-7)


def test_an_unknown_interval_shows_no_effect_of_the_order() -> None:
    rng = np.random.default_rng(3)
    pairs = [("a", "b"), ("b", "c"), ("c", "a"), ("b", "a")] * 15
    frame = pd.DataFrame(pairs, columns=["model_a", "model_b"])
    frame["winner"] = rng.choice(["model_a", "model_b"], len(frame))
    frame["subject"] = "ann"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = ft.bradley_terry(frame, covariance="subject")
    assert fit.order_effect is not None
    assert np.isnan(fit.order_effect["lower"])
    assert "no effect of the order is shown" in " ".join(str(fit).split())
