"""Scores as tables, for people, for programs and for papers."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
from support.read_tables import latex_rows, markdown_rows, numbers, printed_tables
from support.scores_for_tests import scores_of

from fuzzytruth.cli.tables import printed_scores
from fuzzytruth.show.answer import Table

BOTH = ("evaluate", "qrels.txt", "a.run", "b.run")


def test_table(run) -> None:
    status, out, err = run(*BOTH, "-m", "AP", "-m", "P@1,RR")
    assert (status, err) == (0, "")
    rows = printed_tables(out)[0]
    assert list(rows[0]) == ["system", "AP", "P@1", "RR"]
    means = [
        [row["system"], *(numbers(row[name])[0] for name in ("AP", "P@1", "RR"))] for row in rows
    ]
    assert means == [["a", 0.792, 0.5, 0.75], ["b", 0.5, 0.5, 0.75]]


def test_per_query_there_are_no_brackets(run) -> None:
    _, out, _ = run(*BOTH, "-m", "AP", "--per-query")
    (rows,) = printed_tables(out)
    assert [(row["system"], row["query"], row["AP"]) for row in rows] == [
        ("a", "q1", "0.5833"),
        ("a", "q2", "1.0000"),
        ("b", "q1", "0.5000"),
        ("b", "q2", "0.5000"),
    ]
    assert "rackets" not in out


def test_subjects_have_no_table_where_they_are_nested() -> None:
    """Names of subjects are people of one query each: no mean over queries is theirs."""
    scores = scores_of([[[0.25, 0.5], [0.75, 0.5]], [[0.0, 0.5], [0.5, 0.0]]])
    text = printed_scores(scores, per_query=False, apart=True, over=None).text(80)
    means, by_subject = printed_tables(text)
    (measure,) = scores.measures
    shown = [(row["system"], row["subject"], float(row[measure])) for row in by_subject]
    table = scores.mean(by="subject")[measure]
    assert shown == [(*labels, value) for labels, value in table.items()]
    nested = replace(scores, design="nested")
    text = printed_scores(nested, per_query=False, apart=True, over=None).text(80)
    assert printed_tables(text) == [means]


def test_csv_and_json_have_ends_of_intervals_where_there_are_any(run) -> None:
    for options, names in (
        ((), ["system", "measure", "value", "lower", "upper"]),
        (("--per-query",), ["system", "query", "measure", "value"]),
    ):
        _, out, _ = run(*BOTH, "-m", "AP", *options, "--format", "csv")
        assert next(csv.reader(StringIO(out))) == names
        _, out, _ = run(*BOTH, "-m", "AP", *options, "--format", "json")
        assert list(json.loads(out)[0]) == names


def test_latex(run) -> None:
    _, out, _ = run("evaluate", "qrels.txt", "a_b=a.run", "b.run", "-m", "AP,E@1", "--format=latex")
    for part in (r"\begin{table}", r"\toprule", r"a\_b & \textbf{0.792 ["):
        assert part in out
    assert r"\begin{tabular}{lrr}" in out
    assert r"\label{tab:scores}" in out
    assert (
        r"\caption{Means over 2 queries. In brackets: 95 \% t intervals over queries, the ground "
        r"truth being fixed; Wilson's where all values are 0 or 1. 2 intervals reached beyond the "
        r"values that the measure can have and are cut there. Lower is better for E@1. "
        r"Bold: the best system.}"
    ) in out


def test_options_for_papers(run) -> None:
    options = ("--digits", "2", "--caption", "50% of [a]", "--no-bold", "-m", "AP")
    _, out, _ = run(*BOTH, *options, "--label", "tab:mine", "--format", "latex")
    assert [numbers(row["AP"])[0] for row in latex_rows(out)] == [0.79, 0.5]
    assert r"\caption{50\% of [a]}" in out
    assert r"\label{tab:mine}" in out
    assert r"\textbf" not in out
    _, out, _ = run(*BOTH, *options, "--format", "markdown")
    assert [numbers(row["AP"])[0] for row in markdown_rows(out)] == [0.79, 0.5]
    assert out.endswith("\n\n50% of \\[a\\]\n")
    assert "**" not in out


def test_latex_under_worlds_says_what_it_shows(run, folder: Path) -> None:
    asked = ("evaluate", "votes.csv", "a.run", "-m", "P@1,P@2", "--seed", "0", "--format", "latex")
    status, out, err = run(*asked)
    assert (status, err) == (
        0,
        "warning: queries without judgments are left out of a (1: q2)\n"
        "note: the truth of each item is a random vote; each subject's: --worlds subject\n",
    )
    expected = (
        "Values are expected over worlds (possible truths) in which each item takes one of its "
        "votes at random."
    )
    assert rf"\caption{{Means over 1 query. {expected} Bold: the best system.}}" in out
    assert r"a & \textbf{0.5000}" in out
    _, out, _ = run(*asked, "--over", "world")
    assert r"In brackets: what holds 95 \% of 1,000 worlds in which each item takes" in out
    assert r"a & \textbf{0.500 [0.000, 1.000]}" in out
    _, out, _ = run(*asked, "--worlds", "population", "--over", "world")
    assert r"In brackets: 95 \% t intervals over resampled subjects (1 degree of freedom)" in out
    _, out, _ = run(*asked, "--per-query")
    assert r"\caption{Values of each query. Bold" in out


def test_latex_counts_degrees_of_freedom(run, folder: Path) -> None:
    rows = [
        f"q,d{item},s{subject},{(item + subject) % 2}" for item in (1, 2) for subject in range(4)
    ]
    text = "\n".join(["query,item,subject,grade", *rows])
    (folder / "four.csv").write_text(text)
    (folder / "one.run").write_text("q Q0 d1 1 0.5 one\n")
    _, out, _ = run(
        *("evaluate", "four.csv", "one.run", "-m", "P@1", "--worlds", "population"),
        *("--seed", "0", "--format", "latex", "--over", "world"),
    )
    assert "t intervals over resampled subjects (3 degrees of freedom)" in out


def test_of_many_means_by_subject_the_first_are_shown() -> None:
    scores = scores_of(np.random.default_rng(2).random((9, 5, 4)))
    for over, rest in ((None, "-o FILE.csv"), (["query"], "-o FILE.csv, without --over")):
        printed = printed_scores(scores, per_query=False, apart=True, over=over)
        table = printed.parts[-1]
        assert isinstance(table, Table)
        assert (table.n_rows, table.title.split(", ", 1)[1]) == (
            40,
            f"the first 40 of 45 rows; all: --format csv, or {rest}",
        )
        assert [column.cells[-1] for column in table.columns[:2]] == ["sys7", "s4"]
