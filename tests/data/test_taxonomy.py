"""Taxonomies: construction from every form, removal of categories, files, text, and errors."""

import json
import pickle
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import pandas as pd
import pytest
from hypothesis import given, settings
from support.random_graphs import Edges, edges
from support.small_taxonomies import FIGURE, FIGURE_1, GRAPH
from support.texts import is_stored

import fuzzytruth as ft

Tax = ft.Taxonomy
PARENTS = {child: parent for parent, below in FIGURE_1.items() for child in below}
PAIRS = [(parent, child) for child, parent in PARENTS.items()]
NESTED = {
    "all": {"people": ["single", "group", "crowd"], "scenery": {"city": {}, "countryside": None}}
}


@pytest.mark.parametrize(
    "made",
    [
        Tax.from_edges(PAIRS),
        Tax.from_edges([(None, "all"), *FIGURE.to_edges()]),
        Tax.from_parents(PARENTS),
        Tax.from_parents({"all": None} | {child: [parent] for child, parent in PARENTS.items()}),
        Tax.from_nested(NESTED),
        Tax.from_frame(pd.DataFrame(PAIRS, columns=["Hypernym", "category"])),
        Tax.from_children(FIGURE.to_children(), root="everything"),  # nothing to join
        Tax.from_frame(FIGURE.to_frame()),
        pickle.loads(pickle.dumps(FIGURE)),
    ],
)
def test_all_forms_give_the_same(made: Tax) -> None:
    assert made == FIGURE
    assert hash(made) == hash(FIGURE)
    assert made.nodes == ("all", "people", "scenery", *[*PARENTS][2:])


def test_face() -> None:
    assert repr(FIGURE) == "Taxonomy(5 categories below 3, tree of depth 2, root 'all')"
    assert repr(GRAPH) == "Taxonomy(1 category below 5, graph with 6 edges of depth 4, root 'all')"
    assert list(FIGURE) == list(FIGURE.nodes)
    assert len(FIGURE) == 8
    below_a, below_b = (Tax.from_parents({"a": "r", "b": "r", "c": up}) for up in "ab")
    assert below_a.nodes == below_b.nodes
    assert below_a != below_b
    assert "crowd" in FIGURE
    assert "cat" not in FIGURE
    assert (FIGURE.is_tree, GRAPH.is_tree) == (True, False)
    assert FIGURE not in (GRAPH, "all")
    one = Tax.from_children({"all": []})
    assert one.nodes == one.leaves() == ("all",)
    assert one.is_tree
    assert one.similarities("lin").tolist() == [[1.0]]
    assert Tax.from_frame(one.to_frame()) == Tax.from_children(one.to_children()) == one


TWO_ROOTS: Any = {"a": ["x"], "b": []}
BAD_CHILDREN: list[tuple[Any, str]] = [
    ({"a": ["b"], "b": ["c"], "c": ["b"]}, r"cycle: (b → c → b|c → b → c);"),
    ({"a": ["a"]}, "'a' is its own parent"),
    ({"a": ["b", "b"]}, "'b' is given twice as a child of 'a'"),
    ({1: ["b"], "1": ["b"]}, "'b' is given twice as a child of '1'"),
    ({"all": ["people"], "poeple": ["x"]}, r"2 roots.*'poeple' \(nearest: 'people'\)"),
    ({str(j): [] for j in range(12)}, "12 roots.* and 2 more; .*root='all'"),
    ({}, "it has no categories"),
    ({"a": ["b", ""]}, "column 'child': the id is empty"),
    ({"a": [None]}, "column 'child': the id is missing"),
    ({"a": "bc"}, "parent 'a': 'bc' is not a list"),
    ({"a": {"b": ["c"]}}, "parent 'a': .* is not a list; .*from_nested takes mappings"),
    ({"a": 3}, "parent 'a': 3 is not a list"),
    (["a"], "is not a mapping"),
]


