"""Rooted acyclic graphs of named nodes, checked, and the relations of their nodes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pa
from fuzzytruth._typing import Bools, Ints
from fuzzytruth.core import hierarchy
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import counted, first_few, nearest, shown, shown_all
from fuzzytruth.io import columns
from fuzzytruth.io.columns import Locate, check_ids, check_text, column_at, located, refuse_repeats
from fuzzytruth.io.ids import encode
from fuzzytruth.io.taxonomies import Edges

PathKind = Literal["longest", "shortest"]


_BETWEEN = re.compile(r"[,;|]")  # what may stand between several names in one cell


# No slots: cached properties need a `__dict__`.
@dataclass(frozen=True, eq=False, repr=False)
class RootedGraph:
    """A rooted acyclic graph.

    Parameters
    ----------
    nodes : tuple of str
        Parents before children, level by level; the root first.
    up : Adjacency
        From each node to its parents, in ascending order.
    level : (nodes,)
        Longest path from the root, in edges.
    """

    nodes: tuple[str, ...]
    up: hierarchy.Adjacency
    level: Ints

    def __post_init__(self) -> None:
        for array in (self.up.offsets, self.up.targets, self.level):
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[str]:
        return iter(self.nodes)

    def __contains__(self, name: object) -> bool:
        return name in self._code

    def __eq__(self, other: object) -> bool:
        """Whether nodes, their order and edges are the same, so that codes are interchangeable."""
        if not isinstance(other, RootedGraph):
            return NotImplemented
        return (
            self.nodes == other.nodes
            and np.array_equal(self.up.offsets, other.up.offsets)
            and np.array_equal(self.up.targets, other.up.targets)
        )

    def __hash__(self) -> int:
        return hash((self.nodes, self.up.offsets.tobytes(), self.up.targets.tobytes()))

    # Names and codes

    @property
    def root(self) -> str:
        """The node without parents."""
        return self.nodes[0]

    @property
    def is_tree(self) -> bool:
        """Whether no node has more than one parent."""
        return len(self.up.targets) == len(self.nodes) - 1

    @cached_property
    def _code(self) -> dict[str, int]:
        return {name: code for code, name in enumerate(self.nodes)}

    def code(self, name: str) -> int:
        """Index of a node in `nodes`.

        Raises
        ------
        TaxonomyError
            There is no such node.
        """
        code = self._code.get(name if isinstance(name, str) else str(name))  # as ids are read
        if code is None:
            raise errors.TaxonomyError(f"category {self._not_among(str(name))}")
        return code

    def _not_among(self, name: str, more: str = "") -> str:
        parts = [part.strip() for part in _BETWEEN.split(name)]
        remedy = "correct it, or add it to the taxonomy"
        if len(parts) > 1 and all(part in self._code for part in parts):
            remedy = f"it names {len(parts)} of them, so split it into {len(parts)} rows"
        return (
            f"{shown(name)} is not among the {len(self)} categories of the taxonomy"
            f"{nearest(name, self.nodes)}{more}; {remedy}"
        )

    def codes(
        self, names: Iterable[Any], *, where: str | Locate = "categories", column: str = "category"
    ) -> Ints:
        """Indices of many nodes in `nodes`.

        Parameters
        ----------
        names : column of names, (rows,)
            Numbers are read as text.
        where, column : str
            Name of the source in error messages (or a function that locates a row), and of the
            column.

        Returns
        -------
        (rows,) int64

        Raises
        ------
        TaxonomyError
            Some are unknown; the message counts them, and shows the first and similar names.
        DataError
            A name is missing or empty.
        OptionError
            `names` is a single string, not a column.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> ft.Taxonomy.from_children({"all": ["cat", "dog"]}).codes(["dog", "all"]).tolist()
        [2, 0]
        """
        if isinstance(names, str):
            raise errors.OptionError(
                f"{where if isinstance(where, str) else column}={shown(names)}: must be a column "
                "of names, not a single one; put it in a list"
            )
        row_codes, distinct = encode(check_ids(names, column, where))
        known = self._code
        code_of = np.array([known.get(name, -1) for name in distinct.to_pylist()], dtype=np.int64)
        out = code_of[row_codes]
        if (code_of < 0).any():
            bad = np.flatnonzero(out < 0)
            locate = columns.locate_by_row(where) if isinstance(where, str) else where
            first = distinct[int(row_codes[bad[0]])].as_py()
            more = (
                f" ({len(bad):,} such rows, {counted(int((code_of < 0).sum()), 'name')})"
                if len(bad) > 1
                else ""
            )
            raise errors.TaxonomyError(
                f"{column_at(locate, int(bad[0]), column)}: value {self._not_among(first, more)}"
            )
        return out

    def _named(self, codes: Ints) -> tuple[str, ...]:
        return tuple(self.nodes[code] for code in codes.tolist())

    # Relations of all nodes, as arrays

    @cached_property
    def down(self) -> hierarchy.Adjacency:
        """From each node to its children, in ascending order."""
        parent, child = self.edges()
        return hierarchy.adjacency(parent, child, len(self))[0]

    @cached_property
    def above(self) -> hierarchy.Closure:
        """Ancestors of each node, itself included, and their distances."""
        return _read_only(hierarchy.transitive_closure(self.up, self.level))

    @cached_property
    def below(self) -> hierarchy.Closure:
        """Descendants of each node, itself included, and their distances."""
        return _read_only(self.above.transposed())

    @property
    def ancestor_offsets(self) -> Ints:
        """Start of each node's ancestors in `ancestor_of`, (nodes + 1,)."""
        return self.above.offsets

    @property
    def ancestor_of(self) -> Ints:
        """Codes of each node's ancestors, itself included, ascending, one node after the other."""
        return self.above.targets

    @property
    def descendant_offsets(self) -> Ints:
        """Start of each node's descendants in `descendants_of`, (nodes + 1,)."""
        return self.below.offsets

    @property
    def descendants_of(self) -> Ints:
        """Codes of each node's descendants, itself included, ascending, one node after another."""
        return self.below.targets

    # Relations of one node

    def parents(self, name: str) -> tuple[str, ...]:
        """The nodes directly above; none for the root."""
        return self._named(self.up[self.code(name)])

    def children(self, name: str) -> tuple[str, ...]:
        """The nodes directly below; none for a leaf."""
        return self._named(self.down[self.code(name)])

    def ancestors(self, name: str, include_self: bool = False) -> tuple[str, ...]:
        """All nodes above, the root first."""
        above = self.above[self.code(name)]  # ends with the node itself
        return self._named(above if option_flag("include_self", include_self) else above[:-1])

    def descendants(self, name: str, include_self: bool = False) -> tuple[str, ...]:
        """All nodes below, parents before children."""
        below = self.below[self.code(name)]  # starts with the node itself
        return self._named(below if option_flag("include_self", include_self) else below[1:])

    def leaves(self, name: str | None = None) -> tuple[str, ...]:
        """Nodes without children: all, or those below `name` (a leaf is its own only one)."""
        among = np.arange(len(self)) if name is None else self.below[self.code(name)]
        n_children = np.diff(self.down.offsets)
        return self._named(among[n_children[among] == 0])

    def depth(self, name: str, path: PathKind = "longest") -> int:
        """Edges from the root, which has depth 0.

        Parameters
        ----------
        name : str
        path : {"longest", "shortest"}
            Which path to measure if several lead to the node. By the longest, every node is deeper
            than all of its ancestors.
        """
        errors.choice("path", path, ("longest", "shortest"))
        code = self.code(name)
        if path == "longest":
            return int(self.level[code])
        return int(self.above.distance[self.above.offsets[code]])  # the root comes first

    # Relations of two nodes

    def lowest_common_ancestors(self, a: str, b: str) -> tuple[str, ...]:
        """Common ancestors without a common ancestor below them; a node is its own ancestor.

        A tree has exactly one for every two nodes; other graphs may have several.
        """
        common = self._common(a, b)
        shared = np.zeros(len(self), dtype=bool)
        shared[common] = True
        # Every node between two common ancestors is common too, so that children suffice.
        owner, position = self.down.gather(common)
        n_shared = np.bincount(owner[shared[self.down.targets[position]]], minlength=len(common))
        return self._named(common[n_shared == 0])

    def lowest_common_ancestor(self, a: str, b: str) -> str:
        """The deepest common ancestor; of equally deep ones, the first in `nodes`.

        Depth is by the longest path, so that this is one of the lowest common ancestors.
        """
        common = self._common(a, b)
        return self.nodes[int(common[np.argmax(self.level[common])])]

    def distance(self, a: str, b: str) -> int:
        """Edges on the shortest path that goes up from `a` to a common ancestor and down to `b`."""
        return int(self.common_ancestors(a, b)[1].min())

    def common_ancestors(self, a: str, b: str) -> tuple[Ints, Ints]:
        """Codes of the common ancestors, and the edges from `a` up to each and down to `b`.

        Returns
        -------
        codes, distances : (ancestors,) int
        """
        common = self._common(a, b)
        return common, self._distances_up(a, common) + self._distances_up(b, common)

    def _common(self, a: str, b: str) -> Ints:
        first, second = (self.above[self.code(name)] for name in (a, b))
        return np.intersect1d(first, second, assume_unique=True)

    def _distances_up(self, name: str, ancestors: Ints) -> Ints:
        code = self.code(name)
        start, stop = self.above.offsets[code], self.above.offsets[code + 1]
        position = np.searchsorted(self.above.targets[start:stop], ancestors)
        return self.above.distance[start:stop][position]

    # Parts

    def edges(self) -> tuple[Ints, Ints]:
        """Codes of the parent and of the child of each edge, sorted by child."""
        return self.up.targets, np.repeat(np.arange(len(self)), np.diff(self.up.offsets))

    def to_children(self) -> dict[str, list[str]]:
        """``{parent: [child, ...]}`` of all categories that have children.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> ft.Taxonomy.from_edges([("all", "cat"), ("all", "dog")]).to_children()
        {'all': ['cat', 'dog']}
        """
        inner = np.flatnonzero(np.diff(self.down.offsets)).tolist() or [0]
        return {self.nodes[code]: list(self._named(self.down[code])) for code in inner}

    def to_edges(self) -> list[tuple[str, str]]:
        """Pairs (parent, child), sorted by child."""
        parent, child = self.edges()
        return list(zip(self._named(parent), self._named(child), strict=True))

    def _part(self, codes: Ints) -> Self:
        """The induced subgraph of some nodes."""
        new_code = np.full(len(self), -1, dtype=np.int64)
        new_code[codes] = np.arange(len(codes))
        parent, child = (new_code[ends] for ends in self.edges())
        inside = (parent >= 0) & (child >= 0)
        return self._of_edges(self._named(codes), parent[inside], child[inside])

    @classmethod
    def _of_edges(cls, names: Iterable[str], parent: Ints, child: Ints) -> Self:
        """Number the nodes in topological order; the edges must have been checked."""
        given = tuple(names)
        order, level = hierarchy.topological_order(parent, child, len(given))
        code = np.empty(len(given), dtype=np.int64)
        code[order] = np.arange(len(given))
        by_code = np.lexsort((code[parent], code[child]))
        up, _ = hierarchy.adjacency(code[child[by_code]], code[parent[by_code]], len(given))
        return cls(tuple(given[j] for j in order.tolist()), up, level)


