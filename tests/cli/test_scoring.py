"""Evaluating run files, with progress."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.cli.inputs import TRUTH_BY_DEFAULT, score
from fuzzytruth.cli.progress import Bar
from fuzzytruth.measures import parse_measures


def test_files_are_scored_and_saved(run, folder: Path) -> None:
    path = folder / "scores.parquet"
    assert run("evaluate", "qrels.txt", "a.run", "b.run", "-m", "AP", "--save", str(path))[0] == 0
    expected = ft.evaluate("qrels.txt", ["a.run", "b.run"], ["AP"])
    assert np.array_equal(ft.Scores.load(path).values, expected.values)


def test_missing_judgments_and_progress() -> None:
    truth = ft.Judgments.from_columns(
        ["q"] * 3, ["d1", "d2", "d1"], [1, 1, 0], subject=["ann", "ann", "bob"]
    )
    runs = ft.Runs.from_dict({name: {"q": {"d1": 2, "d2": 1}} for name in "abcd"})
    bar = Bar()
    measures = parse_measures(["P@2"])
    with pytest.raises(ft.DataError, match="1 judgment is missing"):
        score(truth, runs, measures, bar, worlds="subject")
    scores = score(truth, runs, measures, bar, missing="nonrelevant", worlds="subject")
    assert scores.cells.dense(scores.values)[:, 0, 0].tolist() == [[1.0, 0.0]] * 4
    assert bar._finished == 1.0


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("evaluate", "qrels.txt", "a.run", "--n-worlds", "1000"), "--n-worlds"),
        (("evaluate", "votes.csv", "a.run", "--worlds", "subject", "--seed", "0"), "--seed"),
        (
            ("evaluate", "qrels.txt", "a.run", "--seed", "1", "--n-worlds", "9"),
            "--n-worlds, --seed",
        ),
        (("compare", "qrels.txt", "a.run", "b.run", "--n-worlds", "9"), "--n-worlds"),
    ],
)
def test_options_of_worlds_where_none_are_drawn(run, arguments, named: str) -> None:
    status, _, err = run(*arguments, "-m", "P@1")
    assert status == 0
    message = f"warning: {named}: no effect, for these scores draw no worlds; see --worlds"
    assert err.splitlines().count(message) == 1


def test_options_of_worlds_that_are_drawn(run) -> None:
    options = ("-m", "P@1", "--n-worlds", "20", "--seed", "1")
    assert "no effect" not in run("evaluate", "votes.csv", "a.run", *options)[2]
    assert "no effect" not in run("compare", "qrels.txt", "a.run", "b.run", "--seed", "1")[2]


@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_the_truth_taken_by_default_is_named(run, command: str) -> None:
    runs = ("a.run", "b.run", "-m", "P@2")
    status, out, err = run(command, "votes.csv", *runs)
    assert status == 0
    assert err.count(TRUTH_BY_DEFAULT + "\n") == 1
    assert len(TRUTH_BY_DEFAULT) <= 80
    named, by_name, silent = run(command, "votes.csv", *runs, "--worlds", "independent")
    assert (named, by_name) == (0, out)
    assert "note:" not in silent


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", "qrels.txt", "a.run"),  # one truth
        ("evaluate", "votes.csv", "a.run", "--aggregate", "majority"),
        ("evaluate", "votes.csv", "a.run", "--worlds", "subject", "-m", "P@1"),
        ("evaluate", "votes.csv", "a.run", "--worlds", "population", "-m", "P@1"),
    ],
)
def test_nothing_is_said_of_a_truth_that_was_named(run, arguments: tuple[str, ...]) -> None:
    status, _, err = run(*arguments)
    assert status == 0
    assert "note:" not in err


def test_runs_are_read_while_they_are_scored(run, folder: Path, monkeypatch) -> None:
    (folder / "q.txt").write_text("q1 0 a 1\nq1 0 b 0\nq2 0 c 1\n")
    lines = [
        "q1 Q0 b 1 1.0 t",
        "q1 Q0 a 2 3.0 t",
        "q1 Q0 a 3 2.0 t",
        "q2 Q0 q2 1 9 t",
        "q2 Q0 c 2 8 t",
    ]
    (folder / "a.run").write_text("\n".join(lines) + "\n")
    command = ("evaluate", "q.txt", "new=a.run", "-m", "AP", "--format", "csv")
    options = ("--duplicates", "first", "--exclude-self", "--order-by", "rank")
    before = run(*command, *options)
    assert before[1].splitlines()[1].startswith("new,AP,0.75")  # 1/2 for q1, and 1 for q2

    def read(*_: object, **__: object) -> None:
        raise ft.DataError("read beforehand")

    monkeypatch.setattr("fuzzytruth.data.reading.runs_of_files", read)
    assert run(*command, *options) == before
    status, _, err = run("evaluate", "q.txt", "a.run", "--name", "tag")
    assert (status, err) == (1, "error: read beforehand\n")