@pytest.mark.parametrize(
    ("make", "given", "message"),
    [
        *((Tax.from_children, *case) for case in BAD_CHILDREN),
        (
            Tax.from_parents,
            {"all": None, "people": "all", "crowd": "poeple"},
            r"parent 'poeple' of 'crowd' is unknown \(nearest",
        ),
        (
            Tax.from_edges,
            [(None, "a"), (None, "b"), ("a", "b")],
            "'b' is given without a parent and also as a child",
        ),
        (Tax.from_edges, [("a", "b"), ("a", "b", "c")], "edges, row 2: .* has 3 parts"),
        (Tax.from_edges, ["ab"], "row 1: 'ab' is not a pair"),
        (Tax.from_parents, ["a"], "is not a mapping"),
        (Tax.from_nested, ["a"], "is not a mapping"),
        (Tax.from_nested, {"a": 3}, "category 'a': 3 does not belong there"),
        (Tax.from_frame, pd.DataFrame({"parent": ["a"]}), "frame: no column for 'child'"),
        (
            Tax.from_frame,
            pd.DataFrame({"parent": ["a", "a"], "child": ["b", "b"]}),
            r"frame, row 2 \(index 1\): 'b' is given twice",
        ),
        (
            lambda given: Tax.from_children(given, root="x"),
            TWO_ROOTS,
            "root='x' lies below 'a'; .*one of the 2 roots",
        ),
        (lambda given: Tax.from_children(given, root=""), TWO_ROOTS, "'root': the id is empty"),
        (Tax.from_networkx, nx.Graph([("a", "b")]), "edges have no direction"),
        (Tax.from_networkx, [("a", "b")], "is not a NetworkX graph"),
        (Tax.flat, ["dog", "dog"], "'dog' is given twice"),
        (FIGURE.to_text, {"cat": 1}, r"values, row 1.*'cat' is not among"),
        (Tax.flat, ["dog", ""], "the id is empty"),
    ],
)
def test_mistakes(make: Any, given: Any, message: str) -> None:
    with pytest.raises(ft.errors.DataError, match=message):
        make(given)


def test_to_networkx_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(ft.FuzzytruthError, match="pip install networkx"):
        FIGURE.to_networkx()


def test_prune_reattaches_or_drops() -> None:
    assert FIGURE.prune(["people"]).to_children() == {
        "all": ["scenery", "single", "group", "crowd"],
        "scenery": ["city", "countryside"],
    }
    people = ["people", "single", "group", "crowd"]
    assert FIGURE.prune(["people"], children="drop") == FIGURE.prune(people)
    assert FIGURE.prune(max_depth=1).nodes == ("all", "people", "scenery")
    sizes = FIGURE.totals({"people": 2, "crowd": 1, "city": 2})
    heavy = FIGURE.prune(weights=sizes, min_weight=1).nodes
    assert heavy == ("all", "people", "scenery", "crowd", "city")
    assert FIGURE.prune() == FIGURE
    assert GRAPH.prune(["fish"]).parents("eel") == ("food", "pet")
    assert GRAPH.prune(["animal", "pet"]).parents("fish") == ("all", "food")
    # fish hangs on food too, so that dropping what hangs on animal leaves it
    assert GRAPH.prune(["animal"], children="drop").nodes == ("all", "food", "fish", "eel")


@settings(max_examples=30)
@given(edges())
def test_pruned_ancestors_are_those_kept(pairs: Edges) -> None:
    tax = Tax.from_edges(pairs)
    gone = set(tax.nodes[1::3])
    pruned = tax.prune(gone)
    assert set(pruned) == set(tax) - gone
    for name in pruned:
        assert set(pruned.ancestors(name)) == set(tax.ancestors(name)) - gone
    dropped = tax.prune(gone, children="drop")
    reached = {tax.root}
    for name in tax.nodes[1:]:
        if name not in gone and reached & set(tax.parents(name)):
            reached.add(name)
    assert set(dropped) == reached
    assert set(dropped.to_edges()) == {(p, c) for p, c in pairs if {p, c} <= reached}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"names": ["all"]}, "the root 'all' would be removed"),
        ({"weights": dict.fromkeys(FIGURE, 1), "min_weight": 2}, "the root"),
        ({"names": ["cat"]}, r"names, row 1.*'cat' is not among"),
        ({"names": "people"}, "names='people': must be a column of names"),
        ({"min_weight": 2}, "one is given without the other"),
        ({"names": ["people"], "children": "keep"}, "children='keep'"),
    ],
)
def test_what_cannot_be_pruned(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=message):
        FIGURE.prune(**options)


def test_printed() -> None:
    tree = Tax.from_nested({"all": {"people": ["one", "crowd"], "city": {}}})
    assert is_stored("taxonomy", tree._answer().text(80))
    pairs = [("all", f"p{j}") for j in range(10)]
    pairs += [(f"p{j}", f"c{j}.{k}") for j in range(10) for k in range(9)]
    text = str(Tax.from_edges(pairs))
    assert "· p9          9" in text
    assert "· · " not in text
    assert "90 categories not shown: .to_text(), .subtree(name)" in text
    broad = str(Tax.flat(range(100)))
    assert broad.count("\n· ") == 24
    assert "76 categories not shown" in broad
    assert str(GRAPH).count("fish (above)") == 1


