"""Similarity of the categories of a taxonomy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import divide, segment_sum
from fuzzytruth.core.hierarchy import Closure
from fuzzytruth.core.validation import numbers
from fuzzytruth.data.rooted_graph import RootedGraph
from fuzzytruth.errors import DataError, OptionError, choice, counted, shown_all

# Validation of numbers that belong to the nodes of a taxonomy.


if TYPE_CHECKING:
    NodeValues = Mapping[str, float] | pd.Series[Any] | ArrayLike
else:
    NodeValues = Any


def values_of_some(graph: RootedGraph, given: NodeValues, name: str) -> dict[str, float]:
    """Value of each node that has one, from a mapping or Series by name, or an array (nodes,).

    Raises
    ------
    DataError
        A value is not finite, or an array has another shape.
    TaxonomyError
        There is no such category.
    """
    if isinstance(given, Mapping) or hasattr(given, "items"):
        items: dict[Any, Any] = dict(given.items())
        codes = graph.codes(list(items), where=name)
        checked = numbers(name, list(items.values()), finite=True)
        return {graph.nodes[code]: float(v) for code, v in zip(codes, checked, strict=True)}
    checked = numbers(name, given, finite=True)
    if checked.shape != (len(graph),):
        raise DataError(
            f"{name} of shape {checked.shape}: must be ({len(graph)},), one number for each of the "
            "taxonomy's nodes in their order, or a mapping of names to numbers"
        )
    return dict(zip(graph.nodes, checked.tolist(), strict=True))


def values_of_all(graph: RootedGraph, given: NodeValues, name: str) -> Floats:
    """One number for each node, (nodes,); see `values_of_some`."""
    value_of = values_of_some(graph, given, name)
    missing = [node for node in graph.nodes if node not in value_of]
    if missing:
        raise DataError(
            f"{name}: there is none for {len(missing):,} of "
            f"{counted(len(graph), 'category')} ({shown_all(missing, limit=5)}); give one for each"
        )
    return np.array([value_of[node] for node in graph.nodes])


# Similarity of two nodes of a rooted acyclic graph, by their common ancestors.
#
# Where nodes have several common ancestors, the one that makes them most similar counts.


@dataclass(frozen=True, slots=True, eq=False)
class CommonAncestor:
    """A common ancestor of nodes a and b: numbers, or arrays that broadcast.

    Parameters
    ----------
    distance : edges from a up to the ancestor and down to b
    depth : edges from the root to the ancestor
    info : information content of the ancestor
    info_a, info_b : information content of a and of b
    """

    distance: Any
    depth: Any
    info: Any
    info_a: Any
    info_b: Any

    def similarity(self, kind: str) -> Any:
        """Similarity of a and b by this ancestor; see `ComparableGraph.similarity`."""
        if kind == "path":
            return 1 / (1 + self.distance)
        if kind == "wu-palmer":  # nodes down to the ancestor, twice, over those down to a and to b
            shared = 2 * (self.depth + 1)
            return shared / (self.distance + shared)
        if kind == "resnik":
            return self.info + np.zeros(np.shape(self.distance))
        if kind == "lin":  # 1 where both have no information
            return divide(2 * self.info, self.info_a + self.info_b, fill=1.0)
        only_one = (self.info_a - self.info) + (self.info_b - self.info)
        return 1 / (1 + only_one)


Kind = Literal["path", "wu-palmer", "resnik", "lin", "jiang-conrath"]


def intrinsic_information(below: Closure) -> Floats:
    """Information content from the number of descendants: 1 for leaves, 0 for the root, (nodes,).

    References
    ----------
    Seco, Veale & Hayes (2004), An intrinsic information content metric for semantic similarity in
    WordNet, ECAI.
    """
    size = np.diff(below.offsets)
    if len(size) == 1:
        return np.zeros(1)
    out: Floats = 1 - np.log(size) / np.log(len(size))
    return out


def all_similarities(kind: Kind, below: Closure, level: Ints, info: Floats) -> Floats:
    """Similarity of every two nodes, (nodes, nodes).

    Parameters
    ----------
    kind : str
    below : Closure
        Descendants of each node.
    level, info : (nodes,)
        Depth by the longest path, and information content.
    """
    out = np.zeros((len(level), len(level)))
    for node, under, square, distance in _common_ancestors(below):
        infos = info[under]
        ancestor = CommonAncestor(distance, level[node], info[node], infos[:, None], infos[None, :])
        out[square] = np.maximum(out[square], ancestor.similarity(kind))
    return out


def all_distances(below: Closure) -> Ints:
    """Edges between every two nodes through a common ancestor, (nodes, nodes)."""
    n_nodes = len(below.offsets) - 1
    out = np.full((n_nodes, n_nodes), np.iinfo(np.int64).max)
    for _, _, square, distance in _common_ancestors(below):
        out[square] = np.minimum(out[square], distance)
    return out


def _common_ancestors(below: Closure) -> Iterator[tuple[int, Ints, Any, Ints]]:
    """Each node, those below it, the index of their pairs, and their distances by way of it."""
    for node in range(len(below.offsets) - 1):
        part = slice(below.offsets[node], below.offsets[node + 1])
        under, distance = below.targets[part], below.distance[part]
        yield node, under, np.ix_(under, under), distance[:, None] + distance[None, :]


_BY_INFORMATION = ("resnik", "lin", "jiang-conrath")
_MAX_NODES = 20_000  # nodes of a square matrix: 3.2 GB


class ComparableGraph(RootedGraph):
    """A rooted graph whose nodes can be compared; see `Taxonomy`."""

    def similarity(
        self, a: str, b: str, kind: Kind = "path", *, weights: NodeValues | None = None
    ) -> float:
        """Similarity of two categories.

        With d the number of edges from a common ancestor c to each, D the depth of c, and IC(x) the
        information content, −log of the share of weight that x has, its descendants included:

        ================= ======================================= =========
        kind              value                                   range
        ================= ======================================= =========
        `path`            1 / (1 + d(a, c) + d(b, c))             (0, 1]
        `wu-palmer`       2(D+1) / (d(a, c) + d(b, c) + 2(D+1))   (0, 1]
        `resnik`          IC(c)                                   [0, ∞)
        `lin`             2 IC(c) / (IC(a) + IC(b))               [0, 1]
        `jiang-conrath`   1 / (1 + IC(a) + IC(b) − 2 IC(c))       (0, 1]
        ================= ======================================= =========

        All but `resnik` are 1 for a category and itself, and can serve as grades. If there are
        several common ancestors, the one that gives the largest value counts.

        Parameters
        ----------
        a, b : str
        kind : str
        weights : mapping or (nodes,) numbers, optional
            Frequency of each category **or one below it**: counts, sizes or probabilities, all
            positive, no child above its parent; see `totals`. None: intrinsic information content,
            IC(x) = 1 − log(descendants, x included) / log(nodes), in [0, 1]. Not for `path` and
            `wu-palmer`.

        Raises
        ------
        TaxonomyError
            There is no such category.
        DataError
            A weight is missing or not positive, or a child outweighs its parent.

        References
        ----------
        Rada et al. 1989 (`path`); Wu and Palmer 1994; Resnik 1995; Jiang and Conrath 1997 (as a
        distance); Lin 1998; Seco, Veale and Hayes 2004 (intrinsic information content).

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> tax = ft.Taxonomy.from_nested({"all": {"people": ["one", "crowd"], "city": {}}})
        >>> tax.similarity("one", "crowd"), tax.similarity("one", "crowd", "wu-palmer")
        (0.3333333333333333, 0.6666666666666666)
        >>> round(tax.similarity("one", "crowd", "lin"), 3), tax.similarity("one", "city", "lin")
        (0.317, 0.0)
        """
        choice("kind", kind, get_args(Kind))
        info = _information(self, kind, weights)
        codes, distances = self.common_ancestors(a, b)
        info_a, info_b = (np.full(len(codes), info[self.code(name)]) for name in (a, b))
        ancestors = CommonAncestor(distances, self.level[codes], info[codes], info_a, info_b)
        return float(ancestors.similarity(kind).max())

    def similarities(self, kind: Kind = "path", *, weights: NodeValues | None = None) -> Floats:
        """Similarity of every two categories, (nodes, nodes), in the order of `nodes`.

        See `similarity`.
        """
        choice("kind", kind, get_args(Kind))
        _check_size(self)
        return all_similarities(kind, self.below, self.level, _information(self, kind, weights))

    def distances(self) -> Ints:
        """Edges between every two categories by way of a common ancestor, (nodes, nodes)."""
        _check_size(self)
        return all_distances(self.below)

    def totals(self, direct: NodeValues) -> Floats:
        """Sum of each category's own count and those of all its descendants, (nodes,).

        A descendant that is reached by several paths counts once.

        Parameters
        ----------
        direct : mapping or (nodes,) numbers
            Count of each category itself; 0 for those that a mapping leaves out.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> tax = ft.Taxonomy.from_nested({"all": {"people": ["crowd"], "city": {}}})
        >>> tax.totals({"people": 2, "crowd": 1, "city": 2}).tolist()  # all, people, city, crowd
        [5.0, 3.0, 2.0, 1.0]
        """
        count_of = values_of_some(self, direct, "direct")
        counts = np.array([count_of.get(name, 0.0) for name in self.nodes])
        return segment_sum(counts[self.below.targets], self.below.offsets)


def _from_weights(graph: RootedGraph, weights: NodeValues) -> Floats:
    """Information content of each node, (nodes,): −log of its share of the root's weight.

    Raises
    ------
    DataError
        A weight is missing, not positive or not finite, or exceeds that of a parent.
    """
    given = values_of_all(graph, weights, "weights")
    bad = np.flatnonzero(~(given > 0))
    if len(bad):
        named = shown_all((graph.nodes[node] for node in bad.tolist()), limit=5)
        raise DataError(
            f"weights: no weight is above 0 for {len(bad):,} of "
            f"{counted(len(graph), 'category')} ({named}), so "
            "that their information is infinite; prune them, or count each once more"
        )
    parent, child = graph.edges()
    wrong = np.flatnonzero(given[child] > given[parent] * (1 + 1e-9))
    if len(wrong):
        low, high = graph.nodes[child[wrong[0]]], graph.nodes[parent[wrong[0]]]
        raise DataError(
            f"weights: a child outweighs its parent on {len(wrong):,} of "
            f"{counted(len(parent), 'edge')}, such as {low!r} ({given[child[wrong[0]]]:g}) "
            f"below {high!r} "
            f"({given[parent[wrong[0]]]:g}); a category's weight includes what lies below it: "
            "add direct counts up with totals()"
        )
    out: Floats = np.maximum(0.0, np.log(given[0]) - np.log(given))
    return out


def _information(graph: RootedGraph, kind: Kind, weights: NodeValues | None) -> Floats:
    if kind in _BY_INFORMATION:
        return (
            intrinsic_information(graph.below) if weights is None else _from_weights(graph, weights)
        )
    if weights is not None:
        raise OptionError(
            f"weights: kind={kind!r} does not use them; leave them out, or choose one of "
            f"{', '.join(map(repr, _BY_INFORMATION))}"
        )
    return np.zeros(len(graph))


def _check_size(graph: RootedGraph) -> None:
    if len(graph) > _MAX_NODES:
        raise OptionError(
            f"a matrix of {len(graph)} × {len(graph)} categories would take "
            f"{len(graph) ** 2 * 8 / 1e9:.0f} GB; take a subtree, prune, or compare single pairs "
            f"(at most {_MAX_NODES} categories)"
        )
