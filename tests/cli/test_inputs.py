"""Files that the command reads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.command_line import A
from support.read_tables import markdown_rows, printed_tables

import fuzzytruth as ft
from fuzzytruth.cli.inputs import groups_of_file, groups_of_option


def test_runs_by_name_and_pattern(run, folder: Path) -> None:
    def names(*arguments: str) -> list[str]:
        _, out, _ = run("evaluate", "qrels.txt", *arguments, "-m", "AP")
        return [row["system"] for row in printed_tables(out)[0]]

    assert names("*.run") == ["a", "b"]
    assert set(names("new=a.run", "b.run")) == {"new", "b"}
    (folder / "x=y.run").write_text(A)
    assert names("x=y.run") == ["x=y"]


@pytest.mark.parametrize("command", ["evaluate", "compare", "displacement"])
def test_names_by_tag(run, folder: Path, command: str) -> None:
    """Without --name tag, the names of files."""
    (folder / "lists.csv").write_text(
        "query,item,subject,grade\nq1,d1,ann,1\nq1,d2,bob,1\nq2,d1,ann,1\n"
    )
    for name, tag in (("new", "a"), ("old", "b")):
        (folder / f"{name}.run").write_text(A.replace(" a\n", f" tag-{tag}\n"))
    truth = "lists.csv" if command == "displacement" else "qrels.txt"
    for option, names in ((), ("new", "old")), (("--name", "tag"), ("tag-a", "tag-b")):
        status, out, _ = run(command, truth, "new.run", "old.run", *option, "--format", "csv")
        assert status == 0
        assert all(name in out for name in names)
    status, _, err = run(command, truth, "x=new.run", "y=old.run", "--name", "tag")
    assert status == 2
    assert "--name tag: every run is named by NAME=FILE" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("a.run", "-o", "qrels.txt"),
        ("a.run", "-o", "./a.run"),
        ("new=a.run", "--save", "a.run"),
        ("*.run", "-o", "a.run"),
        ("a.run", "-o", "z.csv", "--save", "z.csv"),
        ("a.run", "-o", "."),
    ],
)
def test_nothing_that_is_read_is_written_over(run, folder: Path, arguments) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    status, _, err = run("evaluate", "qrels.txt", *arguments, "-m", "AP")
    assert status == (1 if "." in arguments else 2)  # a folder that cannot be written
    assert err.splitlines()[-1].startswith("error: ")
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("evaluate", "a.run", "qrels.txt"),
            "a.run, line 1: 6 fields .* a line of a TREC run: were",
        ),
        (
            ("evaluate", "qrels.txt", "qrels.txt"),
            "line 1: 4 fields .* of TREC judgments: were judg",
        ),
        (("compare", "a.run", "qrels.txt"), "a.run, line 1: .*: were judgments and runs swapped"),
        (("displacement", "a.run", "votes.csv"), "a.run, line 1: .*: were judgments and runs swap"),
        (
            ("evaluate", "s.parquet", "a.run"),
            "s.parquet: no column for 'item' .* those of scores; is",
        ),
        (("evaluate", "s.csv", "a.run"), "s.csv, header: no column .* those of scores; is"),
        (("evaluate", "qrels.txt", "s.parquet"), "s.parquet: no column .* those of scores; is"),
        (("evaluate", "qrels.txt", "votes.csv"), "votes.csv, header: .* those of judgments; is"),
        (
            ("evaluate", "r.json", "a.run"),
            "r.json, query 's', .*; several systems are those of a run",
        ),
        (("compare", "qrels.txt"), "qrels.txt: holds no scores; give what Scores.save wrote, or a"),
        (
            ("compare", "votes.csv"),
            "votes.csv, header: no column for 'system' .* those of judgments",
        ),
        (("convert", "s.parquet", "x.csv"), "s.parquet: no column .* those of scores; is this the"),
        (
            ("convert", "qrels.txt", "x.xyz"),
            "x.xyz: the ending '.xyz' names no format to write; name",
        ),
        (("convert", "a.run", "x.cvs"), "the ending '.cvs' names no format to write"),
        (
            ("evaluate", "qrels.txt", "a.run", "-o", "x.xyz"),
            "-o x.xyz: .* name the file .csv, .json",
        ),
        (
            ("compare", "qrels.txt", "a.run", "b.run", "-o", "x.xyz"),
            "-o x.xyz: .*.tex, .md, .txt, or",
        ),
    ],
)
def test_files_for_the_wrong_argument(run, folder: Path, arguments, message: str) -> None:
    run("evaluate", "qrels.txt", "a.run", "--save", "s.parquet", "-m", "AP")
    run("evaluate", "qrels.txt", "a.run", "--per-query", "-o", "s.csv", "-m", "AP")
    (folder / "r.json").write_text('{"s": {"q1": {"d1": 1}}}')
    before = sorted(folder.iterdir())
    status, out, err = run(*arguments)
    assert (status, out) == (2 if message.startswith("-o") else 1, "")
    (error,) = (line for line in err.splitlines() if line.startswith("error: "))
    assert re.search(message, error)
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("command", ["evaluate", "compare", "displacement"])
def test_markdown_is_written_by_every_command(run, folder: Path, command: str) -> None:
    (folder / "lists.csv").write_text("query,item,subject,grade\nq1,d1,ann,1\nq1,d2,bob,1\n")
    truth = "lists.csv" if command == "displacement" else "qrels.txt"
    assert run(command, truth, "a.run", "b.run", "-o", "x.md")[0] == 0
    rows = markdown_rows((folder / "x.md").read_text())
    assert {row["system"] for row in rows} == {"a", "b"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("c.csv", "query,cluster\nq1,x\nq2,y\nq1,x\nq3,\n"),
        ("c.tsv", "qid\tgroup\tnote\nq1\tx\tn\nq2\ty\tn\n"),
        ("c.csv", "Topic;Cluster\nq1;x\nq2;y\n"),
        ("c.json", '[{"query": "q1", "cluster": "x"}, {"query": "q2", "cluster": "y"}]'),
    ],
)
def test_clusters_of_a_file(name: str, text: str, folder: Path) -> None:
    (folder / name).write_text(text)
    assert groups_of_option(name, "clusters") == {"q1": "x", "q2": "y"}


def test_strata_of_a_file(folder: Path) -> None:
    (folder / "s.csv").write_text("query,stratum\n1,10\n2,20\n")
    assert groups_of_file(Path("s.csv"), "strata") == {"1": "10", "2": "20"}
    with pytest.raises(ft.DataError, match=r"s\.csv, header: no column for 'cluster'"):
        groups_of_file(Path("s.csv"), "clusters")


@pytest.mark.parametrize("name", ["topic", "Topic 2", "group.2"])
def test_a_column_of_the_table_of_scores(name: str) -> None:
    assert groups_of_option(name, "clusters") == name


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("no.csv", None, r"no\.csv"),
        (
            "c.csv",
            "query,cluster\nq1,x\nq1,y\n",
            r"c\.csv, line 3: query 'q1' has cluster 'y', and",
        ),
        ("c.csv", "query,cluster\n,x\n", r"c\.csv, line 2, column 'query': the id is empty"),
        (
            "c.txt",
            "query,cluster\nq1,x\n",
            r"c\.txt: must be a table with named columns query, clu",
        ),
    ],
)
def test_files_of_clusters_that_are_refused(
    name: str, text: str | None, words: str, folder: Path
) -> None:
    if text is not None:
        (folder / name).write_text(text)
    with pytest.raises((ft.DataError, OSError), match=words):
        groups_of_option(name, "clusters")
