"""`fuzzytruth gate`: its exit status, its line, its JSON."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import typer

import fuzzytruth as ft
from fuzzytruth.cli.app import main
from fuzzytruth.cli.compare import compare
from fuzzytruth.cli.gate import gate, names_of_gate
from fuzzytruth.cli.options import margin_or_margins

Run = Callable[..., tuple[int, str, str]]
N, ITEMS, SUBJECTS = 12, 8, ("ann", "bob", "cat")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gate")
    rng = np.random.default_rng(2)
    quality = rng.random((N, ITEMS))
    one = [f"q{q} 0 d{d} {int(quality[q, d] > 0.6)}\n" for q in range(N) for d in range(ITEMS)]
    several = [
        f"q{q},d{d},{who},{int(quality[q, d] + rng.normal(0, 0.1) > 0.6)}\n"
        for q in range(N)
        for d in range(ITEMS)
        for who in SUBJECTS
    ]
    (folder / "qrels.txt").write_text("".join(one))
    (folder / "votes.csv").write_text("query,item,subject,grade\n" + "".join(several))
    (folder / "holes.csv").write_text("query,item,subject,grade\n" + "".join(several[1:]))
    for name, noise in (("old", 0.05), ("new", 0.05), ("bad", 1.0)):
        score = quality + rng.normal(0, noise, quality.shape)
        rows = [f"q{q} Q0 d{d} 1 {score[q, d]} t\n" for q in range(N) for d in range(ITEMS)]
        (folder / f"{name}.run").write_text("".join(rows))
        (folder / f"{name}-short.run").write_text("".join(rows[3 * ITEMS :]))
    (folder / "clusters.csv").write_text(
        "query,cluster\n" + "".join(f"q{q},t{q // 2}\n" for q in range(N))
    )
    (folder / "scores.csv").write_text(
        "system,query,value\n"
        + "".join(
            f"{s},{q},{0.5 + 0.01 * ((q + len(s)) % 5)}\n" for s in ("a", "bb") for q in range(N)
        )
    )
    return folder


@pytest.fixture
def run(files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(files)

    def call(*arguments: str, command: str = "gate") -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main((command, *arguments))
        shown = capsys.readouterr()
        return int(stop.value.code or 0), shown.out, shown.err

    return call


RUNS = ("old=old.run", "new=new.run", "-m", "nDCG@5")


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("qrels.txt", *RUNS, "--margin", ".1"), 0),
        (("qrels.txt", "old=old.run", "new=bad.run", "-m", "nDCG@5", "--margin", ".1"), 3),
        (("qrels.txt", *RUNS, "--better"), 3),
        (("nothing.txt", *RUNS, "--better"), 1),
        (("qrels.txt", *RUNS), 2),
        (("qrels.txt", *RUNS, "--margin", "much"), 2),
        (("qrels.txt", "old=old.run", "new=new.run", "-m", "nope", "--margin", ".1"), 2),
    ],
)
def test_exit_status(files: Path, arguments: tuple[str, ...], status: int) -> None:
    """As a pipeline sees it: the verdict on standard output, errors on standard error."""
    package = str(Path(ft.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-m", "fuzzytruth", "gate", *arguments],
        cwd=files,
        env=os.environ | {"PYTHONPATH": package},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stderr
    start = {0: "passed: ", 3: "not passed: "}.get(status, "")
    assert done.stdout.startswith(start)
    assert done.stdout.count("\n") == (1 if start else 0)
    assert bool(done.stderr) == (not start)


def test_one_line_and_the_numbers_of_the_library(run: Run, files: Path) -> None:
    status, out, err = run("qrels.txt", *RUNS, "--margin", ".1")
    scores = ft.evaluate("qrels.txt", {k: f"{k}.run" for k in ("old", "new")}, ["nDCG@5"])
    result = ft.gate(scores, "new", "old", margin=0.1)
    assert (status, out, err) == (0, result.lines()[0] + "\n", "")
    assert "over 12 queries (difference " in out
    _, out, _ = run("qrels.txt", *RUNS, "--margin", ".1", "--json")
    assert json.loads(out) == result.to_dict()


def test_several_annotators_decide_together_with_queries(run: Run) -> None:
    status, out, err = run("votes.csv", *RUNS, "--margin", ".1", "--json")
    scores = ft.evaluate(
        "votes.csv", {k: f"{k}.run" for k in ("old", "new")}, ["nDCG@5"], worlds="subject"
    )
    result = ft.gate(scores, "new", "old", margin=0.1)
    found = json.loads(out)
    assert (status, err, found) == (0 if result.passed else 3, "", result.to_dict())
    assert [test["over"] for test in found["tests"] if test["decides"]] == [["query", "subject"]]
    _, out, _ = run("votes.csv", *RUNS, "--margin", ".1")
    first, second = out.splitlines()
    assert "over 12 queries and 3 subjects (" in first
    assert second.startswith("  over 12 queries alone, not deciding: ")
    for options, over in (
        (("--worlds", "population"), ["query", "world"]),
        (("--over", "query"), ["query"]),
        (("--nested",), ["query"]),
        (("--aggregate", "majority"), ["query"]),
        (("--over", "query", "--clusters", "clusters.csv"), ["query"]),
    ):
        _, out, _ = run("votes.csv", *RUNS, "--margin", ".1", "--json", *options)
        assert json.loads(out)["tests"][-1]["over"] == over


def test_missing_judgments_count_as_asked(run: Run) -> None:
    status, out, err = run("holes.csv", *RUNS, "--margin", ".1")
    assert (status, out) == (1, "")
    assert "1 judgment is missing" in err
    assert "--missing exclude" in err
    assert run("holes.csv", *RUNS, "--margin", ".2", "--missing", "exclude")[2] == ""
    status, out, err = run("holes.csv", *RUNS, "--margin", ".2", "--worlds", "population")
    assert "over 12 queries and resampled subjects (" in out
    assert err.startswith("warning: no vote left in 1 of 960 pairs of a resample and an item")


def test_queries_that_a_run_leaves_out_count_zero(run: Run) -> None:
    arguments = ("old=old.run", "new=new-short.run", "-m", "nDCG@5", "--margin", ".1")
    status, out, err = run("qrels.txt", *arguments)
    assert status == 3
    assert "over 12 queries" in out
    assert "judged queries are missing from new (3: q0, q1, q2); they count as empty lists" in err


def test_the_same_run_twice_is_reported(run: Run) -> None:
    arguments = ("old=old.run", "new=old.run", "-m", "nDCG@5", "--margin", ".1")
    status, out, err = run("qrels.txt", *arguments)
    assert (status, out) == (
        0,
        "passed: new and old have the same nDCG@5 on all 12 queries (difference 0)\n",
    )
    assert "are they the same run?" in err


def test_several_measures(run: Run) -> None:
    measures = ("old=old.run", "new=new.run", "-m", "nDCG@5,AP", "-m", "P@3")
    status, out, _ = run("qrels.txt", *measures, "--margin", "ndcg_cut_5=.2,map=.2,P@3=.0001")
    assert status == 3
    lines = out.splitlines()
    assert lines[0] == (
        "not passed: new may be worse by the margin than old on 1 of 3 measures (P@3)"
    )
    assert [line.split(":")[0] for line in lines[1:]] == ["  passed", "  passed", "  not passed"]


def test_output_files(run: Run, files: Path, tmp_path: Path) -> None:
    for name in ("verdict.txt", "verdict.json"):
        path = tmp_path / name
        assert run("qrels.txt", *RUNS, "--margin", ".1", "-o", str(path))[:2] == (0, "")
        assert path.read_text().startswith(
            "passed: " if name.endswith("txt") else '{"passed": true'
        )
    status, _, err = run("qrels.txt", *RUNS, "--margin", ".1", "-o", "new.run")
    assert (status, "must not be overwritten" in err) == (2, True)


def test_scores(run: Run) -> None:
    status, out, err = run("scores.csv", "--margin", ".05")
    assert status == 0
    assert out.startswith("passed: bb is not worse than a by 0.05 or more on value over 12 queries")
    assert err.startswith("warning: scores.csv: 'a' comes first and is taken as old, 'bb' as new")
    _, out, err = run("scores.csv", "--margin", ".05", "--new", "a")
    assert out.startswith("passed: a is not worse than bb")
    assert err == ""
    _, out, err = run("scores.csv", "--margin", ".05", "--old", "bb", "--new", "a")
    assert (out[:31], err) == ("passed: a is not worse than bb ", "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("qrels.txt", *RUNS), ["--margin: name the loss", "--better"]),
        (("qrels.txt", *RUNS, "--margin", "0"), ["--margin 0: must be above 0"]),
        (("qrels.txt", *RUNS, "--margin", "5"), ["--margin 5: ", "finds nothing would pass"]),
        (("qrels.txt", *RUNS, "--margin", "AP=.1"), ["--margin AP=0.1: 'AP' is no measure"]),
        (("qrels.txt", *RUNS, "--margin", ".1", "--better"), ["leave it out with --better"]),
        (("qrels.txt", *RUNS[:2], "--margin", ".1"), ["-m: name the measure"]),
        (("qrels.txt", *RUNS, "--margin", ".1", "--new", "x"), ["new 'x' is not among"]),
        (("qrels.txt", *RUNS, "--margin", ".1", "--level", ".5"), ["--level 0.5: must be above"]),
        (("qrels.txt", *RUNS, "--margin", ".1", "--over", "subject"), ["--worlds subject"]),
        (("qrels.txt", "old.run", "-m", "AP", "--margin", ".1"), ["--new, --old: name the two"]),
        (("qrels.txt", "a=old.run", "new.run", "bad.run", *RUNS[2:], "--margin", ".1"), ["--old"]),
        (("votes.csv", *RUNS, "--margin", ".1", "--worlds", "independent"), ["--worlds subject"]),
        (("votes.csv", *RUNS, "--margin", ".1", "--clusters", "clusters.csv"), ["--over query"]),
        (("scores.csv", "--margin", ".1", "--worlds", "subject"), ["--worlds: is for judgments"]),
        (
            ("votes.csv", *RUNS, "--margin", ".1", "--missing", "exclude", "--aggregate", "max"),
            ["--missing: is about each subject's own truth"],
        ),
    ],
)
def test_errors_are_one_line(run: Run, arguments: tuple[str, ...], words: list[str]) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    lines = [line for line in err.splitlines() if line.startswith("error: ")]
    assert len(lines) == 1
    assert all(word in lines[0] for word in words), err


@pytest.mark.parametrize(
    ("systems", "typed", "given", "want"),
    [
        (("new", "old"), ("s.csv",), {}, ("new", "old")),
        (("old", "x", "new"), ("s.csv",), {}, ("new", "old")),
        (("a", "b"), ("a.run", "b.run"), {}, ("b", "a")),
        (("b", "a"), ("b=x.run", "a=y.run"), {}, ("a", "b")),
        (("x", "old"), ("x.run", "old.run"), {}, ("x", "old")),
        (("new", "x"), ("new.run", "x.run"), {}, ("new", "x")),
        (("a", "b", "c"), ("s.csv",), {"new": "b", "old": "c"}, ("b", "c")),
        (("a", "b"), ("a.run", "b.run"), {"new": "a"}, ("a", "b")),
        (("a", "b"), ("a.run", "b.run"), {"old": "b"}, ("a", "b")),
        (("old", "new"), ("s.csv",), {"new": "old", "old": "new"}, ("old", "new")),
        (("old", "new"), ("s.csv",), {"new": "old"}, ("old", "new")),
        (("old", "b", "c"), ("s.csv",), {"new": "c"}, ("c", "old")),
    ],
)
def test_names(systems, typed, given, want) -> None:  # type: ignore[no-untyped-def]
    assert names_of_gate(systems, typed, given.get("new"), given.get("old")) == want


@pytest.mark.parametrize(
    ("systems", "typed"),
    [
        (("b", "a"), ("a=x.run", "b.run")),  # files with a name come last, wherever they are typed
        (("a", "b"), ("runs/*.run",)),
        (("a", "b", "c"), ("a.run", "b.run", "c.run")),
        (("new", "b", "c"), ("new.run", "b.run", "c.run")),
        (("a",), ("a.run",)),
    ],
)
def test_ambiguous_names(systems: tuple[str, ...], typed: tuple[str, ...]) -> None:
    with pytest.raises(ft.OptionError, match=r"^--new, --old: "):
        names_of_gate(systems, typed, None, None)


def test_a_run_too_many_is_reported(run: Run) -> None:
    _, _, err = run("qrels.txt", *RUNS[:2], "bad.run", *RUNS[2:], "--margin", ".1")
    assert err == "warning: 1 run is neither new nor old, and left out: bad\n"


@pytest.mark.parametrize("text", ["", "x", "AP=", "=.1", "AP=.1,AP=.2", "AP=.1,P@3", "AP=x"])
def test_wrong_margins(text: str) -> None:
    with pytest.raises(typer.BadParameter, match=r"AP=\.01,P@10=\.02"):
        margin_or_margins(text)


def test_inputs_are_those_of_compare() -> None:
    """Every option of what is compared, with the same default; the worlds have another one."""
    of_gate, of_compare = (inspect.signature(each).parameters for each in (gate, compare))
    own = {"measure", "level", "over", "worlds", "output"}
    shared = (of_gate.keys() & of_compare.keys()) - own - {"context", "inputs"}
    assert len(shared) == 35
    for name in shared:
        assert of_gate[name].default == of_compare[name].default
    rest = {"baseline", "alternative", "correction", "null", "across_measures", "rope"}
    rest |= {"n_resamples", "output_format", "table", "digits", "caption", "label", "bold"}
    rest |= {"figure", "figure_kind"}
    assert of_compare.keys() - of_gate.keys() == rest
