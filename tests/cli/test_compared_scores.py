"""Scores that commands compare: read from tables and logs, or made of judgments and runs."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer

import fuzzytruth as ft
from fuzzytruth.cli.compared_scores import read_compared
from fuzzytruth.cli.derived import COMPARED, MEASURES, Source, with_options

TABLE = "system,query,value\n" + "".join(f"{{0}},q{q},0.{q}\n" for q in range(1, 5))


def log(model: str, *values: str) -> str:
    samples = [
        {"id": f"s{n}", "epoch": 1, "scores": {"choice": {"value": value}}}
        for n, value in enumerate(values)
    ]
    about = {"task": "gpqa", "model": model, "dataset": {"samples": len(values)}}
    return json.dumps({"version": 2, "status": "success", "eval": about, "samples": samples})


@pytest.fixture(autouse=True)
def _files(folder: Path) -> None:
    texts = {
        "good.csv": TABLE.format("good"),
        "poor.csv": TABLE.format("poor"),
        "gpt.json": log("gpt", "C", "C", "I", "C"),
        "llama.json": log("llama", "I", "C", "I", "I"),
        "run.csv": "system,query,item,score\nx,q1,d1,1\n",
        "mine.csv": "net,topic_no,auc\na,q1,0.5\n",
        "topics.csv": "system,query,value,topic\na,1,.5,x\na,2,.6,x\nb,1,.4,x\nb,2,.7,x\n",
        "wide.csv": "topic_no,bm25,dense,kind\n"
        + "".join(f"t{n},0.{n},0.{n + 2},x{n % 2}\n" for n in range(1, 7)),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)


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


def test_scores_are_read() -> None:
    found = read("topics.csv", "--clusters", "topic", "-m", "value", "--nested")
    assert (found.were_scores, found.measures) == (True, ["value"])
    assert found.groups == {"clusters": "topic"}
    assert found.scores.design == "nested"
    lower = read("topics.csv", "--lower-is-better", "value")
    assert lower.scores.higher_is_better == (False,)


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.FuzzytruthWarning")
def test_judgments_and_runs_are_evaluated() -> None:
    found = read("qrels.txt", "a.run", "b.run", "-m", "AP")
    assert (found.were_scores, found.measures) == (False, None)
    want = ft.evaluate("qrels.txt", ["a.run", "b.run"], ["AP"])
    assert (found.scores.values == want.values).all()
    runs = ("a.run", "-m", "P@2")
    assert read("votes.csv", *runs).scores.uncertainty.worlds == "independent"
    assert read("votes.csv", *runs, several="subject").scores.subjects == ("ann", "bob")
    assert read("qrels.txt", *runs, several="subject").scores.subjects is None
    typed = read("votes.csv", *runs, "--worlds", "population", several="subject")
    assert typed.scores.uncertainty.worlds == "population"
    with pytest.raises(ft.errors.OptionError, match="-m: name the measure"):
        read("qrels.txt", "a.run", defaults=False)
    assert len(read("qrels.txt", "a.run").scores.measures) == 5


def test_logs_and_wide_tables_are_compared(printed, records, error) -> None:
    want = ft.compare(ft.read_scores(["gpt.json", "llama.json"])).to_frame(full=True)
    (row,) = records("compare gpt.json llama.json")
    assert row["difference"] == want["difference"].iloc[0] == 0.5
    wide = "compare wide.csv --columns query=topic_no --systems bm25,dense"
    assert records(wide)[0]["difference"] == pytest.approx(-0.2)
    assert "in 2 clusters" in printed(f"{wide} --clusters kind")


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        ("new=gpt.json llama.json", 2, "llama.json: give every file of scores a name"),
        ("new=good.csv old=poor.csv", 2, "good.csv"),
        ("qrels.txt a.run --columns a=b -m P@1", 2, "--columns: qrels.txt has no named columns"),
        *(
            (
                f"good.csv {options}",
                2,
                f"{named} for judgments and runs, and good.csv holds scores; after judgments, "
                "name the runs",
            )
            for options, named in {
                "--worlds subject": "--worlds: is",
                "--ties trec": "--ties: is",  # the default
                "--no-groups": "--no-groups: is",
                "--intents": "--intents: is",
                "--by-item": "--by-item: is",
                "--subjects ann,bob": "--subjects: is",
                "--undefined zero --n-worlds 10": "--undefined, --n-worlds: are",
            }.items()
        ),
    ],
)
def test_mistakes(error, line: str, status: int, message: str) -> None:
    found, text = error(f"compare {line}")
    assert found == status
    assert message in text


def test_columns_of_measures(records, error, folder: Path) -> None:
    for name, values in (("one", "0.5 0.75 1"), ("two", "0.25 0.5 0.5")):
        rows = [f"ask {n},{value},1\n" for n, value in enumerate(values.split())]
        (folder / f"{name}.csv").write_text("user_input,f,g\n" + "".join(rows))
    (row,) = records("compare x=one.csv y=two.csv --measure-columns f")
    assert (row["system_a"], row["system_b"], row["measure"]) == ("x", "y", "f")
    assert row["difference"] == pytest.approx(1 / 3)
    assert len(records("compare one.csv two.csv --measure-columns f,g -m f")) == 1
    (folder / "plain.csv").write_text("sample,f,g\n1,0.5,1\n2,1,0\n")
    status, message = error("compare plain.csv")
    assert (status, "if each measure has a column: --measure-columns NAME,..." in message) == (
        1,
        True,
    )
    status, message = error("compare one.csv --measure-columns f --clusters topic")
    assert message.startswith("--clusters topic: does not go with --measure-columns, columns of")
