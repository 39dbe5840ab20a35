"""Scores as levels of effects."""

from __future__ import annotations

import numpy as np
import pytest
from support.scores_for_tests import scores_of

from fuzzytruth.annotators.planning.measure_components import component_table, systems_of
from fuzzytruth.core.crossed import QUERY, SUBJECT, SYSTEM


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
    assert [*one.names.values()][-1] == "residual"
