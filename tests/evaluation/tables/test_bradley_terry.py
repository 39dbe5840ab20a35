"""Strengths from preferences: invariances, warnings, coverage, and what they become."""

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
    with pytest.raises(ft.errors.OptionError, match="order_effect"):
        ft.bradley_terry(votes, order_effect="yes")
    with warnings.catch_warnings():
        warnings.simplefilter("error", DegenerateWarning)
        ft.bradley_terry(shown(12, 5, second=0.5), prior=1)  # few, but of one query


@pytest.mark.parametrize(
    ("correlation", "covariance", "covers"), [(0.4, "independent", False), (0.4, "subject", True)]
)
def test_coverage(correlation: float, covariance: str, covers: bool) -> None:
    """Intervals of the strongest item; each query is a replication."""
    n = 400
    votes = drawn_preferences(STRENGTH, queries=n, subjects=15, correlation=correlation, seed=6)
    table = ft.bradley_terry(votes, order_effect=False, covariance=covariance).to_frame(full=True)
    table = table[table["item"] == "0"]
    inside = ((table["lower"] <= STRENGTH[0]) & (STRENGTH[0] <= table["upper"])).mean()
    error = np.sqrt(0.95 * 0.05 / n)  # Monte Carlo
    # without clusters, subjects who repeat themselves are fewer observations than they look
    assert abs(inside - 0.95) < 4 * error if covers else inside < 0.95 - 8 * error


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_an_unknown_interval_shows_no_effect_of_the_order() -> None:
    fit = ft.bradley_terry(shown(60, 3).assign(subject="ann"), prior=1.0, covariance="subject")
    assert np.isnan(fit.order_effect["lower"])
    assert "no effect of the order is shown" in " ".join(str(fit).split())


def test_many_queries_of_few_comparisons_do_not_bias_the_order_effect() -> None:
    """Of one vote a pair, 10 items a query: .5 is estimated; maximum likelihood gives .66."""
    rng = np.random.default_rng(2)
    query = np.repeat(np.arange(120), 45)
    one, two = (np.tile(side, 120) for side in np.triu_indices(10, 1))
    turned = rng.random(len(one)) < 0.5
    one, two = np.where(turned, two, one), np.where(turned, one, two)
    strength = rng.normal(size=(120, 10))
    won = rng.random(len(one)) < 1 / (1 + np.exp(strength[query, two] - strength[query, one] - 0.5))
    votes = pd.DataFrame({"query": query, "model_a": one, "model_b": two})
    votes["winner"] = np.where(won, "model_a", "model_b")
    effect = ft.bradley_terry(votes, prior=1.0).order_effect
    assert abs(effect["value"] - 0.5) < 3 * effect["std_error"]
    assert effect["value"] + 3 * effect["std_error"] < 0.66
    few = pd.concat([shown(8, seed).assign(query=seed) for seed in range(40)])
    with pytest.warns(DegenerateWarning, match=r"320 comparisons .* strengths"):
        ft.bradley_terry(few, prior=1.0)


#: in q1, a, b and c are of equal strength; in q2, a beats b three times in four
BY_QUERY = pd.DataFrame(
    {
        "query": ["q1"] * 3 + ["q2"] * 4,
        "winner": list("abc") + list("aaab"),
        "loser": list("bca") + list("bbba"),
    }
)


FIT = ft.bradley_terry(BY_QUERY, order_effect=False)


ALL = ft.bradley_terry(BY_QUERY.drop(columns="query"), order_effect=False)


HALF = np.log(3) / 2


