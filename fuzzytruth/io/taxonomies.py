"""Taxonomies as edges between categories: from Python objects and from files of any format."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from fuzzytruth._lazy import pd
from fuzzytruth.core.validation import holds_several, option_flag
from fuzzytruth.errors import DataError, OptionError, TaxonomyError, counted, nearest, shown
from fuzzytruth.io.column_names import find_columns
from fuzzytruth.io.columns import Locate, locate_by_row
from fuzzytruth.io.files import Source, locate_by_number, parse_json, taxonomy_format_of
from fuzzytruth.io.table_files import decode, split_lines, table_of
from fuzzytruth.io.tables import ColumnRequest
from fuzzytruth.io.writing import write_frame, write_whole


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


EDGES = ColumnRequest(("parent", "child"), (), "child")


def of_frame(frame: Any, columns: Mapping[str, Any] | None = None) -> Edges:
    """Edges of a table with columns parent and child, of any library."""
    table, origin = table_of(frame, EDGES.given(columns))
    return Edges(list(table["parent"]), list(table["child"]), origin, "frame")


def of_networkx(graph: Any, reverse: bool) -> Edges:
    """Edges of a directed NetworkX graph, from parent to child unless `reverse`."""
    if not (hasattr(graph, "edges") and hasattr(graph, "is_directed")):
        raise DataError(f"graph: {shown(graph)} is not a NetworkX graph")
    if not graph.is_directed():
        raise DataError("graph: its edges have no direction; give a DiGraph, parent → child")
    option_flag("reverse", reverse)
    pairs = [(b, a) if reverse else (a, b) for a, b in graph.edges()]
    return _located_by_ends(pairs, "graph", list(graph.nodes))


_NO_PARENT = "0"
_WORD = re.compile(r"[^ \t\n\r\v\f]+")  # no other white space of Unicode separates words


@dataclass(slots=True)
class _WordReader:
    """Reads the words of a file one after another."""

    source: Source
    words: list[re.Match[str]] = field(init=False)
    text: str = field(init=False)
    n_read: int = 0

    def __post_init__(self) -> None:
        self.text = decode(self.source.path, self.source.text())
        self.words = list(_WORD.finditer(self.text))

    def next(self, what: str) -> str:
        """The next word, described by `what` in errors."""
        if self.n_read == len(self.words):
            raise DataError(f"{self.source.path}: the file ends where {what} should follow")
        self.n_read += 1
        return self.words[self.n_read - 1].group()

    def count(self, what: str) -> int:
        """The next word as a whole number from 0."""
        word = self.next(what)
        if not re.fullmatch(r"[0-9]{1,18}", word):
            self.refuse(f"{shown(word)} should be {what}, a whole number from 0")
        return int(word)

    @property
    def line(self) -> int:
        """The line of the last word read."""
        before = (0, self.words[self.n_read - 1].start())
        ends = [self.text.count(end, *before) for end in ("\n", "\r", "\r\n")]
        return ends[0] + ends[1] - ends[2] + 1

    def refuse(self, message: str, kind: type[DataError] = DataError) -> NoReturn:
        """Raise an error at the last word read."""
        raise kind(f"{self.source.path}, line {self.line}: {message}")


def read_cla_edges(source: Source) -> tuple[Edges, dict[str, str]]:
    """Read the edges between classes, and the class of each model.

    Raises
    ------
    DataError
        The file is not in this format, a count is not a number, or counts do not match.
    TaxonomyError
        A class is defined twice or before its parent, or a model is in two classes.
    """
    words = _WordReader(source)
    if words.next("PSB 1") != "PSB":
        words.refuse("a classification file starts with 'PSB 1'")
    version = words.next("the version")
    if version != "1":
        words.refuse(f"version {shown(version)} of the format is not known; convert it to 1")
    stated = words.count("the number of classes"), words.count("the number of models")
    parents: list[str | None] = []
    line_of: dict[str, int] = {}
    class_of: dict[str, str] = {}
    while words.n_read < len(words.words):
        name = words.next("a class")
        if name in line_of:
            words.refuse(
                f"class {shown(name)} is defined twice (first: line {line_of[name]}); is the "
                "number of models before it right?",
                TaxonomyError,
            )
        line = words.line
        parent = words.next(f"the parent of {shown(name)}")
        if parent != _NO_PARENT and parent not in line_of:
            words.refuse(
                f"parent {shown(parent)} of {shown(name)} is not defined above it"
                f"{nearest(parent, list(line_of))}; define it first, or give 0 for none",
                TaxonomyError,
            )
        parents.append(None if parent == _NO_PARENT else parent)
        line_of[name] = line
        _read_models(words, name, class_of)
    _check_counts(source, stated, (len(line_of), len(class_of)))
    lines = list(line_of.values())
    edges = Edges(
        parents, list(line_of), lambda row: f"{source.path}, line {lines[row]}", str(source.path)
    )
    return edges, class_of


def _read_models(words: _WordReader, name: str, class_of: dict[str, str]) -> None:
    """Add the models of class `name` to `class_of`."""
    n_models = words.count(f"the number of models of {shown(name)}")
    n_left = len(words.words) - words.n_read
    if n_left < n_models:
        words.refuse(
            f"class {shown(name)} should have {counted(n_models, 'model')}, but the file ends "
            f"after {n_left:,}; correct the number, or complete the file"
        )
    for _ in range(n_models):
        model = words.next("a model")
        if model in class_of:
            words.refuse(
                f"model {shown(model)} of {shown(name)} is in {shown(class_of[model])} already; a "
                "model has one class",
                TaxonomyError,
            )
        class_of[model] = name


def _check_counts(source: Source, stated: tuple[int, int], read: tuple[int, int]) -> None:
    """Raise unless the numbers of classes and of models are those stated in the head."""
    names = (("class", "classes"), ("model", "models"))
    for name, expected, actual in zip(names, stated, read, strict=True):
        if expected != actual:
            raise DataError(
                f"{source.path}: the head says {counted(expected, *name)}, but the file has "
                f"{actual:,}; correct the head, or complete it"
            )


# Trees as indented text: one name a line; its parent is the last line that is indented less.

_BLANKS = " \t"  # of which indentation is made


def read_indented(source: Source) -> Edges:
    """Read a tree indented with tabs, or with spaces of any width, but not both.

    Raises
    ------
    TaxonomyError
        Lines are indented with both, or a line does not line up with any of its possible siblings.
    DataError
        The file cannot be read, or is not UTF-8.
    """
    parents: list[str | None] = []
    names: list[str] = []
    lines: list[int] = []
    branch: list[tuple[int, str]] = []  # indentation and name of the last line and its ancestors
    blank = ""  # the character of the first indentation
    for line, text in enumerate(split_lines(decode(source.path, source.text())), start=1):
        if not text.strip(_BLANKS + "\v\f"):
            continue
        name = text.strip(_BLANKS)
        where = f"{source.path}, line {line}"
        indent = text[: len(text) - len(text.lstrip())]
        blank = blank or indent[:1]
        _check_blanks(indent, blank, f"{where}: {shown(name)}")
        sibling_indent = branch[-1][0] if branch else len(indent)
        while branch and branch[-1][0] >= len(indent):
            sibling_indent, _ = branch.pop()
        if len(indent) < sibling_indent:
            raise TaxonomyError(
                f"{where}: {shown(name)} is indented by {len(indent)}, like no line above it that "
                "it could stand beside; line it up with its siblings"
            )
        parents.append(branch[-1][1] if branch else None)
        names.append(name)
        lines.append(line)
        branch.append((len(indent), name))
    return Edges(parents, names, lambda row: f"{source.path}, line {lines[row]}", str(source.path))


def _check_blanks(indent: str, blank: str, where: str) -> None:
    """Raise if an indentation is not made of the same character as those above it."""
    foreign = set(indent) - set(_BLANKS)
    if foreign:
        raise TaxonomyError(
            f"{where} is indented with {shown(min(foreign))}; use spaces, or tabs, throughout"
        )
    others = set(indent) - {blank}
    if others:
        names = {" ": "spaces", "\t": "tabs"}
        this, above = (names[c] for c in (min(others), blank))
        raise TaxonomyError(
            f"{where} is indented with {this}, but the lines above with {above}; use one of them"
        )


# Taxonomies as JSON: children or parents of each category, nested objects, records, pairs.

_FORMS = (
    '{parent: [child, ...]}, {root: {child: {...}}}, {child: parent}, [{"parent": ..., "child": '
    "...}] or [[parent, child]]"
)


def read_taxonomy_json(source: Source) -> Edges:
    """Read any of the forms, recognised by the types of their parts."""
    where = str(source.path)
    data = parse_json(source.text(), where)
    if isinstance(data, list) and data and all(isinstance(row, dict) for row in data):
        return _of_records(source, data)
    _refuse_truth_values(data, where)
    if isinstance(data, list):
        return of_pairs(data, where)
    if not isinstance(data, dict):
        raise DataError(f"{where}: {shown(data)} is no taxonomy; give {_FORMS}")
    if any(isinstance(value, dict) for value in data.values()):
        return of_nested(data, where)
    if all(isinstance(value, list) for value in data.values()):
        return of_children(data, where)
    return of_parents(data, where)


def _refuse_truth_values(data: Any, where: str) -> None:
    """Raise if true or false stands somewhere, which is no name of a category."""
    stack = [data]
    while stack:  # no recursion, as nesting may exceed the depth of calls in Python
        part = stack.pop()
        if isinstance(part, bool):
            word = str(part).lower()
            raise DataError(f'{where}: {word} is no name; write "{word}" if it is meant')
        if isinstance(part, (dict, list)):
            stack += part.values() if isinstance(part, dict) else part


def _of_records(source: Source, records: list[dict[str, Any]]) -> Edges:
    """Edges of ``[{"parent": ..., "child": ...}, ...]``."""
    keys = dict.fromkeys(key for record in records for key in record)
    key_of = find_columns(keys, ("parent", "child"), (), where=str(source.path))
    parent, child = (
        [record.get(key_of[name]) for record in records] for name in ("parent", "child")
    )
    _refuse_truth_values([parent, child], str(source.path))
    return Edges(parent, child, locate_by_number(source.path, "record"), str(source.path))


# Reading and writing the edges of taxonomies in files of any format.


def read_edges(source: Source, columns: Mapping[str, Any] | None = None) -> Edges:
    """Read the edges of a taxonomy from a file in any format of taxonomies.

    Raises
    ------
    DataError
        The ending of the name belongs to no such format, or the file breaks a rule of its format.
    """
    kind = taxonomy_format_of(source.path)
    if kind in ("cla", "indented", "json") and columns is not None:
        raise OptionError(f"columns=: {source.path} has no named columns; leave it out")
    if kind == "cla":
        return read_cla_edges(source)[0]
    if kind == "indented":
        return read_indented(source)
    if kind == "json":
        return read_taxonomy_json(source)
    table, origin = table_of(source, EDGES.given(columns))
    return Edges(table["parent"], table["child"], origin, str(source.path))


def write_taxonomy(
    path: Path,
    *,
    frame: Callable[[], pd.DataFrame],
    children: Callable[[], dict[str, Any]],
    text: Callable[[], str],
) -> None:
    """Write a taxonomy in the format given by the ending of the name.

    Parameters
    ----------
    path : Path
    frame : callable
        Gives the edges: columns parent and child.
    children : callable
        Gives ``{parent: [child, ...]}``.
    text : callable
        Gives the tree as indented text.

    Raises
    ------
    DataError
        The ending belongs to no format of taxonomies, or to classification files.
    """
    kind = taxonomy_format_of(path)
    if kind == "cla":
        raise DataError(
            f"{path}: a .cla file also lists the models of each class, which a taxonomy does not "
            "know; write CSV, JSON or text"
        )
    if kind in ("indented", "json"):
        in_json = kind == "json"
        content = f"{json.dumps(children(), ensure_ascii=False, indent=1)}\n" if in_json else text()
        write_whole(path, lambda file: file.write(content.encode()))
    else:
        write_frame(frame().fillna(""), path)  # the parent of a single root is missing
