"""Part (a): Figure 1."""

import pytest
from support.printed import column, golden

from paper_repro import examples, figure1


def test_figure_1() -> None:
    expected = golden("santini_figure1")
    assert expected["taxonomy"] == examples.TREE
    assert sorted(expected["assignments"].values()) == sorted(examples.FIGURE_1_VOTES)
    m = examples.figure1_membership()
    result = {node: m.probability("fig1", node) for node in m.taxonomy}
    assert result == pytest.approx(expected["membership"], abs=1e-15)
    assert {n: float(p) for n, p in figure1.PRINTED_FIGURE.items()} == expected["membership"]
    assert set(column(figure1.figure1_table(), "agrees")) == {"yes"}


def test_the_drawn_tree_shows_the_printed_numbers() -> None:
    (ax,) = figure1.figure1_drawn().figure.axes
    words = [text.get_text() for text in ax.texts]
    pairs = dict(zip(words[::2], words[1::2], strict=True))
    assert pairs == figure1.PRINTED_FIGURE
