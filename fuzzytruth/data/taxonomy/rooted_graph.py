"""Rooted acyclic graphs of named nodes, and the relations of their nodes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.core.hierarchy import (
    Adjacency,
    Closure,
    adjacency,
    topological_order,
    transitive_closure,
)
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import OptionError, TaxonomyError, choice, counted, nearest, shown
from fuzzytruth.io.columns import Locate, check_ids, column_at, encode, locate_by_row

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
    up: Adjacency
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
            raise TaxonomyError(f"category {self._not_among(str(name))}")
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
        self,
        names: Iterable[Any],
        *,
        where: str | Locate = "categories",
        column: str = "category",
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
            raise OptionError(
                f"{where if isinstance(where, str) else column}={shown(names)}: must be a column "
                "of names, not a single one; put it in a list"
            )
        row_codes, distinct = encode(check_ids(names, column, where))
        known = self._code
        code_of = np.array([known.get(name, -1) for name in distinct.to_pylist()], dtype=np.int64)
        out = code_of[row_codes]
        if (code_of < 0).any():
            bad = np.flatnonzero(out < 0)
            locate = locate_by_row(where) if isinstance(where, str) else where
            first = distinct[int(row_codes[bad[0]])].as_py()
            more = (
                f" ({len(bad):,} such rows, {counted(int((code_of < 0).sum()), 'name')})"
                if len(bad) > 1
                else ""
            )
            raise TaxonomyError(
                f"{column_at(locate, int(bad[0]), column)}: value {self._not_among(first, more)}"
            )
        return out

    def _named(self, codes: Ints) -> tuple[str, ...]:
        return tuple(self.nodes[code] for code in codes.tolist())

    # Relations of all nodes, as arrays

    @cached_property
    def down(self) -> Adjacency:
        """From each node to its children, in ascending order."""
        parent, child = self.edges()
        return adjacency(parent, child, len(self))[0]

    @cached_property
    def above(self) -> Closure:
        """Ancestors of each node, itself included, and their distances."""
        return _read_only(transitive_closure(self.up, self.level))

    @cached_property
    def below(self) -> Closure:
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
        choice("path", path, ("longest", "shortest"))
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
        order, level = topological_order(parent, child, len(given))
        code = np.empty(len(given), dtype=np.int64)
        code[order] = np.arange(len(given))
        by_code = np.lexsort((code[parent], code[child]))
        up, _ = adjacency(code[child[by_code]], code[parent[by_code]], len(given))
        return cls(tuple(given[j] for j in order.tolist()), up, level)


def _read_only(closure: Closure) -> Closure:
    for array in (closure.offsets, closure.targets, closure.distance):
        array.setflags(write=False)
    return closure
