"""Expected half-widths and power: closed forms, and the intervals of simulated tables."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats
from support.pilots import CROSSED, WIDE, pilot, t_half_width
from support.scores_of_runs import scores_of_runs, tables_of_runs

import fuzzytruth as ft
from fuzzytruth.annotators.planning.planned_designs import least_enough


@pytest.mark.parametrize(("power", "want"), [(0.1, 999), (0.5, 1), (0.5, 7), (2.0, 10_000)])
def test_exact_and_quick(power: float, want: int) -> None:
    asked = []

    def excess(n: int) -> float:
        asked.append(n)
        return math.log(want) - math.log(n) if power == 0.1 else want**power - n**power

    assert least_enough(range(1, 10_001), excess) == want
    assert len(asked) <= 30


def test_infinite_excess_and_lists() -> None:
    assert least_enough([3, 40, 500], lambda n: math.inf if n < 40 else -math.inf) == 40
    assert least_enough([3], lambda n: -1) == 3
    assert least_enough([3], lambda n: math.nan) is None
    assert least_enough([], lambda n: -1) is None


@pytest.mark.parametrize(("queries", "tests"), [(5, 1), (40, 1), (40, 28)])
def test_over_queries(queries: int, tests: int) -> None:
    """Student's t of per-query differences, whose variance is 2 (σ²_tq + σ²_tqs / S)."""
    found = ft.plan(components=CROSSED, over="query", family=tests, **WIDE)
    one = found.predict(queries, 4)
    variance = 2 * (0.02 + 0.05 / 4)
    assert one["half_width"] == pytest.approx(t_half_width(variance, queries, tests), rel=2e-3)
    assert one["std_error"] == pytest.approx(np.sqrt(variance / queries))


def test_over_subjects_and_of_means() -> None:
    found = ft.plan(components=CROSSED, over="subject", **WIDE)
    want = t_half_width(2 * (0.002 + 0.05 / 40), 6)
    assert found.predict(40, 6)["half_width"] == pytest.approx(want, rel=2e-3)
    both = {**CROSSED, "query": 0.3, "query:subject": 0.01}
    mean = ft.plan(components=both, over="query", of="mean", **WIDE)
    variance = 0.3 + 0.02 + (0.01 + 0.05) / 3
    assert mean.predict(25, 3)["std_error"] == pytest.approx(np.sqrt(variance / 25))
    assert mean.n_comparisons == 1


def test_standard_error_over_both_with_replicates() -> None:
    parts = {
        "system:query": 0.02,
        "system:subject": 0.002,
        "system:query:subject": 0.01,
        "replicate": 0.003,
        "replicate:query": 0.004,
        "replicate:subject": 0.0005,
        "residual": 0.05,
    }
    found = ft.plan(components=parts, replicates=[1, 2, 4], **WIDE)
    q, s, r = 30, 4, 3
    want = 2 * (
        0.02 / q
        + 0.002 / s
        + 0.01 / (q * s)
        + (0.003 + 0.004 / q + 0.0005 / s + 0.05 / (q * s)) / r
    )
    one = found.predict(q, s, r)
    assert one["std_error"] ** 2 == pytest.approx(want)
    assert np.isinf(found.predict(q, s, 1)["half_width"])  # of other runs nothing is known
    these = ft.plan(components=parts, replicates=[1, 2], over=("query", "subject"), **WIDE)
    variance = want - 2 * 0.003 / r
    assert these.predict(q, s, r)["std_error"] ** 2 == pytest.approx(variance)
    assert these.predict(q, s, 1)["half_width"] < 0.2


OF_RUNS = {"system:query": 0.02, "replicate": 0.002, "residual": 0.003}
OF_ALL = {
    **OF_RUNS,
    "system:subject": 0.002,
    "system:query:subject": 0.01,
    "replicate:query": 0.003,
    "replicate:subject": 0.001,
    "residual": 0.01,
}


