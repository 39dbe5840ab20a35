"""Shares of the variance of a score, and of the error of a difference, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.scores_for_tests import scores_of

from fuzzytruth.annotators.planning.measure_components import (
    DIFFERENCE,
    SCORE,
    MeasureComponents,
    component_table,
    components_of,
    systems_of,
)
from fuzzytruth.annotators.planning.variance_components import VarianceComponents

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
