"""The command: its output, its exit status, and that errors are one line."""

from __future__ import annotations

import csv
import gzip
import json
import os
import signal
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.cli import main

QRELS = "q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 2\nq2 0 d1 1\n"
A = "q1 Q0 d2 1 3.0 a\nq1 Q0 d1 2 2.0 a\nq1 Q0 d3 3 1.0 a\nq2 Q0 d1 1 1.0 a\n"
B = "q1 Q0 d3 1 3.0 b\nq1 Q0 d2 2 2.0 b\nq2 Q0 d9 1 2.0 b\nq2 Q0 d1 2 1.0 b\n"
VOTES = "query,item,subject,grade\nq1,d1,ann,1\nq1,d1,bob,0\nq1,d2,ann,0\nq1,d2,bob,1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {"qrels.txt": QRELS, "a.run": A, "b.run": B, "votes.csv": VOTES}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    """Run the command in this process: exit status, stdout, stderr."""

    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main(arguments)
        shown = capsys.readouterr()
        return stop.value.code or 0, shown.out, shown.err

    return call


def from_csv(text: str) -> list[dict[str, object]]:
    rows = csv.DictReader(StringIO(text))
    return [{**row, "value": float(row["value"])} for row in rows]


def test_table(run) -> None:
    status, out, err = run("evaluate", "qrels.txt", "a.run", "b.run", "-m", "AP", "-m", "P@1,RR")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split() == ["system", "AP", "P@1", "RR"]
    assert lines[2].split() == ["a", "0.7917", "0.5000", "0.7500"]
    assert lines[3].split() == ["b", "0.5000", "0.5000", "0.7500"]


def test_default_measures(run) -> None:
    _, out, _ = run("evaluate", "qrels.txt", "a.run")
    assert out.split("\n")[0].split() == ["system", "AP", "nDCG@10", "P@10", "R@100", "RR"]


def test_csv_and_json_hold_the_means_in_full(run) -> None:
    scores = ft.evaluate("qrels.txt", ["a.run", "b.run"], ["AP", "nDCG@10"])
    expected = scores.mean()
    _, out, _ = run("evaluate", "qrels.txt", "a.run", "b.run", "-m", "AP,nDCG@10", "--format=csv")
    rows = from_csv(out)
    assert list(rows[0]) == ["system", "measure", "value"]
    _, out, _ = run("evaluate", "qrels.txt", "a.run", "b.run", "-m", "AP,nDCG@10", "--format=json")
    records = json.loads(out)
    assert records == rows
    for record in records:
        assert record["value"] == expected.loc[record["system"], record["measure"]]


def test_per_query_is_to_frame(run) -> None:
    expected = ft.evaluate("qrels.txt", ["a.run", "b.run"], ["AP"]).to_frame()
    names = ("evaluate", "qrels.txt", "a.run", "b.run", "-m", "AP", "--per-query")
    _, out, _ = run(*names, "--format", "csv")
    assert from_csv(out) == expected.to_dict("records")
    _, out, _ = run(*names)
    assert out.splitlines()[2].split() == ["a", "q1", "0.5833"]


def test_subjects_have_rows_of_their_own(run) -> None:
    subject = ("--worlds", "subject")
    _, out, _ = run("evaluate", "votes.csv", "a.run", "-m", "RR", "--format", "csv", *subject)
    assert out.splitlines()[1:] == ["a,ann,RR,0.5", "a,bob,RR,1.0"]
    _, out, _ = run("evaluate", "votes.csv", "a.run", "-m", "RR", *subject)
    assert [line.split()[:2] for line in out.splitlines()[2:]] == [["a", "ann"], ["a", "bob"]]


def test_aggregate_merges_subjects(run) -> None:
    _, out, err = run("evaluate", "votes.csv", "a.run", "-m", "RR", "--aggregate", "max")
    assert out.splitlines()[-1].split() == ["a", "1.0000"]
    assert err.startswith("warning: ")


def test_options_reach_the_library(run, folder: Path) -> None:
    (folder / "t.run").write_text("q1 Q0 d1 1 1 t\nq1 Q0 d2 2 1 t\nq2 Q0 d1 1 1 t\n")
    values = {}
    for ties in ("trec", "order", "expected"):
        _, out, _ = run("evaluate", "qrels.txt", "t.run", "-m", "P@1", "--ties", ties)
        values[ties] = float(out.split()[-1])
    assert values == {"trec": 0.5, "order": 1.0, "expected": 0.75}
    _, out, _ = run("evaluate", "qrels.txt", "t.run", "-m", "P@1", "--order-by", "rank")
    assert float(out.split()[-1]) == 1.0


def test_undefined_values_are_dashes_and_null(run, folder: Path) -> None:
    (folder / "none.txt").write_text("q1 0 d1 0\n")
    common = ("evaluate", "none.txt", "a.run", "-m", "AP", "--undefined", "exclude")
    status, out, err = run(*common)
    assert status == 0
    assert out.splitlines()[-1].split() == ["a", "–"]
    assert all(line.startswith("warning: ") for line in err.splitlines())
    assert json.loads(run(*common, "--format", "json")[1])[0]["value"] is None


def test_runs_by_name_and_pattern(run, folder: Path) -> None:
    _, out, _ = run("evaluate", "qrels.txt", "*.run", "-m", "AP")
    assert [line.split()[0] for line in out.splitlines()[2:]] == ["a", "b"]
    _, out, _ = run("evaluate", "qrels.txt", "new=a.run", "b.run", "-m", "AP")
    assert {line.split()[0] for line in out.splitlines()[2:]} == {"new", "b"}
    (folder / "x=y.run").write_text(A)
    _, out, _ = run("evaluate", "qrels.txt", "x=y.run", "-m", "AP")
    assert out.splitlines()[-1].split()[0] == "a"


def test_latex(run) -> None:
    _, out, _ = run("evaluate", "qrels.txt", "a_b=a.run", "b.run", "-m", "AP,E@1", "--format=latex")
    for part in (r"\begin{table}", r"\caption{", r"\toprule", r"a\_b & \textbf{0.7917}"):
        assert part in out


def test_output_by_ending_and_saved_scores(run, folder: Path) -> None:
    common = ("evaluate", "qrels.txt", "a.run", "-m", "AP")
    starts = {"o.csv": "system,", "o.json": "[", "o.tex": "\\begin", "o.txt": "system "}
    for name, start in starts.items():
        status, out, _ = run(*common, "-o", name)
        assert (status, out) == (0, "")
        assert (folder / name).read_text().startswith(start)
    run(*common, "-o", "o.csv.gz", "--format", "csv")
    assert gzip.decompress((folder / "o.csv.gz").read_bytes()).startswith(b"system,")
    run(*common, "--save", "s.parquet")
    saved = ft.Scores.load("s.parquet").values
    assert np.array_equal(saved, ft.evaluate("qrels.txt", "a.run", "AP").values)


def test_a_failed_output_leaves_what_was_there(
    run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "o.csv").write_text("old")
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "disk full")))
    status, _, err = run("evaluate", "qrels.txt", "a.run", "-o", "o.csv")
    assert (status, err) == (1, "error: disk full\n")
    assert (folder / "o.csv").read_text() == "old"
    assert not [p for p in folder.iterdir() if p.name.startswith(".")]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("evaluate", "nope.txt", "a.run"), ["nope.txt"]),
        (("evaluate", "qrels.txt", "nope.run"), ["nope.run"]),
        (("evaluate", "qrels.txt", "no*.run"), ["no*.run", "no file"]),
        (("evaluate", "qrels.txt", "a.run", "-m", "ndgc"), ["ndgc", "nDCG"]),
        (("evaluate", "qrels.txt", "a.run", "a.run"), ["'a'"]),
        (("evaluate", "qrels.txt", "a=b.run", "a.run"), ["'a'"]),
        (("evaluate", "qrels.txt", "a=a.run", "a=b.run"), ["twice"]),
        (("evaluate", "qrels.txt", "=a.run"), ["NAME=FILE"]),
        (("evaluate", "qrels.txt", "a.run", "--worlds", "subject"), ["subjects"]),
        (("evaluate", "qrels.txt", "a.run", "-o", "no/where.csv"), ["where.csv", "written"]),
        (("evaluate", "bad.txt", "a.run"), ["bad.txt", "2", "x"]),
        (("convert", "bad.bin", "out.csv"), ["bad.bin"]),
        (("convert", "qrels.txt", "out/{system}.run"), ["{system}"]),
        (("convert", "qrels.txt", "no/where.csv"), ["where.csv"]),
        (("convert", "both.json", "out.csv"), ["--kind"]),
    ],
)
def test_data_errors_are_one_line_and_status_1(
    run, folder: Path, arguments: tuple[str, ...], words: list[str]
) -> None:
    (folder / "bad.txt").write_text("q1 0 d1 1\nq1 0 d2 x\n")
    (folder / "bad.bin").write_bytes(bytes(range(256)))
    (folder / "both.json").write_text('{"q1": {"d1": 1}}')
    status, out, err = run(*arguments)
    assert (status, out) == (1, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert all(word in err for word in words), err


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", "qrels.txt", "a.run", "--nonsense"),
        ("evaluate", "qrels.txt"),
        ("evaluate", "qrels.txt", "a.run", "--ties", "maybe"),
        ("evaluate", "qrels.txt", "a.run", "--format", "xml"),
        ("nonsense",),
    ],
)
def test_usage_errors_are_status_2(run, arguments: tuple[str, ...]) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert "Traceback" not in err
    assert "Error: " in err


def test_latex_without_jinja_says_what_to_install(run, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(_: pd.DataFrame) -> None:
        raise ImportError("no jinja2")

    monkeypatch.setattr(pd.DataFrame, "style", property(absent))
    status, _, err = run("evaluate", "qrels.txt", "a.run", "--format", "latex")
    assert status == 1
    assert "fuzzytruth[latex]" in err


@pytest.mark.parametrize(
    "verb",
    [
        (),
        *((name,) for name in ("evaluate", "compare", "membership", "displacement")),
        *((name,) for name in ("convert", "measures", "demo")),
    ],
)
def test_help_shows_an_example(run, verb: tuple[str, ...]) -> None:
    status, out, _ = run(*verb, "--help")
    assert status == 0
    assert "Example" in out
    assert "  fuzzytruth " in out


def test_version(run) -> None:
    assert run("--version") == (0, f"fuzzytruth {ft.__version__}\n", "")


def test_measures_lists_them_all(run) -> None:
    _, out, _ = run("measures")
    first = {line.split()[0].split("[")[0].split("@")[0] for line in out.splitlines()[2:]}
    assert first == set(ft.measures.names())
    ap = next(line for line in out.splitlines() if line.startswith(" AP[@k]"))
    assert " map, average_precision, mean_average_precision " in ap


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl", "parquet", "txt", "csv.gz"])
def test_convert_keeps_scores(run, ending: str) -> None:
    assert run("convert", "qrels.txt", f"truth.{ending}")[0] == 0
    assert run("convert", "a.run", f"run.{ending}")[0] == 0
    expected = ft.evaluate("qrels.txt", "a.run", "AP").values
    assert np.array_equal(ft.evaluate(f"truth.{ending}", f"run.{ending}", "AP").values, expected)


def test_convert_one_file_a_system(run, folder: Path) -> None:
    frame = pd.concat([ft.read_runs(name).to_frame() for name in ("a.run", "b.run")])
    frame.to_csv(folder / "both.csv", index=False)
    assert run("convert", "both.csv", "{system}.tsv") == (0, "", "")
    assert ft.read_runs(["a.tsv", "b.tsv"]).systems == ("a", "b")


def test_convert_by_rank_keeps_the_order(run, folder: Path) -> None:
    (folder / "r.run").write_text("q1 Q0 d3 1 0.5 r\nq1 Q0 d1 2 9.5 r\nq1 Q0 d2 3 0.5 r\n")
    assert run("convert", "r.run", "out.run", "--order-by", "rank")[0] == 0
    for order_by in ("rank", "score"):
        frame = ft.read_runs("out.run", order_by=order_by).to_frame()
        assert frame["item"].tolist() == ["d3", "d1", "d2"]


def test_demo_shows_the_numbers_of_evaluate(run) -> None:
    status, demo, err = run("demo")
    assert status == 0
    assert all(line.startswith("warning: ") for line in err.splitlines())
    run("demo", "--copy-to", "sample")
    _, out, _ = run(
        *("evaluate", "sample/judgments.parquet", "sample/runs.parquet", "--order-by", "rank"),
        *("--worlds", "subject"),
    )
    rows = {tuple(line.split()) for line in demo.splitlines()}
    table = [line.split() for line in out.splitlines()[2:]]
    assert len(table) == 16
    for system, _, *values in table:
        assert (system, *values) in rows
    _, out, _ = run(
        *("evaluate", "sample/judgments.parquet", "sample/runs.parquet", "--order-by", "rank"),
        *("--worlds", "independent", "--n-worlds", "1000", "--seed", "0"),
    )
    assert all(tuple(line.split()) in rows for line in out.splitlines()[2:])


def test_worlds_give_intervals(run) -> None:
    options = ("--worlds", "independent", "--n-worlds", "50", "--seed", "1")
    arguments = ("evaluate", "votes.csv", "a.run", "-m", "RR", *options)
    _, out, _ = run(*arguments, "--format", "csv")
    assert out.splitlines()[0] == "system,measure,value,low,high"
    assert out == run(*arguments, "--format", "csv", "--n-jobs", "1")[1]
    _, out, _ = run(*arguments, "--per-query", "--format", "csv")
    assert out.splitlines()[0] == "system,query,measure,value,std,exact,mc_error"
    assert run(*arguments, "--n-worlds", "0")[0] == 1


def test_what_the_demo_suggests_works(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["bin/fuzzytruth"])
    _, demo, _ = run("demo")
    suggested = [line.split() for line in demo.splitlines() if line.startswith("  ")]
    commands = [
        words for words in suggested if words[1] in ("demo", "evaluate", "compare", "measures")
    ]
    assert len(commands) == 5
    for _, *arguments in commands:
        assert run(*arguments)[0] == 0


def test_as_a_module_and_with_a_reader_that_leaves(folder: Path) -> None:
    call = [sys.executable, "-m", "fuzzytruth", "evaluate", "qrels.txt", "a.run", "--format", "csv"]
    child = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.close()
    assert child.stderr is not None
    assert child.stderr.read() == b""
    child.stderr.close()
    assert child.wait() == 1


def test_interrupt_is_quiet(folder: Path) -> None:
    os.mkfifo(folder / "never.txt")
    call = [sys.executable, "-m", "fuzzytruth", "evaluate", "qrels.txt", "never.txt"]
    child = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1.5)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=20)
    assert (child.returncode, out) == (130, b"")
    assert b"Traceback" not in err


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
    assert status == 1
    assert err.splitlines()[-1].startswith("error: ")
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def test_files_that_cannot_be_read_are_the_readers_business() -> None:
    from typing import get_args

    from fuzzytruth.cli import options

    assert get_args(options.JudgmentsFile)[1].readable is False


@pytest.fixture
def lists(folder: Path) -> Path:
    path = folder / "lists.csv"
    rows = "q1,ann,d1,1\nq1,ann,d2,.5\nq1,bob,dx,.5\nq2,ann,d3,.25\n"
    path.write_text("query,subject,item,grade\n" + rows)
    return path


def displaced(folder: Path, *measures: str) -> ft.Scores:
    return ft.evaluate(folder / "lists.csv", ["a.run", "b.run"], measures, worlds="subject")


def test_displacement_averages_within_queries_first(run, lists: Path) -> None:
    options = ("--unseen", "optimist", "--unseen", "worst", "-N", "50", "--format", "json")
    status, out, _ = run("displacement", "lists.csv", "a.run", "b.run", *options)
    assert status == 0
    found = {(row["system"], row["measure"]): row["value"] for row in json.loads(out)}
    expected = displaced(lists.parent, "WD(unseen=optimist,N=50)", "WD(unseen=worst,N=50)").mean()
    assert found == {(s, m): expected.loc[s, m] for s in expected.index for m in expected.columns}


def test_displacement_per_subject_and_query(run, lists: Path) -> None:
    options = ("--g", "exp", "--rate", ".1", "--per-subject", "--per-query", "-o", "out.csv")
    assert run("displacement", "lists.csv", "a.run", "b.run", *options)[0] == 0
    expected = displaced(lists.parent, "WDQ(unseen=optimist,g=exp,rate=0.1)").to_frame()
    pd.testing.assert_frame_equal(pd.read_csv("out.csv"), expected)
    options = ("--normalised", "--per-subject", "--format", "csv")
    _, out, _ = run("displacement", "lists.csv", "a.run", "b.run", *options)
    assert out.splitlines()[0] == "system,subject,measure,value"
    assert len(out.splitlines()) == 1 + 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--unseen", "worst"), "--unseen worst: needs N, the size of the collection"),
        (("--unseen", "best"), "--unseen best: must be one of 'optimist', 'pessimist'"),
        (("--unseen", "worst", "-N", "1"), "the size of the collection, must be"),
        (("--g", "exp"), "give --rate 0.1"),
        (("--rate", "2"), "add --g rational or --g exp"),
        (("--nested", "--per-subject"), "add --per-query"),
        (("--ties", "position"), "have no positions"),
        (("-o", "lists.csv"), "must not be written over"),
    ],
)
def test_displacement_refuses_in_one_line(run, lists: Path, options, message: str) -> None:
    status, _, err = run("displacement", "lists.csv", "a.run", *options)
    assert status == 1
    assert message in err
    assert len(err.splitlines()) == 1


TREE = "all\n  people\n    crowd\n  scenery\n    city\n"
LABELS = "annotator,image,label\n" + "".join(
    f"s{s},{item},{name}\n"
    for item, names in {"i1": ["people", "crowd", "city"], "i2": ["city", "city", "all"]}.items()
    for s, name in enumerate(names)
)


@pytest.fixture
def categories(folder: Path) -> None:
    (folder / "tree.txt").write_text(TREE)
    (folder / "labels.csv").write_text(LABELS)
    (folder / "like.run").write_text("i1 Q0 i1 1 3.0 x\ni1 Q0 i2 2 2.0 x\ni2 Q0 i1 1 1.0 x\n")


@pytest.mark.usefixtures("categories")
def test_membership(run) -> None:
    status, out, err = run("membership", "labels.csv", "--taxonomy", "tree.txt")
    assert (status, err) == (0, "")
    lines = [line.split() for line in out.splitlines()]
    assert lines[0] == ["item", "all", "people", "scenery", "crowd", "city"]
    assert lines[2] == ["i1", "1.0000", "0.6667", "0.3333", "0.3333", "0.3333"]
    status, out, _ = run("membership", "labels.csv", "--taxonomy", "tree.txt", "--format", "csv")
    rows = {
        (r["item"], r["category"]): float(r["probability"]) for r in csv.DictReader(StringIO(out))
    }
    assert rows["i2", "city"] == pytest.approx(2 / 3)
    assert ("i2", "people") not in rows
    status, out, _ = run("membership", "labels.csv", "--taxonomy", "tree.txt", "--item", "i1")
    assert out.splitlines()[0].split() == ["all", "1"]
    command = ["membership", "labels.csv", "--taxonomy", "tree.txt", "--resample", "--seed", "1"]
    _, first, _ = run(*command, "--category", "city")
    _, second, _ = run(*command, "--category", "city")
    assert first == second
    assert "std_error" in first


@pytest.mark.usefixtures("categories")
def test_membership_says_what_is_wrong(run) -> None:
    status, _, err = run("membership", "labels.csv", "--taxonomy", "tree.txt", "--item", "i9")
    assert (status, err) == (1, "error: nobody voted on item 'i9'\n")
    Path("bad.csv").write_text(LABELS.replace("s1,i1,crowd", "s1,i1,crowed"))
    status, _, err = run("membership", "bad.csv", "--taxonomy", "tree.txt")
    assert status == 1
    assert "bad.csv, line 3" in err
    assert "crowd" in err
    status, _, err = run("membership", "a.run", "--taxonomy", "tree.txt")
    assert "votes need named columns" in err


@pytest.mark.usefixtures("categories")
def test_evaluate_with_a_taxonomy(run) -> None:
    command = ["evaluate", "labels.csv", "like.run", "--taxonomy", "tree.txt", "-m", "P@1"]
    status, out, _ = run(*command, "--per-query", "--format", "csv", "--seed", "0")
    assert status == 0
    # i1 lists i2 first (itself left out): people, crowd or city against city, city or all
    assert [row["value"] for row in from_csv(out)] == pytest.approx([1 / 3 * 2 / 3, 5 / 9])
    status, out, _ = run(*command, "--category", "scenery", "--format", "csv", "--seed", "0")
    assert from_csv(out)[0]["value"] == pytest.approx((2 / 3 + 1 / 3) / 2)
    status, _, err = run("evaluate", "qrels.txt", "a.run", "--category", "scenery")
    assert status == 1
    assert "add --taxonomy" in err


def test_bounds_of_unjudged_items(run) -> None:
    """At b, nobody judged d9, which stands first for q2: P@1 is 0 or 1, and of q1 1."""
    asked = ("evaluate", "qrels.txt", "a.run", "b.run", "-m", "P@1", "--unjudged", "bounds")
    status, out, err = run(*asked)
    assert (status, err) == (0, "")
    assert out.splitlines()[-1].split() == ["b", "0.500", "[0.500,", "1.000]"]
    _, out, _ = run(*asked, "--format", "csv")
    assert out.splitlines()[0] == "system,measure,value,lower,upper"
    assert out.splitlines()[-1] == "b,P@1,0.5,0.5,1.0"
    _, out, _ = run(*asked, "--per-query")
    assert out.splitlines()[-1].split() == ["b", "q2", "0.000", "[0.000,", "1.000]"]
    _, out, _ = run(*asked, "--format", "latex")
    assert "lowest and highest value that judging the unjudged could give" in out
    status, _, err = run("evaluate", "qrels.txt", "a.run", "-m", "nDCG", "--unjudged", "bounds")
    assert status == 1
    assert "--unjudged bounds: no rule is known for nDCG; there is one for AP, " in err


def test_latex_under_worlds_says_what_it_shows(run, folder: Path) -> None:
    asked = ("evaluate", "votes.csv", "a.run", "-m", "P@1,P@2", "--seed", "0", "--format", "latex")
    status, out, err = run(*asked)
    assert (status, err) == (0, "warning: queries without judgments are left out of a (1: q2)\n")
    assert r"\caption{Expected means over 1 queries, in brackets what holds 95\,\% of 1,000" in out
    assert r"a & \textbf{0.500 [0.000, 1.000]}" in out
    _, out, _ = run(*asked, "--worlds", "population")
    assert r"in brackets 95\,\% t intervals over resampled subjects (1 degree of freedom)" in out
    _, out, _ = run(*asked, "--per-query")
    assert r"\caption{Expected values. Bold" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--unseen", "pooled"), "--unseen: is about each subject's own truth; add --worlds subj"),
        (("--aggregate", "mean", "--worlds", "independent"), "--aggregate: leaves one truth, and"),
        (("--worlds", "crisp"), "merge them with --aggregate mean|median|majority|max|min, or use"),
        (("--n-worlds", "0"), "error: --n-worlds 0: must be 1 or more"),
        (("-o", "t.xlsx"), "t.xlsx: the ending '.xlsx' names no format"),
        (("-o", "t.parquet"), "t.parquet: a table is written as .csv, .json, .tex or, with"),
        (("-o", "-"), "'-': names no file here; write /dev/stdin or /dev/stdout"),
        (("--save", "s.csv"), "s.csv: scores are saved as Parquet, so that the name must end in"),
    ],
)
def test_options_that_do_not_go_together(run, options, message: str) -> None:
    status, out, err = run("evaluate", "votes.csv", "a.run", *options)
    assert (status, out) == (1, "")
    assert message in err


def test_a_measure_that_is_nowhere_defined(run, folder: Path) -> None:
    (folder / "none.csv").write_text(VOTES.replace(",1\n", ",0\n"))
    status, out, _ = run("evaluate", "none.csv", "a.run", "-m", "AP,P@1", "--undefined", "exclude")
    assert status == 0
    assert out.splitlines()[-1].split() == ["a", "–", "0.000", "[0.000,", "0.000]"]
