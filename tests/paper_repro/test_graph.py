"""A graph that is no tree: every path counted, and every subject counted once."""

import pytest
from support.printed import column

from paper_repro import graph


def paths(node: str, target: str) -> int:
    """Number of ways down from one category to another."""
    if node == target:
        return 1
    return sum(paths(child, target) for child in graph.GRAPH.get(node, ()))


def test_bottom_up_counts_a_vote_for_each_path() -> None:
    for node, total in graph.double_counted().items():
        by_paths = sum(paths(node, vote) for vote in graph.GRAPH_VOTES) / 5
        assert total == pytest.approx(by_paths, abs=1e-12)
    assert graph.double_counted()["all"] == pytest.approx(1.2)


def test_shares_count_each_subject_once() -> None:
    m = graph.graph_membership()
    assert not m.taxonomy.is_tree
    for node in m.taxonomy:
        below = sum(paths(node, vote) > 0 for vote in graph.GRAPH_VOTES) / 5
        assert m.probability("fig1", node) == pytest.approx(below, abs=1e-12)
    rows = dict(zip(column(graph.graph_table(), "category"), graph.graph_table().rows, strict=True))
    assert rows["all"][2:] == ("1.2", "1", "counted twice")
    assert rows["city"][2:] == ("0.6", "0.6", "")