@pytest.mark.parametrize(
    ("scale", "grades"),
    [
        ("strength", [0, 0, 0, HALF, -HALF]),
        ("probability", [0.5, 0.5, 0.5, 1 / (1 + 3**-0.5), 1 / (1 + 3**0.5)]),
        ("rank", [1, 1, 1, 1, 0]),
    ],
)
def test_judgments_and_scores(scale: str, grades: list[float]) -> None:
    judgments = FIT.to_judgments(scale=scale).to_frame()
    assert judgments["query"].tolist() == ["q1"] * 3 + ["q2"] * 2
    assert judgments["item"].tolist() == list("abcab")
    assert judgments["grade"].to_numpy() == pytest.approx(grades, abs=1e-12)
    scores = FIT.to_scores(scale=scale)
    assert scores.measures == (scale,)
    assert scores.higher_is_better == (True,)
    table = scores.to_frame().set_index(["query", "system"])["value"]
    expected = judgments.set_index(["query", "item"])["grade"]
    assert table[expected.index].tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: FIT.probability("a", "b"), "query=None: name a query"),
        (lambda: FIT.probability("a", "b", "qq1"), r"query='qq1': .*such query \(nearest: 'q1'\)"),
        (lambda: FIT.probability("a", "c", "q2"), "b='c': is not among the items of this query"),
        (lambda: ALL.probability("x", "a"), "a='x': is not among the items"),
        (lambda: ALL.probability("a", "b", "q1"), "query='q1': there are no queries; leave it out"),
        (lambda: ALL.to_judgments(), "to_judgments: .* no column of queries; give them one"),
        (lambda: ALL.to_scores(), "to_scores: .* no column of queries; give them one"),
        (lambda: FIT.to_scores(scale="grade"), "scale='grade': must be one of 'probability'"),
    ],
)
def test_mistakes(ask: Any, message: str) -> None:
    with pytest.raises(ft.errors.OptionError, match=f"^{message}"):
        ask()


WON = "won every comparison with the other items"


LOST = "lost every comparison with the other items"


@pytest.mark.parametrize(
    ("winner", "loser", "message"),
    [
        ("a", "b", f"'a' {WON}, so that there are no finite strengths; give prior=1"),
        ("aab", "bcc", f"'a' {WON} and 'c' {LOST}, so"),
        ("abca", "bcad", f"'d' {LOST}, so"),
        ("abab", "bacc", f"'c' {LOST}, so"),
        ("abcda", "badcc", f"'a', 'b' {WON}, so"),
        ("abcd", "badc", "no comparisons connect 'a', 'b' with 'c', 'd', so"),
    ],
)
def test_no_finite_strengths(winner: str, loser: str, message: str) -> None:
    frame = pd.DataFrame({"winner": list(winner), "loser": list(loser)})
    with pytest.raises(ft.errors.DataError, match=f"^preferences: {message}"):
        ft.bradley_terry(frame)
    assert np.isfinite(ft.bradley_terry(frame, prior=0.5).std_error).all()


def test_no_finite_strengths_in_some_queries() -> None:
    frame = pd.DataFrame({"winner": list("abxy"), "loser": list("baab"), "topic": list("1123")})
    message = (
        r"^preferences, query '2': 'x' won .* strengths \(in 2 of 3 queries\); give prior=1.*, or "
        "leave out the column 'topic' for one model of all comparisons$"
    )
    with pytest.raises(ft.errors.DataError, match=message):
        ft.bradley_terry(frame)


def test_strengths_with_intervals() -> None:
    votes = pd.DataFrame({"winner": ["a", "b"], "loser": ["b", "a"], "count": [30, 10]})
    fit = ft.bradley_terry(votes, level=0.9)
    row = fit.differences().loc[0]
    error = np.sqrt(1 / 30 + 1 / 10)  # of the log odds
    half = stats.norm.ppf(0.95) * error
    numbers = row[["difference", "std_error", "lower", "upper", "probability"]].tolist()
    expected = [np.log(3), error, np.log(3) - half, np.log(3) + half, 0.75]
    assert numbers == pytest.approx(expected, rel=1e-12)
    text = str(fit)
    assert text.startswith("Bradley-Terry strengths: 2 items, 40 comparisons\n")
    rows = [line.split() for line in text.split("\n") if line[:2] in ("a ", "b ")]
    assert rows == [
        ["a", "+0.549", "[+0.249,", "+0.850]", "40", "30"],
        ["b", "-0.549", "[-0.850,", "-0.249]", "40", "10"],
    ]
    assert "Brackets: normal 90 % intervals of the strength" in " ".join(text.split())
