"""Strengths from preferences: invariances, warnings, coverage, and what they become."""

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


@pytest.mark.parametrize("covariance", ["independent", "subject"])
def test_rows_sides_and_other_queries_change_nothing(covariance: str) -> None:
    def fitted(frame: pd.DataFrame) -> pd.DataFrame:
        fit = ft.bradley_terry(frame, order_effect=False, covariance=covariance)
        return fit.to_frame(full=True)

    expected = fitted(VOTES)
    swapped = VOTES.rename(columns={"left": "right", "right": "left"})
    swapped["preferred"] = swapped["preferred"].map({"left": "right", "right": "left"})
    other = drawn_preferences(-STRENGTH[:4], queries=1, subjects=9, seed=5).drop(columns="query")
    both = fitted(pd.concat([VOTES.assign(query="q2"), other.assign(query="q1")]))
    alone = both[both["query"] == "q2"].drop(columns="query").reset_index(drop=True)
    for found in (fitted(swapped), fitted(VOTES.sample(frac=1, random_state=0)), alone):
        pd.testing.assert_frame_equal(found, expected, rtol=1e-11, atol=1e-13)


def test_subjects_who_agree_or_are_alone() -> None:
    cycle = pd.DataFrame({"winner": list("abca"), "loser": list("bcab")})
    votes = pd.concat([cycle.assign(subject=s) for s in "st"])
    with pytest.warns(DegenerateWarning, match="^comparisons by subjects who all agree, so that"):
        fit = ft.bradley_terry(votes, order_effect=False, covariance="subject")
    assert fit.std_error.tolist() == [0, 0, 0]
    assert fit.to_frame(full=True)["lower"].tolist() == fit.to_frame(full=True)["strength"].tolist()
    alone = cycle.set_axis(["left", "right"], axis=1)
    alone = alone.assign(query="q2", subject="s", preferred="left")
    votes = pd.concat([VOTES.assign(query="q1"), alone])
    with pytest.warns(DegenerateWarning, match="^comparisons of 1 query by a single subject"):
        fit = ft.bradley_terry(votes, order_effect=False, covariance="subject")
    table = fit.to_frame(full=True).set_index("query")
    assert table.loc["q2", "std_error"].isna().all()
    assert np.isneginf(table.loc["q2", "lower"]).all()
    assert np.isposinf(table.loc["q2", "upper"]).all()
    assert table.loc["q1", "std_error"].notna().all()


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_an_unknown_interval_shows_no_effect_of_the_order() -> None:
    fit = ft.bradley_terry(shown(60, 3).assign(subject="ann"), prior=1.0, covariance="subject")
    assert np.isnan(fit.order_effect["lower"])
    assert "no effect of the order is shown" in " ".join(str(fit).split())


def test_strengths_and_order_effect_are_recovered_where_the_better_was_shown_second() -> None:
    """20 data sets of 400: unbiased with the order effect, .4 of the strengths without."""
    fits = [ft.bradley_terry(shown(400, seed)) for seed in range(20)]
    value = np.array([fit.strength[np.argsort(fit.items)] for fit in fits])
    error = value.std(axis=0) / np.sqrt(20)
    assert (np.abs(value.mean(axis=0) - np.linspace(-1, 1, 5)) < 3 * error + 0.02).all()
    covered = [fit.order_effect["lower"] <= 0.8 <= fit.order_effect["upper"] for fit in fits]
    assert np.mean(covered) >= 0.8
    without = [ft.bradley_terry(shown(400, s), order_effect=False) for s in range(9)]
    assert np.mean([fit.strength[fit.items.index("e")] for fit in without]) < 0.45
    moved = np.abs(fits[0].strength - without[0].strength).max()
    assert fits[0].order_effect["largest_move"] == pytest.approx(moved, rel=1e-6)
    # all pairs in one order: the strengths' differences add up, the effect does not
    fixed = [ft.bradley_terry(shown(2_000, s, second=1.0)).order_effect["value"] for s in range(9)]
    assert abs(np.mean(fixed) - 0.8) < 3 * np.std(fixed) / 3


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


def test_all_subjects_move_the_strengths_of_a_query_through_the_order_effect() -> None:
    """The jackknife over subjects, of whom each judges one of two queries."""
    votes = pd.concat([shown(1_000, seed).assign(query=f"q{seed}") for seed in range(2)])
    place = np.arange(len(votes)) % 20
    votes["subject"] = np.where(votes["query"] == "q0", place, 20 + place)
    own = ft.bradley_terry(votes, covariance="subject").to_frame(full=True)
    own = own.sort_values(["query", "item"])
    without = [ft.bradley_terry(votes[votes["subject"] != one]).to_frame() for one in range(40)]
    left_out = np.array([fit.sort_values(["query", "item"])["strength"] for fit in without])
    # of the 20 subjects of a query, and of the 20 others, who move γ alone
    moves = (left_out - left_out.mean(axis=0)) ** 2
    jackknife = np.sqrt(moves.sum(axis=0) * 39 / 40)
    np.testing.assert_allclose(own["std_error"], jackknife, rtol=0.08)
    inner = moves[:20].sum(axis=0)[:5] / moves.sum(axis=0)[:5]
    assert inner.min() < 0.95  # the others' share counts here


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


