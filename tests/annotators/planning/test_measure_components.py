"""Components of one measure: scores as levels of effects, coefficients of a panel, and shares."""

from dataclasses import replace

import numpy as np
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.annotators.planning.measure_components import (
    DIFFERENCE,
    SCORE,
    MeasureComponents,
    coefficients_of,
    component_table,
    components_of,
    interval,
    systems_of,
)
from fuzzytruth.annotators.planning.variance_components import VarianceComponents
from fuzzytruth.core.crossed import QUERY, REPLICATE, SUBJECT, SYSTEM

RUN = SYSTEM | REPLICATE


def table(y: np.ndarray, **given: object):
    scores = scores_of(y)
    replicates = given.get("replicate_of")
    return component_table(
        scores, 0, systems_of(scores, replicates), nested=bool(given.get("nested"))
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


def test_the_panel_where_values_are_missing() -> None:
    """Query 0 has one subject, query 1 two: weights 1/2, and 1/4 each."""
    y = np.random.default_rng(0).normal(size=(2, 2, 2))
    y[:, 1, 0] = np.nan
    one = table(y)
    panel = dict(zip(one.names.values(), one.panel(one.layout()), strict=True))
    assert panel["system:query"] == panel["query"] == pytest.approx(1 / 2)
    assert panel["system:subject"] == pytest.approx(0.75**2 + 0.25**2)
    assert panel["residual"] == pytest.approx(0.5**2 + 2 * 0.25**2)
    assert one.n_missing == 0  # no system has them
    y[0, 0, 1] = np.nan
    assert table(y).n_missing == 1


def test_what_systems_have_in_common_cancels_where_none_lacks_it() -> None:
    """Half the variance of each pair's difference, from the weights of all values."""
    y = np.random.default_rng(0).normal(size=(3, 2, 5))
    whole = table(y)
    layout = whole.layout()
    own = [bool(effect & 1) for effect in layout.effects]
    assert whole.differences(layout) == pytest.approx(np.where(own, whole.panel(layout), 0))
    assert (whole.differences(layout)[~np.array(own)] == 0).all()
    y[0, :, :2] = y[1, 0, 3] = np.nan
    one = table(y)
    layout = one.layout()
    weight = np.zeros((3, len(one.values)))
    for value, (system, query) in enumerate(zip(one.system, one.query, strict=True)):
        of_query = ((one.system == system) & (one.query == query)).sum()
        n_queries = len(np.unique(one.query[one.system == system]))
        weight[system, value] = 1 / of_query / n_queries
    for code, found in zip(layout.codes, one.differences(layout), strict=True):
        sums = np.array([np.bincount(code, row) for row in weight])
        pairs = [((sums[a] - sums[b]) ** 2).sum() / 2 for a, b in ((0, 1), (0, 2), (1, 2))]
        assert found == pytest.approx(np.mean(pairs), abs=1e-14)


def test_sizes() -> None:
    one = table(np.random.default_rng(0).normal(size=(3, 2, 5)), nested=True)
    assert one.sizes(SYSTEM, QUERY, SUBJECT) == "3 systems, 5 queries, 10 subjects"


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


def test_replicates_have_a_share_of_their_own() -> None:
    effects = (SYSTEM, RUN, QUERY, SYSTEM | QUERY, RUN | QUERY)
    found = values(effects, [4, 1, 100, 2, 6], [1, 1 / 2, 1 / 10, 1 / 10, 1 / 20])
    error = 1 / 2 + 2 / 10 + 6 / 20
    assert found["relative"] == pytest.approx(4 / (4 + error))
    assert found["absolute"] == pytest.approx(4 / (4 + error + 10))
    assert found["share of queries"] == pytest.approx(0.2)
    assert found["share of replicates"] == pytest.approx(0.8)
    assert "disagreement" not in found


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


def test_intervals_are_of_what_is_defined() -> None:
    draws = np.append(np.linspace(0, 1, 101), np.nan)
    assert interval(draws, 0.9) == pytest.approx((0.05, 0.95))
    assert np.isnan(interval(np.full(3, np.nan), 0.9)).all()


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
    table = component_table(scores, 0, systems_of(scores, None), nested=False)
    found = components_of("m", table, 0.95)
    variance = np.array(list(VARIANCE.values()))
    assert found.names == tuple(VARIANCE)
    positive = variance.clip(min=0)
    return replace(found, variance=variance, draws=np.array([positive, positive[::-1]]))


def test_shares_of_a_score_are_those_of_its_positive_components(one: MeasureComponents) -> None:
    frame = one.shares(1.0)
    score = frame[frame["of"] == SCORE]
    assert score["component"].tolist() == list(one.names)
    assert score["share"].tolist() == pytest.approx([0.4, 0.2, 0.1, 0.2, 0.05, -0.05, 0.05])
    # the ends of two draws, at level 1: the second has the values in reverse order
    assert score["lower"].tolist() == pytest.approx([0.05, 0, 0.05, 0.2, 0.05, 0, 0.05])
    assert score["upper"].tolist() == pytest.approx([0.4, 0.2, 0.1, 0.2, 0.1, 0.2, 0.4])


def test_what_all_systems_share_is_no_error_of_a_difference(one: MeasureComponents) -> None:
    frame = one.shares(0.95)
    error = frame[frame["of"] == DIFFERENCE].set_index("component")["share"]
    parts = {"system:query": 2.0 / 5, "system:subject": 0.5 / 2, "residual": 0.5 / 10}
    total = sum(parts.values())
    assert error.tolist() == pytest.approx([part / total for part in parts.values()])
    assert error.index.tolist() == [*parts]


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
