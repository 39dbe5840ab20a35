"""A taxonomy as text: a tree with branches for reading, indented names for files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fuzzytruth.data.taxonomy.rooted_graph import RootedGraph
from fuzzytruth.errors import DataError, shown

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