CHILDREN = {"all": ["animal", "food"], "animal": ["fish", "cat"], "food": ["fish"], "fish": ["eel"]}
FOOD = Tax.from_children(CHILDREN)


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tax.json", json.dumps(CHILDREN)),
        (
            "tax.json",
            json.dumps({"all": {"animal": {"fish": {"eel": None}, "cat": {}}, "food": ["fish"]}}),
        ),
        (
            "tax.json",
            '{"animal": "all", "food": "all", "fish": ["animal", "food"], "cat": "animal", '
            '"eel": "fish"}',
        ),
        ("tax.json", json.dumps(FOOD.to_edges())),
        (
            "tax.json",
            json.dumps([{"parent": p, "child": c} for p, c in [(None, "all"), *FOOD.to_edges()]]),
        ),
        (
            "tax.txt",
            "\ufeffall\n\n  animal\n     fish\n       eel\n     cat\n  food\n  \n   fish\n",
        ),
        (
            "tax.txt",
            "all\r\n\tanimal\r\n\t\tfish\r\n\t\t\teel\r\n\t\tcat\r\n\tfood\r\n\t\tfish\r\n",
        ),
        ("tax.txt", "  all\n    animal\n      fish\n        eel\n      cat\n    food\n      fish"),
    ],
)
def test_every_form_of_a_file(name: str, text: str, tmp_path: Path) -> None:
    assert ft.read_taxonomy(put(tmp_path, name, text)) == FOOD


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.txt", "a\nb\n", "2 roots, categories without a parent: 'a', 'b'"),
        ("a.txt", "a\n\tb\n\tc\n\tb\n", r"line 4: 'b' is given twice .*first: .*line 2"),
        ("a.txt", "a\n\tb\n\t\tb\n", "line 3: 'b' is its own parent"),
        ("a.txt", "a\n\tb\n\t\ta\n", "cycle: a → b → a"),
        ("a.txt", "\n", "the file is empty"),
        ("a.txt", "PSB\n\udcff\n", "line 2: byte 0xff is not UTF-8"),
        ("a.owl", "a\n", r"ending '.owl' names no format of taxonomies; name the file .csv"),
        ("a", "a\n", "ending '' names no format"),
        ("a.csv", "a,b\nc,d\n", "such as 'parent,child'"),
        ("a.csv", "parent,child\na,b\na,\n", "line 3, column 'child': the id is empty"),
        ("a.csv", "parent,child\na,b\na,b\n", "line 3: 'b' is given twice"),
        ("a.csv", "parent,child\n,a\na,b\nc,d\n", "line 4: parent 'c' of 'd' is unknown"),
        ("a.csv", "parent,child\na,b,c\n", "line 2: 3 fields"),
        ("a.json", "3", "3 is no taxonomy; give"),
        ("a.json", "{", "is not JSON"),
        ("a.json", '{"a": ["b"], "a": ["c"]}', "key 'a' occurs twice"),
        ("a.json", '[{"parent": "a"}]', "no column for 'child'"),
        ("a.json", '[{"parent": "a", "child": null}]', "record 1, column 'child': the id is missi"),
        ("a.json", '[["a", "b"], "c"]', "row 2: 'c' is not a pair"),
        ("a.json", "[]", "it has no categories"),
        ("a.cla", "OFF\n", "line 1: a classification file starts with 'PSB 1'"),
        ("a.cla", "PSB\n\udcff\n", "line 2: byte 0xff is not UTF-8"),
        ("a.cla", "PSB 1\n1 -1\n", "line 2: '-1' should be the number of models"),
        ("a.cla", "PSB 1\n2 0\na 0 0\n\nb c 0\n", "line 5: parent 'c' of 'b' is not defined above"),
        (
            "a.cla",
            "PSB 1\n1 2\na 0 2\n7\n",
            "class 'a' should have 2 models, but the file ends aft",
        ),
        ("a.cla", "PSB 1", "the file ends where the number of classes should follow"),
    ],
)
def test_bad_files(name: str, text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    with pytest.raises(ft.errors.DataError, match="no such file"):
        ft.read_taxonomy(tmp_path / "none.txt")
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ft.errors.DataError, match=message) as caught:
        ft.read_taxonomy(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_what_cannot_be_written(tmp_path: Path) -> None:
    for name, tax, message in (
        ("a.cla", FOOD, r"a .cla file also lists the models"),
        ("a.xml", FOOD, "names no format of taxonomies"),
        *(
            ("a.txt", Tax.from_children({"all": [name]}), "indented text cannot hold a name")
            for name in (" x", "x ", "x\ny")
        ),
    ):
        with pytest.raises(ft.errors.DataError, match=message):
            tax.write(tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("number", ["k", 3])
def test_formats_of_numbers(number: Any) -> None:
    with pytest.raises(
        ft.errors.OptionError, match=f"number={number!r}: must be the format of a number"
    ):
        FIGURE.to_text({"all": 1}, number=number)
