"""`plan`: closed forms, the inverse property, targets, costs, and degenerate cases."""

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.scores_for_tests import scores_of

import fuzzytruth as ft

#: variances of a difference of two systems: .04 over queries, .004 over subjects, .1 of both
CROSSED = {"system:query": 0.02, "system:subject": 0.002, "residual": 0.05}


#: a target that anything meets
WIDE: dict[str, Any] = {"half_width": 1e9, "queries": 50}


def t_half_width(variance: float, n: int, tests: int = 1) -> float:
    """Expected half-width of Student's interval for a mean of n values of a variance."""
    c4 = stats.chi.mean(n - 1) / np.sqrt(n - 1)
    return float(stats.t.ppf(1 - 0.025 / tests, n - 1) * np.sqrt(variance / n) * c4)


def pilot(n_systems: int = 4, n_subjects: int = 5, n_queries: int = 30) -> ft.Scores:
    rng = np.random.default_rng(5)
    shape = (n_systems, n_subjects, n_queries)
    parts = [(1, 1, n_queries), (1, n_subjects, 1), (n_systems, 1, n_queries), shape]
    scale = [0.1, 0.03, 0.1, 0.12]
    values = sum(s * rng.standard_normal(one) for s, one in zip(scale, parts, strict=True))
    values = values + np.linspace(0.3, 0.5, n_systems)[:, None, None]
    values += 0.02 * rng.standard_normal((n_systems, n_subjects, 1))
    return scores_of(values[:, 0] if n_subjects == 1 else values)


def said(found: ft.Plan) -> str:
    return " ".join(str(found).split())


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
    fixed = {**parts, "replicate": 0.0}
    without = ft.plan(components=fixed, replicates=[1, 2], **WIDE).predict(q, s, r)["half_width"]
    added = stats.norm.ppf(0.975) ** 2 * 2 * 0.003 / r
    assert one["half_width"] ** 2 == pytest.approx(without**2 + added, rel=0.1)


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


