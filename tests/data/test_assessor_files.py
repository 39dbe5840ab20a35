"""Files of votes, one for each assessor."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.data.assessor_files import files_of_assessors

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
        (["people/ann.qrels", "people/../people/ann.qrels"], "ann.qrels: is given twice; give"),
        ({"x": TWO["ann"], "y": TWO["ann"]}, "ann.qrels: is given as 'x' and as 'y'; give the"),
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
    with pytest.raises(ft.DataError, match=r"three.csv, line 3, column 'label': value 'dgo'"):
        ft.read_assignments(["one.csv", "two.csv", "three.csv"], taxonomy=tree)
    with pytest.raises(ft.DataError, match=r"ann.qrels: votes need named columns .item, category"):
        ft.read_assignments(["one.csv", "people/ann.qrels"])
