"""Tables with a column a metric, HELM's runs, and MTEB's means, which are refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.cli.commands import run
from fuzzytruth.errors import FuzzytruthWarning, LeftOutWarning, RepeatsWarning

METRICS = ["faithfulness", "answer_relevancy"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    asked = [f"what is {n}?" for n in range(3)]
    one = pd.DataFrame({"user_input": asked, "faithfulness": [1, 0.5, 0], METRICS[1]: 0.25})
    one.to_csv("a.csv", index=False)
    one[::-1].assign(faithfulness=[0.1, 0.2, 0.3]).to_json("b.jsonl", orient="records", lines=True)
    return tmp_path


def test_a_column_for_each_measure() -> None:
    scores = ft.read_scores(["a.csv", "b.jsonl"], measures=METRICS)
    assert (scores.systems, scores.measures) == (("a", "b"), tuple(METRICS))
    assert scores.queries == ("what is 0?", "what is 1?", "what is 2?")
    assert scores.values[:, 0].tolist() == [[1, 0.5, 0], [0.3, 0.2, 0.1]]
    named = ft.read_scores({"x": "a.csv"}, measures="faithfulness")
    assert (named.systems, named.values.ravel().tolist()) == (("x",), [1, 0.5, 0])


def test_samples_are_told_apart_by_queries_or_numbers() -> None:
    frame = pd.DataFrame({"model": ["m", "m", "n"], "qid": [7, 8, 7], "f": [1, 0, "yes"]})
    scores = ft.read_scores(frame, measures="f")
    assert (scores.systems, scores.queries) == (("m", "n"), ("7", "8"))
    assert scores.mean()["f"].to_dict() == {"m": 0.5, "n": 1.0}
    assert ft.read_scores(frame[["f"]], measures=["f"]).queries == ("1", "2", "3")
    own = frame.rename(columns={"qid": "no"})
    assert ft.read_scores(own, measures="f", columns={"query": "no"}).queries == ("7", "8")
    with pytest.warns(RepeatsWarning, match="1 sample was run up to 2 times"):
        ft.read_scores(frame.assign(qid=7), measures="f")


def test_cells_without_numbers_are_counted() -> None:
    Path("gaps.csv").write_text("qid,f,g\n1,,1\n2,bad,1\n3,0.5,1\n")
    with pytest.warns(LeftOutWarning, match="1 empty cell of 'f', 1 value of 'f' left out, "):
        scores = ft.read_scores("gaps.csv", measures=["f", "g"])
    assert scores.mean().loc["gaps"].to_dict() == {"f": 0.5, "g": 1.0}


def of_ragas(**more: Any) -> pd.DataFrame:
    """Two samples as `to_pandas` gives them, with two metrics, one value of which is missing."""
    samples = {
        "user_input": ["what is 0?", "what is 1?"],
        "retrieved_contexts": [["a", "b"], []],
        "response": ["0", "1"],
        "reference": ["0", "2"],
    }
    metrics = {"faithfulness": [0.5, None], "factual_correctness(mode=f1)": [1, 0]}
    return pd.DataFrame(samples | metrics | more)


@pytest.mark.parametrize("ending", ["csv", "with_index.csv", "jsonl", "json", "parquet", ""])
def test_the_metrics_of_ragas_need_not_be_named(ending: str) -> None:
    frame, path = of_ragas(synthesizer_name="single"), f"rag.{ending}"
    write = {
        "csv": lambda: frame.to_csv(path, index=False),
        "with_index.csv": lambda: frame.to_csv(path),
        "jsonl": lambda: frame.to_json(path, orient="records", lines=True),
        "json": lambda: frame.to_json(path, orient="records"),
        "parquet": lambda: frame.to_parquet(path),
    }
    write.get(ending, lambda: None)()
    with pytest.warns(FuzzytruthWarning) as made:
        scores = ft.read_scores(path if ending else frame)
    assert scores.queries == ("what is 0?", "what is 1?")
    assert scores.mean().iloc[0].to_dict() == {METRICS[0]: 0.5, "factual_correctness(mode=f1)": 0.5}
    where = path if ending else "frame"
    assert [str(one.message) for one in made] == [
        f"{where}: read as results of ragas, with the measures 'faithfulness', "
        "'factual_correctness(mode=f1)'; measures= chooses",
        f"{where}: of this log, 1 empty cell of 'faithfulness' left out",
    ]


def test_older_columns_of_ragas_and_its_datasets() -> None:
    names = {"user_input": "question", "retrieved_contexts": "contexts", "response": "answer"}
    old = of_ragas(qid=[7, 8], faithfulness=1).rename(columns=names)
    with pytest.warns(FuzzytruthWarning, match="results of ragas"):
        scores = ft.read_scores(old)
    assert (scores.queries, len(scores.measures)) == (("7", "8"), 2)
    samples = of_ragas()[["user_input", "retrieved_contexts", "response"]]
    with pytest.raises(ft.errors.DataError, match="if each measure has a column: read_scores"):
        ft.read_scores(samples)
    long = pd.DataFrame({"system": "m", "query": ["1", "2"], "value": 1.0, "user_input": "x"})
    assert ft.read_scores(long).measures == ("value",)


def test_ragas_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    of_ragas(faithfulness=[0.5, 1.0]).to_csv("one.csv", index=False)
    of_ragas(faithfulness=[0.5, 0.0]).to_csv("two.csv", index=False)
    assert run(["compare", "x=one.csv", "y=two.csv", "-m", "faithfulness"]) == 0
    printed = capsys.readouterr()
    assert re.search(r"\bx +y +\+0\.5000\b", printed.out)
    assert "measures 'faithfulness', 'factual_correctness(mode=f1)'; --measure-columns chooses" in (
        printed.err
    )


def of_deepeval(*scores: float | None, key: str = "metricsData") -> list[dict[str, Any]]:
    """Test cases of DeepEval, with these scores by one metric and 1 by another."""
    return [
        {
            "name": f"test_case_{n}",
            "input": f"what is {n}?",
            "success": True,
            key: [
                {"name": "Faithfulness", "score": score, "threshold": 0.5, "error": None},
                {"name": "Correctness [GEval]", "score": 1, "threshold": 0.5, "error": None},
            ],
        }
        for n, score in enumerate(scores)
    ]


def test_test_runs_of_deepeval() -> None:
    told = {"name": "talk", "turns": [], "metricsData": [{"name": "Faithfulness", "score": 0.5}]}
    test_run = {"testCases": of_deepeval(1, None), "conversationalTestCases": [told]}
    test_run["hyperparameters"] = {"model": "gpt"}
    Path("test_run_1.json").write_text(json.dumps(test_run))
    with pytest.warns(LeftOutWarning, match="1 metric without a score left out"):
        scores = ft.read_scores("test_run_1.json")
    assert (scores.systems, scores.queries) == (("gpt",), ("what is 0?", "what is 1?", "talk"))
    assert scores.mean().loc["gpt"].to_dict() == {"Faithfulness": 0.75, "Correctness [GEval]": 1}
    Path(".latest.json").write_text(
        json.dumps({"testRunData": test_run | {"hyperparameters": None}})
    )
    evaluated = {"test_results": of_deepeval(0.25, 0.75, key="metrics_data")}
    Path("evaluated.json").write_text(json.dumps(evaluated))
    with pytest.warns(LeftOutWarning):
        both = ft.read_scores([".latest.json", "evaluated.json"])
    assert both.mean()["Faithfulness"].to_dict() == {".latest": 0.75, "evaluated": 0.5}
    message = "gpt' has a log already .*; give one of the two, or name the systems"
    with pytest.warns(LeftOutWarning), pytest.raises(ft.errors.DataError, match=message):
        ft.read_scores(["test_run_1.json", Path("test_run_1.json")])
    Path("broken.json").write_text('{"testCases": [{"metricsData": [{}]}]}')
    with pytest.raises(ft.errors.DataError, match=r"broken\.json: malformed log"):
        ft.read_scores("broken.json")


@pytest.mark.parametrize(
    ("path", "options", "message"),
    [
        ("a.csv", {"measures": "faithful"}, "a.csv, header: no column 'faithful' .nearest: 'faith"),
        ("a.csv", {"measures": "user_input"}, "a.csv: no sample of this log has a score"),
        ("a.csv", {"measures": "f", "systems": "g"}, "systems='g': does not go with measures="),
        (
            "plain.csv",
            {},
            r"no known column; .*if each measure has a column: read_scores\(\.\.\., m",
        ),
        (
            "a.run",
            {"measures": "f"},
            "a.run: scores of measures need named columns .f.; give",
        ),
        ("results", {}, "^results: has means of tasks by MTEB, and no values of queries; evaluate"),
        ("results/m/T.json", {}, "T.json: has means of tasks by MTEB"),
        (
            "stats.json",
            {},
            "^stats.json: has means by HELM; give per_instance_stats.json, which is",
        ),
        ("none", {}, "^none: is a directory without per_instance_stats.json, which HELM writes"),
    ],
)
def test_what_is_refused(path: str, options: dict[str, Any], message: str) -> None:
    Path("results/m").mkdir(parents=True)
    Path("results/m/model_meta.json").write_text("{}")
    Path("results/m/T.json").write_text('{"task_name": "T", "scores": {"test": []}}')
    Path("none").mkdir()
    Path("plain.csv").write_text("f,g\n1,2\n")
    mean = {"name": {"name": "em", "split": "test"}, "count": 2, "sum": 1, "sum_squared": 1}
    Path("stats.json").write_text(json.dumps([mean]))
    Path("a.run").write_text("q Q0 d 1 1 x\n")
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.read_scores(path, **options)


def write_helm(run: str, values: list[float], **record: Any) -> Path:
    """Write a run of HELM, whose first instance comes again with the keys of `record`."""
    folder = Path("runs") / run
    folder.mkdir(parents=True)
    stats = [
        [{"name": {"name": "em"}, "count": 2, "sum": 2 * v}, {"name": {"name": "n"}, "count": 0}]
        for v in values
    ]
    records = [{"instance_id": f"id{n}", "stats": one} for n, one in enumerate(stats)]
    records.append({"instance_id": "id0", "stats": stats[0]} | record)
    (folder / "per_instance_stats.json").write_text(json.dumps(records))
    return folder


def test_runs_of_helm() -> None:
    write_helm("mmlu:subject=x,model=openai_gpt", [1, 0], perturbation={"name": "typos"})
    write_helm("mmlu:subject=x,model=meta_llama", [1, 1], perturbation={"name": "typos"})
    with pytest.warns(LeftOutWarning, match="1 perturbed instance left out"):
        scores = ft.read_scores("runs")
    assert scores.queries == ("id0", "id1")
    assert scores.mean()["em"].to_dict() == {"openai_gpt": 0.5, "meta_llama": 1.0}
    with pytest.warns(LeftOutWarning):
        assert ft.read_scores({"x": "runs/*gpt/*.json"}).systems == ("x",)
    trials = write_helm("trials", [0, 1], train_trial_index=1)
    with pytest.warns(RepeatsWarning, match="1 sample was run up to 2 times"):
        assert ft.read_scores(trials).systems == ("trials",)
    (trials / "per_instance_stats.json").write_text('[{"instance_id": 1, "stats": [{}]}]')
    with pytest.raises(ft.errors.DataError, match="record 1: malformed record of HELM"):
        ft.read_scores(trials)