@pytest.mark.parametrize(
    ("parts", "k", "design", "mean", "error"),
    [
        (OF_RUNS, 2, (40, 1, 2), 0.679, 0.051),
        (OF_RUNS, 2, (40, 1, 5), 0.1028, 0.0023),
        (OF_RUNS, 3, (40, 1, 3), 0.1538, 0.0047),
        (OF_RUNS, 4, (20, 1, 3), 0.2003, 0.0047),
        (OF_RUNS, 4, (50, 1, 5), 0.1206, 0.0017),
        (OF_ALL, 2, (40, 4, 3), 0.2160, 0.0085),
        (OF_ALL, 3, (40, 5, 3), 0.1896, 0.0065),
        (OF_ALL, 4, (20, 8, 5), 0.1792, 0.0019),
    ],
)
def test_half_widths_over_runs(
    parts: dict[str, float], k: int, design: tuple[int, int, int], mean: float, error: float
) -> None:
    """Against means (and their Monte Carlo errors) of those of `compare` on 30 to 60 data sets."""
    subjects = {} if design[1] == 1 else {"subjects": [design[1]]}
    found = ft.plan(components=parts, n_systems=k, replicates=[design[2]], **subjects, **WIDE)
    assert found.predict(*design)["half_width"] == pytest.approx(mean, abs=2.5 * error)


def test_infinitely_many_queries_leave_the_runs() -> None:
    found = ft.plan(components=OF_RUNS, replicates=[5], half_width=0.01)
    table = found.to_frame(full=True)
    assert table["status"].tolist() == ["floor"] or table["queries"].isna().all()
    floor = table["floor"].iloc[0]
    assert found.predict(10**6, 1, 5)["half_width"] == pytest.approx(floor, rel=1e-3)
    assert "5 replicates or fewer are too few, whatever the number" in found._answer().text(200)
    pooled = stats.t.ppf(0.975, 8) * np.sqrt(2 * 0.002 / 5)
    assert pooled < floor < 1.3 * pooled  # Behrens and Fisher, each with four degrees of freedom


def test_coefficients() -> None:
    """Brennan's, of random queries and subjects, and of subjects that are fixed."""
    parts = {"system": 0.01, "query": 0.1, "subject": 0.003, "query:subject": 0.02, **CROSSED}
    q, s = 20, 4
    error = 0.02 / q + 0.002 / s + 0.05 / (q * s)
    both = ft.plan(components=parts, **WIDE).predict(q, s)["coefficient"]
    assert both == pytest.approx(0.01 / (0.01 + error))
    more = error + 0.1 / q + 0.003 / s + 0.02 / (q * s)
    phi = ft.plan(components=parts, absolute=True, **WIDE).predict(q, s)["coefficient"]
    assert phi == pytest.approx(0.01 / (0.01 + more))
    fixed = ft.plan(components=parts, over="query", **WIDE).predict(q, s)["coefficient"]
    universe = 0.01 + 0.002 / s
    assert fixed == pytest.approx(universe / (universe + 0.02 / q + 0.05 / (q * s)))


@pytest.mark.parametrize(
    ("target", "over"),
    [
        ({"half_width": 0.08}, "query"),
        ({"difference": 0.1, "power": 0.95}, ("query", "subject")),
        ({"coefficient": 0.9}, ("query", "subject")),
        ({"half_width": 0.08, "difference": 0.08, "coefficient": 0.85}, "query"),
    ],
)
def test_one_query_less_is_not_enough(target: dict[str, float], over: Any) -> None:
    parts = {"system": 0.01, **CROSSED, "system:subject": 0.0002}
    found = ft.plan(components=parts, over=over, n_systems=3, subjects=[9, 15], **target)

    def meets(queries: int, subjects: int) -> bool:
        one = found.predict(queries, subjects)
        return (
            one["half_width"] <= target.get("half_width", np.inf) * (1 + 1e-8)
            and not one["power"] < target.get("power", 0.8) - 1e-8
            and one["coefficient"] >= target.get("coefficient", 0) - 1e-8
        )

    for row in found.table.itertuples():
        assert row.status == "met"
        assert meets(row.queries, row.subjects)
        assert not meets(row.queries - 1, row.subjects)


