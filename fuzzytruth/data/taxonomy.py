"""`Taxonomy`: the categories that subjects assign items to, from general to specific."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pd
from fuzzytruth.core.validation import option_mapping, whole_number
from fuzzytruth.data import rooted_graph
from fuzzytruth.data.similarity import ComparableGraph, NodeValues, values_of_all, values_of_some
from fuzzytruth.errors import OptionError, counted, shown
from fuzzytruth.io import taxonomies as edge_forms
from fuzzytruth.io.columns import check_ids
from fuzzytruth.io.files import Source, as_path, taxonomy_format_of
from fuzzytruth.io.taxonomies import Edges
from fuzzytruth.show.answer import Column, Parts, Result, Sentences, Table
from fuzzytruth.show.answer_rows import short_id

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fuzzytruth.plots.frames import PlotData, Title


REPEATED = "(above)"


def drawn(
    graph: rooted_graph.RootedGraph,
    values: Mapping[str, float],
    number: str,
    labels: Mapping[str, Any],
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


def indented(graph: rooted_graph.RootedGraph) -> str:
    """One line for each category, indented by tabs; repeated ones without their children.

    Raises
    ------
    DataError
        A name cannot be written on a line of its own.
    """
    for name in graph.nodes:
        if name != name.strip() or len(name.splitlines()) != 1:
            raise errors.DataError(
                f"category {shown(name)}: indented text cannot hold a name with leading or "
                "trailing white space or line breaks; write CSV, JSON or Parquet"
            )
    return "".join("\t" * depth + node + "\n" for node, depth, _, _ in walk(graph))


def walk(graph: rooted_graph.RootedGraph) -> Iterator[tuple[str, int, bool, bool]]:
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


_MOST_NODES = 25  # that are printed
_INDENT = "· "  # of a level
_MOST_BOXES = 40  # categories of a figure of boxes


class Taxonomy(Result, ComparableGraph):
    """A rooted tree of categories, or a rooted acyclic graph of them.

    Create one with a ``from_`` method or `read_taxonomy`. Nodes are numbered level by level from
    the root, parents before children, siblings in the order given. Two taxonomies are equal if they
    have the same nodes in the same order and the same edges.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> tax = ft.Taxonomy.from_children({
    ...     "all": ["people", "scenery"], "people": ["single", "group", "crowd"]})
    >>> tax
    Taxonomy(4 categories below 2, tree of depth 2, root 'all')
    >>> tax.descendants("people"), tax.ancestors("crowd"), tax.depth("crowd")
    (('single', 'group', 'crowd'), ('all', 'people'), 2)
    >>> tax.lowest_common_ancestor("single", "scenery"), tax.distance("single", "scenery")
    ('all', 3)
    """

    def __repr__(self) -> str:
        return f"Taxonomy({self._sizes})"

    @property
    def size_text(self) -> str:
        """Such as "16 categories below 4"; of one above them, the root, nothing is said."""
        inner = int((np.diff(self.down.offsets) > 0).sum())
        above = f" below {inner:,}" if inner > 1 else ""
        return f"{counted(len(self) - inner, 'category')}{above}"

    @property
    def _sizes(self) -> str:
        form = "tree" if self.is_tree else f"graph with {counted(len(self.up.targets), 'edge')}"
        return f"{self.size_text}, {form} of depth {self.level[-1]}, root {self.root!r}"

    def _title(self) -> str:
        return f"Taxonomy of {self._sizes}"

    def _parts(self) -> Parts:
        """The tree, or its upper levels down to which all categories are shown; at least one."""
        of_levels = np.cumsum(np.bincount(self.level))
        deepest = max(1, int(np.searchsorted(of_levels, _MOST_NODES, side="right")) - 1)
        rows = [row for row in walk(self) if row[1] <= deepest][:_MOST_NODES]
        below = np.diff(self.descendant_offsets)  # each category itself among them
        names = (
            _INDENT * depth + short_id(node) + (f" {REPEATED}" if again else "")
            for node, depth, _, again in rows
        )
        numbers = tuple(f"{below[self.code(node)] - 1:,}" for node, _, _, _ in rows)
        yield Table((Column.label("category", names), Column("below", numbers)))
        left_out = len(self) - len({node for node, _, _, _ in rows})
        rest = f"{counted(left_out, 'category')} not shown: .to_text(), .subtree(name)"
        yield Sentences.of(
            "Below: how many categories are below it, at any depth.",
            rest if left_out else "More: .to_text(), .to_frame(), .plot()",
        )

    # Construction

    @classmethod
    def from_children(
        cls, children: Mapping[Any, Iterable[Any]], *, root: str | None = None
    ) -> Self:
        """Create a taxonomy from ``{parent: [child, ...]}``; leaves need no entry.

        Parameters
        ----------
        children : mapping
            A category may be the child of several others.
        root : str, optional
            Name of a category to add above all those without a parent, if there are several. It
            may be one of them.

        Raises
        ------
        TaxonomyError
            There are several roots and no `root` to join them, the edges form a cycle (which is
            shown), a category is its own parent, or a child is given twice.
        DataError
            A name is missing or empty.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> ft.Taxonomy.from_children({"animal": ["cat", "dog"], "plant": []}, root="all")
        Taxonomy(3 categories below 2, tree of depth 2, root 'all')
        """
        return cls.from_given(edge_forms.of_children(children, "children"), root)

    @classmethod
    def from_parents(cls, parents: Mapping[Any, Any], *, root: str | None = None) -> Self:
        """Create a taxonomy from ``{child: parent}`` or ``{child: [parent, ...]}``.

        A root needs no entry. If one has an entry, with None for its parent, every other parent
        must have one too. For the rest see `from_children`.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> ft.Taxonomy.from_parents({"wet": "all", "live": "all", "fish": ["wet", "live"]})
        Taxonomy(1 category below 3, graph with 4 edges of depth 2, root 'all')
        """
        return cls.from_given(edge_forms.of_parents(parents, "parents"), root)

    @classmethod
    def from_edges(cls, edges: Iterable[tuple[Any, Any]], *, root: str | None = None) -> Self:
        """Create a taxonomy from pairs (parent, child).

        (None, name) marks a root, see `from_parents`.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> ft.Taxonomy.from_edges([("all", "cat"), ("all", "dog")]).leaves()
        ('cat', 'dog')
        """
        return cls.from_given(edge_forms.of_pairs(edges, "edges"), root)

    @classmethod
    def from_nested(cls, nested: Mapping[Any, Any], *, root: str | None = None) -> Self:
        """Create a taxonomy from ``{root: {child: {grandchild: {}}}}``.

        Parameters
        ----------
        nested : mapping
            Maps names to their children: nested mappings, lists of names, or None. A category with
            several parents occurs in each, its own children in one of these places.
        root : str, optional
            See `from_children`.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> ft.Taxonomy.from_nested({"all": {"people": ["crowd"], "scenery": {}}}).nodes
        ('all', 'people', 'scenery', 'crowd')
        """
        return cls.from_given(edge_forms.of_nested(nested, "nested"), root)

    @classmethod
    def flat(cls, labels: Iterable[Any]) -> Self:
        """Create a taxonomy of labels without any order: one root above all of them.

        The root is called "all", or "(all)" if that is a label.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> ft.Taxonomy.flat(["cat", "dog"]).nodes
        ('all', 'cat', 'dog')
        """
        names = check_ids(labels, "label", "labels").to_pylist()
        root = "all"
        while root in names:
            root = f"({root})"
        return cls.from_children({root: names})

    @classmethod
    def from_frame(
        cls, frame: Any, *, root: str | None = None, columns: Mapping[str, Any] | None = None
    ) -> Self:
        """Create a taxonomy from a table with one row for each edge: columns parent and child.

        Common alternative names are recognised (`hypernym`, `source`; `hyponym`, `target`,
        `category`); `columns` has your own, {name: your column}. A missing parent marks a root,
        see `from_parents`. The table is of any library, as `Judgments.from_frame` takes them.

        Raises
        ------
        TaxonomyError
            The edges do not form a rooted acyclic graph; see `from_children`.
        DataError
            A column is missing, or a child is.
        OptionError
            `columns` has a name that is not read here.

        Examples
        --------
        >>> import pandas as pd
        >>> import fuzzytruth as ft
        >>> ft.Taxonomy.from_frame(pd.DataFrame({"parent": ["all"], "child": ["cat"]})).nodes
        ('all', 'cat')
        """
        return cls.from_given(edge_forms.of_frame(frame, columns), root)

    @classmethod
    def from_networkx(cls, graph: Any, *, reverse: bool = False, root: str | None = None) -> Self:
        """Create a taxonomy from a NetworkX `DiGraph`.

        Parameters
        ----------
        graph : networkx.DiGraph
            Edges point from parent to child.
        reverse : bool
            Whether edges point from child to parent instead.
        root : str, optional
            See `from_children`.
        """
        return cls.from_given(edge_forms.of_networkx(graph, reverse), root)

    @classmethod
    def from_given(cls, edges: Edges, root: str | None) -> Self:
        """Create a taxonomy from edges as read from a file or object."""
        checked = rooted_graph.check_edges(edges, root)
        return cls._of_edges(checked.names, checked.parent, checked.child)

    # Parts

    def subtree(self, name: str) -> Self:
        """The category and all its descendants as a taxonomy, without edges from outside.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> ft.Taxonomy.from_nested({"all": {"people": ["crowd"]}}).subtree("people").nodes
        ('people', 'crowd')
        """
        return self._part(self.below[self.code(name)])

    def prune(
        self,
        names: Iterable[Any] = (),
        *,
        max_depth: int | None = None,
        weights: NodeValues | None = None,
        min_weight: float | None = None,
        children: Literal["reattach", "drop"] = "reattach",
    ) -> Self:
        """Remove categories.

        Parameters
        ----------
        names : iterable of str
            Categories to remove.
        max_depth : int, optional
            Remove categories deeper than this (by the longest path from the root).
        weights, min_weight : mapping or (nodes,) numbers, and a number
            Remove categories of smaller weight, such as those that few votes support.
        children : {"reattach", "drop"}
            What happens to the children of a removed category: they are attached to its parents
            (and may thereby get a grandparent for a second parent), or they are removed too unless
            another path leads to them.

        Raises
        ------
        TaxonomyError
            The root would be removed, or there is no such category.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> tax = ft.Taxonomy.from_nested({"all": {"people": ["one", "crowd"], "city": {}}})
        >>> tax.prune(["people"]).children("all"), tax.prune(["people"], children="drop").nodes
        (('city', 'one', 'crowd'), ('all', 'city'))
        """
        errors.choice("children", children, ("reattach", "drop"))
        if (weights is None) != (min_weight is None):
            raise OptionError("weights and min_weight: one is given without the other; give both")
        removed = np.zeros(len(self), dtype=bool)
        removed[self.codes(names, where="names")] = True
        if max_depth is not None:
            removed |= self.level > whole_number("max_depth", max_depth)
        if weights is not None and min_weight is not None:
            removed |= values_of_all(self, weights, "weights") < min_weight
        if removed[0]:
            raise errors.TaxonomyError(
                f"prune: the root {self.root!r} would be removed; keep it, or take a subtree"
            )
        if children == "drop":
            return self._part(np.flatnonzero(~rooted_graph.unreachable_without(self, removed)))
        parent, child = rooted_graph.reattached_edges(self, removed)
        kept = np.flatnonzero(~removed)
        new_code = np.cumsum(~removed) - 1
        return self._of_edges(self._named(kept), new_code[parent], new_code[child])

    # Conversion

    def to_frame(self) -> pd.DataFrame:
        """One row for each edge: columns parent and child. A single root has no parent."""
        rows: list[tuple[str | None, str]] = [*self.to_edges()] or [(None, self.root)]
        return pd.DataFrame(rows, columns=["parent", "child"])

    def to_networkx(self) -> Any:
        """A NetworkX `DiGraph` with edges from parent to child, nodes in the order of `nodes`.

        Raises
        ------
        MissingPackageError
            NetworkX is not installed.
        """
        try:
            import networkx as nx
        except ImportError as error:
            raise errors.MissingPackageError(
                "to_networkx needs NetworkX; install it with: pip install networkx"
            ) from error
        graph = nx.DiGraph()
        graph.add_nodes_from(self.nodes)
        graph.add_edges_from(self.to_edges())
        return graph

    def write(self, path: str | Path) -> None:
        """Write to a file in the format given by the ending of its name, see `read_taxonomy`.

        Reading the file gives an equal taxonomy.

        Raises
        ------
        DataError
            The ending belongs to no format, it is `.cla` (which lists models), or it is `.txt` and
            a name has leading or trailing white space.
        """
        from fuzzytruth.io.taxonomies import write_taxonomy

        write_taxonomy(
            as_path("path", path),
            frame=self.to_frame,
            children=self.to_children,
            text=lambda: indented(self),
        )

    def to_text(
        self,
        values: NodeValues | None = None,
        *,
        number: str = ".3g",
        labels: Mapping[str, Any] | None = None,
    ) -> str:
        """The taxonomy as a text tree, one line for each category.

        Parameters
        ----------
        values : mapping or (nodes,) numbers, optional
            Numbers to print beside the categories, such as probabilities.
        number : str
            Their format, as in ``format(value, number)``.
        labels : mapping, optional
            Text to print instead of names.

        Returns
        -------
        str
            A category with several parents is listed below each; its children are shown the first
            time, and repetitions are marked ``(above)``.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> tax = ft.Taxonomy.from_nested({"all": {"people": ["single", "crowd"], "scenery": {}}})
        >>> print(tax.to_text({"all": 1, "people": 0.6, "crowd": 0.2}))
        all             1
        ├── people      0.6
        │   ├── single
        │   └── crowd   0.2
        └── scenery
        """
        try:
            format(0.5, number)
        except (TypeError, ValueError):
            rule = "must be the format of a number, such as '.3g'"
            raise OptionError(f"number={shown(number)}: {rule}") from None
        value_of = {} if values is None else values_of_some(self, values, "values")
        return drawn(self, value_of, number, option_mapping("labels", labels))

    def plot(
        self,
        values: NodeValues | None = None,
        ax: Axes | None = None,
        *,
        kind: Literal["tree", "bars"] | None = None,
        labels: Mapping[str, Any] | None = None,
        number: str = ".2g",
        limits: tuple[float, float] = (0.0, 1.0),
        title: Title = True,
        **options: Any,
    ) -> Axes:
        """Draw the taxonomy: as a tree of boxes, or as an indented list with a bar for each value.

        Parameters
        ----------
        values : mapping or (nodes,) numbers, optional
            Numbers to write below the names and to colour the boxes by, such as probabilities.
            Categories without a value stay grey.
        ax : Axes, optional
            Axes to draw on; the text shrinks to fit. None: a new figure of the picture's size.
        kind : {"tree", "bars"}, optional
            A box for each category, with its name above its value (`plots.tree`), or a row each
            (`plots.tree_bars`). By default bars if there are more than 40 categories.
        labels : mapping, optional
            Text to write instead of names.
        number : str
            Format of the values, as in ``format(value, number)``.
        limits : (float, float)
            The values at the two ends of the colour map, or of the axis of the bars.
        title : str or bool
            As in `plots.tree`.
        **options
            Of a tree: `grow` ("down" or "right") and `cmap`. Of bars: `minimum`, `most` and
            `xlabel`.

        Returns
        -------
        Axes
            Edges to further parents of a category are dashed; bars list it once.

        Raises
        ------
        OptionError
            There is no such kind or colour map, or the limits are not ascending.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> tax = ft.Taxonomy.from_children({"all": ["people", "scenery"]})
        >>> ax = tax.plot({"people": 0.6}, kind="bars", xlabel="probability")
        >>> [float(bar.get_width()) for bar in ax.patches]
        [0.6]
        """
        from fuzzytruth.plots import tree, tree_bars

        errors.choice("kind", kind, (None, "tree", "bars"))
        if kind is None:
            boxes = len(self) <= _MOST_BOXES or not {"grow", "cmap"}.isdisjoint(options)
            kind = "tree" if boxes else "bars"
        return (tree_bars if kind == "bars" else tree)(
            self,
            ax,
            values=None if values is None else values_of_some(self, values, "values"),
            labels=labels,
            number=number,
            limits=limits,
            title=title,
            **options,
        )

    _figures: ClassVar[tuple[str, ...]] = ("tree", "tree_bars")

    def _plot_data(self, figure: str) -> PlotData:
        """Edges of `plots.tree` and `plots.tree_bars`."""
        from fuzzytruth.plots.frames import PlotData

        return PlotData(self.to_frame())


def read_taxonomy(
    path: str | Path, *, root: str | None = None, columns: Mapping[str, Any] | None = None
) -> Taxonomy:
    r"""Read a taxonomy from a file; the ending of its name gives the format.

    Parameters
    ----------
    path : path
        `.csv`, `.tsv`, `.jsonl` or `.parquet` with one row an edge, in columns parent and child
        (an empty parent marks a root); `.json` (``{parent: [child, ...]}``, nested objects,
        ``{child: parent}``, records, or pairs); `.txt` (one name a line, indented with tabs or
        spaces); `.cla` (Princeton Shape Benchmark); `.gz` of each.
    root : str, optional
        Name of a category to add above all those without a parent, if there are several. For a
        `.cla` file, whose classes need no parent, the default is 'all'.
    columns : mapping, optional
        Your names of the columns of a table, {name: your column}: ``{"parent": "above"}``.

    Raises
    ------
    TaxonomyError
        The edges do not form a rooted acyclic graph; see `Taxonomy.from_children`.
    DataError
        The file cannot be read or breaks a rule of its format; the message names file, line and
        value.
    OptionError
        `columns` has a name that is not read here.

    Examples
    --------
    >>> path = getfixture("tmp_path") / "tree.txt"
    >>> _ = path.write_text("all\n  people\n    crowd\n  scenery\n")
    >>> read_taxonomy(path)
    Taxonomy(2 categories below 2, tree of depth 2, root 'all')
    """
    source = Source.of(path)
    if taxonomy_format_of(source.path) == "cla":
        root = root or "all"
    return Taxonomy.from_given(edge_forms.read_edges(source, columns), root)