def _read_only(closure: hierarchy.Closure) -> hierarchy.Closure:
    for array in (closure.offsets, closure.targets, closure.distance):
        array.setflags(write=False)
    return closure


_LISTED = 10  # roots named in an error


@dataclass(frozen=True, slots=True, eq=False)
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
        raise errors.TaxonomyError(f"{edges.where}: it has no categories")
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
            raise errors.TaxonomyError(
                f"{locate(int(rows[row]))}: {shown(child)} is its own parent; remove this edge"
            )
    text = "{child} is given twice as a child of {parent} (first: {first}); remove one"
    ends = {"parent": above, "child": below}
    refuse_repeats(ends, located(locate, rows), text, errors.TaxonomyError)


def _check_cycles(given: CheckedEdges, where: str) -> None:
    order, _ = hierarchy.topological_order(given.parent, given.child, len(given.names))
    if len(order) == len(given.names):
        return
    unsorted = np.setdiff1d(np.arange(len(given.names)), order)
    cycle = hierarchy.find_cycle(given.parent, given.child, unsorted, len(given.names))
    path = " → ".join(given.names[node] for node in cycle)
    raise errors.TaxonomyError(
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
        raise errors.TaxonomyError(
            f"{edges.where}: {shown(name)} is given without a parent and also as a child of "
            f"{shown(given.names[given.parent[given.child == both[0]][0]])}; keep one of the two"
        )
    unknown = np.setdiff1d(_roots(given), marked)
    used = np.flatnonzero(np.isin(given.parent, unknown))
    if len(used):
        name = given.names[given.parent[used[0]]]
        known = [other for other in given.names if other != name]
        raise errors.TaxonomyError(
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
        raise errors.TaxonomyError(
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
        raise errors.TaxonomyError(
            f"{where}: root={shown(name)} lies below {shown(above)}; give a new name, or one of "
            f"the {len(roots)} roots: {shown_all(names[node] for node in roots.tolist())}"
        )
    joined = roots[roots != top]
    return CheckedEdges(
        names,
        np.concatenate((np.full(len(joined), top), given.parent)),
        np.concatenate((joined, given.child)),
    )


def lowest(graph: RootedGraph, group: Ints, node: Ints) -> Bools:
    """Which nodes of each group have no child in it: (rows,), for rows of a group and a node.

    With each node, a group has all nodes above it, or has those above one of its nodes throughout.
    """
    row, link = graph.up.gather(node)
    above = group[row] * len(graph) + graph.up.targets[link]
    return np.isin(group * len(graph) + node, above, invert=True)


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