def test_the_cheapest_is_marked() -> None:
    options: dict[str, Any] = {
        "components": CROSSED,
        "half_width": 0.1,
        "subjects": [5, 8, 12, 20, 29],
    }
    by_judgments = ft.plan(**options)
    table = by_judgments.table
    assert table.loc[table["best"], "judgments"].item() == table["judgments"].min()
    dear = ft.plan(cost_per_query=100, cost_per_judgment=1, judgments_per_query=10, **options)
    table = dear.table
    cost = 100 * table["queries"] + table["judgments"]
    assert table["cost"].tolist() == cost.tolist()
    assert table.loc[table["best"], "cost"].item() == cost.min()
    assert dear.best.subjects > by_judgments.best.subjects
    people = ft.plan(cost_per_subject=1000, **options).table
    assert people["cost"].tolist() == (1000 * people["subjects"]).tolist()


def test_floor_and_subjects_that_are_enough() -> None:
    found = ft.plan(components=CROSSED, half_width=0.05, subjects=[2, 3, 40])
    table = found.table
    want = t_half_width(2 * 0.002, 3)
    assert table["floor"][1] == pytest.approx(want, rel=2e-3)
    assert table["status"].tolist() == ["too few subjects", "too few subjects", "met"]
    assert table["queries"].isna().tolist() == [True, True, False]
    (least,) = {*found.least_subjects.values()}
    assert t_half_width(2 * 0.002, least) <= 0.05 < t_half_width(2 * 0.002, least - 1)
    assert f"at least {least} are needed" in str(found).replace("\n  ", " ")
    by_default = ft.plan(components=CROSSED, half_width=0.05).table
    assert least in by_default["subjects"].tolist()
    assert by_default["best"].any()


def test_budget() -> None:
    options: dict[str, Any] = {"components": CROSSED, "subjects": [3, 6], "judgments_per_query": 10}
    alone = ft.plan(budget=1000, **options).table
    assert alone["queries"].tolist() == [33, 16]
    assert alone["status"].tolist() == ["within budget"] * 2
    assert alone.loc[alone["best"], "half_width"].item() == alone["half_width"].min()
    with_target = ft.plan(budget=1000, half_width=0.1, **options)
    assert with_target.best is None
    assert "over budget" in with_target.table["status"].tolist()
    assert "no design considered is enough" in str(with_target)
    nothing = ft.plan(budget=1, **options)
    assert nothing.best is None


def test_range_is_that_of_the_variance() -> None:
    """Two systems over queries: σ² has the interval of a χ², and Q is about proportional."""
    scores = pilot(2, 1, 21)
    values = scores.values[:, 0]
    squares = (values[0] - values[1]).var(ddof=1) * 20
    found = ft.plan(scores, half_width=0.01, over="query").table.iloc[0]
    low, high = squares / stats.chi2.ppf([0.975, 0.025], 20)
    for queries, variance in ((found["lower"], low), (found["upper"], high)):
        assert t_half_width(variance, queries) == pytest.approx(0.01, rel=0.02)


def test_a_single_interval_borrows_no_variance_of_runs() -> None:
    """Whatever the number of systems: those of a family alone steady each other."""
    scores = scores_of_runs(tables_of_runs({"a": 3, "b": 3, "c": 3, "d": 3}))
    asked: Any = {"half_width": 2, "replicates": [3], "queries": [40]}
    one, two, three = (
        ft.plan(scores, **asked, family=family, n_systems=n).to_frame()["half_width"].iloc[0]
        for family, n in (("one", 4), ("one", 2), (3, 4))
    )
    assert one == two == pytest.approx(1.118, abs=0.001)
    assert three < one  # 4 systems with 4 degrees of freedom each, not 2
