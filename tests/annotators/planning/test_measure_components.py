"""Components of one measure: scores as levels of effects, coefficients of a panel, and shares."""

from dataclasses import replace

import numpy as np
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.annotators.planning.measure_components import (
    MeasureComponents,
    coefficients_of,
    component_table,
    components_of,
    runs_of,
)
from fuzzytruth.annotators.planning.variance_components import VarianceComponents
from fuzzytruth.core.crossed import QUERY, REPLICATE, SUBJECT, SYSTEM

RUN = SYSTEM | REPLICATE


def table(y: np.ndarray, **given: object):
    scores = scores_of(y)
    replicates = given.get("replicate_of")
    return component_table(
        scores, 0, runs_of(scores, replicates)[1], nested=bool(given.get("nested"))
    )


def test_the_panel_of_a_complete_table() -> None:
    """Two runs each of two systems, three subjects, four queries."""
    y = np.random.default_rng(0).normal(size=(4, 3, 4))
    one = table(y, replicate_of={"sys0": "a", "sys1": "a", "sys2": "b", "sys3": "b"})
    panel = dict(zip(one.names.values(), one.panel(one.layout()), strict=True))
    assert panel == pytest.approx(
        {
            "system": 1,
            "replicate": 1 / 2,
            "query": 1 / 4,
            "subject": 1 / 3,
            "system:query": 1 / 4,
            "replicate:query": 1 / 8,
            "system:subject": 1 / 3,
            "replicate:subject": 1 / 6,
            "query:subject": 1 / 12,
            "system:query:subject": 1 / 12,
            "residual": 1 / 24,
        }
    )


def values(effects: tuple[int, ...], components: list[float], panel: list[float], *more) -> dict:
    given = np.array(components)
    found = coefficients_of(effects, given, given[None], np.array(panel), 0.95, *more)
    for value, lower, _ in found.values():
        assert lower == pytest.approx(value, nan_ok=True)
    return {name: one[0] for name, one in found.items()}


def test_coefficients_of_queries_alone() -> None:
    """Brennan 2001, synthetic data set 1: 12 items, Eρ² = .844, Φ = .773."""
    effects = (SYSTEM, QUERY, SYSTEM | QUERY)
    found = values(effects, [0.0574, 0.0754, 0.1269], [1, 1 / 12, 1 / 12])
    assert found == pytest.approx({"relative": 0.844, "absolute": 0.773}, abs=5e-4)
    # queries that systems lack add to the relative error
    gaps = np.array([1, 0.06, 1 / 7])
    found = values(effects, [0.01, 0.05, 0.01], [1, 1 / 7, 1 / 7], gaps)
    assert found["relative"] == pytest.approx(0.01 / (0.01 + 0.05 * 0.06 + 0.01 / 7))
    assert found["absolute"] == pytest.approx(0.01 / (0.01 + 0.06 / 7))
    none = values(effects, [0, 1, 0], [1, 1, 1])
    assert np.isnan(none["relative"])
    assert none["absolute"] == 0
    assert values((QUERY, SUBJECT, QUERY | SUBJECT), [1, 1, 1], [1, 1, 1]) == {}


def test_replicates_and_subjects() -> None:
    effects = (SYSTEM, RUN, QUERY, SUBJECT, SYSTEM | QUERY, RUN | QUERY, SYSTEM | SUBJECT)
    effects += (RUN | SUBJECT, QUERY | SUBJECT, SYSTEM | QUERY | SUBJECT, RUN | QUERY | SUBJECT)
    found = values(effects, [1.0] * 11, [1.0] * 11)
    assert found["share of queries"] == pytest.approx(1 / 7)
    assert found["share of subjects"] == pytest.approx(1 / 7)
    assert found["share of query:subject"] == pytest.approx(1 / 7)
    assert found["share of replicates"] == pytest.approx(4 / 7)
    assert found["disagreement"] == pytest.approx(2 / 7)
    assert found["absolute"] == pytest.approx(1 / 11)


def test_intervals_of_hardly_any_level_are_points() -> None:
    y = np.random.default_rng(1).normal(size=(4, 3, 6)) + np.arange(6)
    result = ft.variance_components(scores_of(y), level=1e-9)
    for frame in (result.to_frame(), result.coefficients()):
        np.testing.assert_allclose(frame["lower"], frame["upper"], rtol=1e-6)


VARIANCE = {
    "system": 4.0,
    "query": 2.0,
    "subject": 1.0,
    "system:query": 2.0,
    "system:subject": 0.5,
    "query:subject": -0.5,
    "residual": 0.5,
}


