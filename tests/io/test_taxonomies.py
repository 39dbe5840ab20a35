"""Every form and file of a taxonomy gives the same edges, each with its place."""

import json
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from fuzzytruth.errors import DataError, TaxonomyError
from fuzzytruth.io import taxonomies
from fuzzytruth.io.files import Source
from fuzzytruth.io.taxonomies import (
    Edges,
    read_edges,
    read_indented,
    read_taxonomy_json,
    write_taxonomy,
)

PAIRS = {("all", "animal"), ("all", "food"), ("animal", "fish"), ("food", "fish")}
CHAIN = [("a", "b"), ("b", "c")]


def pairs(edges: Edges) -> list[tuple[Any, Any]]:
    return list(zip(edges.parent, edges.child, strict=True))


def put(path: Path, text: str) -> Source:
    path.write_text(text)
    return Source.of(path)


def test_all_forms_agree() -> None:
    graph = nx.DiGraph(list(PAIRS))
    children = {"all": ["animal", "food"], "animal": ("fish",), "food": {"fish"}}
    parents = {"animal": "all", "food": ["all"], "fish": ["animal", "food"]}
    for edges in (
        taxonomies.of_children(children, "x"),
        taxonomies.of_parents(parents, "x"),
        taxonomies.of_pairs(sorted(PAIRS), "x"),
        taxonomies.of_nested({"all": {"animal": {"fish": None}, "food": ["fish"]}}, "x"),
        taxonomies.of_frame(pd.DataFrame(sorted(PAIRS), columns=["source", "target"])),
        taxonomies.of_networkx(graph, False),
        taxonomies.of_networkx(graph.reverse(), True),
    ):
        assert set(pairs(edges)) == PAIRS


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: taxonomies.of_children({"a": "b"}, "x"), r"^x, parent 'a': 'b' is not a list"),
        (lambda: taxonomies.of_children({"a": {"b": 1}}, "x"), "; from_nested takes mappings$"),
        (lambda: taxonomies.of_children([1], "x"), r"^x: \[1\] is not a mapping; give"),
        (lambda: taxonomies.of_pairs(["ab"], "x"), r"^x, row 1: 'ab' is not a pair"),
        (lambda: taxonomies.of_pairs([("a", "b", "c")], "x"), "has 3 parts; give"),
        (lambda: taxonomies.of_nested(3, "x"), "^x: 3 is not a mapping"),
        (lambda: taxonomies.of_nested({"a": 3}, "x"), "^x, category 'a': 3 does not belong there"),
        (lambda: taxonomies.of_networkx(3, False), "^graph: 3 is not a NetworkX graph"),
        (lambda: taxonomies.of_networkx(nx.Graph(), False), "its edges have no direction"),
    ],
)
def test_objects_that_are_no_taxonomy(call: Any, message: str) -> None:
    with pytest.raises((DataError, TaxonomyError), match=message):
        call()


def write(path: Path) -> None:
    write_taxonomy(
        path,
        frame=lambda: pd.DataFrame({"parent": ["a", "b"], "child": ["b", "ç"]}),
        children=lambda: {"a": ["b"], "b": ["ç"]},
        text=lambda: "a\n\tb\n\t\tç\n",
    )


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl", "parquet", "txt", "txt.gz"])
def test_what_was_written(tmp_path: Path, ending: str) -> None:
    write(tmp_path / f"a.{ending}")
    edges = read_edges(Source.of(tmp_path / f"a.{ending}"))
    found = [(str(parent), str(child)) for parent, child in pairs(edges) if parent is not None]
    assert found == [("a", "b"), ("b", "ç")]
    assert edges.where == str(tmp_path / f"a.{ending}")


