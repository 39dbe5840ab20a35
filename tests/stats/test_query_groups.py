"""Groups of queries."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.core.clusters import clustered_means, stratified_means
from fuzzytruth.stats.observations import QueryGroups

CODE = np.array([0, 1, 1, 0, 2, 2])
VALUES = np.array([[1.0, 2.0, 4.0, 6.0, 9.0, 8.0], [1.0, 2.0, np.nan, 6.0, np.nan, np.nan]])


def test_sizes_and_some_of_the_queries() -> None:
    groups = QueryGroups("clusters", CODE, 3, ("a", "b", "c"))
    assert groups.sizes.tolist() == [2, 2, 2]
    some = groups.select(np.array([True, False, False, True, True, False]))
    assert (some.kind, some.code.tolist(), some.n, some.names) == (
        "clusters",
        [0, 0, 1],
        2,
        ("a", "c"),
    )
    assert QueryGroups("strata", CODE, 3).select(CODE == 1).names == ()


def test_means_and_estimates() -> None:
    clusters, strata = QueryGroups("clusters", CODE, 3), QueryGroups("strata", CODE, 3)
    assert clusters.mean(VALUES) == pytest.approx([5, 3])
    assert strata.mean(VALUES) == pytest.approx([5, 2.75])
    np.testing.assert_array_equal(clusters.estimate(VALUES), clustered_means(VALUES, CODE, 3))
    np.testing.assert_array_equal(strata.estimate(VALUES), stratified_means(VALUES, CODE, 3))
    assert clusters.method == "t over clusters of queries"
    assert strata.method == "t over strata of queries"


def test_groups_with_a_single_value() -> None:
    expected = [[False, False, False], [False, True, False]]
    assert QueryGroups("strata", CODE, 3).singles(VALUES).tolist() == expected
