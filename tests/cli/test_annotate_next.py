"""`fuzzytruth annotate-next`."""

from __future__ import annotations

import csv
import warnings
from io import StringIO
from pathlib import Path

import pytest
import typer

import fuzzytruth as ft
from fuzzytruth.cli.commands import app

EXAMPLE = typer.main.get_command(app).commands["annotate-next"].epilog  # type: ignore[attr-defined]

SAMPLE = ("sample/judgments.parquet", "sample/runs.parquet", "--order-by", "rank")
PAIR = ("--systems", "amc.run,waterloo.B-rank-normal")


def test_the_example_on_the_sample(run) -> None:
    command = EXAMPLE.replace("\\\n", "")
    assert " ".join((*SAMPLE, *PAIR, "-m AP")) in " ".join(command.split())
    assert run("demo", "--copy-to", "sample")[0] == 0
    status, out, err = run("annotate-next", *SAMPLE, *PAIR, "-m", "AP")
    assert (status, err) == (0, "")
    assert out.startswith("What to annotate next: amc.run - waterloo.B-rank-normal by AP")
    assert "The first 20 items, of" in out
    assert "The first 10 of 20 items" in out


def test_the_same_numbers_as_in_python(run, folder: Path) -> None:
    options = ("-m", "P@2", "-k", "2", "--limit", "3", "--prior", "0.5", "--seed", "3")
    typed = ("annotate-next", "votes.csv", "a.run", "b.run", *options)
    status, out, err = run(*typed, "--format", "csv")
    assert status == 0, err
    rows = [*csv.DictReader(StringIO(out))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # which the command prints
        order = ft.annotate_next(
            "votes.csv", ["a.run", "b.run"], "P@2", k=2, limit=3, prior=0.5, rng=3
        )
    expected = order.to_frame(full=True)
    assert [row["item"] for row in rows] == expected["item"].tolist()
    assert [float(row["share"]) for row in rows] == pytest.approx(expected["share"].tolist())
    assert run(*typed, "-o", "batch.csv")[:2] == (0, "")
    assert Path("batch.csv").read_text() == out


def test_votes_and_runs_of_ones_own(run, folder: Path) -> None:
    status, out, err = run("annotate-next", "votes.csv", "a.run", "b.run", "-m", "RR")
    assert status == 0, err
    assert "Difference " in out
    assert "More: " not in out  # methods of Python


def test_what_is_wrong(run) -> None:
    command = ("annotate-next", "votes.csv", "a.run", "b.run")
    assert run(*command)[0] == 2  # no measure
    status, _, err = run(*command, "-m", "AP,RR")
    assert (status, err) == (2, "error: -m AP,RR: name one measure\n")
    status, _, err = run(*command, "-m", "AP", "--systems", "a,c")
    assert status == 2
    assert "'c' is not among the runs" in err
    status, _, err = run(*command, "-m", "AP", "--systems", "a,")
    assert (status, "--systems: a name is empty" in err) == (2, True)
    status, _, err = run("annotate-next", "votes.csv", "a.run", "-m", "AP")
    assert status == 2
    assert "name the two that are compared" in err
    status, _, err = run("annotate-next", "qrels.txt", "a.run", "b.run", "-m", "AP")
    assert status == 1
    assert "unknown author" in err
