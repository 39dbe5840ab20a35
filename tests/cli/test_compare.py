"""`fuzzytruth compare`."""

from __future__ import annotations

import csv
import inspect
import json
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from support.read_tables import numbers, printed_tables

import fuzzytruth as ft
from fuzzytruth.cli.app import main
from fuzzytruth.cli.compare import compare
from fuzzytruth.cli.compared_scores import names_of_judged
from fuzzytruth.cli.evaluate import evaluate

SCORES = "system,query,value\n" + "".join(
    f"{system},{query},{quality + noise:.3f}\n"
    for system, quality in (("good", 0.6), ("bad", 0.2), ("worse", 0.1))
    for query, noise in enumerate(np.random.default_rng(len(system)).normal(0, 0.1, 12))
)
VOTES = "query,item,subject,grade\n" + "".join(
    f"q{q},d{d},{who},{int((d + q + len(who)) % 3 == 0)}\n"
    for q in range(6)
    for d in range(4)
    for who in ("ann", "robert")
)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    (tmp_path / "scores.csv").write_text(SCORES)
    (tmp_path / "votes.csv").write_text(VOTES)
    for name, order in (("a", 1), ("b", -1)):
        rows = [f"q{q} Q0 d{d} 1 {order * d} {name}\n" for q in range(6) for d in range(4)]
        (tmp_path / f"{name}.run").write_text("".join(rows))
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str, command: str = "compare") -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main((command, *arguments))
        shown = capsys.readouterr()
        return stop.value.code or 0, shown.out, shown.err

    return call


def test_table_shows_means_differences_and_assumptions(run) -> None:
    status, out, err = run("scores.csv")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "3 systems compared on value: 3 differences over 12 queries"
    assert lines[2] == "good is significantly better than bad on value over queries"
    differences, means = printed_tables(out)
    heads = ["system", "minus", "difference", "95 % interval", "adjusted p", "d_z", "w/t/l"]
    assert list(differences[0]) == heads[:5] + heads[5:] * ("d_z" in differences[0])
    table = ft.compare(ft.Scores.load("scores.csv")).table
    for shown, row in zip(differences, table.itertuples(), strict=True):
        assert (shown["system"], shown["minus"]) == (row.system_a, row.system_b)
        assert shown["difference"] == f"{row.difference:+.4f}" + "*" * row.significant
        assert numbers(shown["95 % interval"]) == tuple(np.round([row.lower, row.upper], 4))
    assert differences[0]["difference"] == "+0.4091*"
    assert [row["system"] for row in means] == ["good", "bad", "worse"]
    assert means[0]["value"].split()[1] == "bc"
    said = " ".join(out.split())
    assert "Brackets: simultaneous 95 % intervals of the mean difference over queries." in said
    assert "Significant (*): adjusted p at most 0.05, by moderated bootstrap max-t over 3" in said
    assert "Null hypothesis of each comparison: the mean difference is 0." in out


def test_csv_and_json_are_the_librarys_table(run) -> None:
    expected = ft.compare(ft.Scores.load("scores.csv"), "bad", n_resamples=99, rng=4).to_frame(
        full=True
    )
    common = ("scores.csv", "--baseline", "bad", "--n-resamples", "99", "--seed", "4")
    rows = list(csv.DictReader(StringIO(run(*common, "--format", "csv")[1])))
    assert [float(row["p_adjusted"]) for row in rows] == expected["p_adjusted"].tolist()
    records = json.loads(run(*common, "--format", "json")[1])
    assert [r["lower"] for r in records] == expected["lower"].tolist()
    assert records[0]["share_subjects"] is None


def test_outputs_by_ending(run) -> None:
    starts = {
        "o.csv": "measure,",
        "o.json": "[",
        "o.tex": "\\begin{table}",
        "o.md": "|  | system",
        "o.txt": "3 systems compared",
    }
    for name, start in starts.items():
        assert run("scores.csv", "-o", name) == (0, "", "")
        assert Path(name).read_text().startswith(start)


