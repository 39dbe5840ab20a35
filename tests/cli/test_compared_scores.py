"""Scores that commands compare: read, or made of judgments and runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import typer

import fuzzytruth as ft
from fuzzytruth.cli.compared_scores import names_of_judged, read_compared
from fuzzytruth.cli.derived import COMPARED, MEASURES, Source, with_options

SCORES = "system,query,value,topic\na,1,.5,x\na,2,.6,x\nb,1,.4,x\nb,2,.7,x\n"


def read(*arguments: str, several: str | None = None, defaults: bool = True) -> Any:
    """What a command with the options of `compare` reads."""
    app, found = typer.Typer(), []

    @app.command()
    @with_options(MEASURES, Source("compare", without="bayesian"), *COMPARED)
    def command(context: typer.Context, inputs: list[str]) -> None:
        """Read."""
        context.params["output"] = None
        found.append(read_compared(context, inputs, several=several, defaults=defaults))

    app(list(arguments), standalone_mode=False)
    return found[0]


def test_scores_are_read(folder: Path) -> None:
    (folder / "s.csv").write_text(SCORES)
    found = read("s.csv", "--clusters", "topic", "-m", "value", "--nested")
    assert (found.were_scores, found.measures) == (True, ["value"])
    assert found.groups == {"clusters": "topic"}
    assert found.scores.design == "nested"
    assert read("s.csv", "--lower-is-better", "value").scores.higher_is_better == (False,)


def test_judgments_and_runs_are_evaluated(folder: Path) -> None:
    found = read("qrels.txt", "a.run", "b.run", "-m", "AP")
    assert (found.were_scores, found.measures) == (False, None)
    want = ft.evaluate("qrels.txt", ["a.run", "b.run"], ["AP"])
    assert (found.scores.values == want.values).all()


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.FuzzytruthWarning")
def test_worlds_of_several_subjects(folder: Path) -> None:
    runs = ("a.run", "-m", "P@2")
    assert read("votes.csv", *runs).scores.uncertainty.worlds == "independent"
    assert read("votes.csv", *runs, several="subject").scores.subjects == ("ann", "bob")
    assert read("qrels.txt", *runs, several="subject").scores.subjects is None
    typed = read("votes.csv", *runs, "--worlds", "population", several="subject")
    assert typed.scores.uncertainty.worlds == "population"


def test_a_measure_may_have_to_be_named(folder: Path) -> None:
    with pytest.raises(ft.OptionError, match="-m: name the measure"):
        read("qrels.txt", "a.run", defaults=False)
    assert len(read("qrels.txt", "a.run").scores.measures) == 5


def test_options_of_judgments_are_among_those_shared() -> None:
    names = {option.name for source in COMPARED for _, option in source.options()}
    assert names_of_judged() - {"unjudged"} < names