@pytest.fixture
def one() -> MeasureComponents:
    """Known variances of three systems, two subjects and five queries, and two draws of them."""
    scores = scores_of(np.random.default_rng(0).normal(size=(3, 2, 5)))
    table = component_table(scores, 0, runs_of(scores, None)[1], nested=False)
    found = components_of("m", table, 0.95)
    variance = np.array(list(VARIANCE.values()))
    assert found.names == tuple(VARIANCE)
    positive = variance.clip(min=0)
    return replace(found, variance=variance, draws=np.array([positive, positive[::-1]]))


def test_nothing_that_varies_has_no_shares(one: MeasureComponents) -> None:
    none = replace(one, variance=0 * one.variance, draws=0 * one.draws)
    assert none.shares(0.95)[["share", "lower", "upper"]].isna().all(axis=None)


def test_the_figure_names_sizes_and_what_is_below_0(one: MeasureComponents) -> None:
    found = VarianceComponents((one,), 0.95)._plot_data("variance_components")
    assert found.frame.equals(one.shares(0.95))
    assert found.title.splitlines() == [
        "m: shares of the variance (3 systems, 5 queries, 2 subjects)",
        "Lines: 95 % intervals",
        "Estimates below 0: query:subject",
    ]


#: 10 persons, 2 occasions, 4 items (Brennan 2001, synthetic data set 3): rows are items
OCCASIONS = [
    ["2455442306", "6559346458", "7648546447", "5766675556"],
    ["2655462656", "5747547658", "5557677658", "5756485436"],
]


#: 10 persons, 3 tasks of 4 raters each (Brennan 2001, synthetic data set 4): rows are raters
TASKS = [
    ["5937937594", "6345243894", "5735937584", "5733757783"],
    ["5753737763", "3531735565", "4534365566", "5553737455"],
    ["6765245355", "7753755287", "3513515111", "3265324111"],
]


def digits(tables: list[list[str]]) -> np.ndarray:
    """(tables, rows, persons) as (persons, rows, tables)."""
    array = np.array([[[*map(float, row)] for row in rows] for rows in tables])
    return array.transpose(2, 1, 0)


def test_three_crossed_factors_of_brennan() -> None:
    """Brennan 2001, tables 3.1 and 4.1: p × i × o; subjects are the two occasions."""
    values = digits([list(items) for items in zip(*OCCASIONS, strict=True)])
    result = ft.variance_components(scores_of(values))
    found = result.to_frame().set_index("component")["variance"].to_dict()
    both = ["system:query", "system:subject", "query:subject"]
    assert list(found) == ["system", "query", "subject", *both, "residual"]
    wanted = [0.5528, 0.4417, 0.0074, 0.5750, 0.1009, 0.1565, 0.9352]
    np.testing.assert_allclose([*found.values()], wanted, atol=5e-5)
    full = result.to_frame(full=True)
    assert full["df"].tolist() == [9, 3, 1, 27, 9, 3, 27]
    squares = [6.9111, 12.4833, 3.2, 2.0852, 1.3389, 2.5, 0.9352]
    np.testing.assert_allclose(full["mean_square"], squares, atol=5e-5)
    values_of = result.coefficients().set_index("coefficient")["value"]
    assert values_of["relative"] == pytest.approx(0.64, abs=0.005)
    assert values_of["absolute"] == pytest.approx(0.55, abs=0.005)
    error = 0.5750 / 4 + 0.1009 / 2 + 0.9352 / 8
    assert values_of["share of queries"] == pytest.approx(0.5750 / 4 / error, abs=1e-4)
    assert values_of["share of subjects"] == pytest.approx(0.1009 / 2 / error, abs=1e-4)
    assert values_of["disagreement"] == pytest.approx(1 - 0.5750 / 4 / error, abs=1e-4)


def test_nested_subjects_of_brennan() -> None:
    """Brennan 2001, table 3.2: p × (r:t)."""
    result = ft.variance_components(scores_of(digits(TASKS), design="nested"))
    found = result.to_frame().set_index("component")["variance"].to_dict()
    assert list(found) == ["system", "query", "subject(query)", "system:query", "residual"]
    wanted = [0.4731, 0.3252, 0.6475, 0.5596, 2.3802]
    np.testing.assert_allclose([*found.values()], wanted, atol=5e-5)
    values_of = result.coefficients().set_index("coefficient")["value"]
    assert values_of["relative"] == pytest.approx(0.55, abs=0.005)
    assert values_of["absolute"] == pytest.approx(0.46, abs=0.005)
    same = ft.variance_components(scores_of(digits(TASKS)), design="nested")
    assert same.to_frame().set_index("component")["variance"].to_dict() == found
