"""Validation of edges (parent, child): they must form one rooted acyclic graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Bools, Ints
from fuzzytruth.core.hierarchy import find_cycle, topological_order
from fuzzytruth.data.taxonomy.rooted_graph import RootedGraph
from fuzzytruth.errors import TaxonomyError, first_few, nearest, shown, shown_all
from fuzzytruth.io.columns import Locate, check_ids, check_text, encode, first_duplicate_row
from fuzzytruth.io.taxonomies import Edges

if TYPE_CHECKING:
    import pyarrow as pa


_LISTED = 10  # roots named in an error


@dataclass(frozen=True, slots=True)
class CheckedEdges:
    """Edges that form one rooted acyclic graph.

    Parameters
    ----------
    names : (nodes,) tuple of str
    parent, child : (edges,)
        Indices into `names`.
    """

    names: tuple[str, ...]
    parent: Ints
    child: Ints


def check_edges(edges: Edges, root: str | None) -> CheckedEdges:
    """Validate edges, and join several roots under the one named, if any.

    Parameters
    ----------
    edges : Edges
    root : str or None
        Name of a category to put above all that have no parent, if these are several.

    Raises
    ------
    TaxonomyError
        An edge leads from a node to itself or occurs twice, the edges have a cycle, a parent is
        unknown although roots are marked, there are no nodes, or several roots and no name to join
        them under.
    DataError
        A name is missing or empty.
    """
    import pyarrow as pa

    child = check_ids(edges.child, "child", edges.locate)
    parent = check_text(edges.parent, "parent", edges.locate)
    has_parent = np.array([name not in (None, "") for name in parent.to_pylist()], dtype=bool)
    rows = np.flatnonzero(has_parent)
    below = child.filter(pa.array(has_parent.tolist(), pa.bool_()))
    above = parent.filter(pa.array(has_parent.tolist(), pa.bool_()))
    alone = check_ids(edges.alone, "category", edges.where)
    _check_pairs(above, below, rows, edges.locate)
    codes, distinct = encode(pa.concat_arrays([above, below, child, alone]))
    names = tuple(distinct.to_pylist())
    if not names:
        raise TaxonomyError(f"{edges.where}: it has no categories")
    ends = codes[: 2 * len(rows)].astype(np.int64)
    checked = CheckedEdges(names, ends[: len(rows)], ends[len(rows) :])
    _check_cycles(checked, edges.where)
    marked = np.unique(codes[2 * len(rows) :][: len(child)][~has_parent])
    _check_parents(checked, marked, rows, edges)
    return _one_root(checked, root, edges.where)


def _check_pairs(
    above: pa.LargeStringArray, below: pa.LargeStringArray, rows: Ints, locate: Locate
) -> None:
    """Reject edges from a node to itself, and duplicates."""
    pairs = zip(above.to_pylist(), below.to_pylist(), strict=True)
    for row, (parent, child) in enumerate(pairs):
        if parent == child:
            raise TaxonomyError(
                f"{locate(int(rows[row]))}: {shown(child)} is its own parent; remove this edge"
            )
    repeat = first_duplicate_row([above, below])
    if repeat is not None:
        first, second = (int(rows[row]) for row in repeat)
        parent, child = (column[repeat[1]].as_py() for column in (above, below))
        raise TaxonomyError(
            f"{locate(second)}: {shown(child)} is given twice as a child of {shown(parent)} "
            f"(first: {locate(first)}); remove one"
        )


def _check_cycles(given: CheckedEdges, where: str) -> None:
    order, _ = topological_order(given.parent, given.child, len(given.names))
    if len(order) == len(given.names):
        return
    unsorted = np.setdiff1d(np.arange(len(given.names)), order)
    cycle = find_cycle(given.parent, given.child, unsorted, len(given.names))
    path = " → ".join(given.names[node] for node in cycle)
    raise TaxonomyError(
        f"{where}: the edges form a cycle: {path}; a category must not be its own ancestor, so "
        "remove one of these edges"
    )


def _roots(given: CheckedEdges) -> Ints:
    return np.setdiff1d(np.arange(len(given.names)), given.child)


def _check_parents(given: CheckedEdges, marked: Ints, rows: Ints, edges: Edges) -> None:
    """If any root is marked as such, every other parent must itself have a parent."""
    if not len(marked):
        return
    both = np.intersect1d(marked, given.child)
    if len(both):
        name = given.names[both[0]]
        raise TaxonomyError(
            f"{edges.where}: {shown(name)} is given without a parent and also as a child of "
            f"{shown(given.names[given.parent[given.child == both[0]][0]])}; keep one of the two"
        )
    unknown = np.setdiff1d(_roots(given), marked)
    used = np.flatnonzero(np.isin(given.parent, unknown))
    if len(used):
        name = given.names[given.parent[used[0]]]
        known = [other for other in given.names if other != name]
        raise TaxonomyError(
            f"{edges.locate(int(rows[used[0]]))}: parent {shown(name)} of "
            f"{shown(given.names[given.child[used[0]]])} is unknown{nearest(name, known)}; give "
            "it a parent, or none if it is a root"
        )


def _one_root(given: CheckedEdges, root: str | None, where: str) -> CheckedEdges:
    """Join several roots under the name `root`."""
    roots = _roots(given)
    if len(roots) == 1:
        return given
    if root is None:
        known = [given.names[node] for node in np.unique(given.child).tolist()]

        def with_nearest(node: int) -> str:
            return shown(given.names[node]) + nearest(given.names[node], known, limit=1)

        listed = first_few(roots.tolist(), _LISTED, show=with_nearest)
        raise TaxonomyError(
            f"{where}: there are {len(roots)} roots, categories without a parent: "
            f"{listed}; correct the names, or name a root to join them: "
            "root='all'"
        )
    [name] = check_ids([root], "root", where).to_pylist()
    names = given.names
    if name not in names:
        names = (*names, name)
    top = names.index(name)
    if top < len(given.names) and top not in roots:
        above = names[given.parent[given.child == top][0]]
        raise TaxonomyError(
            f"{where}: root={shown(name)} lies below {shown(above)}; give a new name, or one of "
            f"the {len(roots)} roots: {shown_all(names[node] for node in roots.tolist())}"
        )
    joined = roots[roots != top]
    return CheckedEdges(
        names,
        np.concatenate((np.full(len(joined), top), given.parent)),
        np.concatenate((joined, given.child)),
    )


# Removal of nodes from a rooted acyclic graph.


def reattached_edges(graph: RootedGraph, removed: Bools) -> tuple[Ints, Ints]:
    """Edges among the nodes kept, children of removed ones attached to the parents of these.

    Returns
    -------
    parent, child : (edges,)
        Sorted by child, each edge once.
    """
    parent, child = graph.edges()
    inside = ~removed[child]
    parent, child = parent[inside], child[inside]
    while removed[parent].any():  # one level up at a time
        gone = removed[parent]
        owner, position = graph.up.gather(parent[gone])
        parent = np.concatenate((parent[~gone], graph.up.targets[position]))
        child = np.concatenate((child[~gone], child[gone][owner]))
        child, parent = np.divmod(np.unique(child * len(graph) + parent), len(graph))
    return parent, child


def unreachable_without(graph: RootedGraph, removed: Bools) -> Bools:
    """Removed nodes, and nodes all of whose paths to the root lead through one, (nodes,)."""
    out = removed.copy()
    parent, child = graph.edges()
    starts = np.searchsorted(graph.level, np.arange(int(graph.level[-1]) + 2))
    edge_starts = np.searchsorted(child, starts)
    for first, last in zip(edge_starts[1:-1].tolist(), edge_starts[2:].tolist(), strict=True):
        reachable = np.zeros(len(graph), dtype=bool)
        reachable[child[first:last][~out[parent[first:last]]]] = True
        on_level = np.unique(child[first:last])
        out[on_level] |= ~reachable[on_level]
    return out