def test_numbers_to_choose_from() -> None:
    options: dict[str, Any] = {"components": {"residual": 0.05}, "half_width": 0.1}
    least = ft.plan(**options).best.queries
    assert ft.plan(queries=range(10, 1000, 10), **options).best.queries == -(-least // 10) * 10
    assert ft.plan(queries=[least, 3 * least], **options).best.queries == least
    few = ft.plan(queries=5, **options)
    assert few.table["status"].tolist() == ["too few queries"]
    assert "More than 5 queries" in str(few)


def test_pilot_and_its_components_give_one_plan() -> None:
    scores = pilot()
    found = ft.plan(scores, half_width=0.06)
    components = ft.variance_components(scores)
    same = ft.plan(components=components, half_width=0.06, n_systems=4)
    pd.testing.assert_frame_equal(found.table, same.table)
    assumed = ft.plan(components=components.variances(), half_width=0.06, n_systems=4)
    given = assumed.table.drop(columns=["lower", "upper"])
    pd.testing.assert_frame_equal(given, found.table.drop(columns=["lower", "upper"]))
    assert assumed.table["lower"].isna().all()
    assert found.estimator.over == ("query", "subject")
    assert "and scores are about normal" in said(found).replace(",", " and")
    assert "normal" not in said(ft.plan(scores, coefficient=0.8))
    # the prediction of what the pilot itself gives
    half = ft.compare(scores, over=("query", "subject")).to_frame()
    half = ((half["upper"] - half["lower"]) / 2).mean()
    assert found.predict(30, 5)["half_width"] == pytest.approx(half, rel=0.35)


def test_range_is_that_of_the_variance() -> None:
    """Two systems over queries: σ² has the interval of a χ², and Q is about proportional."""
    scores = pilot(2, 1, 21)
    values = scores.values[:, 0]
    squares = (values[0] - values[1]).var(ddof=1) * 20
    found = ft.plan(scores, half_width=0.01, over="query").table.iloc[0]
    low, high = squares / stats.chi2.ppf([0.975, 0.025], 20)
    for queries, variance in ((found["lower"], low), (found["upper"], high)):
        assert t_half_width(variance, queries) == pytest.approx(0.01, rel=0.02)


def test_without_subjects() -> None:
    found = ft.plan(pilot(4, 1), half_width=0.1)
    assert found.table["subjects"].tolist() == [1]
    with pytest.raises(ft.OptionError, match="subjects are asked for, and the pilot has not"):
        ft.plan(pilot(4, 1), half_width=0.1, subjects=[2, 3])
    with pytest.raises(ft.OptionError, match="4 subjects are asked for"):
        found.predict(10, 4)


def test_nested_subjects() -> None:
    """Fresh subjects for each query: no floor, and all over queries."""
    frame = pilot().to_frame()
    frame["subject"] += " of " + frame["query"]
    scores = ft.Scores.from_frame(frame, design="nested")
    found = ft.plan(scores, half_width=0.08)
    parts = found.components
    assert "subject(query)" in parts
    variance = 2 * (parts["system:query"] + parts["residual"] / 3)
    want = t_half_width(variance, 40, 6)
    assert found.predict(40, 3)["half_width"] == pytest.approx(want, rel=2e-3)
    assert (found.table["status"] == "met").all()
    assert found.table["subjects"].tolist() == list(range(1, 11))


def test_replicates_of_a_pilot() -> None:
    scores = pilot(6, n_queries=8)
    runs = dict(zip(scores.systems, ["a", "a", "b", "b", "c", "c"], strict=True))
    options: dict[str, Any] = {"half_width": 1.0, "queries": 20, "subjects": 5}
    found = ft.plan(scores, replicate_of=runs, replicates=[1, 5], **options)
    assert found.systems == 3
    half = [found.predict(20, 5, r)["half_width"] for r in (1, 5)]
    assert half[1] < half[0]
    assert "replicates" in found.to_frame()
    with pytest.raises(ft.OptionError, match="nothing says how replicates of a system differ"):
        ft.plan(scores, replicates=[1, 5], **options)


def test_no_variance() -> None:
    with pytest.warns(ft.FuzzytruthWarning, match="all variances that errors consist of are 0"):
        found = ft.plan(components={"system": 0.1, "residual": 0.0}, half_width=0.01)
    assert found.best.queries == 2
    assert found.predict(2)["half_width"] == 0
    assert found.predict(2)["coefficient"] == 1


def test_curve() -> None:
    found = ft.plan(components=CROSSED, half_width=0.1, difference=0.2, subjects=[8, 12])
    curve = found.curve()
    assert [*curve] == [
        *("queries", "subjects", "replicates", "half_width", "std_error", "power"),
        *("coefficient", "judgments", "cost"),
    ]
    for _, rows in curve.groupby("subjects"):
        assert (rows["half_width"].diff().dropna() < 0).all()
        assert (rows["power"].diff().dropna() > -1e-9).all()
    assert curve["queries"].max() >= found.table["queries"].max()
    one = found.curve([10, 20], 8)
    assert one["half_width"].tolist() == [found.predict(n, 8)["half_width"] for n in (10, 20)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"components": CROSSED}, "name a target: half_width="),
        ({"half_width": 0.1}, "give the scores of a pilot, or variances, components="),
        ({"components": CROSSED, "half_width": 0}, "half_width=0: must be above 0"),
        ({"components": CROSSED, "half_width": "x"}, "half_width='x': must be a finite number"),
        ({"components": CROSSED, "coefficient": 0.9}, "take a component 'system' above 0"),
        ({"components": CROSSED, "coefficient": 1.5}, "coefficient=1.5: must lie between"),
        ({"components": CROSSED, "difference": 0.1, "of": "mean"}, "is of two systems"),
        ({"components": CROSSED, "difference": 0.1, "power": 2}, "power=2: must lie between"),
        ({"components": {"querry": 1}, "half_width": 1}, "'querry' is no component .*'query'"),
        ({"components": {"query": -1}, "half_width": 1}, "a variance must be 0 or more"),
        ({"components": 3, "half_width": 1}, r"components=3: must be \{component: variance\}"),
        (
            {"components": {"subject(query)": 1, "subject": 1}, "half_width": 1},
            "give one or the other",
        ),
        ({"components": CROSSED, "half_width": 1, "family": "two"}, "family='two': must be 'all p"),
        ({"components": CROSSED, "half_width": 1, "family": "all pairs"}, "give n_systems="),
        ({"components": CROSSED, "half_width": 1, "over": "world"}, "over='world': must be 'query"),
        ({"components": CROSSED, "half_width": 1, "queries": "3"}, "queries='3': must be a whole"),
        ({"components": CROSSED, "half_width": 1, "subjects": [0]}, "subjects=0: must be 1 or"),
        ({"components": CROSSED, "half_width": 1, "subjects": []}, "name at least one number"),
        ({"components": CROSSED, "half_width": 1, "budget": -1}, "budget=-1: must be above 0"),
        (
            {"components": CROSSED, "half_width": 1, "cost_per_query": -1},
            "cost_per_query=-1: must be 0 or more",
        ),
        ({"components": CROSSED, "half_width": 1, "systems": ["a"]}, "systems: is of a pilot"),
        ({"components": CROSSED, "half_width": 1, "measure": "AP"}, "measure='AP': is of a pilot"),
        ({"components": CROSSED, "half_width": 1, "level": 95}, "level=95: must lie between"),
        ({"components": CROSSED, "half_width": 1, "n_systems": 1}, "n_systems=1: must be 2"),
        ({"components": CROSSED, "half_width": 1, "of": "x"}, "of='x': must be one of"),
    ],
)
def test_mistakes(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ft.OptionError, match=message) as caught:
        ft.plan(**options)
    assert "\n" not in str(caught.value)


