"""Edges between categories, as they were given and before they are checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fuzzytruth.core.validation import holds_several, option_flag
from fuzzytruth.errors import DataError, TaxonomyError, counted, shown
from fuzzytruth.io.column_request import ColumnRequest
from fuzzytruth.io.objects import table_of
from fuzzytruth.io.origin import Locate, locate_by_row


@dataclass(frozen=True, slots=True)
class Edges:
    """The columns parent and child of a taxonomy.

    Parameters
    ----------
    parent : sequence, (edges,)
        None, NaN or "" where the child is marked as a root.
    child : sequence, (edges,)
    locate : callable
        Names the place of an edge.
    where : str
        Names the source of all edges.
    alone : sequence
        Names that may occur without an edge.
    """

    parent: Sequence[Any]
    child: Sequence[Any]
    locate: Locate
    where: str
    alone: Sequence[Any] = ()


# Edges of taxonomies from Python objects: mappings, pairs, nested mappings, frames, graphs.


def _located_by_ends(pairs: list[tuple[Any, Any]], where: str, alone: list[Any]) -> Edges:
    """Edges whose place in messages is their parent and child."""

    def locate(row: int) -> str:
        parent, child = pairs[row]
        return f"{where}, parent {shown(parent)}, child {shown(child)}"

    return Edges([p for p, _ in pairs], [c for _, c in pairs], locate, where, alone)


def of_children(children: Mapping[Any, Iterable[Any]], where: str) -> Edges:
    """Edges of ``{parent: [child, ...]}``."""
    pairs, parents = [], []
    for parent, below in _entries(children, "{parent: [child, ...]}", where):
        if isinstance(below, Mapping) or not holds_several(below):
            hint = "; from_nested takes mappings" if isinstance(below, Mapping) else ""
            raise DataError(
                f"{where}, parent {shown(parent)}: {shown(below)} is not a list; give "
                f"{{parent: [child, ...]}}{hint}"
            )
        parents.append(parent)
        pairs += [(parent, child) for child in _in_order(below)]
    return _located_by_ends(pairs, where, parents)


def of_parents(parents: Mapping[Any, Any], where: str) -> Edges:
    """Edges of ``{child: parent}``, where a parent may be a list, or None for a root."""
    pairs: list[tuple[Any, Any]] = []
    for child, above in _entries(parents, "{child: parent}", where):
        listed = _in_order(above) if holds_several(above) else [above]
        pairs += [(parent, child) for parent in listed or [None]]
    return _located_by_ends(pairs, where, [])


def _entries(given: Any, form: str, where: str) -> list[tuple[Any, Any]]:
    """Keys and values of a mapping, or of a pandas Series, in which keys may recur."""
    if not isinstance(given, Mapping) and not hasattr(given, "items"):
        raise DataError(f"{where}: {shown(given)} is not a mapping; give {form}")
    return list(given.items())


def _in_order(names: Iterable[Any]) -> list[Any]:
    """Names in the order given; those of a set, whose order is arbitrary, sorted."""
    listed = list(names)
    return sorted(listed, key=str) if isinstance(names, (set, frozenset)) else listed


def of_pairs(pairs: Iterable[tuple[Any, Any]], where: str) -> Edges:
    """Edges of ``[(parent, child), ...]``."""
    if not holds_several(pairs):
        raise DataError(f"{where}: {shown(pairs)} is no list; give [(parent, child), ...]")
    listed = list(pairs)
    for row, pair in enumerate(listed):
        if not holds_several(pair):
            raise DataError(f"{where}, row {row + 1}: {shown(pair)} is not a pair (parent, child)")
        listed[row] = tuple(pair)
        if len(listed[row]) != 2:
            raise DataError(
                f"{where}, row {row + 1}: {shown(pair)} has "
                f"{counted(len(listed[row]), 'part')}; give "
                "(parent, child)"
            )
    return Edges([p for p, _ in listed], [c for _, c in listed], locate_by_row(where), where)


def of_nested(nested: Mapping[Any, Any], where: str) -> Edges:
    """Edges of ``{root: {child: {grandchild: {}}}}``, in which a list of names is a list of leaves.

    A category that occurs several times needs its children in one place only.
    """
    if not isinstance(nested, Mapping):
        raise DataError(f"{where}: {shown(nested)} is not a mapping; give {{root: {{child: ...}}}}")
    pairs: list[tuple[Any, Any]] = []
    stack: list[tuple[Any, Any]] = list(nested.items())[::-1]
    while stack:  # no recursion, as nesting may exceed the depth of calls in Python
        name, inner = stack.pop()
        children = list(_children(name, inner, where))
        pairs += [(name, child) for child, _ in children]
        stack += reversed(children)
    return _located_by_ends(pairs, where, list(nested))


def _children(name: Any, inner: Any, where: str) -> Iterator[tuple[Any, Any]]:
    """The children of a category in a nested form, each with its own nested children."""
    if inner is None:
        return
    if isinstance(inner, Mapping):
        yield from inner.items()
    elif isinstance(inner, (list, tuple, set, frozenset)):
        for part in _in_order(inner):
            if isinstance(part, Mapping):
                yield from part.items()
            else:
                yield part, None
    else:
        raise TaxonomyError(
            f"{where}, category {shown(name)}: {shown(inner)} does not belong there; give a "
            "mapping of its children, or a list of names"
        )


def of_frame(frame: Any, columns: Mapping[str, Any] | None = None) -> Edges:
    """Edges of a table with columns parent and child, of any library."""
    table, origin = table_of(frame, edge_request(columns), "frame")
    return Edges(list(table["parent"]), list(table["child"]), origin, "frame")


def edge_request(columns: Mapping[str, Any] | None) -> ColumnRequest:
    """The columns of edges, under any of their usual names."""
    return ColumnRequest(("parent", "child"), (), "child", columns=columns)


def of_networkx(graph: Any, reverse: bool) -> Edges:
    """Edges of a directed NetworkX graph, from parent to child unless `reverse`."""
    if not (hasattr(graph, "edges") and hasattr(graph, "is_directed")):
        raise DataError(f"graph: {shown(graph)} is not a NetworkX graph")
    if not graph.is_directed():
        raise DataError("graph: its edges have no direction; give a DiGraph, parent → child")
    option_flag("reverse", reverse)
    pairs = [(b, a) if reverse else (a, b) for a, b in graph.edges()]
    return _located_by_ends(pairs, "graph", list(graph.nodes))
