"""Targets: taxonomies in all formats, and classifications."""

import json
import re
from collections.abc import Sequence
from typing import Any

import pandas as pd

import fuzzytruth as ft
from fuzz import plain_parsers as plain
from fuzz.json_mutators import json_mutator
from fuzz.mutators import text_mutator
from fuzz.table_targets import FORMATS, with_packed
from fuzz.target import RefusedError, Row, Target

_EDGES = pd.DataFrame({"parent": ["", *"rra"], "child": [*"rabc"]})
_TREE = b"r\n  a\n    c\n  b\n    d\n    e\n"
_CLA = b"PSB 1\n3 3\n\nr 0 1\nm7\n\na r 2\nm1\nm2\n\nb r 0\n"


def edges(taxonomy: ft.Taxonomy) -> Sequence[Row]:
    """Parent and child, and the root."""
    frame = taxonomy.to_frame()
    pairs = zip(frame["parent"].tolist(), frame["child"].tolist(), strict=True)
    return [(p, c) for p, c in pairs if isinstance(p, str)]


def _of_pairs(pairs: list[tuple[Any, str]]) -> Sequence[Row]:
    """Distinct edges; a file without any, or with two roots, must be refused."""
    children = {child for _, child in pairs if any(p is not None and c == child for p, c in pairs)}
    roots = {name for pair in pairs for name in pair if name is not None} - children
    if len(roots) != 1:
        raise RefusedError(f"{len(roots)} roots")
    return list(dict.fromkeys((p, c) for p, c in pairs if p is not None))


def _table(ending: str, parse: Any) -> Any:
    def rows(data: bytes) -> Sequence[Row] | None:
        found = parse(data, ("parent", "child"), (), ending=ending)
        return None if found is None else _of_pairs([(r["parent"], r["child"]) for r in found])

    return rows


def _indented(data: bytes) -> Sequence[Row]:
    pairs: list[tuple[Any, str]] = []
    branch: list[tuple[int, str]] = []
    blanks = set()
    for line in re.split(r"\r\n|\r|\n", data.decode("utf-8-sig")):
        name = line.strip(" \t")
        if not name.strip("\v\f"):
            continue
        indent = line[: len(line) - len(line.lstrip())]
        blanks |= set(indent)
        beside = None
        while branch and branch[-1][0] >= len(indent):
            beside = branch.pop()[0]
        if (beside is not None and beside != len(indent)) or len(blanks) > 1:
            raise RefusedError("indentation")
        pairs.append((branch[-1][1] if branch else None, plain.identifier(name)))
        branch.append((len(indent), name))
    return _of_pairs(pairs)


def _classified(content: Any) -> Sequence[Row]:
    tree, category_of = content
    models = [("model", *one) for one in category_of.items()]
    return models + [("class", *edge) for edge in edges(tree) if edge[0] != "all"]


def _cla(data: bytes) -> Sequence[Row]:
    words = re.split(r"[ \t\n\r\v\f]+", data.decode("utf-8-sig").strip(" \t\n\r\v\f"))
    if words[:2] != ["PSB", "1"]:
        raise RefusedError("head")
    rows: list[Row] = []
    stated, at, n_classes = words[2:4], 4, 0
    try:
        while at < len(words):
            name, parent, size = words[at], words[at + 1], int(words[at + 2])
            models = words[at + 3 : at + 3 + size]
            if len(models) < size:
                raise RefusedError("too few models")
            rows += [("model", model, name) for model in models]
            rows += [("class", parent, name)] if parent != "0" else []
            at, n_classes = at + 3 + size, n_classes + 1
    except IndexError:
        raise RefusedError("the file ends") from None
    n_models = sum(row[0] == "model" for row in rows)
    if [int(number) for number in stated] != [n_classes, n_models]:
        raise RefusedError("counts")
    plain.unique([(kind, below if kind == "class" else above) for kind, above, below in rows], 2)
    return [row for row in rows if row[:2] != ("class", "all")]


def _children(data: bytes) -> Sequence[Row] | None:
    """Edges of {parent: [child, ...]}; other forms are not looked at."""
    value = plain.json_value(data)
    lists = isinstance(value, dict) and all(isinstance(v, list) for v in value.values())
    if not lists or not value:
        return None
    named = [
        (plain.identifier(p), plain.identifier(c)) for p, below in value.items() for c in below
    ]
    alone = [(None, plain.identifier(parent)) for parent in value]
    return _of_pairs(named + alone)


_JSON = (
    {"r": ["a", "b"], "a": ["c"]},
    {"r": {"a": {"c": {}}, "b": None}},
    {"a": "r", "b": "r", "r": None},
    [{"parent": "r", "child": "a"}, {"parent": "a", "child": "b"}],
    [["r", "a"], ["r", "b"]],
)

TARGETS = [
    *with_packed(
        Target(
            "taxonomy.txt",
            "tree.txt",
            (_TREE, _TREE.replace(b"  ", b"\t")),
            text_mutator(b" "),
            ft.read_taxonomy,
            edges,
            _indented,
        )
    ),
    Target("taxonomy.cla", "a.cla", (_CLA,), text_mutator(b" "), ft.read_cla, _classified, _cla),
    Target(
        "taxonomy.json",
        "tree.json",
        tuple(json.dumps(one).encode() for one in _JSON),
        json_mutator(),
        ft.read_taxonomy,
        edges,
        _children,
    ),
    *(
        Target(
            f"taxonomy-edges.{ending}",
            f"edges.{ending}",
            tuple(write(_EDGES) for write in writers),
            mutate,
            ft.read_taxonomy,
            edges,
            _table(ending, parse),
        )
        for ending, (writers, mutate, parse) in FORMATS.items()
        if ending != "json"
    ),
]