def test_truth_and_runs_as_evaluate_takes_them(run) -> None:
    options = ("--worlds", "subject", "--over", "query,subject", "-m", "P@2")
    status, out, err = run("votes.csv", "a.run", "b.run", *options)
    assert (status, err) == (0, "")
    assert "Random: queries and subjects" in out
    scores = ft.evaluate("votes.csv", ["a.run", "b.run"], ["P@2"], worlds="subject")
    expected = ft.compare(scores, over=("query", "subject")).to_frame(full=True)
    _, out, _ = run("votes.csv", "a.run", "b.run", *options, "--format", "csv")
    row = next(iter(csv.DictReader(StringIO(out))))
    assert float(row["upper"]) == expected["upper"][0]
    scores.save("saved.parquet")
    assert run("saved.parquet", "--over", "query,subject", "--format", "csv")[1] == out
    _, out, _ = run("saved.parquet", "-m", "precision@2", "--rope", "0.1", "--format", "csv")
    assert "posterior_rope" in out.splitlines()[0]


def test_caveats_name_options_as_typed(run) -> None:
    _, out, _ = run("votes.csv", "a.run", "b.run", "--worlds", "subject", "-m", "P@2")
    assert "Other subjects might judge otherwise: see --over query,subject." in out


def test_nested_subjects_are_clustered(run) -> None:
    options = ("--worlds", "subject", "--over", "query,subject", "-m", "P@2", "--nested")
    _, out, _ = run("votes.csv", "a.run", "b.run", *options)
    assert "Subjects are nested in queries and are sampled with them." in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nope.csv",), ["nope.csv"]),
        (("scores.csv", "-m", "AP"), ["AP", "value"]),
        (("scores.csv", "--over", "subject"), ["--worlds subject"]),
        (("scores.csv", "--over", "sun"), ["--over sun:"]),
        (("scores.csv", "--baseline", "x"), ["baseline 'x'"]),
        (("scores.csv", "--correction", "x"), ["--correction x: must be left out", "holm"]),
        (("scores.csv", "--level", "2"), ["--level 2"]),
        (("scores.csv", "-o", "scores.csv"), ["must not be overwritten"]),
        (("votes.csv", "a.run", "--worlds", "subject"), ["single system"]),
    ],
)
def test_errors_are_one_line(run, arguments: tuple[str, ...], words: list[str]) -> None:
    status, out, err = run(*arguments)
    in_data = arguments[0] == "nope.csv" or "single system" in words
    assert (status, out) == (1 if in_data else 2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert all(word in err for word in words), err


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--worlds", "subject"), "--worlds: is"),
        (("--n-worlds", "10"), "--n-worlds: is"),
        (("--order-by", "rank"), "--order-by: is"),
        (("--duplicates", "first"), "--duplicates: is"),
        (("--ties", "order"), "--ties: is"),
        (("--ties", "trec"), "--ties: is"),  # the default
        (("--undefined", "exclude"), "--undefined: is"),
        (("--missing", "exclude"), "--missing: is"),
        (("--aggregate", "mean"), "--aggregate: is"),
        (("--groups",), "--groups: is"),
        (("--no-groups",), "--no-groups: is"),
        (("--intents",), "--intents: is"),
        (("--by-item",), "--by-item: is"),
        (("--by-example",), "--by-example: is"),
        (("--subjects", "ann,bob"), "--subjects: is"),
        (("--run-columns", "score=x"), "--run-columns: is"),
        (("--undefined", "zero", "--n-worlds", "10"), "--undefined, --n-worlds: are"),
    ],
)
def test_saved_scores_refuse_options_of_evaluation(run, options, named: str) -> None:
    message = (
        f"error: {named} for judgments and runs, and scores.csv holds scores; after judgments, "
        "name the runs\n"
    )
    assert run("scores.csv", *options) == (2, "", message)


def test_options_of_evaluation_are_all_known() -> None:
    """What `compare` has in common with `evaluate`, besides what scores take, too."""
    common = inspect.signature(compare).parameters.keys() & inspect.signature(evaluate).parameters
    others = {"context", "measure", "seed", "n_jobs", "columns", "drop", "output_format", "output"}
    others |= {"over", "digits", "caption", "label", "bold", "figure", "help_all"}
    assert common - others == names_of_judged() - {"unjudged"}


@pytest.mark.parametrize("command", ["compare", "evaluate"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--missing", "exclude"),
            "error: --missing: is about each subject's own truth; add --worlds subject\n",
        ),
        (
            ("--aggregate", "mean", "--worlds", "subject"),
            "error: --aggregate: leaves one truth, and no --worlds subject; choose one\n",
        ),
    ],
)
def test_options_that_exclude_each_other(run, command: str, options, message: str) -> None:
    assert run("votes.csv", "a.run", "b.run", *options, command=command) == (2, "", message)
