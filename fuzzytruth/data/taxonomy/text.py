"""A taxonomy as text: a drawn tree for people, an indented one for files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fuzzytruth.data.taxonomy.rooted_graph import RootedGraph
from fuzzytruth.errors import DataError, shown

_AGAIN = "(above)"


def drawn(
    tax: RootedGraph, values: Mapping[str, float], number: str, labels: Mapping[str, Any]
) -> str:
    """One line a category, below its parent; see `Taxonomy.to_text`."""
    bars: dict[int, str] = {}  # depth in the text -> what its line continues with further down
    rows: list[tuple[str, str, bool]] = []
    for node, depth, is_last, is_repeat in walk(tax):
        bars[depth] = "    " if is_last else "│   "
        before = "".join(bars[d] for d in range(1, depth))
        branch = ("└── " if is_last else "├── ") if depth else ""
        rows.append((before + branch + str(labels.get(node, node)), node, is_repeat))
    width = max(len(text) for text, _, _ in rows)
    lines = []
    for text, node, is_repeat in rows:
        value = format(values[node], number) if node in values else ""
        line = f"{text:<{width}}  {value}" if value else text
        lines.append(line + (f"  {_AGAIN}" if is_repeat else ""))
    return "\n".join(lines)


def indented(tax: RootedGraph) -> str:
    """One line a category, indented by tabs; below a repeated one its children are left out.

    Raises
    ------
    DataError
        A name cannot stand on a line of its own.
    """
    for name in tax.nodes:
        if name != name.strip() or len(name.splitlines()) != 1:
            raise DataError(
                f"category {shown(name)}: indented text cannot hold a name with white space at "
                "its ends or more than one line; write CSV, JSON or Parquet"
            )
    return "".join("\t" * depth + node + "\n" for node, depth, _, _ in walk(tax))


def walk(tax: RootedGraph) -> Iterator[tuple[str, int, bool, bool]]:
    """Nodes as a text tree lists them: name, depth, whether last of its siblings, whether repeated.

    A node with several parents is listed below each, its own children only the first time.
    """
    seen: set[int] = set()
    ahead: list[tuple[int, int, bool]] = [(0, 0, True)]
    while ahead:
        node, depth, is_last = ahead.pop()
        below = tax.down[node].tolist()
        yield tax.nodes[node], depth, is_last, node in seen
        if node not in seen:
            seen.add(node)
            ahead += [(child, depth + 1, child == below[-1]) for child in reversed(below)]
