"""Options of tables, which give the same as the arguments of the library."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import fuzzytruth as ft
from fuzzytruth.cli.options import TableOptions, columns_of, dropped, grades_of, names_of
from fuzzytruth.errors import OptionError

OWN = (
    "topic_no,doc,who,verdict\n"
    "q1,d1,ann,good\nq1,d1,bob,bad\nq1,d2,ann,na\nq1,d2,bob,good\nq2,d1,ann,good\nq2,d1,bob,good\n"
)
COLUMNS = {"query": "topic_no", "subject": "who", "grade": "verdict"}
GRADES = {"good": 1, "bad": 0}
TYPED = (
    *("--columns", "query=topic_no,subject=who", "--columns", "grade=verdict"),
    *("--grades", "good=1,bad=0", "--drop", "na"),
)


@pytest.fixture(autouse=True)
def _files(folder: Path) -> None:
    (folder / "own.csv").write_text(OWN)
    (folder / "wide.csv").write_text("query,item,ann,bob\nq1,d1,1,0\nq1,d2,0,1\n")
    (folder / "own_run.csv").write_text("query,item,cosine\nq1,d1,2\nq1,d2,1\nq2,d1,1\n")


def rows(text: str) -> list[dict[str, object]]:
    return json.loads(text)


def test_columns_grades_and_drop_as_the_library_takes_them(run) -> None:
    options = ("-m", "P@1", "--worlds", "subject", "--missing", "nonrelevant", "--format", "json")
    status, out, err = run("evaluate", "own.csv", "a.run", *TYPED, *options)
    assert status == 0
    assert "own.csv: 1 row of 6 left out, column 'verdict': 'na'" in err
    with pytest.warns(ft.errors.LeftOutWarning):
        truth = ft.read_judgments("own.csv", columns=COLUMNS, grades=GRADES, drop=["na"])
    scores = ft.evaluate(truth, "a.run", ["P@1"], worlds="subject", missing="nonrelevant")
    by_subject = [row["value"] for row in rows(out)]
    assert by_subject == scores.mean(by="subject")["P@1"].tolist()


def test_wide_tables_and_columns_of_runs(run) -> None:
    arguments = ("wide.csv", "own_run.csv", "--subjects", "ann,bob", "-m", "P@1")
    more = ("--run-columns", "score=cosine", "--worlds", "subject", "--per-query")
    status, out, err = run("evaluate", *arguments, *more, "--format", "json")
    assert status == 0, err
    assert sorted(row["value"] for row in rows(out)) == [0.0, 1.0]
    _, _, err = run("evaluate", *arguments)
    assert "--run-columns score=" in err
    assert "--columns score=" not in err.replace("--run-columns", "")


@pytest.mark.parametrize("command", ["evaluate", "compare", "displacement"])
def test_every_command_with_judgments_takes_them(run, command: str) -> None:
    measure = () if command == "displacement" else ("-m", "P@1")
    status, _, err = run(command, "own.csv", "a.run", "b.run", *TYPED, *measure)
    assert status == 0, err


def test_convert_reads_what_the_options_say(run) -> None:
    assert run("convert", "own.csv", "new.csv", *TYPED)[0] == 0
    assert ft.read_judgments("new.csv").to_frame()["grade"].tolist() == [1, 0, 1, 1, 1]
    assert run("convert", "own_run.csv", "new.run", "--columns", "score=cosine")[0] == 0
    written = [line.split() for line in Path("new.run").read_text().splitlines()]
    assert [(line[2], float(line[4])) for line in written] == [("d1", 2), ("d2", 1), ("d1", 1)]
    status, _, err = run("convert", "own_run.csv", "x.run", "--kind", "runs", "--drop", "na")
    assert (status, err) == (2, "error: --drop: is for judgments, not runs; leave it out\n")


def test_commas_and_equal_signs_in_names() -> None:
    assert columns_of("--columns", ["grade=a, b=c"]) == {"grade": "a", "b": "c"}
    assert columns_of("--columns", ["grade=Rating, 0-3", "query=a=b"]) == {
        "grade": "Rating, 0-3",
        "query": "a=b",
    }
    assert grades_of(["a=b=1", "c=0.5"]) == {"a=b": 1.0, "c": 0.5}
    assert dropped(["na", ""]) == ("na", "", None)
    assert names_of("--subjects", ["ann, bob", "eve"]) == ("ann", "bob", "eve")
    assert TableOptions.from_options(drop=["na"]).given == {"drop": ("na",)}
    assert TableOptions.from_options() == TableOptions()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: columns_of("--columns", ["query:topic"]), "--columns 'query:topic': write NAME="),
        (lambda: columns_of("--run-columns", ["=x"]), "--run-columns '=x'"),
        (lambda: columns_of("--columns", ["query="]), "'query='"),
        (lambda: columns_of("--columns", ["query=a", "query=b"]), "a column twice"),
        (lambda: grades_of(["good,bad=0"]), "--grades 'good': write WORD=GRADE"),
        (lambda: grades_of(["good=one"]), "'good=one'"),
        (lambda: grades_of(["good=1,good=2"]), "'good' is given twice"),
        (lambda: names_of("--subjects", ["ann,,bob"]), "--subjects: a name is empty"),
    ],
)
def test_errors(wrong, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        wrong()


def test_options_that_a_file_does_not_take(run, folder: Path) -> None:
    (folder / "a.cla").write_text("PSB 1\n1 2\n\npeople 0 2\nm1\nm2\n")
    status, _, err = run("evaluate", "a.cla", "a.run", "--columns", "query=x", "-m", "P@1")
    assert (status, err) == (2, "error: --columns: a.cla has no named columns; leave it out\n")
    status, _, err = run("evaluate", "qrels.txt", "a.run", "--drop", "na", "-m", "P@1")
    assert status == 2
    assert err.startswith("error: --drop: qrels.txt has no named columns")
    status, _, err = run("evaluate", "own.csv", "a.run", "--by-item", "--grades", "a=1")
    assert (status, err) == (
        2,
        "error: --grades: votes have categories, not grades; leave it out\n",
    )
