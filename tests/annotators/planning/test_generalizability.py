"""Coefficients of a panel, by their definitions."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.annotators.planning.measure_components import coefficients_of, interval
from fuzzytruth.core.crossed import QUERY, REPLICATE, SUBJECT, SYSTEM

RUN = SYSTEM | REPLICATE


def values(effects: tuple[int, ...], components: list[float], panel: list[float]) -> dict:
    given = np.array(components)
    found = coefficients_of(effects, given, given[None], np.array(panel), 0.95)
    for value, lower, _ in found.values():
        assert lower == pytest.approx(value, nan_ok=True)
    return {name: one[0] for name, one in found.items()}


def test_queries_alone() -> None:
    """Brennan 2001, synthetic data set 1: 12 items, Eρ² = .844, Φ = .773."""
    found = values((SYSTEM, QUERY, SYSTEM | QUERY), [0.0574, 0.0754, 0.1269], [1, 1 / 12, 1 / 12])
    assert found == pytest.approx({"relative": 0.844, "absolute": 0.773}, abs=5e-4)


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


def test_a_single_system_has_none_and_no_variance_gives_nan() -> None:
    assert values((QUERY, SUBJECT, QUERY | SUBJECT), [1, 1, 1], [1, 1, 1]) == {}
    found = values((SYSTEM, QUERY, SYSTEM | QUERY), [0, 1, 0], [1, 1, 1])
    assert np.isnan(found["relative"])
    assert found["absolute"] == 0


def test_intervals_are_of_what_is_defined() -> None:
    draws = np.append(np.linspace(0, 1, 101), np.nan)
    assert interval(draws, 0.9) == pytest.approx((0.05, 0.95))
    assert np.isnan(interval(np.full(3, np.nan), 0.9)).all()


def test_queries_that_systems_lack_add_to_the_relative_error() -> None:
    """σ² = .01, .05, .01 of systems, queries, both: by hand."""
    given = np.array([0.01, 0.05, 0.01])
    effects, panel, gaps = (SYSTEM, QUERY, SYSTEM | QUERY), np.array([1, 1 / 7, 1 / 7]), 0.06
    found = coefficients_of(effects, given, given[None], panel, 0.95, np.array([1, gaps, 1 / 7]))
    value = {name: one[0] for name, one in found.items()}
    assert value["relative"] == pytest.approx(0.01 / (0.01 + 0.05 * gaps + 0.01 / 7))
    assert value["absolute"] == pytest.approx(0.01 / (0.01 + 0.06 / 7))
