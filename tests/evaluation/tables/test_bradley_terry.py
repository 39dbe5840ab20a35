"""Strengths from frames: invariances, warnings, and coverage of the intervals."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import optimize, stats
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


def by_adjusted_likelihood(sides: np.ndarray, first: np.ndarray) -> tuple[float, float, Any]:
    """The order effect γ that maximises l_p + log det H / 2, its variance, and the fit given it.

    `sides` is (comparisons, strengths), without a strength that is 0; `first` says who won.
    """

    def fitted(order: float) -> Any:
        return sm.Logit(first, sides, offset=np.full(len(first), order)).fit(disp=0, tol=1e-13)

    def adjusted(order: float) -> float:
        model = fitted(order)
        return float(model.llf - np.linalg.slogdet(model.cov_params())[1] / 2)

    found = optimize.minimize_scalar(
        lambda x: -adjusted(x), bounds=(0, 1.5), method="bounded", options={"xatol": 1e-10}
    )
    near = [adjusted(found.x + step) for step in (-0.01, 0.0, 0.01)]
    return found.x, -1e-4 / (near[0] - 2 * near[1] + near[2]), fitted(found.x)


def sides_of(votes: pd.DataFrame, items: str) -> np.ndarray:
    sides = (votes["model_a"].to_numpy()[:, None] == [*items]) * 1.0
    return np.asarray(sides - (votes["model_b"].to_numpy()[:, None] == [*items]))


def test_the_order_effect_is_that_of_the_adjusted_likelihood() -> None:
    votes = shown(900, 1)
    fit = ft.bradley_terry(votes, level=0.9)
    sides, first = sides_of(votes, "abcd"), (votes["winner"] == "model_a").to_numpy()
    value, variance, model = by_adjusted_likelihood(sides, first)
    chance = model.predict()
    slope = model.cov_params() @ (sides.T @ (chance * (1 - chance)))  # by which strengths fall
    centred = np.vstack([np.eye(4), np.zeros(4)]) - 1 / 5
    own = fit.to_frame(full=True).sort_values("item")
    np.testing.assert_allclose(own["strength"], centred @ model.params, atol=1e-6)
    cov = centred @ (model.cov_params() + variance * np.outer(slope, slope)) @ centred.T
    np.testing.assert_allclose(own["std_error"], np.sqrt(np.diag(cov)), rtol=1e-4)
    error, z = np.sqrt(variance), stats.norm.ppf(0.95)
    effect = fit.order_effect
    names = ("value", "std_error", "lower", "upper")
    expected = [value, error, value - z * error, value + z * error]
    assert [effect[name] for name in names] == pytest.approx(expected, rel=1e-4)
    assert effect["probability"] == pytest.approx(1 / (1 + np.exp(-value)), rel=1e-6)
    assert "the one shown first is preferred with probability 0.6" in " ".join(str(fit).split())
    assert "the order matters. Strengths allow for it" in " ".join(str(fit).split())


@pytest.mark.parametrize("covariance", ["independent", "subject"])
def test_the_order_effect_of_many_comparisons_is_that_of_a_logit_model(covariance: str) -> None:
    votes = shown(20_000, 1).assign(subject=np.arange(20_000) % 11)
    fit = ft.bradley_terry(votes, covariance=covariance)
    design = np.column_stack([sides_of(votes, "abcd"), np.ones(len(votes))])
    groups = {"groups": votes["subject"], "use_correction": False}
    by_subject = {"cov_type": "cluster", "cov_kwds": groups} if covariance == "subject" else {}
    factor = 11 / 10 if by_subject else 1.0
    other = sm.Logit(votes["winner"] == "model_a", design).fit(disp=0, tol=1e-12, **by_subject)
    assert fit.order_effect["value"] == pytest.approx(other.params.iloc[4], abs=1e-3)
    error = other.bse.iloc[4] * np.sqrt(factor)
    assert fit.order_effect["std_error"] == pytest.approx(error, rel=2e-3)
    centred = np.vstack([np.eye(4), np.zeros(4)]) - 1 / 5
    cov = factor * (centred @ other.cov_params().to_numpy()[:4, :4] @ centred.T)
    own = fit.to_frame(full=True).sort_values("item")["std_error"]
    np.testing.assert_allclose(own, np.sqrt(np.diag(cov)), rtol=2e-3)


def test_many_queries_of_few_comparisons_do_not_bias_the_order_effect() -> None:
    """Of one vote a pair, 10 items a query: .5 is estimated; maximum likelihood gives .66."""
    rng = np.random.default_rng(2)
    found = []
    for _ in range(10):
        strength = rng.normal(size=(30, 10))
        query = np.repeat(np.arange(30), 45)
        one, two = (np.tile(side, 30) for side in np.triu_indices(10, 1))
        turned = rng.random(len(one)) < 0.5
        one, two = np.where(turned, two, one), np.where(turned, one, two)
        gap = strength[query, one] - strength[query, two] + 0.5
        won = rng.random(len(one)) < 1 / (1 + np.exp(-gap))
        votes = pd.DataFrame({"query": query, "model_a": one, "model_b": two})
        votes["winner"] = np.where(won, "model_a", "model_b")
        found.append(ft.bradley_terry(votes, prior=1.0).order_effect["value"])
    error = np.std(found, ddof=1) / np.sqrt(len(found))
    assert abs(np.mean(found) - 0.5) < 3 * error
    assert np.mean(found) + 3 * error < 0.66


def test_few_comparisons_per_strength_are_warned_of() -> None:
    votes = pd.concat([shown(8, seed).assign(query=seed) for seed in range(40)])
    with pytest.warns(DegenerateWarning, match=r"320 comparisons .* strengths"):
        ft.bradley_terry(votes, prior=1.0)


def test_all_subjects_move_the_strengths_of_a_query_through_the_order_effect() -> None:
    """The jackknife over subjects, of whom each judges one of two queries."""
    votes = pd.concat([shown(2_000, seed).assign(query=f"q{seed}") for seed in range(2)])
    place = np.arange(len(votes)) % 40
    votes["subject"] = np.where(votes["query"] == "q0", place, 40 + place)
    fit = ft.bradley_terry(votes, covariance="subject")
    by_item = ["query", "item"]
    left_out = np.array(
        [
            ft.bradley_terry(votes[votes["subject"] != one])
            .to_frame()
            .sort_values(by_item)["strength"]
            for one in range(80)
        ]
    )
    own = fit.to_frame(full=True).sort_values(by_item)["std_error"]
    # of the 40 subjects of a query, and of the 40 others, who move γ alone
    moves = (left_out - left_out.mean(axis=0)) ** 2
    jackknife = np.sqrt(moves.sum(axis=0) * 79 / 80)
    np.testing.assert_allclose(own, jackknife, rtol=0.05)
    inner = moves[:40].sum(axis=0)[:5] / moves.sum(axis=0)[:5]
    assert inner.min() < 0.95  # the others' share counts here


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
    """A winner and a loser have no order; some orders, and firsts who all win, no estimate."""
    votes = shown(300, 3)
    decided = pd.DataFrame({"winner": ["a", "b", "c"], "loser": ["b", "c", "a"]})
    assert ft.bradley_terry(decided).order_effect is None
    assert ft.bradley_terry(votes, order_effect=False).order_effect is None
    pairs = pd.DataFrame({"left": [*"aabb"], "right": [*"bbcc"], "preferred": [*"abbc"]})
    with pytest.warns(DegenerateWarning, match="left out.*cannot be distinguished from strengths"):
        fit = ft.bradley_terry(pairs)
    alone = ft.bradley_terry(pairs, order_effect=False)
    pd.testing.assert_frame_equal(fit.to_frame(), alone.to_frame(), rtol=1e-9)
    with pytest.warns(DegenerateWarning, match=r"no finite estimate.*order_effect=False"):
        ft.bradley_terry(votes.assign(winner="model_a"))
    with pytest.raises(ft.OptionError, match="order_effect"):
        ft.bradley_terry(votes, order_effect="yes")


def test_sorted_columns_still_show_the_order_effect() -> None:
    """All pairs of five items in one order: the strengths' differences add up, the effect not."""
    fits = []
    for seed in range(30):
        votes = shown(2_000, seed, second=1.0)
        fits.append(ft.bradley_terry(votes).order_effect["value"])
    assert abs(np.mean(fits) - 0.8) < 3 * np.std(fits) / np.sqrt(30)


def test_queries_share_the_order_effect() -> None:
    votes = pd.concat([shown(200, seed, effect=0.5).assign(query=f"q{seed}") for seed in range(4)])
    fit = ft.bradley_terry(votes)
    sides = sides_of(votes, "abcd")
    blocks = [
        np.where((votes["query"] == query).to_numpy()[:, None], sides, 0) for query in fit.queries
    ]
    first = (votes["winner"] == "model_a").to_numpy()
    value, variance, model = by_adjusted_likelihood(np.hstack(blocks), first)
    effect = fit.order_effect
    assert effect["value"] == pytest.approx(value, abs=1e-6)
    assert effect["std_error"] == pytest.approx(np.sqrt(variance), rel=1e-4)
    strengths = model.params.reshape(4, 4)[fit.queries.index("q2")]
    found = fit.differences().set_index(["query", "item_a", "item_b"]).loc["q2"]
    for (one, two), each in found.iterrows():
        if "e" not in (one, two):
            gap = strengths["abcd".index(one)] - strengths["abcd".index(two)]
            assert each["difference"] == pytest.approx(gap, abs=1e-6)


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
