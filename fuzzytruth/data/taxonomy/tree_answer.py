"""What is printed of a taxonomy: the tree, or its upper levels."""

from __future__ import annotations

import numpy as np

from fuzzytruth.data.taxonomy.rooted_graph import RootedGraph
from fuzzytruth.data.taxonomy.text import REPEATED, walk
from fuzzytruth.errors import counted
from fuzzytruth.io.answer import Column, Printed, Sentences, Table
from fuzzytruth.io.answer_rows import short_id

MOST_NODES = 25
_INDENT = "· "  # of a level


def tree_answer(graph: RootedGraph, name: str) -> Printed:
    """What `print` shows; `name` is the repr of the taxonomy."""
    deepest = _deepest(graph)
    rows = [row for row in walk(graph) if row[1] <= deepest][:MOST_NODES]
    below = np.diff(graph.descendant_offsets)  # each category itself among them
    names = (
        _INDENT * depth + short_id(node) + (f" {REPEATED}" if again else "")
        for node, depth, _, again in rows
    )
    numbers = tuple(f"{below[graph.code(node)] - 1:,}" for node, _, _, _ in rows)
    left_out = len(graph) - len({node for node, _, _, _ in rows})
    rest = f"{counted(left_out, 'category')} not shown: .to_text(), .subtree(name)"
    return Printed.of(
        f"Taxonomy of {name.partition('(')[2].removesuffix(')')}",
        Table((Column.label("category", names), Column("below", numbers))),
        Sentences.of(
            "Below: how many categories are below it, at any depth.",
            rest if left_out else "More: .to_text(), .to_frame(), .plot()",
        ),
    )


def _deepest(graph: RootedGraph) -> int:
    """The deepest level down to which all categories are shown; at least 1."""
    of_levels = np.cumsum(np.bincount(graph.level))
    return max(1, int(np.searchsorted(of_levels, MOST_NODES, side="right")) - 1)