def test_mistakes_with_a_pilot() -> None:
    scores = pilot()
    for given, message in (
        ({"components": CROSSED}, "and not both"),
        ({"measure": "nope"}, "nope"),
        ({"systems": ["nope"]}, "nope"),
        ({"over": "world"}, "over='world'"),
    ):
        with pytest.raises(ft.OptionError, match=message):
            ft.plan(scores, half_width=0.1, **given)
    with pytest.raises(ft.FuzzytruthError, match="single query"):
        ft.plan(scores.select(queries=scores.queries[0]), half_width=0.1)
    single = scores.select(systems=scores.systems[0])
    with pytest.warns(ft.FuzzytruthWarning), pytest.raises(ft.DataError, match="single system"):
        ft.plan(single, half_width=0.1)
    with pytest.warns(ft.FuzzytruthWarning):
        mean = ft.plan(single, half_width=0.1, of="mean")
    assert mean.best is not None
    with pytest.raises(ft.FuzzytruthError):
        ft.plan("scores.csv", half_width=0.1)


def test_several_measures_and_systems_that_matter() -> None:
    scores = pilot(n_queries=8)
    pairs = itertools.combinations(scores.systems, 2)
    widths = [ft.plan(scores, systems=pair, **WIDE).predict(30, 5) for pair in pairs]
    assert len({round(one["half_width"], 9) for one in widths}) == 6
    assert ft.plan(scores, systems=scores.systems[:2], **WIDE).n_comparisons == 1
    frame = scores.to_frame()
    both = ft.Scores.from_frame(pd.concat([frame.assign(measure=name) for name in ("AP", "RR")]))
    with pytest.raises(ft.OptionError, match="measure=: the pilot has 2"):
        ft.plan(both, half_width=0.1)
    assert ft.plan(both, measure="map", **WIDE).measure == "AP"


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.MissingQueryWarning")
@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.UndefinedMeasureWarning")
def test_max_t_is_not_said_to_be_narrower_whatever_the_scores() -> None:
    scores = ft.evaluate(*ft.datasets.load_clef_tar2017(), "AP", worlds="subject")
    max_t, bonferroni = (
        ft.compare(scores, over="query", correction=correction).to_frame()
        for correction in (None, "bonferroni")
    )
    widths = [(one["upper"] - one["lower"]).mean() for one in (max_t, bonferroni)]
    assert widths[0] / widths[1] == pytest.approx(1.14, abs=0.03)  # docs/guide/planning.md
    found = ft.plan(components=CROSSED, n_systems=8, over="query", subjects=[3], half_width=0.05)
    assert "narrower where scores are about normal, and may be wider" in said(found)


def test_a_floor_is_shown_as_larger_than_what_was_asked_for() -> None:
    """Not "±0.1 takes more, as 5 subjects give ±0.1"."""
    assumed = {"system:query": 0.01, "system:subject": 0.001, "residual": 0.01}
    floor = ft.plan(components=assumed, half_width=1e-3, subjects=[5]).to_frame(full=True)
    asked = float(f"{floor['floor'].iloc[0]:.2g}")
    asked -= 0.01 * (asked >= floor["floor"].iloc[0])
    text = " ".join(str(ft.plan(components=assumed, half_width=asked, subjects=[5, 9])).split())
    shown = float(text.split("(±")[1].split(" ")[0])
    assert shown > asked


def test_what_is_not_shown_is_not_explained() -> None:
    assumed = {"system": 0.02, "system:query": 0.01, "system:subject": 0.001, "residual": 0.01}
    reached = str(ft.plan(components=assumed, coefficient=0.9, n_systems=5))
    assert "Half-widths" not in reached
    assert "Bonferroni" not in reached
    found = str(ft.plan(components=assumed, difference=0.1, n_systems=5))
    assert "Half-widths" not in found
    assert "Bonferroni" in found
    said = " ".join(str(ft.plan(components=assumed, budget=2000, n_systems=5)).split())
    assert "For a budget of 2,000, each" in said
    one = "Judgments: one for each query and subject, as no number per query was given."
    assert one in said
    known = ft.plan(components=assumed, budget=2000, n_systems=5, judgments_per_query=20)
    assert one not in " ".join(str(known).split())
