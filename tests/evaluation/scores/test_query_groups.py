"""Clusters and strata of scores."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.errors import ClusterWarning
from fuzzytruth.evaluation.scores.summary import check_strata, observations_of, query_groups
from fuzzytruth.stats.observations import all_pairs, each_system

VALUES = np.random.default_rng(0).normal(size=(3, 6))
TOPICS = ("x", "y", "x", None, "y", "q3")
SCORES = scores_of(VALUES, query_attributes={"topic": TOPICS, "kind": ("k", "l") * 3})


def grouped(clusters: Any = None, strata: Any = None, scores: ft.Scores = SCORES) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClusterWarning)
        return query_groups(scores, clusters, strata)


def test_clusters_by_an_attribute_or_a_mapping() -> None:
    groups = grouped("topic")
    assert (groups.kind, groups.code.tolist(), groups.n) == ("clusters", [0, 1, 0, 2, 1, 3], 4)
    assert groups.names == ("x", "y", "q3", "q3")  # the fourth query is alone, and has that name
    listed = {"q4": "y", "q0": 7, "q1": "y", "q2": 7.0, "q5": np.nan}
    assert grouped(listed).code.tolist() == [0, 1, 0, 2, 1, 3]
    assert grouped() is None
    assert grouped(strata="kind").code.tolist() == [0, 1] * 3


def test_queries_may_be_named_by_numbers() -> None:
    scores = replace(SCORES, queries=tuple(str(q) for q in range(6)))
    groups = grouped({q: q // 2 for q in range(6)}, scores=scores)
    assert (groups.code.tolist(), groups.names) == ([0, 0, 1, 1, 2, 2], ("0", "1", "2"))


def messages(clusters: Any, scores: ft.Scores = SCORES) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        query_groups(scores, clusters, None)
        query_groups(scores, clusters, None, quiet=True)
    assert all(each.category is ClusterWarning for each in caught)
    return [str(each.message) for each in caught]


def test_one_warning_counts_the_queries_without_a_cluster() -> None:
    few = "intervals may cover less than their level below 10"
    assert messages({"q1": "x", "q2": "x"}) == [
        "clusters: 4 queries are in no cluster and count as clusters of their own",
        f"clusters: 5 clusters of different sizes (1 to 2 queries); {few}",
    ]
    assert messages("topic") == [
        "clusters: 1 query is in no cluster and counts as a cluster of its own",
        f"clusters: 4 clusters of different sizes (1 to 2 queries); {few}",
    ]
    assert messages("kind") == []  # of one size
    many = scores_of(np.zeros((2, 30)))
    assert messages({f"q{q}": q % 10 for q in range(29)} | {"q29": 1}, many) == []
    assert messages({f"q{q}": q % 9 for q in range(29)} | {"q29": 1}, many) == [
        f"clusters: 9 clusters of different sizes (3 to 5 queries); {few}"
    ]


@pytest.mark.parametrize(
    ("clusters", "strata", "words"),
    [
        ("topic", "kind", "clusters, strata: give one of the two; there are two levels at most"),
        (
            "topics",
            None,
            r"clusters='topics': is no attribute .*'topic', 'kind'\); name a column",
        ),
        (None, "year", "strata='year': .* to Scores.from_frame"),
        ({"q11": "x", "q1": "x"}, None, r"clusters: 'q11' is no query .*\(nearest: 'q1'"),
        (None, {"a": 1, "b": 2}, "strata: 'a', 'b' are no queries of these scores$"),
        (None, {"q1": "x"}, "strata: 5 queries have no stratum, the first is 'q0'"),
        (None, "topic", "strata: 1 query has no stratum, the first is 'q3'"),
        (["x"], None, r"clusters=\['x'\]: must be {query: cluster}, or the name of an attribute"),
        (None, 3, "strata=3: must be {query: stratum}, or the name"),
    ],
)
def test_groups_that_are_refused(clusters: Any, strata: Any, words: str) -> None:
    with pytest.raises(ft.OptionError, match=words):
        query_groups(SCORES, clusters, strata)


def test_scores_without_attributes() -> None:
    words = r"clusters='topic': .*\(they have none\); name a column .* or give {query: "
    with pytest.raises(ft.OptionError, match=words):
        query_groups(scores_of(VALUES), "topic", None)


def test_queries_alone_are_random() -> None:
    scores = scores_of(VALUES[:, None] * [[1], [2]], query_attributes={"kind": ("k", "l") * 3})
    for over in (("subject",), ("query", "subject"), ("query", "world")):
        with pytest.raises(
            ft.OptionError, match=r"clusters: group queries, and here .* two levels"
        ):
            query_groups(scores, "kind", None, over)
    nested = replace(scores, design="nested")
    assert query_groups(nested, "kind", None, ("query", "subject")).n == 2
    with pytest.raises(ft.OptionError, match="here subjects are random"):
        query_groups(nested, "kind", None, ("subject",))


def test_observations_carry_groups() -> None:
    groups = grouped("topic")
    assert observations_of(SCORES, 0, groups).groups is groups
    assert observations_of(SCORES, 0).groups is None


def test_a_stratum_of_one_is_named() -> None:
    pairs, systems = all_pairs(3), SCORES.systems
    check_strata(observations_of(SCORES, 0, grouped(strata="kind")), pairs, systems)
    check_strata(observations_of(SCORES, 0), pairs, systems)
    check_strata(observations_of(SCORES, 0, grouped("topic")), pairs, systems)
    alone = grouped(strata={f"q{q}": "one" if q == 5 else "rest" for q in range(6)})
    words = r"strata: stratum 'one' is a stratum of one \(values of 'sys0'\): nothing is known of"
    with pytest.raises(ft.DataError, match=words):
        check_strata(observations_of(SCORES, 0, alone), each_system(3), systems)
    values = VALUES.copy()
    values[1, [1, 3]] = np.nan
    values[2, [1]] = np.nan
    scores = scores_of(values, query_attributes=SCORES.query_attributes)
    observed = observations_of(scores, 0, grouped(strata="kind", scores=scores))
    with pytest.raises(ft.DataError, match=r"stratum 'l' .* \(values of 'sys0' minus 'sys1'\)"):
        check_strata(observed, pairs, systems)
    values[1, 5] = np.nan  # without any value there, the stratum is left out of that pair
    scores = scores_of(values)
    check_strata(
        observations_of(scores, 0, grouped(strata={f"q{q}": q % 2 for q in range(6)})),
        pairs,
        systems,
    )
