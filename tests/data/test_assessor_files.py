"""Files of votes, one for each assessor."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.cli.commands import run
from fuzzytruth.data.assessor_files import files_of_assessors
from fuzzytruth.data.votes_without_queries import as_votes

ANN = "q 0 a 1\nq 0 b 0\nr 0 a 2\n"
BOB = "q 0 a 0\nr 0 c 3\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "people"
    folder.mkdir()
    for name, text in {"ann.qrels": ANN, "bob.qrels": BOB, ".hidden": ""}.items():
        (folder / name).write_text(text)
    (folder / "old").mkdir()
    Path("alone.csv").write_text("query,item,rater,grade\nq,a,eve,1\n")
    Path("wide.csv").write_text("query,item,ann,bob\nq,a,1,0\n")
    Path("counts.csv").write_text("query,item,grade,count\nq,a,1,5\n")
    Path("one.csv").write_text("item,label\ni,cat\nj,dog\n")
    Path("two.csv").write_text("item,label\ni,cat\nj,cat\n")


TWO = {"ann": "people/ann.qrels", "bob": "people/bob.qrels"}


@pytest.mark.parametrize("given", [TWO, [*TWO.values()], "people/*.qrels", Path("people")])
def test_the_same_from_names_lists_patterns_and_folders(given) -> None:
    truth = ft.read_judgments(given)
    assert truth.subjects == ("ann", "bob")
    assert truth.design == "crossed"
    frame = truth.to_frame()
    assert frame.values.tolist() == [
        ["q", "a", "ann", 1.0],
        ["q", "b", "ann", 0.0],
        ["r", "a", "ann", 2.0],
        ["q", "a", "bob", 0.0],
        ["r", "c", "bob", 3.0],
    ]
    assert truth.checksum == ft.Judgments.from_frame(frame).checksum


def test_names_given_and_names_in_files() -> None:
    assert ft.read_judgments({"x": "alone.csv", "ann": TWO["ann"]}).subjects == ("x", "ann")
    assert ft.read_judgments(["alone.csv", TWO["ann"]]).subjects == ("eve", "ann")
    assert ft.read_judgments(["alone.csv"]).subjects == ("eve",)
    assert ft.read_judgments({"ann": TWO["ann"]}, design="nested").design == "nested"
    assert files_of_assessors("alone.csv") is None
    runs = {"x": {"q": ["a", "b"], "r": ["a", "c"]}}
    by_subject = ft.evaluate(TWO, runs, "P@1", worlds="subject", missing="nonrelevant")
    assert by_subject.mean(by="subject")["P@1"].to_dict() == {("x", "ann"): 1.0, ("x", "bob"): 0.0}


def test_votes_for_categories() -> None:
    votes = ft.read_assignments({"ann": "one.csv", "bob": "two.csv"})
    assert votes.subject_names == ("ann", "bob")
    np.testing.assert_allclose(votes.membership().agreement(), [1.0, 0.0])
    with pytest.warns(ft.errors.LeftOutWarning, match="one.csv: 1 row of 2 left out"):
        dropped = ft.read_assignments(["one.csv", "two.csv"], drop="dog")
    assert dropped.subject_names == ("one", "two")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([TWO["ann"], TWO["ann"]], "^people/ann.qrels: is given twice; give the file of each"),
        ({"x": TWO["ann"], "y": TWO["ann"]}, "ann.qrels: is given as 'x' and as 'y'; give the"),
        ([TWO["ann"], "people/../people/ann.qrels"], "is given twice, first as people/ann.qrels;"),
        ([TWO["ann"], "link.qrels"], "^link.qrels: is given twice, first as people/ann.qrels; gi"),
        ({"x": TWO["ann"], "y": "link.qrels"}, "^link.qrels: is given as 'x' and as 'y', first a"),
        (["people/*.qrels", "link.qrels"], "^link.qrels: is given twice, first as people/ann.qre"),
        (["circle.qrels"], "^circle.qrels: cannot be read .Too many levels of symbolic links"),
        (["alone.csv", "copy/eve.csv"], "copy.eve.csv: the subject 'eve' is in alone.csv, too"),
        ({"x": "wide.csv"}, "wide.csv: names 2 subjects .'ann', 'bob'., and is given as 'x'"),
        (["counts.csv"], "counts.csv: a column 'count' is of votes that name nobody"),
        ([TWO["ann"], "empty.txt"], "^empty.txt: the file is empty"),
        ([TWO["ann"], "words.txt"], "^words.txt, line 2, column 'grade': value 'yes' is not a nu"),
        ([TWO["ann"], "twice.txt"], "^twice.txt, line 3, column 'item': value 'a' is judged twice"),
        ([TWO["ann"], "place.csv"], "place.csv: either this file or people/ann.qrels has a column"),
        ([], "must name a file, or several"),
        ({"": "alone.csv"}, "the name is empty; give one"),
        (["gone.csv"], "gone.csv: no such file"),
    ],
)
def test_one_error_that_names_the_file(given, message: str) -> None:
    Path("link.qrels").symlink_to("people/ann.qrels")
    Path("circle.qrels").symlink_to("circle.qrels")
    Path("copy").mkdir()
    Path("copy/eve.csv").write_text("query,item,grade\nq,a,1\n")
    Path("empty.txt").write_text("")
    Path("words.txt").write_text("q 0 a 1\nq 0 b yes\n")
    Path("twice.txt").write_text("q 0 a 1\n\nq 0 a 2\n")
    Path("place.csv").write_text("query,item,grade,position\nq,a,1,1\n")
    subjects = ["ann", "bob"] if given == {"x": "wide.csv"} else ()
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.read_judgments(given, subjects=subjects)


def test_errors_of_categories_name_the_line_and_the_column() -> None:
    tree = ft.Taxonomy.flat(["cat", "dog"])
    Path("three.csv").write_text("item,label\ni,cat\nj,dgo\n")
    with pytest.raises(
        ft.errors.DataError, match=r"three.csv, line 3, column 'label': value 'dgo'"
    ):
        ft.read_assignments(["one.csv", "two.csv", "three.csv"], taxonomy=tree)
    with pytest.raises(
        ft.errors.DataError, match=r"ann.qrels: votes need named columns .item, category"
    ):
        ft.read_assignments(["one.csv", "people/ann.qrels"])


#: a file among many: its name, text, and what is said of it
ONE_OF_MANY = {
    "empty.qrels": ("", "the file is empty; a line of TREC judgments has 4 fields, query group it"),
    "header.csv": ("query,item,grade\n", "there are no rows after the header"),
    "word.qrels": (
        "q 0 a 1\nq 0 b yes\n",
        ", line 2, column 'grade': value 'yes' is not a number; ",
    ),
    "nan.qrels": (
        "q 0 a 1\nq 0 b nan\n",
        ", line 2, column 'grade': value 'nan' is not a finite n",
    ),
    "words.csv": (
        "query,item,grade\nq,a,1\nq,b,high\n",
        ", line 3, column 'grade': value 'high' is not a number; every row needs one; say what "
        "words stand for, such as ",
    ),
    "short.qrels": (
        "q 0 a 1\nq 0 b\n",
        ", line 2: 3 fields in 'q 0 b', but a line of TREC judgmen",
    ),
    "sys.run": (
        "q Q0 a 1 2.5 sys\n",
        "this is a line of a TREC run: were judgments and runs swapp",
    ),
    "comma.qrels": (
        "query,item,grade\nq,a,1\n",
        "separated by commas are read from a file named .",
    ),
    "json.qrels": ('{"q": {"a": 1}}\n', ', line 1: 3 fields in \'{"q": {"a": 1}}\', but a line of'),
    "list.qrels": ('[\n{"q": 1}]\n', "JSON is read from a file named .json or .jsonl"),
    "README.md": (
        "# Ours\n",
        ", line 1: 2 fields in '# Ours', but a line of TREC judgments has 4 ",
    ),
    "sheet.xlsx": ("PK", "names no format that is supported (save the sheet as CSV)"),
    "labels.csv": ("item,label\na,cat\n", ", header: no column for 'query'"),
    "other.csv": ("name,age\nann,3\n", ", header: 'name,age' names no known column"),
    "twice.json": ('{"q": {"a": 1, "a": 2}}', ": key 'a' occurs twice in one object"),
    "broken.json": ("{oops", ", line 1, character 2: is not JSON"),
}

_names = {"ann": "people/ann.qrels", "bob": "people/bob.qrels"}
PYTHON: dict[str, Callable[[str], object]] = {
    "names": lambda name: _names | {"eve": f"people/{name}"},
    "list": lambda name: [*_names.values(), f"people/{name}"],
    "pattern": lambda _: "people/*.*",
    "folder": lambda _: Path("people"),
}
WORDS: dict[str, Callable[[str], str]] = {
    "names": lambda name: f"ann=people/ann.qrels,bob=people/bob.qrels,eve=people/{name}",
    "files": lambda name: f"people/ann.qrels,people/bob.qrels,people/{name}",
    "pattern": lambda _: "people/*.*",
    "folder": lambda _: "people",
}


@pytest.mark.parametrize("door", PYTHON)
@pytest.mark.parametrize("name", ONE_OF_MANY)
def test_the_one_file_of_many_that_is_wrong_is_named(name: str, door: str) -> None:
    text, message = ONE_OF_MANY[name]
    Path("people", name).write_text(text)
    with pytest.raises(ft.errors.DataError, match=f"^people/{name}.*{re.escape(message)}") as error:
        ft.read_judgments(PYTHON[door](name))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("door", WORDS)
@pytest.mark.parametrize("name", ONE_OF_MANY)
def test_the_same_on_the_command_line(name: str, door: str, capsys) -> None:
    text, message = ONE_OF_MANY[name]
    Path("people", name).write_text(text)
    assert run(["agreement", WORDS[door](name)]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"error: people/{name}")
    assert message in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (f"{TWO['ann']},{TWO['ann']}", "people/ann.qrels: is given twice; give the file of each"),
        (f"x={TWO['ann']},y=link.qrels", "link.qrels: is given as 'x' and as 'y', first as people"),
        (f"x={TWO['ann']},x={TWO['bob']}", "the name 'x' is given twice, to people/ann.qrels and"),
        (f"x={TWO['ann']},{TWO['bob']}", "write NAME=FILE,NAME=FILE, a name for each assessor"),
        (f"{TWO['ann']},x={TWO['bob']}", "write NAME=FILE,NAME=FILE, a name for each assessor"),
        (f"{TWO['ann']},gone.qrels", "error: gone.qrels: no such file"),
        (f"x={TWO['ann']},y=gone.qrels", "error: gone.qrels: no such file"),
        ("x=people", "error: people: is a directory; give a file"),
        ("people/*.csv", "error: people/*.csv: no file matches this pattern"),
    ],
)
def test_files_as_typed(words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("link.qrels").symlink_to("people/ann.qrels")
    assert run(["agreement", words]) in (1, 2)
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "two.qrels",
            "q 0 a 1\n",
            "two.qrels: votes need named columns .item, label.; give a file",
        ),
        (
            "two.csv",
            "query,item,grade\nq,i,1\n",
            "two.csv, header: no column 'label'; columns pre",
        ),
        (
            "two.csv",
            "item,grade\ni,1\n",
            "two.csv, header: no column 'label'; columns pre",
        ),
        (
            "two.csv",
            "item,label\ni,3\n",
            "one.csv, line 2, column 'label': value 'cat' is a word, a",
        ),
        (
            "two.csv",
            "item,label\ni\n",
            "two.csv, line 2: 1 field in 'i', but the header names 2 co",
        ),
        ("two.csv", "", "^two.csv: the file is empty"),
    ],
)
def test_votes_without_queries_of_several_files(name: str, text: str, message: str) -> None:
    with pytest.warns(ft.errors.GroupNotice, match="one.csv: there are no queries"):
        assert as_votes({"ann": "one.csv", "bob": "two.csv"}).subject_names == ("ann", "bob")
    Path(name).write_text(text)
    with pytest.raises(ft.errors.DataError, match=message):
        as_votes(["one.csv", name])
