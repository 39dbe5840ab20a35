"""Layout of trees, and their boxes."""

import numpy as np
import pandas as pd
import pytest

from fuzzytruth.plots.tree_layout import (
    arrange_boxes,
    crossings,
    edge_path,
    texts_of,
    tree_of,
)

FRAME = pd.DataFrame({"parent": ["r", "r", "a", "r"], "child": ["a", "b", "x", "x"]})


def test_an_edge_leads_from_box_to_box_and_past_those_between() -> None:
    tree = tree_of(FRAME)
    boxes = arrange_boxes(tree, texts_of(tree, {}, {}, "g", " "), "down")
    root, node = tree.names.index("r"), tree.names.index("x")
    points, codes = edge_path(tree, boxes, root, node)
    assert len(points) == len(codes) == 2 + 4 * 2
    x, y = boxes.centre[root]
    assert points[0].tolist() == pytest.approx([x, y + boxes.size[root, 1] / 2])
    x, y = boxes.centre[node]
    assert points[-1].tolist() == pytest.approx([x, y - boxes.size[node, 1] / 2])
    on_level = np.flatnonzero(tree.level == 1)
    low = boxes.centre[on_level, 0] - boxes.size[on_level, 0] / 2
    high = boxes.centre[on_level, 0] + boxes.size[on_level, 0] / 2
    passing = points[4, 0]
    assert not ((low < passing) & (passing < high)).any()


def test_edges_pass_between_boxes() -> None:
    centre, breadth = np.array([10.0, 4.0, 16.0, 10.0]), np.array([4.0, 8.0, 8.0, 4.0])
    level = np.array([0, 1, 1, 2])
    assert crossings(centre, breadth, level, (0, 3), 2.0) == [10.0]
    assert crossings(centre - [20, 0, 0, 20], breadth, level, (0, 3), 2.0) == [-10.0]
    assert crossings(centre - [-8, 0, 0, -8], breadth, level, (0, 3), 2.0) == [22.0]
    assert crossings(centre, breadth, level, (0, 1), 2.0) == []
