"""Figure 1, and a graph in which every path is counted, or every person once."""

import pytest
from support.printed import column, golden

from paper_repro import examples, figure1
from paper_repro.document import Cell


def test_figure_1() -> None:
    expected = golden("santini_figure1")
    assert expected["taxonomy"] == examples.TREE
    assert sorted(expected["assignments"].values()) == sorted(examples.FIGURE_1_VOTES)
    m = examples.figure1_membership()
    assert m.of_item("fig1") == pytest.approx(expected["membership"], abs=1e-15)
    assert {n: float(p) for n, p in figure1.PRINTED_FIGURE.items()} == expected["membership"]


def test_the_drawn_tree_shows_the_printed_numbers(story: list[Cell]) -> None:
    (drawn,) = (cell.value for cell in story if cell.name == "figure1")
    words = [text.get_text() for text in drawn.axes[0].texts]
    pairs = {name: float(p) for name, p in zip(words[::2], words[1::2], strict=True)}
    assert pairs == {name: float(p) for name, p in figure1.PRINTED_FIGURE.items()}


def paths(node: str, target: str) -> int:
    """Number of ways down from one category to another."""
    if node == target:
        return 1
    return sum(paths(child, target) for child in figure1.GRAPH.get(node, ()))


def test_bottom_up_counts_a_vote_for_each_path() -> None:
    for node, total in figure1.bottom_up().items():
        by_paths = sum(paths(node, vote) for vote in figure1.GRAPH_VOTES) / 5
        assert total == pytest.approx(by_paths, abs=1e-12)
    assert figure1.bottom_up()["all"] == pytest.approx(1.2)


def test_shares_count_each_subject_once() -> None:
    m = figure1.graph_membership()
    assert not m.taxonomy.is_tree
    for node in m.taxonomy:
        below = sum(paths(node, vote) > 0 for vote in figure1.GRAPH_VOTES) / 5
        assert m.probability("fig1", node) == pytest.approx(below, abs=1e-12)
    table = figure1.graph_table()
    rows = dict(zip(column(table, "category"), table.rows, strict=True))
    assert rows["all"][2:] == ("1.2", "1", "twice")
    assert rows["city"][2:] == ("0.6", "0.6", "")
