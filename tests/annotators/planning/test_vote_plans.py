"""Plans of votes alone."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.annotators.planning.vote_plans import AgreementPlan, ConsensusPlan


def votes(
    n: int, s: int, *, seed: int = 0, holes: float = 0.0, spread: float = 0.7
) -> ft.Judgments:
    """Of people who differ in strictness."""
    rng = np.random.default_rng(seed)
    odds = rng.normal(0, 2, (n, 1)) - rng.normal(0, spread, s)
    grade = (rng.random((n, s)) < 1 / (1 + np.exp(-odds))).astype(int)
    rows = [
        ("q", f"d{i}", f"s{j}", grade[i, j])
        for i in range(n)
        for j in range(s)
        if rng.random() >= holes
    ]
    return ft.Judgments.from_frame(
        pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    )


def test_a_pilot_tells_how_wide_a_larger_study_is() -> None:
    """Predicted half-widths against the spread of alpha over such studies."""
    predicted = []
    for seed in range(12):
        plan: Any = ft.plan(votes(40, 6, seed=seed), half_width=0.1)
        assert isinstance(plan, AgreementPlan)
        predicted.append(plan.predict(100, 10))
    alphas = [ft.agreement(votes(100, 10, seed=100 + j), over="item").value for j in range(60)]
    true = 1.96 * np.std(alphas)
    assert 0.9 < np.mean(predicted) / true < 1.5


def test_the_least_items_are_enough() -> None:
    plan: Any = ft.plan(votes(60, 8, spread=2.0), half_width=0.15)
    people = 40
    items = plan.least_items(people)
    assert plan.predict(items, people) <= 0.15 < plan.predict(items - 1, people)
    assert plan.least_items(1) is None
    table = plan.to_frame()
    assert table["people"].tolist() == [8, 16, 32, 64]
    assert table["items"].dropna().is_monotonic_decreasing
    assert "60 items and 8 subjects" in " ".join(str(plan).split())


def test_of_sparse_pilots_people_are_known_from_items_with_three_votes() -> None:
    panels = [votes(200, 8, spread=1.5, seed=seed) for seed in range(20)]
    whole = [ft.plan(panel).of_people for panel in panels]
    parts = [panel.to_frame().groupby("item").sample(3, random_state=0) for panel in panels]
    sparse = [ft.plan(ft.Judgments.from_frame(part)).of_people for part in parts]
    assert np.mean(sparse) == pytest.approx(np.mean(whole), rel=0.25)
    pairs = votes(60, 8).to_frame().groupby("item").head(2)
    plan: Any = ft.plan(ft.Judgments.from_frame(pairs), half_width=0.15)
    assert np.isnan(plan.of_people)
    assert len(plan.to_frame()) == 1
    assert "items need three votes, of three people" in " ".join(str(plan).split())


def test_consensus() -> None:
    plan: Any = ft.plan(consensus=0.95, accuracy=0.8, rho=0.1)
    assert isinstance(plan, ConsensusPlan)
    assert plan.votes == 17
    assert plan.limit == pytest.approx(0.975, abs=0.001)
    assert "17 votes an item" in str(plan)
    never: Any = ft.plan(consensus=0.95, accuracy=0.7, rho=0.1)
    assert never.votes is None
    assert "No number of votes reaches 0.95" in str(never)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"consensus": 0.9}, "accuracy=None: give the probability"),
        ({"consensus": 2, "accuracy": 0.8}, "consensus=2"),
        ({"consensus": 0.9, "accuracy": 0.8, "rho": 1}, "rho=1.*: must be from 0, and below 1"),
    ],
)
def test_mistakes(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ft.errors.OptionError, match=message):
        ft.plan(**options)
    with pytest.raises(ft.errors.OptionError, match="half_width=0"):
        ft.plan(votes(20, 3), half_width=0)


def said(plan: Any) -> str:
    return " ".join(str(plan).split())


def graded(n: int, s: int, seed: int, spread: float = 0.8) -> ft.Judgments:
    """Five grades of people who differ in severity."""
    rng = np.random.default_rng(seed)
    severe = rng.normal(0, spread, s)
    value = rng.normal(0, 1.2, (n, 1)) + severe + rng.normal(0, 0.8, (n, s))
    rows = np.indices((n, s)).reshape(2, -1).T
    grade = np.digitize(value, [-1.5, -0.5, 0.5, 1.5]).ravel()
    items, subjects = [f"d{i}" for i in rows[:, 0]], [f"s{j}" for j in rows[:, 1]]
    return ft.Judgments.from_columns(["q"] * len(rows), items, grade, subject=subjects)


def test_half_of_the_half_width_of_the_pilot() -> None:
    plan: Any = ft.plan(votes(60, 8, holes=0.4, spread=2.0))
    assert plan.of_people > 0
    assert plan.now == pytest.approx(1.96 * np.sqrt(plan.of_items / 60 + plan.of_people / 8), 1e-4)
    assert plan.half_width == plan.now / 2
    assert f"Now ±{plan.now:.3f}, over items and subjects." in said(plan)
    pairs = votes(60, 8).to_frame().groupby("item").head(2)
    alone: Any = ft.plan(ft.Judgments.from_frame(pairs))
    assert alone.half_width == pytest.approx(0.98 * np.sqrt(alone.of_items / 60), 1e-4)
    assert alone.least_items(8) == 240
    assert f"Now ±{alone.now:.3f}, over items." in said(alone)


def test_dashes_and_equal_rows_are_explained() -> None:
    plan: Any = ft.plan(votes(60, 8, spread=2.0))
    frame = plan.to_frame(full=True)
    assert frame["items"].isna().tolist() == [True, True, False, False]
    floor = 1.96 * np.sqrt(plan.of_people / 64)
    assert frame["floor"].iloc[-1] == pytest.approx(floor, 1e-4)
    assert (
        "–: no number of items is enough with so few subjects; with 64 the narrowest is "
        f"±{floor:.3f}. A new item"
    ) in said(plan)
    one = f"takes {frame['items'][2]} items with 32 subjects, or {frame['items'][3]} items with 64"
    assert one in plan._sentence()
    assert (
        "takes more than 64 subjects (now 60 items"
        in ft.plan(votes(60, 8, spread=2.0), half_width=0.01)._sentence()
    )  # type: ignore[union-attr]
    same = next(
        p for p in (ft.plan(votes(40, 4, seed=j, spread=0)) for j in range(9)) if not p.of_people
    )
    assert same.to_frame()["items"].nunique() == 1
    assert "–:" not in said(same)
    assert (
        "all rows are the same: a new item with as many votes narrows the interval, and a new "
        "subject does not" in said(same)
    )


def test_grades_are_taken_by_their_order() -> None:
    """How people differ, by the ordinal metric, against the spread of alpha over panels."""
    panels = [graded(100, 8, seed) for seed in range(40)]
    plans: Any = [ft.plan(panel) for panel in panels]
    true = np.var([plan.value for plan in plans], ddof=1)
    told = np.mean([plan.of_items / 100 + plan.of_people / 8 for plan in plans])
    assert np.sqrt(told / true) == pytest.approx(1, abs=0.25)
    assert plans[0].value == ft.agreement(panels[0], metric="ordinal").value
    assert str(plans[0]).startswith("Plan of agreement: alpha (ordinal) ")
    assert "alpha (nominal)" in said(ft.plan(votes(20, 3)))
    line = "Grades are taken as equal or not; metric='ordinal' takes their order."
    assert line in said(ft.agreement(panels[0]))
    assert line not in said(ft.agreement(panels[0], metric="ordinal"))
    assert line not in said(ft.agreement(votes(20, 3)))
    many = panels[0].to_frame().assign(grade=np.arange(800) % 30)
    assert "alpha (interval)" in said(ft.plan(ft.Judgments.from_frame(many)))


def test_plans_are_over_queries_where_there_are_several() -> None:
    rng = np.random.default_rng(0)
    rows = [
        (f"q{q}", f"i{q}-{j}", f"w{s}", int(rng.random() < (0.5 if q % 2 else 0.05)))
        for q in range(12)
        for j in range(15)
        for s in range(5)
    ]
    query, item, who, grade = zip(*rows, strict=True)
    votes = ft.Judgments.from_columns(query, item, grade, subject=who)
    found = ft.agreement(votes)
    plan = ft.plan(votes)
    assert (plan.unit, plan.n_items) == ("query", 12)
    assert plan.of_items == pytest.approx(12 * found.std_error**2)
    assert "The fewest queries" in str(plan)
