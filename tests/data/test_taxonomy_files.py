from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft

GRAPH = ft.Taxonomy.from_parents(
    {"animal": "all", "food": "all", "fish": ["animal", "food"], "eel": "fish", "cat": "animal"}
)
ENDINGS = ["csv", "tsv", "json", "jsonl", "parquet", "txt"]
CLA = """PSB 1
4 5

plant 0 0

tree plant 2
m10
m11

animal 0 1
0

dog
  animal 2   86 87
"""


@pytest.fixture
def write(tmp_path: Path):
    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("ending", [*ENDINGS, *(f"{e}.gz" for e in ENDINGS)])
@pytest.mark.parametrize("tax", [GRAPH, ft.Taxonomy.from_children({"only": []})])
def test_read_what_was_written(tax: ft.Taxonomy, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"tax.{ending}"
    tax.write(path)
    assert ft.read_taxonomy(path) == tax


def test_text_is_indented_with_tabs(tmp_path: Path) -> None:
    GRAPH.write(tmp_path / "tax.txt")
    assert (tmp_path / "tax.txt").read_text() == (
        "all\n\tanimal\n\t\tcat\n\t\tfish\n\t\t\teel\n\tfood\n\t\tfish\n"
    ).replace("\t\tcat\n\t\tfish\n\t\t\teel\n", "\t\tfish\n\t\t\teel\n\t\tcat\n")


@pytest.mark.parametrize(
    "data",
    [
        {"all": ["animal", "food"], "animal": ["fish", "cat"], "food": ["fish"], "fish": ["eel"]},
        {"all": {"animal": {"fish": {"eel": None}, "cat": {}}, "food": ["fish"]}},
        {
            "animal": "all",
            "food": "all",
            "fish": ["animal", "food"],
            "cat": "animal",
            "eel": "fish",
        },
        [
            *(["all", "animal"], ["all", "food"], ["animal", "fish"]),
            *(["animal", "cat"], ["food", "fish"], ["fish", "eel"]),
        ],
        [
            {"parent": None, "child": "all"},
            *({"parent": parent, "child": child} for parent, child in GRAPH.to_edges()),
        ],
    ],
)
def test_json_in_every_form(data: object, write) -> None:
    assert ft.read_taxonomy(write("tax.json", json.dumps(data))) == GRAPH


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffall\n\n  animal\n     fish\n       eel\n     cat\n  food\n  \n   fish\n",
        "all\r\n\tanimal\r\n\t\tfish\r\n\t\t\teel\r\n\t\tcat\r\n\tfood\r\n\t\tfish\r\n",
        "  all\n    animal\n      fish\n        eel\n      cat\n    food\n      fish",
    ],
)
def test_indented_text(text: str, write) -> None:
    assert ft.read_taxonomy(write("tax.txt", text)) == GRAPH


def test_several_roots_are_joined(write) -> None:
    path = write("tax.txt", "cat\ndog\n")
    assert ft.read_taxonomy(path, root="pet").to_children() == {"pet": ["cat", "dog"]}


