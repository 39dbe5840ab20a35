"""A taxonomy as text: a tree with branches for reading, indented names for files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from fuzzytruth.data.taxonomy.rooted_graph import RootedGraph
from fuzzytruth.errors import DataError, counted, shown
from fuzzytruth.show.answer import Column, Printed, Sentences, Table
from fuzzytruth.show.answer_rows import short_id

REPEATED = "(above)"


def drawn(
    graph: RootedGraph, values: Mapping[str, float], number: str, labels: Mapping[str, Any]
) -> str:
    """One line for each category, below its parent; see `Taxonomy.to_text`."""
    bars: dict[int, str] = {}  # depth -> its part of the prefix of the lines below
    rows: list[tuple[str, str, bool]] = []
    for node, depth, is_last, is_repeat in walk(graph):
        bars[depth] = "    " if is_last else "│   "
        prefix = "".join(bars[d] for d in range(1, depth))
        branch = ("└── " if is_last else "├── ") if depth else ""
        rows.append((prefix + branch + str(labels.get(node, node)), node, is_repeat))
    width = max(len(text) for text, _, _ in rows)
    lines = []
    for text, node, is_repeat in rows:
        value = format(values[node], number) if node in values else ""
        line = f"{text:<{width}}  {value}" if value else text
        lines.append(line + (f"  {REPEATED}" if is_repeat else ""))
    return "\n".join(lines)


def indented(graph: RootedGraph) -> str:
    """One line for each category, indented by tabs; repeated ones without their children.

    Raises
    ------
    DataError
        A name cannot be written on a line of its own.
    """
    for name in graph.nodes:
        if name != name.strip() or len(name.splitlines()) != 1:
            raise DataError(
                f"category {shown(name)}: indented text cannot hold a name with leading or "
                "trailing white space or line breaks; write CSV, JSON or Parquet"
            )
    return "".join("\t" * depth + node + "\n" for node, depth, _, _ in walk(graph))


def walk(graph: RootedGraph) -> Iterator[tuple[str, int, bool, bool]]:
    """Depth-first walk: name, depth, whether last of its siblings, whether repeated.

    A node with several parents is listed below each, its children only the first time.
    """
    seen: set[int] = set()
    stack: list[tuple[int, int, bool]] = [(0, 0, True)]
    while stack:
        node, depth, is_last = stack.pop()
        children = graph.down[node].tolist()
        yield graph.nodes[node], depth, is_last, node in seen
        if node not in seen:
            seen.add(node)
            stack += [(child, depth + 1, child == children[-1]) for child in reversed(children)]


# What is printed of a taxonomy: the tree, or its upper levels.


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
