"""Rows of a tree that is drawn as an indented list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Bools, Ints
from fuzzytruth.plots.drawing.tree_boxes import Tree
from fuzzytruth.plots.drawing.tree_layout import layout_parents


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Nodes from top to bottom.

    Parameters
    ----------
    names : tuple of str
    depth : tuple of int
        Of each row, from the root.
    repeated : tuple of bool
        Whether a node has further parents, below which it is not listed again.
    n_below : int
        Nodes without a row for their value.
    n_cut : int
        Nodes without a row because there are too many.
    """

    names: tuple[str, ...]
    depth: tuple[int, ...]
    repeated: tuple[bool, ...]
    n_below: int
    n_cut: int


def rows_of(
    tree: Tree, values: Mapping[str, float], minimum: float | None, most: int | None
) -> Rows:
    """List the nodes, each once, below its first parent.

    Parameters
    ----------
    tree : Tree
    values : mapping
    minimum : float, optional
        Nodes with a smaller value, or none, are hidden, unless a node below them is not.
    most : int, optional
        The most rows; those with the largest values are kept, and the nodes above them.
    """
    parent = layout_parents(tree.parent, tree.child, tree.level)
    value = np.array([values.get(name, -np.inf) for name in tree.names], dtype=float)
    wanted = np.ones(len(value), dtype=bool) if minimum is None else value >= minimum
    kept = _largest(parent, np.where(wanted, value, -np.inf), wanted, most or len(value))
    order = [node for node in _preorder(parent) if kept[node]]
    n_parents = np.bincount(tree.child, minlength=len(value))
    return Rows(
        tuple(tree.names[node] for node in order),
        tuple(int(tree.level[node]) for node in order),
        tuple(bool(n_parents[node] > 1) for node in order),
        int((~wanted & ~kept).sum()),
        int((wanted & ~kept).sum()),
    )


def _largest(parent: Ints, value: Ints, wanted: Bools, most: int) -> Bools:
    """Which nodes to keep: the root, and wanted ones with all above them while there is room."""
    kept = np.zeros(len(parent), dtype=bool)
    kept[0] = True  # nodes are numbered level by level, the root first
    room = most - 1
    for node in np.argsort(-value, kind="stable").tolist():
        missing = []
        above = node
        while not kept[above]:
            missing.append(above)
            above = int(parent[above])
        if wanted[node] and len(missing) <= room:
            kept[missing] = True
            room -= len(missing)
    return kept


def _preorder(parent: Ints) -> list[int]:
    """Each node after the one above it, its children in their order."""
    children: list[list[int]] = [[] for _ in parent]
    for node, above in enumerate(parent.tolist()):
        if above >= 0:
            children[above].append(node)
    out, stack = [], [0]
    while stack:
        node = stack.pop()
        out.append(node)
        stack.extend(reversed(children[node]))
    return out