def test_parquet_and_other_names_of_columns(tmp_path: Path) -> None:
    path = tmp_path / "tax.parquet"
    pd.DataFrame({"source": [None, 0, 0], "target": [0, 1, 2]}).astype("Int64").to_parquet(path)
    assert ft.read_taxonomy(path).nodes == ("0", "1", "2")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "a.txt",
            "all\n\tx\n  y\n",
            "line 3: 'y' is indented with spaces, but the lines above with tabs",
        ),
        (
            "a.txt",
            "all\n \tx\n",
            "line 2: 'x' is indented with tabs, but the lines above with spaces",
        ),
        ("a.txt", "all\n    x\n  y\n", "line 3: 'y' is indented by 2, like no line above it"),
        ("a.txt", "  all\n    x\ny\n", "line 3: 'y' is indented by 0"),
        ("a.txt", "a\nb\n", "2 roots, categories without a parent: 'a', 'b'"),
        ("a.txt", "a\n\tb\n\tc\n\tb\n", r"line 4: 'b' is given twice .*first: .*line 2"),
        ("a.txt", "a\n\tb\n\t\tb\n", "line 3: 'b' is its own parent"),
        ("a.txt", "a\n\tb\n\t\ta\n", "cycle: a → b → a"),
        ("a.txt", "\n", "the file is empty"),
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
        (
            "a.json",
            '[{"parent": "a", "child": null}]',
            "record 1, column 'child': the id is missing",
        ),
        ("a.json", '[["a", "b"], "c"]', "row 2: 'c' is not a pair"),
        ("a.json", "[]", "it has no categories"),
        ("a.cla", "PSB 2\n", "line 1: version '2' of the format is not known"),
        ("a.cla", "OFF\n", "line 1: a classification file starts with 'PSB 1'"),
        ("a.cla", "PSB 1\n1 x\n", "line 2: 'x' should be the number of models, a whole number"),
        ("a.cla", "PSB 1\n1 -1\n", "line 2: '-1' should be the number of models"),
        ("a.cla", "PSB 1\n2 0\na 0 0\n\nb c 0\n", "line 5: parent 'c' of 'b' is not defined above"),
        (
            "a.cla",
            "PSB 1\n2 0\na 0 0\na 0 0\n",
            r"line 4: class 'a' is defined twice \(first: line 3",
        ),
        (
            "a.cla",
            "PSB 1\n1 2\na 0 2\n7\n",
            "class 'a' should have 2 models, but the file ends after 1",
        ),
        ("a.cla", "PSB 1\n2 2\na 0 1\n7\nb 0 1\n7\n", "line 6: model '7' of 'b' is in 'a' already"),
        ("a.cla", "PSB 1\n2 1\na 0 1\n7\n", "the head says 2 classes, but the file has 1"),
        ("a.cla", "PSB 1\n1 2\na 0 1\n7\n", "the head says 2 models, but the file has 1"),
        ("a.cla", "PSB 1", "the file ends where the number of classes should follow"),
    ],
)
def test_bad_files(name: str, text: str, message: str, write) -> None:
    path = write(name, text)
    with pytest.raises(ft.DataError, match=message) as caught:
        ft.read_taxonomy(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_bad_bytes(tmp_path: Path) -> None:
    for ending in ("txt", "cla"):
        path = tmp_path / f"a.{ending}"
        path.write_bytes(b"PSB\n\xff\n")
        with pytest.raises(ft.DataError, match="line 2: byte 0xff is not UTF-8"):
            ft.read_taxonomy(path)
    with pytest.raises(ft.DataError, match="no such file"):
        ft.read_taxonomy(tmp_path / "none.txt")


def test_classification_files(write) -> None:
    path = write("sample.cla", CLA)
    tax, category_of = ft.read_cla(path)
    assert tax.to_children() == {
        "all": ["plant", "animal"],
        "plant": ["tree"],
        "animal": ["dog"],
    }
    assert category_of == {
        "m10": "tree",
        "m11": "tree",
        "0": "animal",
        "86": "dog",
        "87": "dog",
    }
    assert ft.read_taxonomy(path) == tax
    assert ft.read_cla(path, root="model").taxonomy.root == "model"


def test_classification_with_the_miscellaneous_class(write) -> None:
    tax, category_of = ft.read_cla(write("a.cla", "PSB 1\n2 1\nanimal 0 0\n-1 0 1\n5\n"))
    assert tax.children("all") == ("animal", "-1")
    assert category_of == {"5": "-1"}


def test_the_truth_of_a_classification(write) -> None:
    """Relevant are the others of the query's class, without the classes below it."""
    classified = ft.read_cla(write("sample.cla", CLA))
    truth = classified.by_example()
    models = list(classified.category_of)
    assert truth.votes.items.to_pylist() == models
    runs = ft.Runs.from_matrix(np.ones((5, 5)), queries=models, items=models)
    scores = ft.evaluate(truth, runs, "P@4", ties="expected")
    found = dict(zip(scores.queries, scores.values[0, 0], strict=True))
    assert found == {"m10": 0.25, "m11": 0.25, "0": 0, "86": 0.25, "87": 0.25}
    macro = scores.mean(groups=classified.category_of).iloc[0, 0]
    assert macro == pytest.approx((0.25 + 0 + 0.25) / 3)


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(ft.DataError, match=r"a .cla file also lists the models"):
        GRAPH.write(tmp_path / "a.cla")
    with pytest.raises(ft.DataError, match="names no format of taxonomies"):
        GRAPH.write(tmp_path / "a.xml")
    for name in (" x", "x\ny"):
        with pytest.raises(ft.DataError, match="indented text cannot hold a name"):
            ft.Taxonomy.from_children({"all": [name]}).write(tmp_path / "a.txt")
    assert not list(tmp_path.iterdir())