def test_other_endings(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"a \.cla file also lists the models of each class"):
        write(tmp_path / "a.cla")
    assert read_edges(put(tmp_path / "a.cla", "PSB 1\n1 0\na 0 0\n")).child == ["a"]
    for call in (write, lambda path: read_edges(Source.of(path))):
        with pytest.raises(DataError, match="names no format of taxonomies"):
            call(tmp_path / "a.owl")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"a": ["b"], "b": ["c"]}, CHAIN),
        ({"a": {"b": {"c": {}}}}, CHAIN),
        ({"b": "a", "c": "b"}, CHAIN),
        ({"b": "a", "c": ["b"]}, CHAIN),
        ([["a", "b"], ["b", "c"]], CHAIN),
        ([{"source": "a", "target": "b"}, {"target": "c", "source": "b", "note": 1}], CHAIN),
        ([{"child": "a"}, {"parent": "a", "child": "b"}], [(None, "a"), ("a", "b")]),
        ([{"parent": "a", "child": "b", "leaf": True}], [("a", "b")]),
    ],
)
def test_forms_of_json(tmp_path: Path, data: Any, expected: list[Any]) -> None:
    assert pairs(read_taxonomy_json(put(tmp_path / "a.json", json.dumps(data)))) == expected


@pytest.mark.parametrize(("seed", "blanks"), [*enumerate(["\t", "  ", "     ", "\t", " "])])
def test_any_indented_tree_reads_back(tmp_path: Path, blanks: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    depth, lines, branch, want = 0, ["0"], ["0"], [(None, "0")]
    for node in range(1, 30):
        depth = int(rng.integers(1, depth + 2))
        want.append((branch[depth - 1], str(node)))
        branch[depth:] = [str(node)]
        lines.append(blanks * depth + str(node) + " " * int(rng.integers(0, 2)))
    edges = read_indented(put(tmp_path / "a.txt", "\n\n".join(lines)))
    assert pairs(edges) == want
    assert edges.locate(1) == f"{tmp_path / 'a.txt'}, line 3"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.json", "3", "3 is no taxonomy; give"),
        ("a.json", "[1]", "row 1: 1 is not a pair"),
        ("a.json", '[{"parent": "a"}]', "no column for 'child'"),
        ("a.json", '{"r": ["a", true]}', r'a.json: true is no name; write "true"'),
        ("a.json", '{"r": {"a": {"b": true}}}', r'a.json: true is no name; write "true"'),
        ("a.json", '[["r", true]]', r'a.json: true is no name; write "true"'),
        ("a.json", '[{"parent": "r", "child": true}]', "a.json: true is no name; write"),
        ("a.txt", "a\n\tx\n  y\n", "line 3: 'y' is indented with spaces, but .* above with tabs"),
        ("a.txt", "a\n \tx\n", "line 2: 'x' is indented with tabs, but .* above with spaces"),
        ("a.txt", "a\n\u3000x\n y\n", r"line 2: '\\u3000x' is indented with '\\u3000'; use spaces"),
        ("a.txt", "a\n    x\n  y\n", "line 3: 'y' is indented by 2, like no line above it"),
        ("a.txt", "  a\n    x\ny\n", "line 3: 'y' is indented by 0, like no line above it"),
        ("a.cla", "OFF", "line 1: a classification file starts with 'PSB 1'"),
        ("a.cla", "PSB 2", "line 1: version '2' of the format is not known; convert it to 1"),
        ("a.cla", "PSB", "the file ends where the version should follow"),
        ("a.cla", "PSB 1\n1 x", "line 2: 'x' should be the number of models, a whole number"),
        ("a.cla", "PSB 1\n1 2\na 0 2\n7", "line 3: class 'a' should have 2 models, .* after 1"),
        ("a.cla", "PSB 1\n2 1\na 0 1\n7", "the head says 2 classes, but the file has 1; correct"),
        ("a.cla", "PSB 1\n1 2\na 0 1\n7", "the head says 2 models, but the file has 1"),
        (
            *("a.cla", "PSB 1\n3 0\na 0 0\nplants 0 0\nb plant 0"),
            r"line 5: parent 'plant' of 'b' .*\(nearest: 'plants'\)",
        ),
        (
            *("a.cla", "PSB 1\n2 0\na 0 0\na 0 0"),
            r"line 4: class 'a' is defined twice \(first: line 3\)",
        ),
        ("a.cla", "PSB 1\n2 2\na 0 1 m\nb 0 1 m", "line 4: model 'm' of 'b' is in 'a' already"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises((DataError, TaxonomyError), match=message):
        read_edges(put(tmp_path / name, text))
