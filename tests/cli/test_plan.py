"""`fuzzytruth plan`: the same plan as the library's, from files and from assumed components."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import typer
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.cli.app import main
from fuzzytruth.cli.commands import app
from fuzzytruth.cli.plan import whole_numbers

EXAMPLE = typer.main.get_command(app).commands["plan"].epilog  # type: ignore[attr-defined]

Run = Callable[..., tuple[int, str, str]]
ASSUMED = ("--component", "system:query=.02", "--component", "residual=.05")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("plan")
    values = np.random.default_rng(3).normal(0.5, 0.1, (3, 4, 15))
    scores_of(values).to_frame().to_csv(path / "scores.csv", index=False)
    (path / "qrels.txt").write_text(
        "".join(f"q{q} 0 d{d} {(q + d) % 2}\n" for q in range(8) for d in range(4))
    )
    for name, shift in (("a", 0), ("b", 1)):
        rows = [
            f"q{q} Q0 d{d} 1 {(d * (q + 1) + shift * q) % 5} t\n"
            for q in range(8)
            for d in range(4)
        ]
        (path / f"{name}.run").write_text("".join(rows))
    return path


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "80")

    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main(("plan", *arguments))
        shown = capsys.readouterr()
        return int(stop.value.code or 0), shown.out, shown.err

    return call


def test_the_first_example_says_what_the_library_says(run: Run) -> None:
    lines = EXAMPLE.replace("\\\n", "").split("\n")
    line = next(line for line in lines if "--component" in line)
    status, out, err = run(*line.split()[2:])
    assert (status, err) == (0, "")
    found = ft.plan(components={"system:query": 0.02, "residual": 0.05}, half_width=0.02)
    assert out.strip() == "\n".join(str(found).split("\n")[:-2]).strip()


def test_scores_as_json(run: Run) -> None:
    options = ("--half-width", ".1", "--n-subjects", "2,6-7", "--cost-per-judgment", "3")
    status, out, _ = run("scores.csv", *options, "--format", "json")
    assert status == 0
    scores = ft.read_scores("scores.csv")
    found = ft.plan(scores, half_width=0.1, subjects=[2, 6, 7], cost_per_judgment=3)
    for row, want in zip(json.loads(out), found.table.to_dict("records"), strict=True):
        for name, value in want.items():
            assert row[name] is None if pd.isna(value) else row[name] == pytest.approx(value)


def test_judgments_and_runs(run: Run) -> None:
    status, out, _ = run(
        "qrels.txt", "a.run", "b.run", "-m", "RR", "--half-width", ".1", "--format", "csv"
    )
    assert status == 0
    assert out.startswith("subjects,replicates,queries,lower,upper,")


@pytest.mark.parametrize("ending", ["md", "tex", "csv", "txt"])
def test_files(run: Run, folder: Path, ending: str) -> None:
    few = ("--n-subjects", "1,9")
    assert run("scores.csv", "--half-width", ".1", *few, "-o", f"p.{ending}")[:2] == (0, "")
    text = (folder / f"p.{ending}").read_text(encoding="utf-8")
    assert "queries" in text
    assert "<NA>" not in text


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("--half-width", "1"), 2, "of a pilot, or variances, --component residual=0.05\n"),
        (ASSUMED, 2, "name a target: --half-width, --difference, --coefficient or --budget"),
        (("--component", "residual", "--half-width", "1"), 2, "must be NAME=VALUE"),
        (("--component", "residual=x", "--half-width", "1"), 2, "'x' is not a number"),
        ((*ASSUMED, *ASSUMED, "--half-width", "1"), 2, "names system:query twice"),
        ((*ASSUMED, "--half-width", "0"), 2, "--half-width 0: must be above 0"),
        ((*ASSUMED, "--half-width", "1", "--n-queries", "9-2"), 2, "must be whole numbers from 1"),
        ((*ASSUMED, "--half-width", "1", "--family", "two"), 2, "--family two: must be"),
        (("scores.csv", *ASSUMED, "--half-width", "1"), 2, "and not both"),
        (("nothing.csv", "--half-width", "1"), 1, "nothing.csv"),
        (("qrels.txt", "a.run", "b.run", "--half-width", "1"), 2, "-m: name the measure"),
    ],
)
def test_mistakes(run: Run, arguments: tuple[str, ...], status: int, message: str) -> None:
    got, out, err = run(*arguments)
    assert (got, out) == (status, "")
    assert message in err
    assert err.count("\n") <= 4


def test_whole_numbers() -> None:
    assert whole_numbers("7") == range(7, 8)
    for text in ("", "x", "0", "1-2-3", "5-", "-5"):
        with pytest.raises(typer.BadParameter):
            whole_numbers(text)


def test_help_names_options_as_they_are_typed(run) -> None:
    _, out, _ = run("plan", "--help-all")
    words = " ".join(out.split())
    assert "half-width of an interval of --level, in units of the measure" in words
    assert "Eρ², or Φ if --absolute" in words