def test_table() -> None:
    table = FIT.to_frame(full=True)
    names = ["query", "item", "strength", "std_error", "lower", "upper", "comparisons", "wins"]
    assert table.columns.tolist() == names
    assert table["query"].tolist() == ["q1"] * 3 + ["q2"] * 2
    assert table["item"].tolist()[3:] == ["a", "b"]
    assert table["strength"].to_numpy() == pytest.approx([0, 0, 0, HALF, -HALF], abs=1e-12)
    assert table["comparisons"].tolist() == [2, 2, 2, 4, 4]
    assert table["wins"].tolist() == [1, 1, 1, 3, 1]
    assert ALL.to_frame(full=True).columns.tolist() == names[1:]
    assert (repr(FIT), repr(ALL)) == ("BradleyTerry(3 items, 2 queries)", "BradleyTerry(3 items)")


def test_differences() -> None:
    table = FIT.differences()
    pairs = list(zip(table["query"], table["item_a"], table["item_b"], strict=True))
    assert pairs == [("q1", "a", "b"), ("q1", "a", "c"), ("q1", "b", "c"), ("q2", "a", "b")]
    assert table["difference"].to_numpy() == pytest.approx([0, 0, 0, 2 * HALF], abs=1e-12)
    # of three items compared once each: information 1/4 a pair, and so variance 8/3
    errors = [np.sqrt(8 / 3)] * 3 + [np.sqrt(1 / 3 + 1)]
    assert table["std_error"].to_numpy() == pytest.approx(errors, rel=1e-12)
    assert "query" not in ALL.differences()


def test_probability() -> None:
    assert FIT.probability("a", "b", "q2") == pytest.approx(0.75, rel=1e-12)
    assert FIT.probability("b", "a", query="q2") == pytest.approx(0.25, rel=1e-12)
    assert FIT.probability("a", "c", "q1") == pytest.approx(0.5, rel=1e-12)
    row = ALL.differences().set_index(["item_a", "item_b"]).loc[("a", "c")]
    assert ALL.probability("a", "c") == row["probability"]


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
    with pytest.raises(ft.OptionError, match=f"^{message}"):
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
    with pytest.raises(ft.DataError, match=f"^preferences: {message}"):
        ft.bradley_terry(frame)
    assert np.isfinite(ft.bradley_terry(frame, prior=0.5).std_error).all()


def test_no_finite_strengths_in_some_queries() -> None:
    frame = pd.DataFrame({"winner": list("abxy"), "loser": list("baab"), "topic": list("1123")})
    message = (
        r"^preferences, query '2': 'x' won .* strengths \(in 2 of 3 queries\); give prior=1.*, or "
        "leave out the column 'topic' for one model of all comparisons$"
    )
    with pytest.raises(ft.DataError, match=message):
        ft.bradley_terry(frame)


def test_items_whose_ties_are_dropped_are_unconnected() -> None:
    frame = pd.DataFrame({"left": list("abc"), "right": list("baa")})
    frame["vote"] = ["left", "left", "tie"]
    with pytest.warns(ft.errors.DegenerateWarning, match="it has no finite estimate"):
        assert ft.bradley_terry(frame).strength == pytest.approx(0)
    with pytest.raises(ft.DataError, match="no comparisons connect 'a', 'b' with 'c'"):
        ft.bradley_terry(frame, ties="drop")


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


def test_clusters_queries_and_many_items() -> None:
    rows = [(q, f"i{a:02}", f"i{b:02}", s) for q in "qr" for s in "stu" for a in range(12)
            for b in range(12) if a != b]  # fmt: skip
    votes = pd.DataFrame(rows, columns=["query", "winner", "loser", "subject"])
    text = " ".join(str(ft.bradley_terry(votes)).split())
    assert "12 items, 2 queries, 792 comparisons" in text
    assert "The first 16 of 24 items and queries" in text
    votes = votes[(votes["subject"] != "s") | (votes["winner"] < votes["loser"])]
    clustered = " ".join(str(ft.bradley_terry(votes, covariance="subject")).split())
    assert "Brackets: Student's t, subjects being clusters, 95 % intervals" in clustered
