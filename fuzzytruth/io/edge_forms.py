"""Edges of taxonomies from Python objects: mappings, pairs, nested mappings, frames, graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from fuzzytruth.errors import DataError, TaxonomyError, shown
from fuzzytruth.io.column_names import columns_of, find_columns
from fuzzytruth.io.columns import locate_by_row
from fuzzytruth.io.edges import Edges

if TYPE_CHECKING:
    import pandas as pd


def _listed(pairs: list[tuple[Any, Any]], where: str, alone: list[Any]) -> Edges:
    """Edges that are located by their ends."""

    def locate(row: int) -> str:
        parent, child = pairs[row]
        return f"{where}, parent {shown(parent)}, child {shown(child)}"

    return Edges([p for p, _ in pairs], [c for _, c in pairs], locate, where, alone)


def of_children(children: Mapping[Any, Iterable[Any]], where: str) -> Edges:
    """Edges of ``{parent: [child, ...]}``."""
    pairs, names = [], []
    for parent, below in _items(children, "{parent: [child, ...]}", where):
        if isinstance(below, (str, bytes, Mapping)) or not isinstance(below, Iterable):
            hint = "; from_nested takes mappings" if isinstance(below, Mapping) else ""
            raise DataError(
                f"{where}, parent {shown(parent)}: {shown(below)} is not a list; give "
                f"{{parent: [child, ...]}}{hint}"
            )
        names.append(parent)
        pairs += [(parent, child) for child in _in_order(below)]
    return _listed(pairs, where, names)


def of_parents(parents: Mapping[Any, Any], where: str) -> Edges:
    """Edges of ``{child: parent}``, where a parent may be a list, or None for a root."""
    pairs: list[tuple[Any, Any]] = []
    for child, above in _items(parents, "{child: parent}", where):
        several = isinstance(above, Iterable) and not isinstance(above, (str, bytes))
        listed = _in_order(above) if several else [above]
        pairs += [(parent, child) for parent in listed or [None]]
    return _listed(pairs, where, [])


def _items(given: Any, form: str, where: str) -> list[tuple[Any, Any]]:
    """Keys and values of a mapping, or of a pandas Series, whose keys may occur again."""
    if not isinstance(given, Mapping) and not hasattr(given, "items"):
        raise DataError(f"{where}: {shown(given)} is not a mapping; give {form}")
    return list(given.items())


def _in_order(names: Iterable[Any]) -> list[Any]:
    """Names as given; those of a set, which has no order that would stay the same, sorted."""
    listed = list(names)
    return sorted(listed, key=str) if isinstance(names, (set, frozenset)) else listed


def of_pairs(pairs: Iterable[tuple[Any, Any]], where: str) -> Edges:
    """Edges of ``[(parent, child), ...]``."""
    listed = list(pairs)
    for row, pair in enumerate(listed):
        if isinstance(pair, (str, bytes)) or not isinstance(pair, Iterable):
            raise DataError(f"{where}, row {row + 1}: {shown(pair)} is not a pair (parent, child)")
        listed[row] = tuple(pair)
        if len(listed[row]) != 2:
            raise DataError(
                f"{where}, row {row + 1}: {shown(pair)} has {len(listed[row])} parts; give "
                "(parent, child)"
            )
    return Edges([p for p, _ in listed], [c for _, c in listed], locate_by_row(where), where)


def of_nested(nested: Mapping[Any, Any], where: str) -> Edges:
    """Edges of ``{root: {child: {grandchild: {}}}}``; lists may stand for mappings to nothing.

    A category that lies in several places has its own children in one of them.
    """
    if not isinstance(nested, Mapping):
        raise DataError(f"{where}: {shown(nested)} is not a mapping; give {{root: {{child: ...}}}}")
    pairs: list[tuple[Any, Any]] = []
    ahead: list[tuple[Any, Any]] = list(nested.items())[::-1]
    while ahead:  # a stack of our own: people nest deeper than Python calls
        name, inner = ahead.pop()
        below = list(_inside(name, inner, where))
        pairs += [(name, child) for child, _ in below]
        ahead += reversed(below)
    return _listed(pairs, where, list(nested))


def _inside(name: Any, inner: Any, where: str) -> Iterator[tuple[Any, Any]]:
    """The children of a category in a nested form, each with what is nested in it."""
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


def of_frame(frame: pd.DataFrame) -> Edges:
    """Edges of the columns parent and child."""
    found = find_columns(columns_of(frame, "frame"), ("parent", "child"), (), where="frame")
    parent, child = (frame[found[name]].tolist() for name in ("parent", "child"))
    return Edges(parent, child, locate_by_row("frame"), "frame")


def of_networkx(graph: Any, reverse: bool) -> Edges:
    """Edges of a directed graph."""
    if not (hasattr(graph, "edges") and hasattr(graph, "is_directed")):
        raise DataError(f"graph: {shown(graph)} is not a NetworkX graph")
    if not graph.is_directed():
        raise DataError("graph: its edges have no direction; give a DiGraph, parent → child")
    pairs = [(b, a) if reverse else (a, b) for a, b in graph.edges()]
    return _listed(pairs, "graph", list(graph.nodes))
